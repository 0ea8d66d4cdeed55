"""The packs of the library: what is attached, and how far attaching another one is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop.ui import wording
from desktop.ui.controls import label, push_button, thin_bar
from desktop.ui.language import told
from desktop.ui.notice_strip import NoticeStrip
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.manual_packs.attached import AttachedPack, PackProgress

SIZE = QSize(640, 560)


class PacksDialog(QDialog):
    """attach_wanted(patterns), update_wanted(id), detach_wanted(id), trust_wanted(), stop_wanted().

    What goes on goes on while it is closed.
    """

    attach_wanted = Signal(object)
    update_wanted = Signal(str)
    detach_wanted = Signal(str)
    trust_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Packs of Manuals"))
        self.resize(SIZE)
        self.notices = NoticeStrip()
        self.only = QLineEdit()
        self.only.setProperty("kind", "field")
        self.only.setMinimumHeight(Size.TARGET)
        self.only.setAccessibleName(self.tr("Only manuals with these words"))
        self.only.setPlaceholderText(
            self.tr("All manuals, or words of titles and folders: pump, hall 3")
        )
        self.attach = push_button(self.tr("Attach…"), kind="primary")
        self.attach.clicked.connect(lambda: self.attach_wanted.emit(self.chosen))
        self.trust = push_button(self.tr("Trust a Key…"))
        self.trust.clicked.connect(self.trust_wanted)
        self._list, self._rows = QWidget(), QVBoxLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(Space.M)
        self._progress, self._bar, self._doing = QWidget(), thin_bar(), label(factor=Type.SMALL)
        self._lay_out()
        self.show_progress(None)

    @property
    def chosen(self) -> list[str]:
        """The patterns in the field."""
        return [part.strip() for part in self.only.text().split(",") if part.strip()]

    def show_packs(self, packs: Sequence[AttachedPack]) -> None:
        """Show exactly these."""
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        if not packs:
            self._rows.addWidget(label(self.tr("No pack is attached."), tone="muted"))
        for pack in packs:
            self._rows.addWidget(self._row(pack))
        self._rows.addStretch(1)

    def show_progress(self, event: PackProgress | None) -> None:
        """Show how far the work is; None when nothing goes on."""
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
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(label(self.windowTitle(), factor=Type.TITLE, bold=True))
        about = self.tr(
            "Manuals that your company has read and signed for many computers. They are searched "
            "like your own; your notes and highlights in them are yours."
        )
        column.addWidget(label(about, tone="muted", wrap=True))
        column.addWidget(self.notices)
        self._list.setLayout(self._rows)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(self._list)
        area.setAccessibleName(self.windowTitle())
        column.addWidget(area, 1)
        column.addWidget(self._progress)
        going = QVBoxLayout(self._progress)
        going.setContentsMargins(0, 0, 0, 0)
        stop = push_button(self.tr("Stop"))
        stop.clicked.connect(self.stop_wanted)
        line = QHBoxLayout()
        line.addWidget(self._doing, 1)
        line.addWidget(stop)
        going.addWidget(self._bar)
        going.addLayout(line)
        caption = label(self.only.accessibleName(), factor=Type.SMALL)
        caption.setBuddy(self.only)
        column.addWidget(caption)
        column.addWidget(self.only)
        close = push_button(self.tr("Close"))
        close.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        for button in (self.attach, self.trust):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(close)
        column.addLayout(buttons)

    def _row(self, pack: AttachedPack) -> QFrame:
        frame = QFrame()
        row = QHBoxLayout(frame)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.S)
        texts = QVBoxLayout()
        texts.setSpacing(Space.XS)
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
