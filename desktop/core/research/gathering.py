"""What a research starts from: pages and notes about the question; in monitor mode what the
site says, and beside each statement what the maker says about the same.
"""  # noqa: D205

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.research.proposal import claim_of as claim_in
from desktop.core.research.sources import sentences
from desktop.core.retrieval.tokens import index_term_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.core.events import ResearchMode
    from desktop.core.research.sources import LibraryFinder, ResearchSource
    from desktop.core.settings.reasoning import ReasoningSettings

_DOUBTFUL = 4
_PAGES_PER_STATEMENT = 4
_MOST_STATEMENTS_PER_NOTE = 20


class Gathering:
    """Finds the first sources; blocking."""

    def __init__(
        self, finder: LibraryFinder, settings: ReasoningSettings, stopped: Callable[[], bool]
    ) -> None:
        self._finder = finder
        self._settings = settings
        self._stopped = stopped

    def run(self, question: str, mode: ResearchMode) -> list[ResearchSource]:
        """Return the sources, best first; in monitor mode the site's before the maker's.

        Raises: LibraryError, KnowledgeError, ModelError.
        """
        if mode == "monitor":
            return list(self._compared(question))
        wanted = claim_in(question)
        return self._finder.find(wanted, self._settings.pages_per_search)

    def _compared(self, question: str) -> Iterator[ResearchSource]:
        site = self._site(question)
        yield from site
        seen: set[str] = set()
        for source in site:
            for statement in list(_statements(source))[:_MOST_STATEMENTS_PER_NOTE]:
                if self._stopped():
                    return
                for page in self._finder.find(statement, _PAGES_PER_STATEMENT, True):
                    if page.url not in seen:
                        seen.add(page.url)
                        yield page

    def _site(self, question: str) -> list[ResearchSource]:
        most = self._settings.site_notes
        notes = self._finder.site_sources(most)
        documents = self._finder.doubtful_documents(_DOUBTFUL)
        pages = self._finder.pages_of(documents, question, most)
        sources = [*notes, *pages]
        asked = index_term_set(claim_in(question))
        about = [source for source in sources if asked & _terms(source)]
        # what every source says tells none apart: a question about notes as such is about all
        if len(about) == len(sources) or not about:
            return sources[:most]
        return about[:most]


def _terms(source: ResearchSource) -> frozenset[str]:
    scope = source.note.scope if source.note is not None else ""
    texts = (scope, *(unit.text for unit in source.evidence.passages))
    return index_term_set("\n".join(texts))


def _statements(source: ResearchSource) -> Iterator[str]:
    for unit in source.evidence.passages:
        yield from sentences(unit.text)
