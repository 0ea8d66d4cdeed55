"""The running numbers of an answer's citations: one for each place on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.events import CitationEvent, NoteCitationEvent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.core.events import NoteSource, PageRegion, QuotedForm


class Citations:
    """Numbers places from 1 in the order in which they are first cited.

    references: the `_REF_ID` of each page, by document and page index. notes: what is no page
    of a manual but a note of the site, by the document id that stands for it.
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
