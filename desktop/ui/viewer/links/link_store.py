"""Links of pages, read by the parser off the UI thread and kept while a manual is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.ui.viewer.manuals.task_thread import TaskThread

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.structure.values import PageLink
    from desktop.ui.viewer.manuals.open_document import OpenDocument
    from desktop.ui.viewer.manuals.source import PageDrawer

Links = tuple["PageLink", ...]


class LinkStore(QObject):
    """Links by document and page; `get` never waits and never asks twice."""

    loaded = Signal(int, int)

    def __init__(self, reader: PageDrawer, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._thread: TaskThread | None = None
        self._closed = False
        self._pages: dict[tuple[int, int], Links | None] = {}

    def get(self, document: OpenDocument, page: int) -> Links:
        """Return the links if they are here, else none and emit `loaded` later."""
        key = (document.id, page)
        if key not in self._pages:
            self._pages[key] = None
            self._read(document, page, lambda links: self._keep(key, links))
        return self._pages[key] or ()

    def with_page(self, document: OpenDocument, page: int, then: Callable[[Links], None]) -> None:
        """Call `then` with the links of a page, at once if they are here."""
        key = (document.id, page)
        known = self._pages.get(key)
        if known is not None:
            then(known)
            return

        def keep(links: Links) -> None:
            self._keep(key, links)
            then(links)

        self._pages[key] = None
        self._read(document, page, keep)

    def forget(self, document_id: int) -> None:
        """Drop the links of a manual that was closed, or that can be read only now."""
        for key in [key for key in self._pages if key[0] == document_id]:
            del self._pages[key]

    def shutdown(self) -> None:
        """Join the thread; nothing more is read."""
        self._closed = True
        if self._thread is not None:
            self._thread.shutdown()

    def _read(self, document: OpenDocument, page: int, then: Callable[[Links], None]) -> None:
        if self._closed:
            return
        if self._thread is None:
            # made with the first page: most viewers of a test or a bench never look at links
            self._thread = TaskThread("viewer-links", self)
        path, password = document.path, document.password
        self._thread.submit(
            lambda: self._reader.read_links(path, page, password), then, lambda _: then(())
        )

    def _keep(self, key: tuple[int, int], links: Links) -> None:
        if key in self._pages:
            self._pages[key] = links
            self.loaded.emit(*key)
