"""The window: library, manual, answers and reasoning beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QMainWindow

from desktop.core.paths import sample_manuals
from desktop.ui.about import about_dialog, shortcuts_dialog
from desktop.ui.asking import Asking
from desktop.ui.bulk_questions import BulkQuestionController
from desktop.ui.centre import Centre
from desktop.ui.chat.chat_panel import ChatPanel
from desktop.ui.chat.wrong_answer import WrongAnswerController
from desktop.ui.columns import Columns
from desktop.ui.conversations import ConversationController
from desktop.ui.diagnostics import DiagnosticsController
from desktop.ui.domains.controller import DomainController
from desktop.ui.drop_overlay import DropOverlay
from desktop.ui.files import choose_files, choose_folder
from desktop.ui.language import told
from desktop.ui.laptop import LaptopController
from desktop.ui.layout_memory import WindowMemory
from desktop.ui.library.catalogue import CatalogueController
from desktop.ui.library.controller import LibraryController
from desktop.ui.library.model import LibraryModel, cited_title
from desktop.ui.library.panel import LibraryPanel
from desktop.ui.library.watched import WatchController
from desktop.ui.manual_packs import PackController
from desktop.ui.menus import Menus
from desktop.ui.models.controller import ModelsController
from desktop.ui.nameplates import NameplateController
from desktop.ui.notes.controller import NoteController
from desktop.ui.palette import PaletteController
from desktop.ui.places import PlaceController
from desktop.ui.report_controller import ReportController
from desktop.ui.revisions import RevisionController
from desktop.ui.settings.controller import SettingsController
from desktop.ui.status_line import StatusLine
from desktop.ui.tab_order import move_focus
from desktop.ui.trace.trace_panel import TracePanel
from desktop.ui.voice import VoiceController
from desktop.ui.welcome import WelcomeController

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent

    from desktop.core.events import PageRegion
    from desktop.core.workspace import Workspace
    from desktop.ui.library.indexing import Indexing


ROWS = (450, 330)
FIRST_SIZE = QSize(1360, 820)
"""With the frame of its window manager it fits a screen of 1,440 by 900."""
FRAME = QSize(0, 48)
"""What a frame and a panel of the system take of a small screen."""


class WindowPart(Protocol):
    """Carries out one kind of thing that a person can do in the window."""

    def open_workspace(self, workspace: Workspace) -> None:
        """Work with this library from now on."""

    def close(self) -> None:
        """Finish or stop the work and join its threads."""


class MainWindow(QMainWindow):
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
        super().__init__()
        self.setWindowTitle("Groundwork")
        self.setMinimumSize(860, 560)
        self.resize(FIRST_SIZE.boundedTo(self.screen().availableSize() - FRAME))
        self._controller: LibraryController | None = None
        self._make_panels(viewer_factory)
        self._make_parts(folder)
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
        controller.first_readable.connect(self._open_first)
        controller.beside.connect(self._open_beside)
        controller.packs_wanted.connect(self.packs.show_dialog)
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

    # its panels and parts

    def lay_out_anew(self) -> None:
        """Give the panels the sizes they have at first."""
        self._columns.lay_out_anew()
        self.chat.split.setSizes(list(ROWS))

    def _make_panels(self, viewer_factory: Callable[[Workspace], Any] | None) -> None:
        self._model = LibraryModel(self)
        self.library_panel = LibraryPanel(self._model)
        self.centre = Centre(viewer_factory)
        self.chat = ChatPanel(self._title_of)
        self.trace = TracePanel()
        self.chat.insert_below(self.trace)
        self.status = StatusLine(self._model)
        self.setStatusBar(self.status)
        self._columns = Columns(self.library_panel, self.centre, self.chat)
        self.setCentralWidget(self._columns)
        self._memory = WindowMemory(
            self,
            {"columns": self._columns, "answers": self.chat.split},
            {
                "library": self.library_panel,
                "manual": self.centre,
                "answers": self.chat,
            },
        )
        self.lay_out_anew()

    def _make_parts(self, folder: Path | None) -> None:
        self.conversations = ConversationController(self.chat, self)
        self._asking = Asking(self.chat, self.trace, self.conversations, self)
        self.reports = ReportController(self.chat, self.library_panel.notices, self)
        self.bulk_questions = BulkQuestionController(
            self.chat, self.status, self.library_panel.notices, self
        )
        self.wrong_answers = WrongAnswerController(
            self.chat, self.centre.place, self.library_panel.notices, self
        )
        self.settings = SettingsController(self, self.library_panel.notices)
        self.models = ModelsController(self, self.status, self.library_panel.notices)
        for shows_profile in (self.chat, self.status):
            self.models.profile_changed.connect(shows_profile.set_profile)
        self.places = PlaceController(self.chat.composer, self.library_panel, self._model, self)
        self.nameplates = NameplateController(self.chat, self)
        self.voice = VoiceController(self.chat, self)
        self.domains = DomainController(self, self.library_panel.notices)
        self.notes = NoteController(
            self._columns, self.library_panel, self.centre, self.chat, self._model
        )
        self.revisions = RevisionController(
            self._columns, self.library_panel, self.centre, self.chat, self._model
        )
        self.laptop = LaptopController(self._running_indexing, self.settings, self.status, self)
        self.watched = WatchController(lambda: self._controller, self.library_panel.notices, self)
        self.catalogue = CatalogueController(self.library_panel, self._model, self.centre, self)
        self.packs = PackController(self, self.library_panel.notices)
        self.packs.changed.connect(self._packs_changed)
        self.diagnostics = DiagnosticsController(
            self, self.library_panel.notices, self.settings, folder
        )
        self.parts: tuple[WindowPart, ...] = (
            self.catalogue,
            self._asking,
            self.conversations,
            self.reports,
            self.bulk_questions,
            self.wrong_answers,
            self.places,
            self.nameplates,
            self.voice,
            self.domains,
            self.notes,
            self.revisions,
            self.models,
            self.laptop,
            self.packs,
            self.watched,
            self.diagnostics,
            self.settings,
        )

    def _running_indexing(self) -> Indexing | None:
        return self._controller.indexing if self._controller is not None else None

    def _title_of(self, place: PageRegion) -> str:
        return cited_title(self._model, place)

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
        self.library_panel.fold(False)
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
                self._memory.save(self.centre.place(), self.centre.session())
            self.hide()
            for part in self._parts:
                part.close()
            if self._controller is not None:
                self._controller.close()
            self.centre.shutdown()
            self.closed.emit()
        super().closeEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802 - Qt's name
        """Tab goes through the panels as they are read; in a drawer over them it stays there."""
        drawer = self._columns.drawer
        inside = (
            drawer is not None
            and drawer.isAncestorOf(QApplication.focusWidget() or self)
            and self._columns.is_covered
        )
        return move_focus(drawer if drawer is not None and inside else self, forward=forward)

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

    def _open_first(self, document_id: int) -> None:
        """Show the first manual of an empty library, unless a person was faster."""
        if self.centre.place() is None:
            self.centre.open_document(document_id)

    def _open_beside(self, document_id: int) -> None:
        self.centre.show()
        self.centre.open_beside(document_id)

    def _open_viewer(self) -> None:
        if self._workspace is None or self._closed:
            return
        self._menus.adopt_viewer(self.centre.open_viewer(self._workspace))
        known = {record.id for record in self._model.records()}
        place = self._memory.place
        if self.centre.restore_session(self._memory.viewer_session, known):
            return
        if place is not None and self._model.record(place[0]) is not None:
            self.centre.open_document(*place)

    def _packs_changed(self) -> None:
        if self._controller is not None:
            self._controller.reload()

    def _library_changed(self) -> None:
        self.places.refresh_scope()
        running = self._controller is not None and self._controller.indexing.running
        self.status.refresh(indexing=running)

    def _add(self, paths: list[Path]) -> None:
        if self._controller is not None:
            self._controller.add(paths)
