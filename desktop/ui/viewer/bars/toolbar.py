"""The row of controls above the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QToolButton, QWidget

from desktop.ui import wording
from desktop.ui.popups import Menu
from desktop.ui.tokens import Size, Space
from desktop.ui.viewer.bars.controls import Bar, PageField, action_button
from desktop.ui.viewer.bars.more_button import more_button

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QResizeEvent

    from desktop.ui.viewer.actions import ActionName

_GIVING_WAY: tuple[ActionName, ...] = (
    "fit_page",
    "previous_page",
    "next_page",
    "heat_map",
    "zoom_out",
    "zoom_in",
    "mark_region",
    "add_note",
    "fit_width",
    "thumbnails",
    "forward",
    "back",
)
"""What a narrow viewer leaves to the menu at the end, the first one first."""
_LAID: tuple[tuple[ActionName, ...], ...] = (
    ("fit_width", "fit_page", "actual_size"),
    ("two_up", "cover_alone", "rotate_right", "rotate_left"),
)
"""What the menu of the zoom offers besides percentages."""
_PRESETS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)


class Toolbar(Bar):
    """Navigation at the left, zoom at the right, find at the end."""

    zoom_chosen = Signal(float)

    def __init__(self, actions: dict[ActionName, QAction], parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setAccessibleName(self.tr("Viewer controls"))
        self.page_field = PageField()
        self.zoom_button = self._make_zoom_button(actions)
        self._separators: dict[QFrame, list[QToolButton]] = {}
        self._add(actions, "thumbnails", None, "back", "forward", None, "previous_page")
        self.row.addWidget(self.page_field)
        self._add(actions, "next_page")
        self.row.addStretch(1)
        self._add(actions, "zoom_out")
        self.row.addWidget(self.zoom_button)
        self._add(actions, "zoom_in", "fit_width", "fit_page", None)
        self._add(actions, "mark_region", "heat_map", "add_note", "find")
        buttons = {button.defaultAction(): button for button in self.findChildren(QToolButton)}
        self._giving_way = [buttons[actions[name]] for name in _GIVING_WAY]
        in_order = [b for b in self.findChildren(QToolButton) if b in self._giving_way]
        self.more = more_button(actions, in_order)
        self.row.addWidget(self.more)

    def show_zoom(self, zoom: float) -> None:
        """Show the zoom in percent."""
        percent = zoom * 100
        self.zoom_button.setText(f"{wording.number(percent, 0 if percent >= 1 else 1)} %")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave to the menu what does not fit."""
        super().resizeEvent(event)
        room = self.width() - self._least_width()
        for button in reversed(self._giving_way):
            room -= button.minimumWidth() + self.row.spacing()
            button.setVisible(room >= 0)
        for separator, group in self._separators.items():
            separator.setVisible(any(not button.isHidden() for button in group))
        self.row.activate()

    def minimumSizeHint(self) -> QSize:
        return QSize(self._least_width(), super().minimumSizeHint().height())

    def _least_width(self) -> int:
        margins = self.row.contentsMargins()
        stay = [
            widget
            for index in range(self.row.count())
            if (item := self.row.itemAt(index)) is not None
            and (widget := item.widget()) is not None
            and widget not in self._giving_way
        ]
        widths = sum(widget.minimumWidth() + self.row.spacing() for widget in stay)
        return widths + margins.left() + margins.right() + self.row.spacing()

    def _add(self, actions: dict[ActionName, QAction], *names: ActionName | None) -> None:
        """Append buttons; None is a line, which goes when all of the buttons before it go."""
        group: list[QToolButton] = []
        for name in names:
            if name is None:
                separator = _separator()
                self._separators[separator] = group
                self.row.addWidget(separator)
                group = []
            else:
                group.append(action_button(actions[name]))
                self.row.addWidget(group[-1])

    def _make_zoom_button(self, actions: dict[ActionName, QAction]) -> QToolButton:
        button = QToolButton()
        button.setProperty("kind", "flat")
        button.setAutoRaise(True)
        # its own sheet: that of the window would let it shrink below its percentage
        button.setStyleSheet(f"min-width: {Size.ROW + Space.L}px")
        button.setAccessibleName(self.tr("Zoom"))
        button.setToolTip(self.tr("Choose a zoom, and how pages lie"))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = Menu(button)
        for preset in _PRESETS:
            menu.addAction(f"{preset:.0%}").triggered.connect(
                lambda _=False, zoom=preset: self.zoom_chosen.emit(zoom)
            )
        for group in _LAID:
            menu.addSeparator()
            menu.addActions([actions[name] for name in group])
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
