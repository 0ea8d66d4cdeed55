"""Words of pages for selection, read off the UI thread and kept for a while."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.core.page_words import PageWords

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from desktop.core.library.library import Library
    from desktop.ui.bridge import TaskThread

_KEPT_PAGES = 400


class WordStore(QObject):
    """Page words by document and page; `get` never waits."""

    loaded = Signal(int, int)

    def __init__(self, source: Library, tasks: TaskThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._tasks = tasks
        self._pages: OrderedDict[tuple[int, int], PageWords] = OrderedDict()
        self._asked: set[tuple[int, int]] = set()

    def get(self, document_id: int, page: int) -> PageWords | None:
        """Return the words if they are here, else fetch them and emit `loaded` later."""
        key = (document_id, page)
        words = self._pages.get(key)
        if words is not None:
            self._pages.move_to_end(key)
        elif key not in self._asked:
            self._asked.add(key)
            self._tasks.submit(
                lambda: self._source.page_words(document_id, page),
                lambda words: self._keep(key, words),
                lambda _: self._keep(key, PageWords.empty()),
            )
        return words

    def with_pages(
        self,
        document_id: int,
        pages: Sequence[int],
        then: Callable[[dict[int, PageWords]], None],
    ) -> None:
        """Call `then` with the words of all the pages, at once if they are all here."""
        here = {page: self._pages.get((document_id, page)) for page in pages}
        found = {page: words for page, words in here.items() if words is not None}
        if len(found) == len(here):
            then(found)
            return
        missing = [page for page in pages if page not in found]
        self._tasks.submit(
            lambda: {page: self._source.page_words(document_id, page) for page in missing},
            lambda read: self._keep_all(document_id, read, lambda: then({**found, **read})),
        )

    def forget(self, document_id: int, pages: Iterable[int]) -> None:
        """Read the words of these pages anew when they are needed again."""
        for page in pages:
            self._pages.pop((document_id, page), None)

    def _keep_all(
        self, document_id: int, read: dict[int, PageWords], then: Callable[[], None]
    ) -> None:
        for page, words in read.items():
            self._keep((document_id, page), words)
        then()

    def _keep(self, key: tuple[int, int], words: PageWords) -> None:
        self._asked.discard(key)
        self._pages[key] = words
        while len(self._pages) > _KEPT_PAGES:
            self._pages.popitem(last=False)
        self.loaded.emit(*key)
