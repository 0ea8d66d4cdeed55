"""The row of controls above the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QWidget

from desktop.ui.tokens import Size, Space
from desktop.ui.viewer.controls import Bar, PageField, action_button

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from desktop.ui.viewer.actions import ActionName

_PRESETS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)


class Toolbar(Bar):
    """Navigation at the left, zoom at the right, find at the end."""

    zoom_chosen = Signal(float)

    def __init__(self, actions: dict[ActionName, QAction], parent: QWidget | None = None) -> None:
        super().__init__("Viewer controls", parent)
        self.page_field = PageField()
        self.zoom_button = self._make_zoom_button()
        self._add(actions, "thumbnails", None, "back", "forward", None, "previous_page")
        self.row.addWidget(self.page_field)
        self._add(actions, "next_page")
        self.row.addStretch(1)
        self._add(actions, "zoom_out")
        self.row.addWidget(self.zoom_button)
        self._add(actions, "zoom_in", "fit_width", "fit_page", None, "find")

    def show_zoom(self, zoom: float) -> None:
        """Show the zoom in percent."""
        percent = zoom * 100
        self.zoom_button.setText(f"{percent:.0f} %" if percent >= 1 else f"{percent:.1f} %")

    def _add(self, actions: dict[ActionName, QAction], *names: ActionName | None) -> None:
        for name in names:
            self.row.addWidget(_separator() if name is None else action_button(actions[name]))

    def _make_zoom_button(self) -> QToolButton:
        button = QToolButton()
        button.setProperty("kind", "flat")
        button.setAutoRaise(True)
        button.setMinimumSize(64, Size.TARGET)
        button.setAccessibleName("Zoom")
        button.setToolTip("Choose a zoom")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        for preset in _PRESETS:
            menu.addAction(f"{preset:.0%}").triggered.connect(
                lambda _=False, zoom=preset: self.zoom_chosen.emit(zoom)
            )
        button.setMenu(menu)
        return button


def _separator() -> QFrame:
    line = QFrame()
    line.setFrameShape(QFrame.Shape.VLine)
    line.setFrameShadow(QFrame.Shadow.Plain)
    line.setFixedSize(Space.M, Size.ICON)
    line.setForegroundRole(line.palette().ColorRole.Mid)
    line.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return line
