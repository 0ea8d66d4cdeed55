"""A file that cannot be used: what is wrong with it, and the way to repair it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui.controls import label, push_button
from desktop.ui.domains.page_frame import PageFrame
from desktop.ui.language import told

if TYPE_CHECKING:
    from desktop.core.library.domain_desk import BrokenDomain


class BrokenPage(QWidget):
    """file_wanted(broken): open it with the system's editor. again_wanted(): read it again."""

    file_wanted = Signal(object)
    again_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._broken: BrokenDomain | None = None
        self.reason = label("", wrap=True, selectable=True)
        self.reason.setMinimumWidth(1)  # an endless path must not make the page wider
        self.open_file = push_button(self.tr("Open File"), kind="primary")
        self.open_file.clicked.connect(lambda: self.file_wanted.emit(self._broken))
        self.again = push_button(self.tr("Read Again"), name="rotate-cw")
        self.again.clicked.connect(self.again_wanted)
        self._frame = PageFrame(self.reason, right=(self.again, self.open_file))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._frame)

    def show_broken(self, broken: BrokenDomain) -> None:
        """Say what is wrong with a file."""
        self._broken = broken
        self._frame.show_title(
            broken.path.name, self.tr("Groundwork does not use this file."), "bad"
        )
        reason = told(broken.reason)
        self.reason.setText(f"{reason[:1].upper()}{reason[1:]}\n\n{broken.path}")
