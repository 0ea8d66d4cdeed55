"""Watched folders in the window: checked alongside everything else, chosen in a dialog."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QWidget

from desktop.ui import wording
from desktop.ui.bridge import Bridge, WindowPart
from desktop.ui.design.controls import fill, label, push_button, remark
from desktop.ui.design.dialogs import Dialog
from desktop.ui.design.notices import NoticeStrip, in_sentences
from desktop.ui.design.tokens import Space, Type
from desktop.ui.files import choose_folder

if TYPE_CHECKING:
    from desktop.core.library.values import DocumentRecord
    from desktop.core.library.watched_folders import WatchedFolders, WatchEvent
    from desktop.core.workspace import Workspace
    from desktop.ui.library.controller import LibraryController

CLOSE_SECONDS = 3.0
"""A share that does not answer holds its thread; the window does not wait for it."""
AGAIN_MS = 60_000
NAMED = 3
WIDTH, HEIGHT = 560, 220


@dataclass(frozen=True, slots=True)
class FolderView:
    """A watched folder as the dialog shows it. manuals: those in the library that it brought."""

    path: Path
    manuals: int
    reachable: bool


class WatchController(WindowPart):
    """Looks at the watched folders every minute, also at the start, on a thread of its own."""

    def __init__(self, library: LibraryController, notices: NoticeStrip, window: QWidget) -> None:
        super().__init__(window, self._failed)
        self._window, self._library, self._notices = window, library, notices
        self._watched: WatchedFolders | None = None
        self._unreachable: dict[Path, QFrame] = {}
        self._failure = ""
        self._closed = False
        self._wanted = False
        self.dialog: WatchedFoldersDialog | None = None
        self._bridge = Bridge("groundwork-watch", self, self._take, self._ended, resumes=True)
        self._again = QTimer(self, singleShot=True)
        self._again.timeout.connect(self.look)
        library.deleted.connect(self._unwant)

    def open_workspace(self, workspace: Workspace) -> None:
        """Watch the folders of this library."""

        def read() -> WatchedFolders:
            # Not above: pydantic comes with it, and the window opens without.
            from desktop.core.library.watched_folders import WatchedFolders

            return WatchedFolders(workspace.library)

        self._errands.run(read, self._begin)

    def close(self) -> None:
        """Look no more."""
        self._closed = True
        self._again.stop()
        self._errands.close()
        self._bridge.close(CLOSE_SECONDS)

    def look(self) -> None:
        """Look now, unless that is going on."""
        watched = self._watched
        if watched is None or not watched.folders or self._closed:
            return
        self._again.stop()
        self._wanted = self._bridge.running
        if not self._wanted:
            self._bridge.start(watched.look)

    def show(self) -> None:
        """Show which folders are watched, and let them be chosen."""
        if self.dialog is None:
            self.dialog = WatchedFoldersDialog(self._window)
            self.dialog.add_wanted.connect(self._choose)
            self.dialog.remove_wanted.connect(self._remove)
        self._refresh()
        self.dialog.open()

    def add(self, folder: Path) -> None:
        """Watch a folder and look into it at once."""
        watched = self._watched
        if watched is not None:
            self._errands.run(lambda: watched.add(folder), lambda _: self._changed())

    def _begin(self, watched: WatchedFolders) -> None:
        self._watched = watched
        if watched.damaged:
            said = self.tr(
                "The list of watched folders was damaged. It is empty now: add the folders again."
            )
            self._notices.say(said, tone="bad")
        self.look()

    def _choose(self) -> None:
        if self.dialog is not None:
            choose_folder(self.dialog, self.tr("Watch a folder"), self.add)

    def _remove(self, folder: Path) -> None:
        watched = self._watched
        if watched is not None:
            self._errands.run(lambda: watched.remove(folder), lambda _: self._changed())
            self._is_back(folder)

    def _changed(self) -> None:
        self._refresh()
        self.look()

    def _refresh(self) -> None:
        watched, dialog = self._watched, self.dialog
        if watched is None or dialog is None:
            return

        def views() -> list[FolderView]:
            return [
                FolderView(each, watched.count(each), not watched.unreachable(each))
                for each in watched.folders
            ]

        self._errands.run(views, dialog.show_folders)

    def _unwant(self, sha256: str) -> None:
        watched = self._watched
        if watched is None:
            return
        if self._closed:
            watched.unwant(sha256)
        else:
            self._errands.run(lambda: watched.unwant(sha256))

    def _take(self, event: WatchEvent) -> None:
        from desktop.core.library.watched_folders import (
            FileArrived,
            FilesGone,
            FolderBack,
            FolderUnreachable,
            LookEnded,
        )

        match event:
            case FileArrived():
                self._library.indexing.add([event.path], replaces=event.replaces, by_itself=True)
            case FilesGone():
                self._ask(event.folder, event.documents)
            case FolderUnreachable():
                said = self.tr(
                    "The folder “{folder}” cannot be reached. It is checked again every minute; "
                    "nothing in it counts as removed."
                )
                notice = self._notices.say(said.format(folder=event.folder))
                self._unreachable[event.folder] = notice
            case FolderBack():
                self._is_back(event.folder)
            case LookEnded():
                self._again.start(0 if self._wanted else round(event.again_in * 1000))
                self._refresh()

    def _is_back(self, folder: Path) -> None:
        notice = self._unreachable.pop(folder, None)
        if notice is not None:
            self._notices.dismiss(notice)

    def _ask(self, folder: Path, documents: Sequence[DocumentRecord]) -> None:
        """Ask whether manuals whose files are gone should go too."""
        watched = self._watched
        if watched is None:
            return
        names = ", ".join(wording.quoted(each.title or each.name) for each in documents[:NAMED])
        if len(documents) == 1:
            said = self.tr("{name} is no longer in the folder {folder}. Keep it in the library?")
        else:
            said = self.tr(
                "{manuals} are no longer in the folder {folder}. Keep them in the library? {name}"
            )
            names += ", …" if len(documents) > NAMED else ""

        def remove_all() -> None:
            for each in documents:
                self._library.remove(each)

        self._notices.say(
            said.format(name=names, folder=folder, manuals=wording.manuals(len(documents))),
            action=self.tr("Keep"),
            on_action=lambda: self._errands.run(lambda: watched.keep(documents)),
            other=self.tr("Remove"),
            on_other=remove_all,
        )

    def _failed(self, failure: BaseException) -> None:
        if self.dialog is not None and self.dialog.isVisible():
            self.dialog.show_failure(failure)
        else:
            self._notices.say_failure(failure)

    def _ended(self, failure: BaseException | None) -> None:
        if failure is None:
            self._failure = ""
            return
        if str(failure) != self._failure:  # once, not every minute
            self._failure = str(failure)
            self._notices.say_failure(failure)
        self._again.start(AGAIN_MS)


class WatchedFoldersDialog(Dialog):
    """add_wanted(): a folder is to be chosen. remove_wanted(path): stop watching this one."""

    add_wanted = Signal()
    remove_wanted = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, self.tr("Watched folders"), spacing=Space.S, kept=True)
        self.setMinimumSize(WIDTH, HEIGHT)
        self.list = QListWidget()
        self.list.setProperty("kind", "rows")
        self.list.setAccessibleName(self.windowTitle())
        self.list.itemSelectionChanged.connect(self._choice_changed)
        self._wrong = remark(tone="bad")
        self._wrong.setObjectName("wrong")
        self.add = push_button(self.tr("Add folder…"), self.add_wanted)
        self.remove = push_button(self.tr("Stop watching"), self._remove)
        column = self.column
        hint = self.tr(
            "Manuals put into these folders are added to the library automatically; a changed "
            "one is added as a newer revision. Nothing in the folders is changed."
        )
        column.addWidget(label(hint, factor=Type.SMALL, tone="muted", wrap=True))
        column.addWidget(self.list, 1)
        fill(column, self._wrong, Space.M)
        self.add_buttons(self.tr("Close"), cancel=False, left=(self.add, self.remove))
        self.show_folders([])

    def show_folders(self, folders: Sequence[FolderView]) -> None:
        """Show these; the chosen one stays chosen."""
        chosen = self._chosen()
        self._wrong.hide()
        self.list.clear()
        for each in folders:
            state = (
                wording.manuals(each.manuals)
                if each.reachable
                else self.tr("not reachable at the moment")
            )
            said = self.tr("{folder}: {state}").format(folder=each.path, state=state)
            item = QListWidgetItem(said)
            item.setData(Qt.ItemDataRole.UserRole, each.path)
            self.list.addItem(item)
            item.setSelected(each.path == chosen)
        self._choice_changed()

    def show_failure(self, failure: BaseException) -> None:
        """Say why a folder was not added."""
        self._wrong.say(in_sentences(failure))

    def _chosen(self) -> Path | None:
        items = self.list.selectedItems()
        path: Path | None = items[0].data(Qt.ItemDataRole.UserRole) if items else None
        return path

    def _choice_changed(self) -> None:
        self.remove.setEnabled(self._chosen() is not None)

    def _remove(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            self.remove_wanted.emit(chosen)
