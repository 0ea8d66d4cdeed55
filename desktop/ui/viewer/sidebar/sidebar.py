"""Beside the pages: thumbnails, contents, bookmarks or highlights; one at a time or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import (
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.viewer.bars.controls import Bar, action_button
from desktop.ui.viewer.sidebar.annotation_pane import AnnotationPane
from desktop.ui.viewer.sidebar.bookmark_pane import BookmarkPane
from desktop.ui.viewer.sidebar.outline import OutlinePane

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QAction

    from desktop.core.library.annotations import Bookmark
    from desktop.core.library.contents import Outline
    from desktop.ui.viewer.actions import ActionName
    from desktop.ui.viewer.manuals.open_documents import OpenDocument
    from desktop.ui.viewer.manuals.source import BookmarkShelf, OutlineSource
    from desktop.ui.viewer.manuals.task_thread import TaskThread
    from desktop.ui.viewer.pages.page_view import PageView
    from desktop.ui.viewer.sidebar.thumbnails import ThumbnailList


PANES: tuple[ActionName, ...] = ("thumbnails", "outline", "bookmarks", "annotations")


class Sidebar(QWidget):
    """Starts hidden; each of four actions shows its pane, and hides it again."""

    def __init__(
        self,
        thumbnails: ThumbnailList,
        actions: dict[ActionName, QAction],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._actions = actions
        self.setAccessibleName(self.tr("Beside the pages"))
        self.outline = OutlinePane()
        self.bookmarks = BookmarkPane(actions["add_bookmark"])
        self.annotations = AnnotationPane(actions["save_highlighted"])
        self._panes: dict[ActionName, QWidget] = {
            "thumbnails": thumbnails,
            "outline": self.outline,
            "bookmarks": self.bookmarks,
            "annotations": self.annotations,
        }
        bar = Bar(self.tr("What is shown beside the pages"))
        self._stack = QStackedWidget()
        for name, pane in self._panes.items():
            bar.row.addWidget(action_button(actions[name]))
            self._stack.addWidget(pane)
        bar.row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self._stack, 1)
        self.setMinimumWidth(thumbnails.minimumWidth())
        self.hide()

    @property
    def shown(self) -> ActionName | None:
        """Which pane is shown, None if the sidebar is hidden."""
        if self.isHidden():
            return None
        return next(name for name, pane in self._panes.items() if pane is self._current())

    def toggle(self, name: ActionName) -> None:
        """Show a pane, or hide the sidebar if that pane was shown."""
        if self.shown == name:
            self.hide()
        else:
            self._stack.setCurrentWidget(self._panes[name])
            self.show()
        for each in PANES:
            self._actions[each].setChecked(each == self.shown)

    def _current(self) -> QWidget | None:
        return self._stack.currentWidget()


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
