"""What the critic reads, and what it finds: plain values, no library and no model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from desktop.core.agent.answering.column_units import values_of_row
from desktop.core.agent.answering.statement_facts import Ground
from desktop.core.sentences import said
from desktop.core.structure.sentences import sentence_spans

if TYPE_CHECKING:
    from desktop.core.geometry import Box

_PLACES = "chapter section kapitel abschnitt seite page"
"""What a place in a manual is called; of which one it is, the number must stand there."""
FindingKind = Literal["unsupported", "value", "negation", "missing_step", "contradiction"]
"""unsupported: no cited place says it. value: a number, unit or code that is not there.
negation: the page says the opposite. missing_step: a procedure is not whole.
contradiction: two cited pages say different things."""


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """One statement of an answer, without its marks. cited: the numbers of its citations."""

    text: str
    cited: tuple[int, ...] = ()

    @property
    def is_opening(self) -> bool:
        """Whether it only announces what follows, and claims nothing."""
        return not self.cited and self.text.rstrip().endswith(":")


@dataclass(frozen=True, slots=True)
class PageQuote:
    """A sentence, row or step as it stands on a page.

    context: title and headings above it, and a table's header. cited: whether the cited region
    has some of its words. boxes: of its words, PDF points, top-left origin; () if not known.
    page, label: where it stands if not on the cited page itself, -1 and "" if it does.
    """

    text: str
    context: str = ""
    kind: str = "paragraph"
    cited: bool = True
    boxes: tuple[Box, ...] = ()
    page: int = -1
    label: str = ""


@dataclass(frozen=True)
class CitedPassage:
    """A cited place: the words in its region and the page around it.

    number: of the citation. quotes: of the page, in reading order; the ones of the next page
    that go on with a list of steps may follow. region: words that the boxes hold. names: what
    the manual is called.
    """

    number: int
    quotes: tuple[PageQuote, ...]
    document: str = ""
    label: str = ""
    region: str = ""
    document_id: int = 0
    page: int = 0
    names: tuple[str, ...] = ()

    @classmethod
    def of_text(cls, number: int, text: str, document: str = "", label: str = "") -> CitedPassage:
        """Make a passage of text alone: all of it counts as cited."""
        quotes = []
        for line in text.splitlines():
            words = line.split()
            quotes += [
                PageQuote(" ".join(words[first:last]), document)
                for first, last in sentence_spans(words)
                if last > first
            ]
        return cls(number, tuple(quotes), document, label, text)

    @property
    def touched(self) -> tuple[PageQuote, ...]:
        """The quotes that the region has words of."""
        return tuple(quote for quote in self.quotes if quote.cited)

    @property
    def place(self) -> str:
        """How a person is told where it is."""
        if self.label:
            return said("page {label}", label=self.label)
        return self.document or said("passage {n}", n=self.number)

    @cached_property
    def ground(self) -> Ground:
        """The cited words, with what gives them meaning: headings, header, manual and page."""
        touched = self.touched
        said = (self.region, *(quote.text for quote in touched))
        values = (value for each in touched for value in values_of_row(each.text, each.context))
        around = (*(quote.context for quote in touched), self.document, *self.names)
        return Ground((*said, *values, *around, f"{_PLACES} {self.label}"))

    @cached_property
    def whole_page(self) -> Ground:
        """All that is known of the page."""
        values = (each for q in self.quotes for each in values_of_row(q.text, q.context))
        return Ground((*(quote.text for quote in self.quotes), *values))


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with an answer.

    sentence: its index among the checked sentences. message: for a person, in one sentence.
    unsupported: numbers, units, codes that are not there. instead: what the page says, or the
    step that is missing. passage: the citation that `instead` belongs to, 0 for none.
    """

    kind: FindingKind
    sentence: int
    message: str
    unsupported: tuple[str, ...] = ()
    instead: PageQuote | None = None
    passage: int = 0
