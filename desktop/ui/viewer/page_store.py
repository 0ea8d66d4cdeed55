"""What is read of pages, words and links, off the UI thread and kept for a while."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop.core.page_words import PageWords

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from desktop.ui.bridge import Errands

T = TypeVar("T")
_KEPT_PAGES = 400


class PageStore(QObject, Generic[T]):
    """Something of each page, by document and page; `get` never waits and never asks twice."""

    loaded = Signal(int, int)

    def __init__(
        self, read: Callable[[int, int], T], empty: T, tasks: Errands, parent: QObject
    ) -> None:
        """read: called on the thread of `tasks`. empty: of a page that cannot be read."""
        super().__init__(parent)
        self._read, self._empty, self._tasks = read, empty, tasks
        self._pages: OrderedDict[tuple[int, int], T] = OrderedDict()
        self._asked: set[tuple[int, int]] = set()

    def get(self, document_id: int, page: int) -> T | None:
        """Return what is here, else read it and emit `loaded` later."""
        key = (document_id, page)
        if key in self._pages:
            self._pages.move_to_end(key)
        elif key not in self._asked:
            self._asked.add(key)
            self._tasks.run(
                lambda: self._read(document_id, page),
                lambda found: self._keep(key, found),
                lambda _: self._keep(key, self._empty),
            )
        return self._pages.get(key)

    def with_pages(
        self, document_id: int, pages: Sequence[int], then: Callable[[dict[int, T]], None]
    ) -> None:
        """Call `then` with what all the pages hold, at once if it is all here."""
        keys = {page: (document_id, page) for page in pages}
        here = {page: self._pages[key] for page, key in keys.items() if key in self._pages}
        missing = [page for page in pages if page not in here]
        if not missing:
            then(here)
            return

        def keep(read: dict[int, T]) -> None:
            for page, found in read.items():
                self._asked.add(keys[page])
                self._keep(keys[page], found)
            then(here | read)

        self._tasks.run(lambda: {page: self._read(document_id, page) for page in missing}, keep)

    def forget(self, document_id: int, pages: Iterable[int]) -> None:
        """Read these pages anew when they are needed again."""
        for page in pages:
            self._pages.pop((document_id, page), None)
            self._asked.discard((document_id, page))

    def _keep(self, key: tuple[int, int], found: T) -> None:
        if key not in self._asked:
            return  # forgotten meanwhile
        self._asked.discard(key)
        self._pages[key] = found
        if len(self._pages) > _KEPT_PAGES:
            self._pages.popitem(last=False)
        self.loaded.emit(*key)


WordStore = PageStore[PageWords]
