"""Pages and notes of a library, as sources of research."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from desktop.core.errors import LibraryError
from desktop.core.notes.filter import NoteFilter
from desktop.core.research.sources import note_source, page_source
from desktop.core.retrieval.query import Query
from knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.core.agent.toolbox import Search, Shelf
    from desktop.core.library.places import Place
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.notes.search import NoteSearch
    from desktop.core.research.sources import ResearchSource

logger = logging.getLogger(__name__)

_BEST = frozenset({1})


class LibraryFinder:
    """Satisfies `FindsSources`. document_ids: only these manuals; empty means all.

    by_words: for the many searches of a comparison, which needs the words in common anyway.
    """

    def __init__(
        self,
        searcher: Search,
        by_words: Search,
        shelf: Shelf,
        notes: NoteDesk,
        note_search: NoteSearch,
        place: Callable[[], Place],
        document_ids: frozenset[int] = frozenset(),
    ) -> None:
        self._searcher = searcher
        self._by_words = by_words
        self._shelf = shelf
        self._notes = notes
        self._note_search = note_search
        self._place = place
        self._document_ids = document_ids

    def find(self, query: str, limit: int, best_tier_only: bool = False) -> list[ResearchSource]:
        """Return what a query finds, pages before notes; see `FindsSources`."""
        tiers = _BEST if best_tier_only else frozenset()
        searcher = self._by_words if best_tier_only else self._searcher
        found = searcher.search(Query(query, self._document_ids, limit, tiers))
        documents = {each.id: each for each in self._shelf.documents()}
        sources = [page_source(page, documents.get(page.document_id)) for page in found]
        return sources if best_tier_only else sources + self._notes_about(query)

    def site_sources(self, limit: int) -> list[ResearchSource]:
        """Return every note of the place that is asked from, the latest first.

        Raises: KnowledgeError, LibraryError.
        """
        notes = self._notes.list(NoteFilter(place=self._place()), limit)
        return [note_source(self._note_search.source(note), note.text) for note in notes]

    def doubtful_documents(self, worse_than: int) -> list[int]:
        """Return the ids of documents that are not to be relied on, of those that are searched."""
        return [
            each.id
            for each in self._shelf.documents()
            if each.tier >= worse_than
            and each.searchable
            and (not self._document_ids or each.id in self._document_ids)
        ]

    def pages_of(self, document_ids: Sequence[int], query: str, limit: int) -> list[ResearchSource]:
        """Return pages of some documents, the nearest to a query first."""
        if not document_ids:
            return []
        found = self._searcher.search(Query(query, frozenset(document_ids), limit))
        documents = {each.id: each for each in self._shelf.documents()}
        return [page_source(page, documents.get(page.document_id)) for page in found]

    def _notes_about(self, query: str) -> list[ResearchSource]:
        try:
            found = self._note_search(query, self._place())
        except (KnowledgeError, LibraryError) as error:
            logger.warning("notes cannot be read: %s", type(error).__name__)
            return []
        return [note_source(each.source, each.note.text, each.score) for each in found]
