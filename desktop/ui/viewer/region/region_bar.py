"""The bar of a framed region: asking about it, and what else can be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QMenu, QSizePolicy, QToolButton, QWidget

from desktop.ui.controls import flat_button, push_button
from desktop.ui.tokens import Size, Space
from desktop.ui.viewer.bars.controls import Bar, action_button

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QKeyEvent

    from desktop.ui.viewer.action_table import ActionName

_FIELD = (160, 460)
"""Least and greatest width."""


class RegionBar(Bar):
    """asked(question): explain the region; "" asks for an explanation as such."""

    asked = Signal(str)
    left = Signal()

    def __init__(self, actions: dict[ActionName, QAction], parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setAccessibleName(self.tr("Framed region"))
        self.field = QLineEdit()
        self.field.setAccessibleName(self.tr("Question about the region"))
        self.field.setAcceptDrops(False)  # what is dropped is for the library
        self.field.setMinimumHeight(Size.ROW)
        self.field.setMinimumWidth(_FIELD[0])
        self.field.setMaximumWidth(_FIELD[1])
        self.field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.button = push_button(self.tr("Explain"), kind="primary")
        self.button.setMinimumHeight(Size.ROW)
        self.button.clicked.connect(self._ask)
        self.row.addSpacing(Space.S)
        self.row.addWidget(self.field, 1)
        self.row.addSpacing(Space.XS)
        self.row.addWidget(self.button)
        self.row.addSpacing(Space.S)
        self.row.addWidget(self._more_button(actions))
        self.row.addStretch(1)
        self.row.addWidget(action_button(actions["drop_region"]))
        self.hide()

    def open_bar(self, page: str) -> None:
        """Show the bar of a region and take the keyboard. page: as it is printed."""
        self.field.setPlaceholderText(
            self.tr("Ask about this region (page {page})").format(page=page)
        )
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

    def _more_button(self, actions: dict[ActionName, QAction]) -> QToolButton:
        button = flat_button("ellipsis", self.tr("More to do with the region"))
        menu = QMenu(button)
        names: tuple[ActionName, ...] = ("copy_region", "copy_region_words", "save_region")
        menu.addActions([actions[name] for name in names])
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button

    def _ask(self) -> None:
        self.asked.emit(" ".join(self.field.text().split()))
