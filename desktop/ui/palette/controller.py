"""Brings the palette up, finds what is typed off the UI thread, and goes where a person wants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from desktop.core.events import PageRegion
from desktop.ui.bridge import Bridge
from desktop.ui.palette.panel import PalettePanel
from desktop.ui.palette.search import PaletteSearch, actions_of, entries_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from desktop.core.jobs import CancelToken
    from desktop.core.workspace import Workspace
    from desktop.ui.library.model import LibraryModel
    from desktop.ui.main_window import MainWindow
    from desktop.ui.palette.search import Entry


class PaletteController(QObject):
    """Goes to manuals, pages, headings, questions, and does what the menus can do."""

    def __init__(self, window: MainWindow, model: LibraryModel) -> None:
        super().__init__(window)
        self._window, self._model = window, model
        self._workspace: Workspace | None = None
        self._search: PaletteSearch | None = None
        self._actions: list[QAction] = []
        self._before: QWidget | None = None
        self.panel = PalettePanel(window)
        self.panel.typed.connect(self._find)
        self.panel.chosen.connect(self._go)
        self.panel.left.connect(self._return)
        window.library_panel.palette_wanted.connect(self.show)
        self._bridge = Bridge("groundwork-palette", self)
        self._bridge.received.connect(self.panel.show_found)

    def open_workspace(self, workspace: Workspace) -> None:
        """Find in this library from now on."""
        self._workspace = workspace

    def close(self) -> None:
        """Stop finding and join."""
        self._bridge.close()

    def show(self) -> None:
        """Bring the palette up, or leave it."""
        workspace = self._workspace
        if workspace is None or self.panel.isVisible():
            self.panel.hide()
            return
        self._before = QApplication.focusWidget()
        viewer = self._window.centre.actions_of_viewer.values()
        named = actions_of(self._window.menuBar(), viewer)
        self._actions = [action for action, _ in named]
        place = self._window.centre.place()
        self._search = PaletteSearch(
            self._model.records(),
            entries_of(named),
            workspace.library,
            workspace.conversations,
            None if place is None else place[0],
        )
        self.panel.open()
        self._find("")

    def _find(self, text: str) -> None:
        search = self._search
        if search is None:
            return

        def find(cancel: CancelToken) -> Iterator[list[Entry]]:
            found = search.find(text)
            if not cancel.cancelled:
                yield found

        self._bridge.start(find)

    def _go(self, entry: Entry | None) -> None:
        if entry is None:
            self._return()
            return
        match entry.kind:
            case "ask":
                self._window.chat.show()
                self._window.focus_question()
                self._window.chat.ask(entry.also)
            case "text":
                self._window.centre.show()
                place = PageRegion(entry.number, entry.detail, entry.page, entry.label, entry.boxes)
                self._window.centre.show_regions([place], 0)
            case "manual":
                self._open(entry.number, None)
            case "page" | "heading":
                self._open(entry.number, entry.page)
            case "question":
                self._window.chat.show()
                self._window.conversations.do("open", entry.number)
            case "action":
                self._return()
                self._actions[entry.number].trigger()

    def _open(self, document_id: int, page: int | None) -> None:
        centre = self._window.centre
        centre.show()
        centre.open_document(document_id, page)

    def _return(self) -> None:
        """Give the keyboard back to what had it."""
        if self._before is not None and isValid(self._before) and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
