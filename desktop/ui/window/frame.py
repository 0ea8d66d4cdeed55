"""The frame: what is painted of the window before its contents are imported and made.

Everything here is imported before the first paint, which is to come about as soon as that of an
empty window. So there are plain widgets with a style sheet, no text, and nothing of the namespace
`Qt`, which painting by hand would need: making its enumerations alone takes 15 ms.
"""

from __future__ import annotations

import sys

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QSpacerItem,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop.core.settings.file import Appearance, peek_appearance, settings_file
from desktop.ui.design.tokens import Colours, Size, Space, colours_for

MENU_TEXT, STATUS_BAR = 16, 37
"""Pixels of a line of the menu bar at 100 %, and of the whole status bar."""
COMPOSER = 86
LINES = (60, 92, 40)
"""Of the answers, in per cent of the room."""


class Frame(QWidget):
    """The bars and columns of the window, with lines where text will be.

    columns, panels: called and remembered like those of the contents.
    """

    def __init__(self) -> None:
        super().__init__()
        chosen = peek_appearance(settings_file())
        self.setStyleSheet(_style(_colours(chosen)))
        self.panels: dict[str, QWidget] = {
            "library": _panel(Size.LIBRARY, _bar()),
            "manual": QFrame(),
            "answers": _panel(Size.ANSWERS, _bar(), _lines(), _composer()),
        }
        self.columns = QSplitter()
        self.columns.setHandleWidth(1)
        for panel in self.panels.values():
            self.columns.addWidget(panel)
        self.columns.setStretchFactor(1, 1)
        rows = _without_gaps(QVBoxLayout(self))
        if sys.platform != "darwin":  # there the menus are at the top of the screen
            rows.addWidget(_strip("bar", MENU_TEXT * chosen.text_percent // 100 + 2 * Space.XS))
        rows.addWidget(self.columns, 1)
        rows.addWidget(_strip("status", STATUS_BAR))


def _colours(chosen: Appearance) -> Colours:
    """Return the colours of the theme, which is made later.

    Whether the system wants a high contrast is not asked: the answer is of the namespace `Qt`.
    """
    dark = chosen.scheme == "dark"
    if chosen.scheme == "system":  # as Qt itself tells a dark scheme
        role = QPalette.ColorRole
        palette = QApplication.palette()
        text, ground = palette.color(role.WindowText), palette.color(role.Window)
        dark = text.lightness() > ground.lightness()
    return colours_for(dark=dark, contrast=chosen.high_contrast == "on")


def _style(c: Colours) -> str:
    return f"""
QFrame {{ background: {c.window}; border: 0; }}
QFrame#panel {{ background: {c.surface}; }}
QFrame#bar {{ border-bottom: 1px solid {c.border}; }}
QFrame#panel QFrame#bar {{ background: {c.surface}; }}
QFrame#status {{ border-top: 1px solid {c.border}; }}
QFrame#line {{ background: {c.hover}; border-radius: {Space.XS}px; }}
QFrame#composer {{ background: {c.surface}; border: 1px solid {c.border_strong};
    border-radius: {Size.BAR // 2}px; }}
QSplitter::handle {{ background: {c.border}; }}
"""


def _panel(width: int, *parts: QWidget) -> QFrame:
    """Return a column that is so wide at first, with its parts below each other."""
    panel = _strip("panel")
    column = _without_gaps(QVBoxLayout(panel))
    column.addItem(QSpacerItem(width, 0, QSizePolicy.Policy.Preferred))
    for part in parts[:2]:
        column.addWidget(part)
    column.addStretch(1)
    for part in parts[2:]:
        column.addWidget(part)
    return panel


def _bar() -> QFrame:
    return _strip("bar", Size.BAR)


def _lines() -> QWidget:
    lines = QWidget()
    column = QVBoxLayout(lines)
    column.setContentsMargins(Space.INSET, Space.XL, Space.INSET, 0)
    column.setSpacing(Space.S)
    for share in LINES:
        row = QHBoxLayout()
        row.addWidget(_strip("line", Space.M), share)
        row.addStretch(100 - share)
        column.addLayout(row)
    return lines


def _composer() -> QWidget:
    around = QWidget()
    column = QVBoxLayout(around)
    column.setContentsMargins(Space.INSET, Space.S, Space.INSET, Space.INSET)
    column.addWidget(_strip("composer", COMPOSER))
    return around


def _strip(name: str, height: int = 0) -> QFrame:
    """Return a box that the style sheet knows by a name."""
    strip = QFrame()
    strip.setObjectName(name)
    if height:
        strip.setFixedHeight(height)
    return strip


def _without_gaps(layout: QVBoxLayout) -> QVBoxLayout:
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    return layout
