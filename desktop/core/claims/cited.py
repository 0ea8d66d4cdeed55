"""What an answer cites: its statements, and what really stands in each cited place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.answering.procedures import PageQuotes, whole_procedure
from desktop.core.answering.wording import shown_text
from desktop.core.events import CitationEvent, NoteCitationEvent, RevisionEvent, TokenEvent
from desktop.core.reader.steps import numbered_runs
from desktop.core.structure.sentences import sentence_spans
from desktop.core.whole_words import text_of
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.events import Event, PageRegion
    from desktop.core.geometry import Box
    from desktop.core.library.library import Library
    from desktop.core.reader.quotes import Quote

MARKS = re.compile(r"(?:\s*\[\d{1,3}\])+")
_EDGE_POINTS = 1.0


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

    @property
    def told(self) -> str:
        """It as a person reads it: cells with their headings, a drawing with its caption."""
        return shown_text(self)


@dataclass(frozen=True)
class CitedPassage:
    """A cited place: the words in its region and the page around it.

    number: of the citation. quotes: of the page, in reading order; the ones of the next page
    that go on with a list of steps may follow. region: words that the boxes hold.
    """

    number: int
    quotes: tuple[PageQuote, ...]
    document: str = ""
    label: str = ""
    region: str = ""
    document_id: int = 0
    page: int = 0

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


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """start: its place in the streamed text. streamed: with its marks, as it was streamed.

    marks: the signs after it, " [1][2]". unsupported: what is already marked in it.
    """

    start: int
    streamed: str
    marks: str
    checked: CheckedSentence
    unsupported: tuple[str, ...] = ()


def answer_sentences(events: Iterable[Event]) -> tuple[AnswerSentence, ...]:
    """Split what was streamed; withdrawn sentences are left out.

    Marks belong to the words before them, back to the start of the line.
    """
    streamed = ""
    revisions: list[RevisionEvent] = []
    for event in events:
        if isinstance(event, TokenEvent):
            streamed += event.content
        elif isinstance(event, RevisionEvent):
            revisions.append(event)
    masked = streamed
    for revision in revisions:
        if not revision.new and streamed.startswith(revision.old, revision.start):
            end = revision.start + len(revision.old)
            masked = masked[: revision.start] + " " * len(revision.old) + masked[end:]
    found: list[AnswerSentence] = []
    start = 0
    for line in masked.split("\n"):
        at = 0
        for marks in MARKS.finditer(line):
            _add(found, start + at, line[at : marks.start()], marks.group(), revisions)
            at = marks.end()
        _add(found, start + at, line[at:], "", revisions)
        start += len(line) + 1
    return tuple(found)


def _add(
    found: list[AnswerSentence],
    start: int,
    text: str,
    marks: str,
    revisions: Iterable[RevisionEvent],
) -> None:
    said = text.strip()
    if not any(character.isalnum() for character in said):
        return
    start += len(text) - len(text.lstrip())
    cited = tuple(dict.fromkeys(int(number) for number in re.findall(r"\d+", marks)))
    streamed = text.lstrip() + marks
    if not marks:
        streamed = said
    unsupported = tuple(
        value
        for each in revisions
        if each.start == start and each.new
        for value in each.unsupported
    )
    found.append(AnswerSentence(start, streamed, marks, CheckedSentence(said, cited), unsupported))


class CitedPages:
    """Reads cited places of one library; blocks, callable from any thread."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._pages = PageQuotes(library)

    def passages(self, events: Iterable[Event]) -> tuple[CitedPassage, ...]:
        """Return the place of each citation among `events`, and the words of each cited note.

        What is gone from the library is left out.
        """
        found: list[CitedPassage | None] = []
        for event in events:
            if isinstance(event, CitationEvent):
                found.append(self.passage(event.number, event.source, event.quote))
            elif isinstance(event, NoteCitationEvent):
                note = event.note
                found.append(CitedPassage.of_text(event.number, event.quote, note.title))
        return tuple(passage for passage in found if passage is not None)

    def passage(self, number: int, source: PageRegion, quote: str = "") -> CitedPassage | None:
        """Return one cited place, None if its manual is gone.

        quote: what is said to stand there; it counts only where the region has its words.
        """
        words = self._pages.words(source.document_id, source.page)
        if words is None:
            return None
        quotes = self._pages.of(source.document_id, source.page, words)
        inside = set(words.inside(source.regions, _EDGE_POINTS))
        touched = tuple(
            PageQuote(
                each.text,
                each.context,
                each.kind,
                bool(inside.intersection(each.indices)) or _overlaps(each, source),
                each.boxes,
            )
            for each in quotes
        )
        region = text_of(words.texts[index] for index in sorted(inside))
        further = self._further_steps(source, quotes)
        return CitedPassage(
            number,
            (*touched, *further),
            source.document,
            source.label or str(source.page + 1),
            region if words.texts else quote,
            source.document_id,
            source.page,
        )

    def _further_steps(self, source: PageRegion, quotes: Sequence[Quote]) -> list[PageQuote]:
        """Return the steps that continue this page's last list on the next pages."""
        runs = numbered_runs(quotes)
        if not runs:
            return []
        document = source.document_id
        steps = whole_procedure(source.page, runs[-1], lambda page: self._pages.of(document, page))
        return [
            PageQuote(
                step.quote.text,
                step.quote.context,
                step.quote.kind,
                False,
                step.quote.boxes,
                step.page,
                self._library.label(document, step.page),
            )
            for step in steps
            if step.page != source.page
        ]


def _overlaps(quote: Quote, source: PageRegion) -> bool:
    """Whether a quote without words of its own (a drawing) lies in the region."""
    return not quote.indices and any(
        box.overlap_share(region) > 0 for box in quote.boxes for region in source.regions
    )
