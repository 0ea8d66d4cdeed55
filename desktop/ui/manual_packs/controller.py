"""What a person can do with packs of manuals, carried out: attach, update, detach, trust a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.core.jobs import Cancelled
from desktop.ui import chooser
from desktop.ui.bridge import Bridge
from desktop.ui.errands import Errands
from desktop.ui.language import told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from desktop.core.jobs import CancelToken
    from desktop.core.manual_packs.attached import AttachedPack, PackEvent
    from desktop.core.signing import TrustedKey
    from desktop.core.workspace import Workspace
    from desktop.ui.manual_packs.dialog import PacksDialog
    from desktop.ui.notice_strip import NoticeStrip


class PackController(QObject):
    """Owns the dialog and the work, one pack at a time; it goes on while the dialog is closed.

    changed(): manuals of packs came or went.
    """

    changed = Signal()

    def __init__(self, window: QWidget, elsewhere: NoticeStrip) -> None:
        """elsewhere: where something is said while the dialog is not open."""
        super().__init__(window)
        self._window = window
        self._elsewhere = elsewhere
        self._workspace: Workspace | None = None
        self.dialog: PacksDialog | None = None
        self._errands = Errands(self)
        self._errands.failed.connect(self._failed)
        self._bridge = Bridge("groundwork-packs", self)
        self._bridge.received.connect(self._received)
        self._bridge.finished.connect(self._finished)

    def open_workspace(self, workspace: Workspace) -> None:
        """Work with this library's packs, and say which of them want something of a person."""
        self._workspace = workspace
        if any(each.pack for each in workspace.library.documents()):
            self._errands.run(lambda: workspace.packs.all(), self._say_remarks)

    def show_dialog(self) -> None:
        """Show the packs."""
        if self._workspace is None:
            return
        if self.dialog is None:
            from desktop.ui.manual_packs.dialog import PacksDialog

            self.dialog = PacksDialog(self._window)
            self.dialog.attach_wanted.connect(self._choose_pack)
            self.dialog.update_wanted.connect(self._update)
            self.dialog.detach_wanted.connect(self._ask_to_detach)
            self.dialog.trust_wanted.connect(self._choose_key)
            self.dialog.stop_wanted.connect(self._bridge.cancel)
        self._refresh()
        self.dialog.open()

    def attach(self, folder: Path, chosen: list[str]) -> None:
        """Attach a pack, or go on attaching it."""
        workspace = self._workspace
        if workspace is not None:
            self._start(lambda cancel: workspace.packs.attach(folder, cancel, chosen=chosen))

    def trust(self, file: Path) -> None:
        """Trust a company's key, and show by which digits people compare it."""
        workspace = self._workspace
        if workspace is not None:
            self._errands.run(lambda: workspace.packs.trusted.add(file), self._say_trusted)

    def close(self) -> None:
        """Stop the work between two manuals and join the threads."""
        self._bridge.close()
        self._errands.close()

    def _choose_pack(self, chosen: list[str]) -> None:
        if self.dialog is not None:
            chooser.choose_pack(self.dialog, lambda paths: self.attach(paths[0], chosen))

    def _choose_key(self) -> None:
        if self.dialog is not None:
            chooser.choose_key(self.dialog, lambda paths: self.trust(paths[0]))

    def _update(self, pack: str) -> None:
        workspace = self._workspace
        if workspace is not None:
            self._start(lambda cancel: workspace.packs.update(pack, cancel))

    def _ask_to_detach(self, pack: str) -> None:
        """Ask before thousands of manuals go."""
        workspace = self._workspace
        if workspace is None:
            return
        self._notices.say(
            self.tr("Take the manuals of this pack out of the library? What you noted, highlighted "
                    "and marked in them is kept and comes back with them."),
            action=self.tr("Detach"),
            on_action=lambda: self._start(lambda cancel: workspace.packs.detach(pack, cancel)),
        )  # fmt: skip

    def _start(self, job: Callable[[CancelToken], Iterator[PackEvent]]) -> None:
        if not self._bridge.running:
            self._bridge.start(job)

    def _received(self, event: PackEvent) -> None:
        from desktop.core.manual_packs.attached import ManualRefused, PackDone, PackProgress

        match event:
            case PackProgress() if self.dialog is not None:
                self.dialog.show_progress(event)
            case ManualRefused():
                said = self.tr("{title} was not taken in: {reason}")
                text = said.format(title=event.title, reason=told(event.reason))
                self._notices.say(text, tone="bad")
            case PackDone():
                self._notices.say(told(event.sentence))
            case _:
                pass

    def _finished(self, failure: BaseException | None) -> None:
        if self.dialog is not None:
            self.dialog.show_progress(None)
        if isinstance(failure, Cancelled):
            self._notices.say(self.tr("Stopped. Attach or update the pack again to go on."))
        elif failure is not None:
            self._failed(failure)
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        workspace, dialog = self._workspace, self.dialog
        if workspace is not None and dialog is not None:
            self._errands.run(lambda: workspace.packs.all(), dialog.show_packs)

    def _say_trusted(self, key: TrustedKey) -> None:
        said = self.tr(
            "The key {name} is trusted from now on. Compare its digits with those that your "
            "company tells: {digits}."
        )
        self._notices.say(said.format(name=key.name, digits=key.fingerprint))

    def _say_remarks(self, packs: list[AttachedPack]) -> None:
        for pack in packs:
            if remark := pack.remark():
                self._elsewhere.say(
                    self.tr("Pack {name}: {remark}").format(name=pack.name, remark=told(remark)),
                    action=self.tr("Packs…"),
                    on_action=self.show_dialog,
                )

    def _failed(self, failure: BaseException) -> None:
        self._notices.say_failure(failure)

    @property
    def _notices(self) -> NoticeStrip:
        shown = self.dialog is not None and self.dialog.isVisible()
        return self.dialog.notices if shown and self.dialog is not None else self._elsewhere
