"""The numbers of an answer's citations, and the quotes that are shown while a model works."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.core.events import (
    LIKELY,
    SURELY_STATED,
    CitationEvent,
    NoteCitationEvent,
    RevisionEvent,
    TokenEvent,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from desktop.core.answering.answer import Answer
    from desktop.core.events import Event, NoteSource, PageRegion, QuotedForm


class Citations:
    """Numbers places from 1 in the order in which they are first cited.

    references: the `_REF_ID` of each page, by document and page index. notes: what is
    not a page of a manual but a note of the site, by the document id that stands for
    it.
    """

    def __init__(
        self,
        references: Mapping[tuple[int, int], str],
        notes: Mapping[int, NoteSource] | None = None,
    ) -> None:
        self._references = references
        self._notes = notes or {}
        self._numbers: dict[PageRegion, int] = {}

    def cite(
        self, source: PageRegion, quote: str, form: QuotedForm | None = None
    ) -> tuple[int, CitationEvent | NoteCitationEvent | None]:
        """Return the number of a place, and its event if it is cited for the first time.

        form: how the quote stands on its page, where the answer is the quote.
        """
        if source in self._numbers:
            return self._numbers[source], None
        number = self._numbers[source] = len(self._numbers) + 1
        if source.document_id in self._notes:
            return number, NoteCitationEvent(number, self._notes[source.document_id], quote)
        reference = self._references.get((source.document_id, source.page), "")
        return number, CitationEvent(number, source, quote, reference, form=form)


@dataclass(slots=True)
class ShownQuotes:
    """Quotes that a person sees while a language model still works.

    events: what was shown of them. standing: nothing has taken their place.
    """

    answer: Answer
    citations: Citations
    events: list[Event] = field(default_factory=list)
    standing: bool = True

    @property
    def sure(self) -> bool:
        """Whether a model's answer must be better than these quotes to replace them."""
        return self.answer.confidence >= LIKELY

    @property
    def settles(self) -> bool:
        """Whether they surely answer the whole question, so that nothing else need be looked for.

        On `choose` (338 questions) 93 answers are so sure: 87 of them to what has an answer.
        """
        return self.answer.confidence >= SURELY_STATED and not self.answer.unanswered

    @property
    def text(self) -> str:
        """Their words as they were streamed."""
        return "".join(each.content for each in self.events if isinstance(each, TokenEvent))

    def are(self, answer: Answer) -> bool:
        """Whether an answer says the same."""
        return self.standing and self.answer.statements == answer.statements

    def superseded(self) -> Iterator[RevisionEvent]:
        """Remove them from the answer: something better follows."""
        if self.standing:
            self.standing = False
            yield RevisionEvent(0, 0, self.text, "", superseded=True)
