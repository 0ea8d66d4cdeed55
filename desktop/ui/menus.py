"""The window's menus: native on macOS, the same actions and keys everywhere."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QWidget

from desktop.ui import wording
from desktop.ui.palette_search import KEYS
from desktop.ui.popups import Menu
from desktop.ui.settings.appearance import look_menu

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from desktop.ui.main_window import MainWindow

Keys = QKeySequence.StandardKey
FILE_ACTIONS = ("print", "save_page", "save_highlighted", "close_document")
ZOOM_ACTIONS = ("zoom_in", "zoom_out", "fit_width", "fit_page", "actual_size")
PAGE_ACTIONS = ("two_up", "cover_alone", "rotate_right", "rotate_left")
BESIDE_ACTIONS = ("thumbnails", "outline", "bookmarks", "annotations", "heat_map")
GO_ACTIONS = ("previous_page", "next_page", "back", "forward", "page_links", "add_bookmark")
HIGHLIGHT_ACTIONS = ("previous_highlight", "next_highlight", "clear_highlights")
FIND_ACTIONS = ("find", "find_next", "find_previous")
REGION_ACTIONS = (
    "highlight",
    "comment",
    "copy_citation",
    "mark_region",
    "copy_region",
    "copy_region_words",
    "save_region",
    "drop_region",
    "add_note",
)


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
        self._fill_help(_menu(bar, self.tr("&Help")))

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
                action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
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
        window = self._window
        self._add(menu, self.tr("Add Manuals…"), window.choose_files, Keys.Open)
        self._add(menu, self.tr("Add Folder…"), window.choose_folder, "Ctrl+Shift+O")
        self._add(menu, self.tr("Watched Folders…"), window.watched.show, "Ctrl+Alt+O")
        self._add(menu, self.tr("Add the Sample Manuals"), window.add_samples)
        self._add(menu, self.tr("Packs of Manuals…"), window.packs.show_dialog)
        menu.addSeparator()
        self._add(
            menu, self.tr("Open Original"), lambda: window.do_current("original"), "Ctrl+Shift+E"
        )
        self._add(menu, wording.reveal(), lambda: window.do_current("reveal"), "Ctrl+Shift+R")
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
            (self.tr("Select All"), "selectAll", Keys.SelectAll),
        ):
            action = self._add(menu, text, _edit_with(name), key)
            # Shown for reading: the focused field or page handles these keys itself, and a
            # second owner of the same key would make both of them ambiguous.
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        menu.addSeparator()
        self._add(
            menu, self.tr("Copy Answer with Sources"), self._window.chat.copy_answer, "Ctrl+Alt+C"
        )
        self._add(menu, self.tr("Undo Removing a Manual"), self._window.undo_remove, "Ctrl+Shift+Z")
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
            toggle = self._add(menu, text, _toggler(panel), f"Ctrl+{number}")
            toggle.setCheckable(True)
            menu.aboutToShow.connect(partial(_tick_if_shown, toggle, panel))
        menu.addSeparator()
        swap = self._add(menu, self.tr("Go to the Other Pane"), window.centre.change_pane, "F5")
        close = self._add(menu, self.tr("Close the Second Pane"), window.centre.close_beside)
        for entry in (swap, close):
            menu.aboutToShow.connect(
                lambda entry=entry: entry.setEnabled(window.centre.beside is not None)
            )
            menu.aboutToHide.connect(partial(entry.setEnabled, True))
        menu.addSeparator()
        self._add(menu, self.tr("Full Screen"), window.toggle_full_screen, Keys.FullScreen)
        menu.addMenu(look_menu(self._window, menu))
        return menu

    def _fill_go(self, menu: QMenu) -> QMenu:
        window = self._window
        self._add(menu, self.tr("Go to Anything…"), window.palette_panel.show, KEYS)
        self._add(menu, self.tr("Ask a Question"), window.focus_question, "Ctrl+L")
        self._add(menu, self.tr("Stop Answering"), window.stop, "Ctrl+.")
        self._add(menu, self.tr("Manuals"), window.focus_library, "Ctrl+Shift+L")
        self._add(menu, self.tr("Filter Manuals"), window.focus_filter, "Ctrl+Shift+F")
        return menu

    def _fill_conversation(self, menu: QMenu) -> None:
        conversations = self._window.conversations
        self._add(menu, self.tr("New Conversation"), conversations.new, "Ctrl+N")
        self._add(menu, self.tr("All Conversations"), conversations.show_list, "Ctrl+Shift+H")
        from_file = self.tr("Ask Questions from a File…")
        self._add(menu, from_file, self._window.bulk_questions.choose, "Ctrl+Alt+F")
        menu.addSeparator()
        for text, action, keys in (
            (self.tr("Answer Again"), "again", "Ctrl+Alt+A"),
            (self.tr("Edit the Last Question"), "edit", "Ctrl+Alt+E"),
            (self.tr("Save Job Sheet"), "job_sheet", "Ctrl+J"),
            (self.tr("Print Job Sheet…"), "print", "Ctrl+Alt+J"),
            (self.tr("Open Research Report"), "open_report", "Ctrl+Alt+D"),
        ):
            self._add(menu, text, partial(self._window.chat.do_last, action), keys)
        speak = self._add(
            menu, self.tr("Speak a Question (Hold)"), self._window.voice.hold_key, "F4"
        )
        speak.setAutoRepeat(False)
        aloud = self.tr("Read Answer Aloud")
        self._add(menu, aloud, self._window.voice.read_last, "Ctrl+Alt+V")
        menu.addSeparator()
        for text, action in (
            (self.tr("Rename…"), "rename"),
            (self.tr("Export…"), "export"),
            (self.tr("Delete"), "delete"),
        ):
            entry = self._add(menu, text, partial(conversations.do_current, action))
            menu.aboutToShow.connect(partial(self._enable_if_conversation, entry))
            menu.aboutToHide.connect(partial(entry.setEnabled, True))

    def _enable_if_conversation(self, entry: QAction) -> None:
        entry.setEnabled(self._window.conversations.current is not None)

    def _fill_library(self, menu: QMenu) -> None:
        window = self._window
        for text, action in (
            (self.tr("Open"), "open"),
            (self.tr("Open Beside"), "beside"),
            (self.tr("Search Only This Manual"), "only"),
            (self.tr("Compare with the Other Revision"), "compare"),
            (self.tr("Rename…"), "rename"),
            (self.tr("Enter Password…"), "unlock"),
            (self.tr("Stop Indexing"), "cancel"),
            (self.tr("Try Again"), "retry"),
            (self.tr("Read Again from the Start"), "anew"),
            (self.tr("Remove from Library"), "remove"),
        ):
            entry = self._add(menu, text, partial(window.do_selected, action))
            menu.aboutToShow.connect(partial(self._enable_if_possible, entry, action))
            menu.aboutToHide.connect(partial(entry.setEnabled, True))
        menu.addSeparator()
        self._add(
            menu, self.tr("Site and Asset…"), window.places.choose_for_selected, "Ctrl+Shift+S"
        )
        catalogue = window.catalogue
        what = self.tr("Tags, Trust and Revision…")
        self._add(menu, what, catalogue.edit_selected, "Ctrl+Shift+T")
        self._add(menu, self.tr("Properties"), catalogue.show_properties, "Ctrl+I")
        self._add(menu, self.tr("Read a Nameplate…"), window.nameplates.choose, "Ctrl+Shift+P")
        self._add(menu, self.tr("Notes"), window.notes.toggle, "Ctrl+Shift+B")
        self._add(menu, self.tr("New Note…"), window.notes.begin, "Ctrl+Shift+N")
        knows = self.tr("What Groundwork Knows…")
        self._add(menu, knows, window.domains.show_page, "Ctrl+Shift+K")

    def _enable_if_possible(self, entry: QAction, action: str) -> None:
        entry.setEnabled(self._window.can(action))

    def _fill_window(self, menu: QMenu) -> None:
        window = self._window
        self._add(menu, self.tr("Minimize"), window.showMinimized, "Ctrl+M")
        menu.addSeparator()
        self._add(menu, self.tr("Models"), window.models.show_page, "Ctrl+Shift+M")

    def _fill_help(self, menu: QMenu) -> None:
        self._add(menu, self.tr("Welcome"), self._window.welcome.show_page)
        self._add(menu, self.tr("Keyboard Shortcuts"), self._window.show_shortcuts, "F1")
        self._add(menu, self.tr("Save Diagnostic Bundle…"), self._window.diagnostics.choose)
        about = self._add(menu, self.tr("About Groundwork"), self._window.show_about)
        about.setMenuRole(QAction.MenuRole.AboutRole)


def _menu(bar: QMenuBar, title: str) -> QMenu:
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


def _tick_if_shown(toggle: QAction, panel: QWidget) -> None:
    toggle.setChecked(not panel.isHidden())


def _toggler(panel: QWidget) -> Callable[[], None]:
    return lambda: panel.setVisible(panel.isHidden())


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
