"""The window: library, manual, answers and reasoning beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal

from desktop.ui.about import about_dialog, shortcuts_dialog
from desktop.ui.chooser import choose_files, choose_folder
from desktop.ui.drop_overlay import DropOverlay
from desktop.ui.language import told
from desktop.ui.library.controller import LibraryController
from desktop.ui.menus import Menus
from desktop.ui.palette.controller import PaletteController
from desktop.ui.resources import sample_manuals
from desktop.ui.tab_order import move_focus
from desktop.ui.welcome.controller import WelcomeController
from desktop.ui.window_frame import WindowFrame

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent

    from desktop.core.events import PageRegion
    from desktop.core.workspace import Workspace
    from desktop.ui.window_part import WindowPart


class MainWindow(WindowFrame):
    """Shows a skeleton at once; `open_workspace` fills it.

    retry_wanted, mend_wanted: of the problem page.
    """

    retry_wanted = Signal()
    mend_wanted = Signal(str)
    closed = Signal()

    def __init__(
        self,
        workspace: Workspace | None = None,
        *,
        viewer_factory: Callable[[Workspace], Any] | None = None,
        folder: Path | None = None,
    ) -> None:
        """folder: the library's, where the layout is remembered; known before it is open."""
        super().__init__(viewer_factory, folder)
        self.welcome = WelcomeController(self, self._model)
        self.palette_panel = PaletteController(self, self._model)
        self._parts: tuple[WindowPart, ...] = (*self.parts, self.welcome, self.palette_panel)
        self._workspace: Workspace | None = None
        self._closed = False
        self._early: list[Path] = []  # files that came before the library was open
        # a timer, not a queued call: those come before what waits to be painted
        self._viewer_soon = QTimer(self, singleShot=True, interval=0)
        self._viewer_soon.timeout.connect(self._open_viewer)
        self._connect()
        self._menus = Menus(self)
        self.overlay = DropOverlay(self)
        self.overlay.dropped.connect(self._add)
        if folder is not None:
            self._memory.remember_in(folder)
        if workspace is not None:
            self.open_workspace(workspace)

    def open_workspace(self, workspace: Workspace) -> None:
        """Show the library; the viewer is made right after the next paint."""
        if self._closed:  # it was opened too late; whoever opened it closes it
            return
        self._workspace = workspace
        self._memory.remember_in(workspace.library.folder.root)
        self.centre.show_start()
        self.chat.set_profile(workspace.profile)
        self.status.set_profile(workspace.profile)
        if workspace.notice:
            self.library_panel.notices.say(told(workspace.notice))
        self.chat.composer.set_ready(True)
        controller = LibraryController(workspace, self._model, self.library_panel, self)
        self._controller = controller
        self.setAcceptDrops(True)
        controller.changed.connect(self._library_changed)
        controller.opened.connect(self._open_document)
        controller.only.connect(lambda id_: self.chat.composer.scope.select([id_]))
        controller.removed.connect(self.centre.forget_document)
        controller.indexing.document_changed.connect(self.centre.refresh_document)
        controller.indexing.settled.connect(self.domains.look)
        controller.start()
        early, self._early = self._early, []
        self._add(early)
        for part in self._parts:
            part.open_workspace(workspace)
        self._viewer_soon.start()
        self.chat.composer.field.setFocus()

    def show_problem(self, error: BaseException, newest_backup: datetime | None = None) -> None:
        """Say why the library could not be opened."""
        page = self.centre.show_problem(error, newest_backup)
        page.mend_wanted.connect(self.mend_wanted)
        page.retry_wanted.connect(self.retry_wanted)
        page.quit_wanted.connect(self.close)

    # what the menus call

    def choose_files(self) -> None:
        choose_files(self, self._add)

    def choose_folder(self) -> None:
        choose_folder(self, self._add)

    def add_samples(self) -> None:
        self._add(sample_manuals())

    def take_in(self, paths: list[Path]) -> None:
        """Add files that the system or a second start hands over, and come to the front."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()
        if self._controller is None:
            self._early += paths
        else:
            self._add(paths)

    def undo_remove(self) -> None:
        if self._controller is not None:
            self._controller.undo_remove()

    def do_selected(self, action: str) -> None:
        """Do something with the manual the library's keyboard is on."""
        chosen = self.library_panel.rows.selected_id()
        if self._controller is not None and chosen is not None:
            self._controller.do(action, chosen)

    def do_current(self, action: str) -> None:
        """Do something with the manual in view, else with the chosen one."""
        place = self.centre.place()
        if self._controller is not None and place is not None:
            self._controller.do(action, place[0])
        else:
            self.do_selected(action)

    def can(self, action: str) -> bool:
        """Whether an action of the Library menu makes sense for the chosen manual."""
        chosen = self.library_panel.rows.selected_id()
        return (
            self._controller is not None
            and chosen is not None
            and self._controller.can(action, chosen)
        )

    def focus_question(self) -> None:
        self.chat.show()
        self.chat.composer.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_library(self) -> None:
        self.library_panel.show()
        self.library_panel.rows.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_filter(self) -> None:
        self.library_panel.show()
        self.library_panel.focus_filter()

    def stop(self) -> None:
        self._asking.stop()

    def toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def show_shortcuts(self) -> None:
        shortcuts_dialog(self, self._menus.every_shortcut()).open()

    def show_about(self) -> None:
        about_dialog(self).open()

    # events

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel, join, destroy; nothing is asked, unfinished work goes on at the next start."""
        if not self._closed:
            self._closed = True
            if self._workspace is not None:
                self._memory.save(self.centre.place())
            self.hide()
            for part in self._parts:
                part.close()
            if self._controller is not None:
                self._controller.close()
            self.centre.shutdown()
            self.closed.emit()
        super().closeEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802 - Qt's name
        """Tab goes through the panels as they are read."""
        return move_focus(self, forward=forward)

    # wiring

    def _connect(self) -> None:
        self.library_panel.add_wanted.connect(self.choose_files)
        self.library_panel.samples_wanted.connect(self.add_samples)
        self._asking.begun.connect(self.centre.clear_regions)
        self.chat.question_shown.connect(self.centre.set_question)
        self.chat.places_wanted.connect(self._show_places)
        self.notes.places_wanted.connect(lambda places: self._show_places(places, 0))
        self.chat.citation_hovered.connect(self.centre.light_highlight)
        self.centre.highlight_pointed.connect(self.chat.light)
        self.trace.place_wanted.connect(lambda place: self._show_places([place], 0))
        self.centre.region_asked.connect(self._asking.explain)
        self.centre.said.connect(self.status.say)
        self.centre.manual_in_view.connect(self.library_panel.rows.select)

    def _show_places(self, places: list[PageRegion], current: int) -> None:
        self.centre.show()
        self.centre.show_regions(places, current)

    def _open_document(self, document_id: int) -> None:
        self.centre.show()
        self.centre.open_document(document_id)

    def _open_viewer(self) -> None:
        if self._workspace is None or self._closed:
            return
        self._menus.adopt_viewer(self.centre.open_viewer(self._workspace))
        place = self._memory.place
        if place is not None and self._model.record(place[0]) is not None:
            self.centre.open_document(*place)

    def _library_changed(self) -> None:
        self.places.refresh_scope()
        running = self._controller is not None and self._controller.indexing.running
        self.status.refresh(indexing=running)

    def _add(self, paths: list[Path]) -> None:
        if self._controller is not None:
            self._controller.add(paths)
