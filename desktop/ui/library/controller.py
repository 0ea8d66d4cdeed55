"""Carrying out actions on the manuals: add, cancel, retry, unlock, remove, ..."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from desktop.core.errors import BelongsToPack
from desktop.core.paths import sample_manuals
from desktop.ui import files
from desktop.ui.bridge import WindowPart
from desktop.ui.design.dialogs import ask_for_line
from desktop.ui.design.notices import Removals, explain, in_sentences
from desktop.ui.library.indexing import Indexing

if TYPE_CHECKING:
    from desktop.core.library.values import DocumentRecord, DocumentState
    from desktop.core.workspace import Workspace
    from desktop.ui.library.model import LibraryModel
    from desktop.ui.library.panel import LibraryPanel
    from desktop.ui.viewer.centre import Centre

NOTICE_MS = 12_000
STATES: dict[str, tuple[DocumentState, ...]] = {
    "unlock": ("needs_password",),
    "cancel": ("queued", "indexing"),
    "retry": ("failed", "cancelled"),
    "anew": ("ready", "failed", "cancelled"),
}
"""The states in which an action makes sense; any state for the actions not named here."""


OF_PACKS = ("anew", "remove")
"""What is not done with a single manual of a pack."""


class LibraryController(WindowPart):
    """Connects the library panel with an open workspace.

    only(id): ask this manual alone. deleted(hash): a manual is gone for good. changed(): the
    number or the state of manuals changed. packs_wanted(): a person wants what can only be done
    with the pack of a manual.
    """

    only = Signal(int)
    deleted = Signal(str)
    changed = Signal()
    packs_wanted = Signal()

    def __init__(
        self, window: QWidget, model: LibraryModel, panel: LibraryPanel, centre: Centre
    ) -> None:
        super().__init__(window, panel.notices.say_failure)
        self._window, self._model, self._panel, self._centre = window, model, panel, centre
        self._early: list[Path] = []  # files that came before the library was open
        self.removals = Removals(panel.notices)
        self._copies: dict[int, Path] = {}
        self._was_empty = False
        self.indexing = Indexing(model, self._errands, self)
        self.indexing.changed.connect(self.changed)
        self.indexing.settled.connect(self._reload)
        self.indexing.appeared.connect(panel.rows.select)
        self.indexing.document_changed.connect(self._look_for_first)
        self.indexing.document_changed.connect(centre.refresh_document)
        self.indexing.refused.connect(self._refused)
        self.indexing.known.connect(self._known)
        self.indexing.broke.connect(self._broke)
        panel.rows.wanted.connect(self.do)
        panel.add_wanted.connect(self.choose_files)
        panel.samples_wanted.connect(self.add_samples)
        centre.page_in_view.connect(self._look_at)

    def open_workspace(self, workspace: Workspace) -> None:
        """Show the manuals and go on with unfinished work."""
        super().open_workspace(workspace)
        self._library, self._ingestion = workspace.library, workspace.ingestion
        self.indexing.open(workspace.ingestion)
        records = self._library.documents()
        self._was_empty = not records
        self._model.replace_all(records)
        self._panel.show_library()
        self.changed.emit()
        self.indexing.wake()
        self.add(self._early)

    def _look_for_first(self, document_id: int) -> None:
        """Show the first manual of an empty library, unless a person was faster."""
        record = self._model.record(document_id)
        if self._was_empty and record is not None and record.searchable and record.page_count:
            self._was_empty = False
            if self._centre.place() is None and not self._centre.isHidden():
                self._centre.open_document(document_id)

    def add(self, paths: Sequence[Path]) -> None:
        """Import files and folders, once there is a library."""
        if self._workspace is None:
            self._early += paths
        elif paths:
            self.indexing.add(list(paths))

    def choose_files(self) -> None:
        files.choose_files(self._window, self.add)

    def choose_folder(self) -> None:
        title = self.tr("Add a folder of manuals")
        files.choose_folder(self._window, title, lambda folder: self.add([folder]))

    def add_samples(self) -> None:
        self.add(sample_manuals())

    def do_selected(self, action: str) -> None:
        """Do something with the manual that has the list's keyboard focus."""
        chosen = self._panel.rows.selected_id()
        if chosen is not None:
            self.do(action, chosen)

    def do_current(self, action: str) -> None:
        """Do something with the manual in view, else with the chosen one."""
        place = self._centre.place()
        if place is not None:
            self.do(action, place[0])
        else:
            self.do_selected(action)

    def can_selected(self, action: str) -> bool:
        """Whether an action makes sense for the chosen manual."""
        chosen = self._panel.rows.selected_id()
        return chosen is not None and self.can(action, chosen)

    def do(self, action: str, document_id: int) -> None:
        """Carry out an action of the list's rows and menus."""
        record = self._model.record(document_id)
        if record is None or (record.pack and action in OF_PACKS and self._refuse(record)):
            return
        match action:
            case "open" if record.state == "needs_password":
                self._unlock(record)
            case "open" if record.page_count:
                self._centre.open_document(document_id)
            case "beside" if record.page_count:
                self._centre.open_beside(document_id, chosen=True)
            case "only":
                self.only.emit(document_id)
            case "cancel":
                self._errands.run(lambda: self._ingestion.cancel_document(document_id))
                self._errands.run(self._library.documents, self._model.replace_all)
            case "retry":
                self._again(lambda: self._ingestion.retry(document_id))
            case "unlock":
                self._unlock(record)
            case "original":
                self._hand_out(record, files.open_with_system)
            case "reveal":
                self._hand_out(record, files.reveal_in_folder)
            case "anew":
                self._again(lambda: self._ingestion.read_anew(document_id))
            case "rename":
                self._rename(record)
            case "remove":
                self.remove(record)

    def can(self, action: str, document_id: int) -> bool:
        """Whether an action makes sense in the manual's state."""
        record = self._model.record(document_id)
        view = self._model.view(document_id)
        if record is None or view is None or (record.pack and action in OF_PACKS):
            return False
        if action == "compare":
            return view.other_revision
        return record.state in STATES.get(action, (record.state,))

    def remove(self, record: DocumentRecord) -> None:
        """Hide a manual and delete it for good when nobody has undone that for a while."""
        if record.id in self.removals:
            return
        self._model.hide(record.id)
        said = self.tr("Removed “{title}”.").format(title=record.title or record.name)
        back, delete = partial(self._bring_back, record), partial(self._delete, record)
        self.removals.begin(record.id, said, back, delete)
        self._errands.run(lambda: self._ingestion.cancel_document(record.id))
        self._centre.forget_document(record.id)
        self.changed.emit()

    def reload(self) -> None:
        """Show what a pack has brought or taken away, and go on with what it left to do."""
        before = {record.id for record in self._model.records()}
        self._reload()
        for document_id in before - {record.id for record in self._model.records()}:
            self._centre.forget_document(document_id)
        self.indexing.wake()

    def _bring_back(self, record: DocumentRecord) -> None:
        self._model.unhide(record)
        self._errands.run(self._library.documents, self._model.replace_all)
        self.changed.emit()
        if record.being_read:
            self._again(lambda: self._ingestion.retry(record.id))

    def _look_at(self, document_id: int, page: int) -> None:
        """Have the page that a person looks at, and the next, laid out before the others."""
        record = self._model.record(document_id)
        if record is not None and record.being_read:
            self._ingestion.want([(document_id, page), (document_id, page + 1)])

    def close(self) -> None:
        """Stop indexing, finish the removals that were asked for, join the threads."""
        self.indexing.close()
        self.removals.finish()
        super().close()

    def _refuse(self, record: DocumentRecord) -> bool:
        """Say why a manual from a pack is not removed or read again on its own."""
        self._panel.notices.say(
            in_sentences(BelongsToPack(record.title or record.name, record.pack)),
            action=self.tr("Packs…"),
            on_action=self.packs_wanted.emit,
            milliseconds=NOTICE_MS,
        )
        return True

    def _delete(self, record: DocumentRecord) -> None:
        self._copies.pop(record.id, None)
        self.deleted.emit(record.sha256)
        self._errands.run(
            lambda: self._library.delete(record.id), lambda _: self._model.forget(record.id)
        )

    def _again(self, work: Callable[[], object]) -> None:
        self._errands.run(work, lambda _: self.indexing.wake())

    def _hand_out(self, record: DocumentRecord, show: Callable[[Path], bool]) -> None:
        """Give the system the manual's PDF, under the name it came with."""

        def copy() -> Path:
            known = self._copies.get(record.id)
            if known is None or not known.exists():
                original = self._library.original_path(record.id)
                known = self._copies[record.id] = files.copy_under_own_name(original, record.name)
            return known

        def hand_out(path: Path) -> None:
            if not show(path):
                text = self.tr("The system could not show {name}; its copy is at {path}").format(
                    name=record.name, path=path
                )
                self._panel.notices.say(text, tone="bad")

        self._errands.run(copy, hand_out)

    def _unlock(self, record: DocumentRecord) -> None:
        dialog = ask_for_line(
            self._panel,
            self.tr("Password needed"),
            self.tr("“{name}” is locked. Enter its password:").format(name=record.name),
            lambda password: self._again(lambda: self._ingestion.unlock(record.id, password)),
            secret=True,
            checked=True,
        )

        def look(document_id: int) -> None:
            """Close the dialog once the password opens the manual, or say that it is wrong."""
            now = self._model.record(document_id)
            if document_id != record.id or now is None or not isValid(dialog):
                return
            if now.state == "needs_password" and not dialog.ok.isEnabled():
                dialog.refuse(self.tr("Wrong password"))
            elif now.page_count or now.state in ("ready", "failed", "cancelled"):
                dialog.accept()

        self.indexing.document_changed.connect(look)
        dialog.finished.connect(lambda _: self.indexing.document_changed.disconnect(look))

    def _rename(self, record: DocumentRecord) -> None:
        def rename(answer: str) -> None:
            title = " ".join(answer.split())
            self._errands.run(
                lambda: self._library.rename(record.id, title), lambda _: self._reload()
            )

        ask_for_line(
            self._panel,
            self.tr("Rename manual"),
            self.tr("Title of “{name}”:").format(name=record.name),
            rename,
            start=record.title,
        )

    def _reload(self) -> None:
        self._model.replace_all(self._library.documents())
        self.changed.emit()

    def _refused(self, name: str, reason: str) -> None:
        text = self.tr("{name} was not added: {reason}").format(name=name, reason=reason)
        self._panel.notices.say(text, tone="bad")

    def _known(self, record: DocumentRecord) -> None:
        if record.id in self.removals:
            self.removals.undo(record.id)
            return
        title = record.title or record.name
        self._panel.notices.say(
            self.tr("“{title}” is already in the library.").format(title=title),
            milliseconds=NOTICE_MS,
        )
        self._panel.rows.select(record.id)

    def _broke(self, failure: BaseException) -> None:
        self._panel.notices.say(
            in_sentences(failure),
            tone="bad",
            action=self.tr("Try again") if explain(failure).retry else "",
            on_action=self.indexing.wake,
        )
