"""What takes a while: a line that says so, and a button that ends it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from desktop.ui.controls import label, push_button, thin_bar
from desktop.ui.tokens import Space, Type


class BusyStrip(QFrame):
    """cancel_wanted(). Hidden while nothing runs."""

    cancel_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.text = label("", factor=Type.SMALL, wrap=True)
        self._bar = thin_bar()
        self._bar.setRange(0, 0)
        self.cancel = push_button(self.tr("Cancel"))
        self.cancel.clicked.connect(self._stop)
        left = QVBoxLayout()
        left.setSpacing(Space.XS)
        left.addWidget(self.text)
        left.addWidget(self._bar)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.M, Space.S, Space.S, Space.S)
        row.setSpacing(Space.M)
        row.addLayout(left, 1)
        row.addWidget(self.cancel)
        self.hide()

    def begin(self, text: str) -> None:
        """Say what is going on."""
        self.text.setText(text)
        self._bar.setAccessibleName(text)
        self.cancel.setEnabled(True)
        self.show()

    def end(self) -> None:
        """It is over."""
        self.hide()

    def _stop(self) -> None:
        self.cancel.setEnabled(False)
        self.text.setText(self.tr("Stopping"))
        self.cancel_wanted.emit()
