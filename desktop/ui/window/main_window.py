"""The window: library, manual, answers and reasoning beside each other, and its menus.

Menus are native on macOS, with the same actions and keys everywhere. The window is painted as a
frame before its contents are made (`MainWindow.build`), so what they are made of is imported there,
and `QtCore.Qt` is named where it is used: see `frame`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6 import QtCore
from PySide6.QtCore import QObject, QSize, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QApplication, QLayout, QMainWindow, QMenu, QMenuBar, QWidget

from desktop.ui.layout_memory import LayoutMemory
from desktop.ui.window.frame import Frame

if TYPE_CHECKING:
    from datetime import datetime

    from PySide6.QtGui import QCloseEvent, QPaintEvent

    from desktop.core.events import PageRegion
    from desktop.core.workspace import Workspace
    from desktop.ui.asking.report_view import ReportView
    from desktop.ui.bridge import Bridge, Errands, WindowPart


ROWS = (450, 330)
FIRST_SIZE = QSize(1360, 820)
"""With the frame of its window manager it fits a screen of 1,440 by 900."""
OF_SYSTEM = QSize(0, 48)
"""What a title bar and a panel of the system take of a small screen."""


class MainWindow(QMainWindow):
    """Shows a frame at once; `build` makes its contents, `open_workspace` fills them.

    painted(): for a start, which goes on then. retry_wanted, mend_wanted: of the problem page.
    """

    painted = Signal()
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
        self.resize(FIRST_SIZE.boundedTo(self.screen().availableSize() - OF_SYSTEM))
        self._viewer_factory = viewer_factory
        self._folder = folder
        self._memory: LayoutMemory | None = None
        self._parts: tuple[WindowPart, ...] = ()
        self._workspace: Workspace | None = None
        self._closed = False
        self._early: list[Path] = []  # files that came before there were contents
        # a timer, not a queued call: those come before what waits to be painted
        self._viewer_soon = QTimer(self, singleShot=True, interval=0)
        self._viewer_soon.timeout.connect(self._open_viewer)
        self._frame: Frame | None = Frame()
        self.setCentralWidget(self._frame)
        if folder is not None:
            self._remember(folder).restore_panels(
                {"columns": self._frame.columns}, self._frame.panels
            )
        if workspace is not None:
            self.open_workspace(workspace)

    def build(self) -> None:
        """Make the contents in the place of the frame, once; until then there is no other part."""
        if self._frame is None:
            return
        from desktop.ui.design.drop_overlay import DropOverlay

        self._make_panels(self._viewer_factory)
        self._make_parts(self._folder)
        self._connect()
        self._menus = Menus(self)
        self.overlay = DropOverlay(self)
        self.overlay.dropped.connect(self.library.add)
        self._columns.show()
        cast("QLayout", self.layout()).activate()
        self.lay_out_anew()  # only now, as the columns share out the width that they have
        if self._memory is not None:
            self._memory.restore_panels(self._splitters, self._panels)
        self._frame = None
        self.library.add(self._early)

    def open_workspace(self, workspace: Workspace) -> None:
        """Show the library; the viewer is made right after the next paint."""
        if self._closed:  # it was opened too late; whoever opened it closes it
            return
        from desktop.ui.language import told

        self.build()
        self._workspace = workspace
        if self._memory is None:
            folder = workspace.library.folder.root
            self._remember(folder).restore_panels(self._splitters, self._panels)
        self.centre.show_start()
        self.chat.set_profile(workspace.profile)
        self.status.set_profile(workspace.profile)
        if workspace.notice:
            self.library_panel.notices.say(told(workspace.notice))
        self.chat.composer.set_ready(True)
        self.setAcceptDrops(True)
        for part in self._parts:  # the library is the first
            part.open_workspace(workspace)
        if self.asking.pictures is not None:
            self.library_panel.rows.use_pictures(self.asking.pictures)
        self._viewer_soon.start()
        if not self._columns.is_covered:  # or the drawer that was left open would close
            self.chat.composer.field.setFocus()

    def show_problem(self, error: BaseException, newest_backup: datetime | None = None) -> None:
        """Say why the library could not be opened."""
        self.build()
        page = self.centre.show_problem(error, newest_backup)
        page.mend_wanted.connect(self.mend_wanted)
        page.retry_wanted.connect(self.retry_wanted)
        page.quit_wanted.connect(self.close)

    # its panels and parts

    def lay_out_anew(self) -> None:
        """Give the panels their initial sizes again."""
        self._columns.lay_out_anew()
        self.chat.split.setSizes(list(ROWS))

    def _remember(self, folder: Path) -> LayoutMemory:
        """Put the window where it was left in this library, once its folder is known."""
        self._memory = LayoutMemory(folder)
        self._memory.restore_geometry(self)
        return self._memory

    def _make_panels(self, viewer_factory: Callable[[Workspace], Any] | None) -> None:
        from desktop.ui.chat.chat_panel import ChatPanel
        from desktop.ui.library.columns import Columns
        from desktop.ui.library.model import LibraryModel
        from desktop.ui.library.panel import LibraryPanel
        from desktop.ui.library.status_line import StatusLine
        from desktop.ui.models.controller import MemoryMeter
        from desktop.ui.trace.trace_panel import TracePanel
        from desktop.ui.viewer.centre import Centre

        self._model = LibraryModel(self)
        self.library_panel = LibraryPanel(self._model)
        self.centre = Centre(viewer_factory)
        self.chat = ChatPanel(self._title_of)
        self.trace = TracePanel()
        self.chat.insert_below(self.trace)
        self._meter = MemoryMeter()
        self.status = StatusLine(self._model, self._meter)
        self.setStatusBar(self.status)
        self._columns = Columns(self.library_panel, self.centre, self.chat)
        self.setCentralWidget(self._columns)
        self._splitters = {"columns": self._columns, "answers": self.chat.split}
        self._panels = {"library": self.library_panel, "manual": self.centre, "answers": self.chat}

    def _make_parts(self, folder: Path | None) -> None:
        from desktop.ui.asking.controller import Asking
        from desktop.ui.asking.handing_on import BulkQuestionController, ReportController
        from desktop.ui.asking.voice import VoiceController
        from desktop.ui.chat.conversations import ConversationController
        from desktop.ui.chat.wrong_answer import WrongAnswerController
        from desktop.ui.domains.controller import DomainController
        from desktop.ui.library.catalogue import CatalogueController
        from desktop.ui.library.controller import LibraryController
        from desktop.ui.library.indexing import LaptopController
        from desktop.ui.library.watched import WatchController
        from desktop.ui.models.controller import ModelsController
        from desktop.ui.notes.controller import NoteController
        from desktop.ui.palette.view import PaletteController
        from desktop.ui.revisions.controller import RevisionController
        from desktop.ui.settings.controller import SettingsController
        from desktop.ui.window.help import DiagnosticsController
        from desktop.ui.window.manual_packs import PackController
        from desktop.ui.window.nameplates import NameplateController
        from desktop.ui.window.places import PlaceController
        from desktop.ui.window.welcome import SummaryController, WelcomeController

        self.library = LibraryController(self, self._model, self.library_panel, self.centre)
        indexing = self.library.indexing
        self.conversations = ConversationController(self.chat, self)
        self.asking = Asking(self.chat, self.trace, self.conversations, self)
        self.reports = ReportController(self.chat, self.library_panel.notices, self)
        self.bulk_questions = BulkQuestionController(
            self.chat, self.status, self.library_panel.notices, self
        )
        self.wrong_answers = WrongAnswerController(
            self.chat, self.centre.place, self.library_panel.notices, self
        )
        self.settings = SettingsController(self, self.library_panel.notices)
        self.models = ModelsController(self, self.status, self._meter, self.library_panel.notices)
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
            self._columns, self.library_panel, self.centre, self._model
        )
        self.laptop = LaptopController(indexing, self.settings, self.status, self)
        self.watched = WatchController(self.library, self.library_panel.notices, self)
        self.catalogue = CatalogueController(self.library_panel, self._model, self.centre, self)
        self.summary = SummaryController(self._model, self.centre)
        self.summary.chosen.connect(self.chat.ask)
        self.packs = PackController(self, self.library_panel.notices)
        self.packs.changed.connect(self.library.reload)
        self.diagnostics = DiagnosticsController(
            self, self.library_panel.notices, self.settings, folder
        )
        self.welcome = WelcomeController(
            self, self._model, self.centre, self.library_panel, self.chat, self.settings
        )
        self.palette_panel = PaletteController(
            self, self._model, self.centre, self.library_panel, self.chat, self.conversations
        )
        self._parts = (
            self.library,
            self.catalogue,
            self.summary,
            self.asking,
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
            self.welcome,
            self.palette_panel,
        )

    def _title_of(self, place: PageRegion) -> str:
        from desktop.ui.library.model import cited_title

        return cited_title(self._model, place)

    # what the menus call

    def take_in(self, paths: list[Path]) -> None:
        """Add files that the system or a second start hands over, and come to the front."""
        self.setWindowState(self.windowState() & ~QtCore.Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()
        if self._frame is not None:
            self._early += paths
        else:
            self.library.add(paths)

    def focus_library(self) -> None:
        self.library_panel.show()
        self.library_panel.fold(False)
        self.library_panel.rows.setFocus(QtCore.Qt.FocusReason.ShortcutFocusReason)

    def focus_filter(self) -> None:
        self.library_panel.show()
        self.library_panel.focus_filter()

    def show_about(self) -> None:
        from desktop.ui.window.help import about_dialog

        about_dialog(self).open()

    def toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ QtCore.Qt.WindowState.WindowFullScreen)

    def show_shortcuts(self) -> None:
        from desktop.ui.window.help import shortcuts_dialog

        shortcuts_dialog(self, self._menus.every_shortcut()).open()

    # events

    @property
    def is_busy(self) -> bool:
        """Whether `end` would cut short something that does not resume by itself."""
        from desktop.ui.bridge import Bridge, Errands

        work: list[Bridge | Errands] = [*self.findChildren(Bridge), *self.findChildren(Errands)]
        working = any(each.running and not each.resumes for each in work)
        return working or bool(self.library.removals or self.conversations.removals)

    @property
    def is_closed(self) -> bool:
        """Whether the window has ended."""
        return self._closed

    def end(self) -> None:
        """Save the window's state, then cancel and join; the window is still visible."""
        if self._closed:
            return
        self._closed = True
        if self._frame is not None:  # nothing else is there yet
            return
        if self._workspace is not None and self._memory is not None:
            panels = self._panels.copy()
            if self._columns.answers_away:
                panels.pop("answers")
            self._memory.save_window(self, self._splitters, panels)
            self._memory.viewer_session = self.centre.session()
            self._memory.write()
        for part in self._parts:
            part.close()
        self.centre.shutdown()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.painted.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel, join, destroy; nothing is asked, unfinished work goes on at the next start."""
        if not self._closed:
            self.hide()
            self.end()
            self.closed.emit()
        super().closeEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802 - Qt's name
        """Tab goes through the panels in reading order; in a drawer over them it stays there."""
        if self._frame is not None:
            return False
        from desktop.ui.window.tab_order import move_focus

        drawer = self._columns.drawer
        inside = (
            drawer is not None
            and drawer.isAncestorOf(QApplication.focusWidget() or self)
            and self._columns.is_covered
        )
        return move_focus(drawer if drawer is not None and inside else self, forward=forward)

    # wiring

    def _connect(self) -> None:
        library = self.library
        library.changed.connect(self._library_changed)
        library.packs_wanted.connect(self.packs.show_dialog)
        library.only.connect(lambda id_: self.chat.composer.scope.select([id_]))
        library.indexing.wanted_read.connect(self.asking.look_again_at)
        library.indexing.settled.connect(self.domains.look)
        library.indexing.appeared.connect(self.summary.expect)
        library.indexing.document_changed.connect(self.summary.look)
        self.library_panel.answers_wanted.connect(self.chat.focus_question)
        self.welcome.add_wanted.connect(library.choose_files)
        self.welcome.samples_wanted.connect(library.add_samples)
        self.welcome.models_wanted.connect(self.models.show_page)
        self.asking.begun.connect(self.centre.clear_regions)
        self.asking.begun.connect(self.summary.dismiss)
        self.asking.report_wanted.connect(self._show_report)
        self.conversations.left.connect(self.centre.clear_regions)
        self.conversations.left.connect(self._columns.uncover_answers)
        self.chat.question_shown.connect(self.centre.set_question)
        self.chat.places_wanted.connect(self._show_places)
        self.chat.wanted.connect(lambda _, what: library.choose_files() if what == "add" else None)
        self.notes.places_wanted.connect(lambda places: self._show_places(places, 0))
        self.chat.citation_hovered.connect(self.centre.light_highlight)
        self.centre.highlight_pointed.connect(self.chat.light)
        self.trace.place_wanted.connect(lambda place: self._show_places([place], 0))
        self.centre.region_asked.connect(self.asking.explain)
        self.centre.said.connect(self.status.say)
        self.centre.manual_in_view.connect(self.library_panel.rows.select)

    def _show_places(self, places: list[PageRegion], current: int) -> None:
        self.centre.show()
        self.centre.show_regions(places, current)

    def _show_report(self, report: ReportView) -> None:
        self.centre.show()
        self.centre.show_report(report, report.question)
        report.setFocus(QtCore.Qt.FocusReason.OtherFocusReason)

    def _open_viewer(self) -> None:
        if self._workspace is None or self._memory is None or self._closed:
            return
        self._menus.adopt_viewer(self.centre.open_viewer(self._workspace))
        known = {record.id for record in self._model.records()}
        self.centre.restore_session(self._memory.viewer_session, known)

    def _library_changed(self) -> None:
        self.places.refresh_scope()
        self.status.refresh(indexing=self.library.indexing.running)


Keys = QKeySequence.StandardKey
FILE_ACTIONS = ("print", "save_page", "save_highlighted", "close_document")
ZOOM_ACTIONS = ("zoom_in", "zoom_out", "fit_width", "fit_page", "actual_size")
PAGE_ACTIONS = ("two_up", "rotate_right", "rotate_left")
BESIDE_ACTIONS = ("thumbnails", "outline", "bookmarks", "annotations", "heat_map")
GO_ACTIONS = ("previous_page", "next_page", "back", "forward", "page_links", "add_bookmark")
HIGHLIGHT_ACTIONS = ("previous_highlight", "next_highlight", "clear_highlights")
FIND_ACTIONS = ("find", "find_next", "find_previous")
REGION_ACTIONS = (
    "highlight comment copy_citation mark_region copy_region copy_region_words save_region "
    "drop_region add_note"
).split()


class Menus(QObject):
    """Builds every menu once; the viewer's actions join later."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        bar = window.menuBar()
        self._file = self._fill_file(_menu(bar, self.tr("&File")))
        self._edit = self._fill_edit(_menu(bar, self.tr("&Edit")))
        self._view = self._fill_view(_menu(bar, self.tr("&View")))
        self._go = self._fill_go(_menu(bar, self.tr("&Go")))
        self._fill_conversation(_menu(bar, self.tr("&Conversation")))
        self._fill_library(_menu(bar, self.tr("&Library")))
        self._fill_window(_menu(bar, self.tr("&Window")))
        menu = _menu(bar, self.tr("&Help"))
        self._add(menu, self.tr("Welcome"), self._window.welcome.show_page)
        self._add(menu, self.tr("Keyboard shortcuts"), self._window.show_shortcuts, "F1")
        self._add(menu, self.tr("Save diagnostic bundle…"), self._window.diagnostics.choose)
        about = self._add(menu, self.tr("About Groundwork"), self._window.show_about)
        about.setMenuRole(QAction.MenuRole.AboutRole)

    def adopt_viewer(self, actions: Mapping[str, QAction]) -> None:
        """Show the viewer's own actions in the menus, their keys valid in the whole window."""
        for menu, names in (
            (self._view, ZOOM_ACTIONS),
            (self._view, PAGE_ACTIONS),
            (self._view, BESIDE_ACTIONS),
            (self._go, GO_ACTIONS),
            (self._go, HIGHLIGHT_ACTIONS),
            (self._edit, REGION_ACTIONS),
            (self._edit, FIND_ACTIONS),
        ):
            wanted = [actions[name] for name in names if name in actions]
            if wanted:
                menu.addSeparator()
            for action in wanted:
                action.setShortcutContext(QtCore.Qt.ShortcutContext.WindowShortcut)
                action.setIconVisibleInMenu(False)
                menu.addAction(action)
        self._file.insertSeparator(self._before_settings)
        for name in FILE_ACTIONS:
            if name in actions:
                actions[name].setIconVisibleInMenu(False)
                self._file.insertAction(self._before_settings, actions[name])

    def every_shortcut(self) -> list[tuple[str, str]]:
        """Return text and keys of every action that has keys, in the order of the menus."""
        bar = self._window.menuBar()
        return [found for menu in bar.findChildren(QMenu) for found in _with_keys(menu)]

    def _add(
        self,
        menu: QMenu,
        text: str,
        slot: Callable[[], object],
        *keys: str | QKeySequence.StandardKey,
    ) -> QAction:
        action = QAction(text, self)
        if keys:
            action.setShortcuts([QKeySequence(key) for key in keys])
        action.triggered.connect(lambda _checked=False: slot())
        # Only one role is ever guessed wrong by macOS: say which are ordinary.
        action.setMenuRole(QAction.MenuRole.NoRole)
        menu.addAction(action)
        return action

    def _fill_file(self, menu: QMenu) -> QMenu:
        from desktop.ui import wording

        window = self._window
        self._add(menu, self.tr("Add manuals…"), window.library.choose_files, Keys.Open)
        self._add(menu, self.tr("Add folder…"), window.library.choose_folder, "Ctrl+Shift+O")
        self._add(menu, self.tr("Watched folders…"), window.watched.show, "Ctrl+Alt+O")
        self._add(menu, self.tr("Add the sample manuals"), window.library.add_samples)
        self._add(menu, self.tr("Packs of manuals…"), window.packs.show_dialog)
        menu.addSeparator()
        self._add(
            menu,
            self.tr("Open original"),
            lambda: window.library.do_current("original"),
            "Ctrl+Shift+E",
        )
        self._add(
            menu, wording.reveal(), lambda: window.library.do_current("reveal"), "Ctrl+Shift+R"
        )
        self._before_settings = menu.addSeparator()
        preferences = self._add(
            menu, self.tr("Settings…"), window.settings.show_page, Keys.Preferences
        )
        preferences.setMenuRole(QAction.MenuRole.PreferencesRole)
        if preferences.shortcut().isEmpty():  # only macOS and some desktops have a key of their own
            preferences.setShortcut(QKeySequence("Ctrl+,"))
        leave = self._add(menu, self.tr("Quit Groundwork"), window.close, "Ctrl+Q")
        leave.setMenuRole(QAction.MenuRole.QuitRole)
        return menu

    def _fill_edit(self, menu: QMenu) -> QMenu:
        for text, name, key in (
            (self.tr("Undo"), "undo", Keys.Undo),
            (self.tr("Cut"), "cut", Keys.Cut),
            (self.tr("Copy"), "copy", Keys.Copy),
            (self.tr("Paste"), "paste", Keys.Paste),
            (self.tr("Select all"), "selectAll", Keys.SelectAll),
        ):
            action = self._add(menu, text, _edit_with(name), key)
            # Shown for reading: the focused field or page handles these keys itself, and a
            # second owner of the same key would make both of them ambiguous.
            action.setShortcutContext(QtCore.Qt.ShortcutContext.WidgetShortcut)
        menu.addSeparator()
        self._add(
            menu, self.tr("Copy answer with sources"), self._window.chat.copy_answer, "Ctrl+Alt+C"
        )
        self._add(
            menu,
            self.tr("Undo removing a manual"),
            self._window.library.removals.undo,
            "Ctrl+Shift+Z",
        )
        return menu

    def _fill_view(self, menu: QMenu) -> QMenu:
        window = self._window
        for number, (text, panel) in enumerate(
            (
                (self.tr("Library"), window.library_panel),
                (self.tr("Manual"), window.centre),
                (self.tr("Answers"), window.chat),
                (self.tr("Reasoning"), window.trace),
            ),
            start=1,
        ):
            self._offer_panel(menu, text, panel, f"Ctrl+{number}")
        menu.addSeparator()
        swap = self._add(menu, self.tr("Go to the other pane"), window.centre.change_pane, "F5")
        close = self._add(menu, self.tr("Close the second pane"), window.centre.close_beside)
        for entry in (swap, close):
            _offer_if(menu, entry, lambda: window.centre.beside is not None)
        menu.addSeparator()
        self._add(menu, self.tr("Full screen"), window.toggle_full_screen, Keys.FullScreen)
        menu.addMenu(self._look_menu(menu))
        return menu

    def _offer_panel(self, menu: QMenu, text: str, panel: QWidget, keys: str) -> None:
        toggle = self._add(menu, text, lambda: panel.setVisible(panel.isHidden()), keys)
        toggle.setCheckable(True)
        menu.aboutToShow.connect(lambda: toggle.setChecked(not panel.isHidden()))

    def _look_menu(self, parent: QMenu) -> QMenu:
        from desktop.ui.design.popups import Menu

        settings = self._window.settings
        menu = Menu(self.tr("Appearance"), parent)
        group = QActionGroup(menu)
        schemes = {}
        for name, text in (
            ("system", self.tr("System")),
            ("light", self.tr("Light")),
            ("dark", self.tr("Dark")),
        ):
            schemes[name] = group.addAction(
                self._add(menu, text, partial(settings.use_scheme, name))
            )
        menu.addSeparator()
        contrast = self._add(menu, self.tr("High contrast"), settings.toggle_contrast)
        gloves = self._add(menu, self.tr("Glove mode"), settings.toggle_gloves)
        for each in (*schemes.values(), contrast, gloves):
            each.setCheckable(True)
        menu.addSeparator()
        for steps, text, key in (
            (1, self.tr("Larger text"), "Ctrl+Alt++"),
            (-1, self.tr("Smaller text"), "Ctrl+Alt+-"),
            (0, self.tr("Ordinary text"), "Ctrl+Alt+0"),
        ):
            self._add(menu, text, partial(settings.scale_text, steps), key)

        def tick() -> None:
            now = settings.settings.window
            schemes[now.scheme].setChecked(True)
            contrast.setChecked(now.high_contrast == "on")  # the system may ask for it too
            gloves.setChecked(now.glove_mode)

        menu.aboutToShow.connect(tick)
        return menu

    def _fill_go(self, menu: QMenu) -> QMenu:
        from desktop.ui.palette.search import KEYS

        window = self._window
        self._add(menu, self.tr("Go to anything…"), window.palette_panel.show, KEYS)
        self._add(menu, self.tr("Ask a question"), window.chat.focus_question, "Ctrl+L")
        self._add(menu, self.tr("Stop answering"), window.asking.stop, "Ctrl+.")
        self._add(menu, self.tr("Manuals"), window.focus_library, "Ctrl+Shift+L")
        self._add(menu, self.tr("Filter manuals"), window.focus_filter, "Ctrl+Shift+F")
        return menu

    def _fill_conversation(self, menu: QMenu) -> None:
        conversations = self._window.conversations
        self._add(menu, self.tr("New conversation"), conversations.new, "Ctrl+N")
        self._add(menu, self.tr("All conversations"), conversations.show_list, "Ctrl+Shift+H")
        from_file = self.tr("Ask questions from a file…")
        self._add(menu, from_file, self._window.bulk_questions.choose, "Ctrl+Alt+F")
        menu.addSeparator()
        for text, action, keys in (
            (self.tr("Answer again"), "again", "Ctrl+Alt+A"),
            (self.tr("Edit the last question"), "edit", "Ctrl+Alt+E"),
            (self.tr("Save job sheet"), "job_sheet", "Ctrl+J"),
            (self.tr("Print job sheet…"), "print", "Ctrl+Alt+J"),
            (self.tr("Open research report"), "open_report", "Ctrl+Alt+D"),
        ):
            entry = self._add(menu, text, partial(self._window.chat.do_last, action), keys)
            _offer_if(menu, entry, lambda: bool(self._window.chat.turns))
        speak = self._add(
            menu, self.tr("Hold to speak a question"), self._window.voice.hold_key, "F4"
        )
        speak.setAutoRepeat(False)
        aloud = self.tr("Read answer aloud")
        entry = self._add(menu, aloud, self._window.voice.read_last, "Ctrl+Alt+V")
        _offer_if(menu, entry, lambda: bool(self._window.chat.turns))
        menu.addSeparator()
        for text, action in (
            (self.tr("Rename…"), "rename"),
            (self.tr("Export…"), "export"),
            (self.tr("Delete"), "delete"),
        ):
            entry = self._add(menu, text, partial(conversations.do_current, action))
            _offer_if(menu, entry, lambda: conversations.current is not None)

    def _fill_library(self, menu: QMenu) -> None:
        window = self._window
        for text, action in (
            (self.tr("Open"), "open"),
            (self.tr("Open beside"), "beside"),
            (self.tr("Search only this manual"), "only"),
            (self.tr("Compare with the other revision"), "compare"),
            (self.tr("Rename…"), "rename"),
            (self.tr("Enter password…"), "unlock"),
            (self.tr("Stop indexing"), "cancel"),
            (self.tr("Try again"), "retry"),
            (self.tr("Read again from the start"), "anew"),
            (self.tr("Remove from library"), "remove"),
        ):
            entry = self._add(menu, text, partial(window.library.do_selected, action))
            _offer_if(menu, entry, partial(window.library.can_selected, action))
        menu.addSeparator()
        self._add(
            menu, self.tr("Site and asset…"), window.places.choose_for_selected, "Ctrl+Shift+S"
        )
        catalogue = window.catalogue
        what = self.tr("Tags, trust and revision…")
        self._add(menu, what, catalogue.edit_selected, "Ctrl+Shift+T")
        self._add(menu, self.tr("Properties"), catalogue.show_properties, "Ctrl+I")
        self._add(menu, self.tr("Read a nameplate…"), window.nameplates.choose, "Ctrl+Shift+P")
        self._add(menu, self.tr("All notes"), window.notes.toggle, "Ctrl+Shift+B")
        self._add(menu, self.tr("New note…"), window.notes.begin, "Ctrl+Shift+N")
        knows = self.tr("What Groundwork knows…")
        self._add(menu, knows, window.domains.show_page, "Ctrl+Shift+K")

    def _fill_window(self, menu: QMenu) -> None:
        window = self._window
        self._add(menu, self.tr("Minimize"), window.showMinimized, "Ctrl+M")
        menu.addSeparator()
        self._add(menu, self.tr("Models"), window.models.show_page, "Ctrl+Shift+M")


def _menu(bar: QMenuBar, title: str) -> QMenu:
    from desktop.ui.design.popups import Menu

    menu = Menu(title, bar)
    bar.addMenu(menu)
    return menu


def _with_keys(menu: QMenu) -> Iterator[tuple[str, str]]:
    native = QKeySequence.SequenceFormat.NativeText
    for action in menu.actions():
        keys = [sequence.toString(native) for sequence in action.shortcuts()]
        if isinstance(action.data(), str) and action.data():  # while the pages have the focus
            keys.append(action.data())
        if keys:
            yield action.text().replace("&", ""), ", ".join(keys)


def _offer_if(menu: QMenu, entry: QAction, possible: Callable[[], bool]) -> None:
    """Show an entry as one that can be used, or not; its keys work while the menu is closed."""
    menu.aboutToShow.connect(lambda: entry.setEnabled(possible()))
    menu.aboutToHide.connect(partial(entry.setEnabled, True))


def _edit_with(method: str) -> Callable[[], None]:
    def edit() -> None:
        widget: QObject | None = QApplication.focusWidget()
        while widget is not None:
            own = getattr(widget, method, None)
            actions = getattr(widget, "actions_by_name", {})
            if callable(own):
                own()
                return
            if method == "copy" and "copy" in actions:
                cast("QAction", actions["copy"]).trigger()
                return
            widget = widget.parent()

    return edit
