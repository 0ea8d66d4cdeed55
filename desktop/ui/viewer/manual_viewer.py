"""Manuals in the viewer: opened, brought to the front, kept fresh, closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal

from desktop.ui.viewer.bars.message_page import message_for, nothing_open
from desktop.ui.viewer.frame import ViewerFrame
from desktop.ui.viewer.manuals.travel import Travel
from desktop.ui.viewer.pages.view_commands import enable_actions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.ui.viewer.manuals.open_document import OpenDocument


class ManualViewer(ViewerFrame):
    """Knows which manual is wanted in front; reads it first where it is not open yet."""

    location_changed = Signal(int, int)
    """Document id and zero-based page that is in view now."""
    status_message = Signal(str)

    def __init__(self, *arguments: Any, **more: Any) -> None:
        """Take what `ViewerFrame` takes."""
        super().__init__(*arguments, **more)
        self._wanted: int | None = None
        self._travel = Travel(self.view, self._bring)

    def open_document(self, document_id: int, page: int | None = None) -> None:
        """Show a document at a page; without one, where it was left."""
        self._travel.leave()
        self._bring(document_id, lambda: None if page is None else self.view.go_to_page(page))

    def current_location(self) -> tuple[int, int] | None:
        """Return document id and zero-based page in view, None when nothing is open."""
        document = self.view.document
        return None if document is None else (document.id, self.view.page)

    def current_document_path(self) -> Path | None:
        """Return the file of the document in view."""
        document = self.view.document
        return None if document is None else document.path

    def refresh_document(self, document_id: int) -> None:
        """Take newer records of a document, if it is open."""
        self._documents.refresh(document_id)

    def close_document(self, document_id: int) -> None:
        """Close a document's tab, for example because it was deleted."""
        if self._wanted == document_id:
            self._wanted = None
        was_in_view = self.tabs.current_id() == document_id
        self.tabs.drop(document_id)
        self._travel.forget_document(document_id)
        self._marks.forget_document(document_id)
        if was_in_view:
            self.region.drop()
            self.view.show_document(None)
            following = self.tabs.current_id()
            if following is None:
                self._show_nothing()
            else:
                self._bring(following)
        self._links.forget(document_id)
        self._documents.close(document_id)

    def _bring(self, document_id: int, then: Callable[[], None] | None = None) -> None:
        """Put a document in front, reading it first if it is not open; then do `then`."""
        self._wanted = document_id
        document = self._documents.get(document_id)
        if document is not None:
            self._show(document, then)
            return

        def opened(document: OpenDocument) -> None:
            if self._wanted == document_id:
                self._show(document, then)

        def failed(error: Exception) -> None:
            self.status_message.emit(
                self.tr("This manual cannot be opened: {why}").format(why=error)
            )

        self._documents.open(document_id, opened, failed)

    def _show(self, document: OpenDocument, then: Callable[[], None] | None) -> None:
        self.tabs.bring(document.id, document.record.title or document.record.name)
        self._show_stack(document)
        if self.view.document is None or self.view.document.id != document.id:
            self._selection.select(None)
            self.find_bar.close_bar()
            self.region.drop()
            self.view.show_document(document, self._documents.state(document.id))
            self.thumbnails.show_document(document)
            self.beside.show_document(document)
        if then is not None:
            then()
        self._moved()

    def _show_stack(self, document: OpenDocument) -> None:
        instead = message_for(document)
        if instead is None:
            self._stack.setCurrentWidget(self._pages)
        else:
            self._say(*instead)
        for widget in (self.tabs, self.toolbar):
            widget.show()
        layout = self.layout()
        if layout is not None:
            # now, or the pages would be drawn once for the size they had before
            layout.activate()

    def _show_nothing(self) -> None:
        self._wanted = None
        self.view.show_document(None)
        self.thumbnails.show_document(None)
        self.beside.show_document(None)
        self._say(*nothing_open())
        for widget in (self.tabs, self.toolbar, *self.bars):
            widget.hide()
        self._update_actions()

    def _say(self, icon_name: str, title: str, detail: str) -> None:
        self.message.say(icon_name, title, detail)
        self._stack.setCurrentWidget(self.message)

    def _refreshed(self, document_id: int) -> None:
        document = self._documents.get(document_id)
        if document is None or self.view.document is None:
            return
        if self.view.document.id == document_id:
            self.view.update_document(document)
            self.thumbnails.show_document(document)
            self.beside.refresh(document)
            self._links.forget(document_id)
            self._show_stack(document)
            self._moved()

    def _moved(self, _page: int = 0) -> None:
        document = self.view.document
        if document is not None and document.pages:
            page = self.view.page
            self.toolbar.page_field.show_page(document.shown_page(page))
            self.view.setAccessibleDescription(
                self.tr("Page {page}").format(page=document.shown_page(page))
            )
            self.thumbnails.show_page(page)
            self.sidebar.outline.show_page(page)
            self.location_changed.emit(document.id, page)
        self._update_actions()

    def _update_actions(self) -> None:
        enable_actions(
            self.actions_by_name,
            self.view,
            can_go_back=self._travel.can_go_back,
            can_go_forward=self._travel.can_go_forward,
            bookmarked=self.beside.is_marked(self.view.page),
        )
