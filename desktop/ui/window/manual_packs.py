"""The packs of the library: what is attached, and how far attaching another has got."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from desktop.core.jobs import Cancelled, CancelToken
from desktop.ui import files, wording
from desktop.ui.bridge import WindowPart
from desktop.ui.design.controls import (
    button_row,
    empty,
    fill,
    in_column,
    in_row,
    label,
    push_button,
    scrolled,
    text_field,
    thin_bar,
)
from desktop.ui.design.dialogs import Dialog, notices_of
from desktop.ui.design.notices import NoticeStrip
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import told

if TYPE_CHECKING:
    from desktop.core.manual_packs.attached import AttachedPack, PackEvent, PackProgress
    from desktop.core.signing import TrustedKey
    from desktop.core.workspace import Workspace

SIZE = QSize(640, 560)


class PacksDialog(Dialog):
    """attach_wanted(patterns), update_wanted(id), detach_wanted(id), trust_wanted(), stop_wanted().

    What goes on goes on while it is closed.
    """

    attach_wanted = Signal(object)
    update_wanted = Signal(str)
    detach_wanted = Signal(str)
    trust_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, self.tr("Packs of manuals"), kept=True)
        self.resize(SIZE)
        self.notices = NoticeStrip()
        self.only = text_field(
            self.tr("Only manuals with these words"),
            placeholder=self.tr("All manuals, or words from titles and folders: pump, hall 3"),
        )
        self.attach = push_button(self.tr("Attach…"), kind="primary")
        self.attach.clicked.connect(lambda: self.attach_wanted.emit(self.chosen))
        self.trust = push_button(self.tr("Trust a key…"), self.trust_wanted)
        self._list = QWidget()
        self._rows = in_column(self._list, spacing=Space.M)
        self._progress, self._bar, self._doing = QWidget(), thin_bar(), label(factor=Type.SMALL)
        self._lay_out()
        self.show_progress(None)

    @property
    def chosen(self) -> list[str]:
        """The patterns in the field."""
        return [part.strip() for part in self.only.text().split(",") if part.strip()]

    def show_packs(self, packs: Sequence[AttachedPack]) -> None:
        empty(self._rows)
        if not packs:
            self._rows.addWidget(label(self.tr("No pack is attached."), tone="muted"))
        for pack in packs:
            self._rows.addWidget(self._row(pack))
        self._rows.addStretch(1)

    def show_progress(self, event: PackProgress | None) -> None:
        """Show how far the work has got; None when nothing is under way."""
        self._progress.setVisible(event is not None)
        for part in (self._list, self.attach, self.trust):
            part.setEnabled(event is None)
        if event is None:
            return
        self._bar.setRange(0, max(1, event.total))
        self._bar.setValue(event.done)
        self._doing.setText(
            self.tr("{done} of {total}: {title}").format(
                done=wording.number(event.done),
                total=wording.number(event.total),
                title=event.title[:60],
            )
        )

    def _lay_out(self) -> None:
        column = self.column
        column.addWidget(label(self.windowTitle(), factor=Type.TITLE, bold=True))
        about = self.tr(
            "Manuals that your company has read and signed for many computers. They are searched "
            "like your own; your notes and highlights in them are yours."
        )
        fill(column, label(about, tone="muted", wrap=True), self.notices)
        column.addWidget(scrolled(self._list, self.windowTitle()), 1)
        line = QHBoxLayout()
        fill(line, (self._doing, 1), push_button(self.tr("Stop"), self.stop_wanted))
        fill(in_column(self._progress, spacing=Space.S), self._bar, line)
        caption = label(self.only.accessibleName(), factor=Type.SMALL)
        caption.setBuddy(self.only)
        close = push_button(self.tr("Close"), self.accept)
        buttons = button_row(close, left=(self.attach, self.trust))
        fill(column, self._progress, caption, self.only, buttons)

    def _row(self, pack: AttachedPack) -> QFrame:
        frame = QFrame()
        row = in_row(frame, spacing=Space.S)
        texts = in_column(spacing=Space.XS)
        texts.addWidget(label(pack.name, bold=True, wrap=True))
        parts = [
            self.tr("release {n}").format(n=pack.release),
            wording.manuals(pack.manuals),
            wording.pages(pack.pages),
            wording.file_size(pack.bytes),
            self.tr("signed by {name}").format(name=pack.signed_by),
        ]
        if pack.chosen:
            parts.append(self.tr("only {words}").format(words=", ".join(pack.chosen)))
        texts.addWidget(label(" · ".join(parts), factor=Type.SMALL, tone="muted", wrap=True))
        if remark := pack.remark():
            texts.addWidget(label(told(remark), factor=Type.SMALL, tone="attention", wrap=True))
        row.addLayout(texts, 1)
        for text, signal in (
            (self.tr("Update"), self.update_wanted),
            (self.tr("Detach"), self.detach_wanted),
        ):
            button = push_button(text)
            button.setAccessibleName(f"{text}: {pack.name}")
            button.clicked.connect(partial(signal.emit, pack.id))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return frame


class PackController(WindowPart):
    """Owns the dialog and the work, one pack at a time; it goes on while the dialog is closed.

    changed(): manuals of packs came or went.
    """

    changed = Signal()

    def __init__(self, window: QWidget, elsewhere: NoticeStrip) -> None:
        """elsewhere: where messages go while the dialog is not open."""
        super().__init__(window, self._failed)
        self._window = window
        self._elsewhere = elsewhere
        self.dialog: PacksDialog | None = None
        self._bridge = self.bridge("packs", self._received, self._finished)

    def open_workspace(self, workspace: Workspace) -> None:
        """Work with this library's packs, and say which of them need something from a person."""
        self._workspace = workspace
        if any(each.pack for each in workspace.library.documents()):
            self._errands.run(lambda: workspace.packs.all(), self._say_remarks)

    def show_dialog(self) -> None:
        if self._workspace is None:
            return
        if self.dialog is None:
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
        self._start(lambda cancel: self.workspace.packs.attach(folder, cancel, chosen=chosen))

    def trust(self, file: Path) -> None:
        """Trust a company's key, and show the digits by which people compare it."""
        self._errands.run(lambda: self.workspace.packs.trusted.add(file), self._say_trusted)

    def _choose_pack(self, chosen: list[str]) -> None:
        if self.dialog is not None:
            title = self.tr("Attach the pack of manuals in this folder")
            take = partial(self.attach, chosen=chosen)
            files.choose_folder(self.dialog, title, take, accept=self.tr("Attach"))

    def _choose_key(self) -> None:
        if self.dialog is not None:
            title, kind = self.tr("Trust the key in this file"), self.tr("Public keys (*.pub)")
            files.choose_file(self.dialog, title, kind, self.trust)

    def _update(self, pack: str) -> None:
        self._start(lambda cancel: self.workspace.packs.update(pack, cancel))

    def _ask_to_detach(self, pack: str) -> None:
        """Ask before removing thousands of manuals."""
        self._notices.say(
            self.tr("Remove this pack's manuals from the library? Your notes, highlights and "
                    "marks in them are kept and come back with them."),
            action=self.tr("Detach"),
            on_action=lambda: self._start(lambda cancel: self.workspace.packs.detach(pack, cancel)),
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
                said = self.tr("{title} was not added: {reason}")
                text = said.format(title=event.title, reason=told(event.reason))
                self._notices.say(text, tone="bad")
            case PackDone():
                self._notices.say(told(event.sentence))

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
        if self.dialog is not None:
            self._errands.run(lambda: self.workspace.packs.all(), self.dialog.show_packs)

    def _say_trusted(self, key: TrustedKey) -> None:
        said = self.tr(
            "The key {name} is trusted from now on. Compare its digits with those your company "
            "gives you: {digits}."
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
        return notices_of(self.dialog, self._elsewhere)
