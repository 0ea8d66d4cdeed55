"""Fills contents and bookmarks of the manual in view, and carries out what is done there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.core.library.bookmarks import Bookmark
    from desktop.core.library.contents import Outline
    from desktop.ui.viewer.manuals.open_document import OpenDocument
    from desktop.ui.viewer.manuals.source import BookmarkShelf, OutlineSource
    from desktop.ui.viewer.manuals.task_thread import TaskThread
    from desktop.ui.viewer.pages.page_view import PageView
    from desktop.ui.viewer.sidebar.sidebar import Sidebar


class SidebarController(QObject):
    """said(text): what happened, in a sentence. changed(): other pages are marked now."""

    said = Signal(str)
    changed = Signal()

    def __init__(
        self,
        view: PageView,
        sidebar: Sidebar,
        tasks: TaskThread,
        outlines: OutlineSource | None,
        shelf: BookmarkShelf | None,
    ) -> None:
        """outlines, shelf: None where there is no library to read them from."""
        super().__init__(view)
        self._view, self._sidebar, self._tasks = view, sidebar, tasks
        self._outlines, self._shelf = outlines, shelf
        self._marks: tuple[Bookmark, ...] = ()
        sidebar.bookmarks.renamed.connect(self._rename)
        sidebar.bookmarks.removed.connect(self._remove)

    @property
    def bookmarks(self) -> tuple[Bookmark, ...]:
        """The bookmarks of the manual in view, in the order of its pages."""
        return self._marks

    def is_marked(self, page: int) -> bool:
        return any(mark.page == page for mark in self._marks)

    def show_document(self, document: OpenDocument | None) -> None:
        """Read contents and bookmarks of another manual, or of the same one again."""
        self._sidebar.outline.wait()
        self._take_marks(())
        self.refresh(document)

    def refresh(self, document: OpenDocument | None) -> None:
        """Read again while the manual is being indexed; what is shown stays until then."""
        if document is None:
            return
        id_ = document.id
        outlines, shelf = self._outlines, self._shelf
        if outlines is not None:
            self._tasks.submit(
                lambda: outlines.of(id_), lambda outline: self._take_outline(id_, outline)
            )
        if shelf is not None:
            self._tasks.submit(
                lambda: shelf.of(id_),
                lambda marks: self._take_marks(marks) if self._is_in_view(id_) else None,
            )

    def toggle_bookmark(self) -> None:
        """Mark the page in view, or take its mark away."""
        document, page = self._view.document, self._view.page
        if document is None or not document.pages:
            return
        if self.is_marked(page):
            self._remove(page)
            return
        section = self._sidebar.outline.section_at(page)
        where = self.tr("Page {page}").format(page=document.label(page))
        self._put(page, f"{section} ({where})" if section else where)
        self.said.emit(self.tr("{page} is bookmarked").format(page=where))

    def _rename(self, page: int, name: str) -> None:
        document = self._view.document
        if document is None:
            return
        plain = self.tr("Page {page}").format(page=document.label(page))
        self._put(page, name.strip() or plain)

    def _remove(self, page: int) -> None:
        document, shelf = self._view.document, self._shelf
        if document is not None and shelf is not None:
            id_, place = document.id, self.tr("Page {page}").format(page=document.label(page))
            self._change(lambda: shelf.remove(id_, page))
            self.said.emit(self.tr("{page} is no longer bookmarked").format(page=place))

    def _put(self, page: int, name: str) -> None:
        document, shelf = self._view.document, self._shelf
        if document is not None and shelf is not None:
            id_ = document.id
            self._change(lambda: shelf.put(id_, page, name))

    def _change(self, work: Callable[[], None]) -> None:
        document, shelf = self._view.document, self._shelf
        if document is None or shelf is None:
            return
        id_ = document.id

        def run() -> list[Bookmark]:
            work()
            return shelf.of(id_)

        self._tasks.submit(
            run,
            lambda marks: self._take_marks(marks) if self._is_in_view(id_) else None,
            lambda error: self.said.emit(
                self.tr("The bookmark could not be kept: {why}").format(why=error)
            ),
        )

    def _take_outline(self, document_id: int, outline: Outline) -> None:
        if self._is_in_view(document_id):
            self._sidebar.outline.show_outline(outline)

    def _take_marks(self, marks: Sequence[Bookmark]) -> None:
        self._marks = tuple(marks)
        self._view.overlays.bookmarked = frozenset(mark.page for mark in marks)
        self._view.viewport().update()
        self._sidebar.bookmarks.show_bookmarks(self._view.document, self._marks)
        self.changed.emit()

    def _is_in_view(self, document_id: int) -> bool:
        return self._view.document is not None and self._view.document.id == document_id
