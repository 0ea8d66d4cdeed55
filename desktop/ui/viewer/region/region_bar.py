"""The bar of a framed region: asking about it, and what else can be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy, QWidget

from desktop.ui.controls import label, push_button
from desktop.ui.tokens import Size, Space
from desktop.ui.viewer.bars.controls import Bar, action_button

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QKeyEvent

    from desktop.ui.viewer.action_table import ActionName


class RegionBar(Bar):
    """asked(question): explain the region; "" asks for an explanation as such."""

    asked = Signal(str)
    left = Signal()

    def __init__(self, actions: dict[ActionName, QAction], parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setAccessibleName(self.tr("Framed region"))
        self.caption: QLabel = label()
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("What do you want to know about it?"))
        self.field.setAccessibleName(self.tr("Question about the region"))
        self.field.setAcceptDrops(False)  # what is dropped is for the library
        self.field.setMinimumHeight(Size.TARGET)
        self.field.setMaximumWidth(420)
        self.field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.button = push_button(self.tr("Explain"), kind="primary")
        self.button.setMinimumHeight(Size.TARGET)
        self.button.clicked.connect(self._ask)
        self.row.addSpacing(Space.S)
        self.row.addWidget(self.caption)
        self.row.addSpacing(Space.S)
        self.row.addWidget(self.field, 1)
        self.row.addSpacing(Space.XS)
        self.row.addWidget(self.button)
        self.row.addSpacing(Space.S)
        names: tuple[ActionName, ...] = ("copy_region", "copy_region_words", "save_region")
        for name in names:
            self.row.addWidget(action_button(actions[name]))
        self.row.addStretch(1)
        self.row.addWidget(action_button(actions["drop_region"]))
        self.hide()

    def open_bar(self, caption: str) -> None:
        """Show the bar of a region and take the keyboard."""
        self.caption.setText(caption)
        self.field.clear()
        self.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._ask()
        else:
            super().keyPressEvent(event)

    def _ask(self) -> None:
        self.asked.emit(" ".join(self.field.text().split()))
