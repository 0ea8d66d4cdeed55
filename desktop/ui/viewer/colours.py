"""The few colours that lie on the paper; everything around it comes from the palette.

Paper is white in light and in dark mode, so these do not change with the theme. Fills
are multiplied onto the page like a marker pen: black text under them stays black.
"""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette

PAPER = QColor(255, 255, 255)
PAPER_NOTE = QColor(64, 68, 76)

HIGHLIGHT_PEN = QColor("#ffe066")
HIGHLIGHT = QColor(255, 241, 186)
"""The pen at 45 %, as it lies on white: multiplied, it needs no opacity of its own."""
HIGHLIGHT_BAR = QColor("#0b6bcb")
BADGE = QColor(86, 95, 104)
BADGE_CURRENT = QColor("#0b6bcb")
BADGE_TEXT = QColor(255, 255, 255)

FIND_HIT = QColor(190, 232, 255)
FIND_CURRENT = QColor(120, 200, 255)
FIND_EDGE = QColor(0, 96, 160)

REGION_EDGE = QColor(10, 90, 140)
RIBBON = QColor(10, 90, 140)

SELECTION = QColor(178, 208, 255)

PASS_DONE = QColor(46, 139, 87)
PASS_PARTLY = QColor(214, 150, 20)
PASS_FAILED = QColor(200, 60, 50)


def surround(palette: QPalette) -> QColor:
    """Return the colour behind the pages: quieter than the window, in its mode."""
    window = palette.color(QPalette.ColorRole.Window)
    return window.darker(130) if is_dark(palette) else window.darker(112)


def paper_edge(palette: QPalette) -> QColor:
    """Return the hairline around a page."""
    return QColor(0, 0, 0, 160) if is_dark(palette) else QColor(0, 0, 0, 60)


def is_dark(palette: QPalette) -> bool:
    """Tell whether the palette is a dark one."""
    return palette.color(QPalette.ColorRole.Window).lightness() < 128
