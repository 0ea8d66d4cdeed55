"""Draws the tags of a manual as small chips in one line; those without room are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter

from desktop.ui.theme import scaled_font
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.ui.tokens import Colours


def chips_height() -> int:
    """Return the height of a line of chips in pixels."""
    return _metrics().height() + 2 * Space.HAIR


def draw_chips(painter: QPainter, line: QRect, tags: Sequence[str], c: Colours) -> None:
    """Draw the chips from the left end of `line`."""
    painter.setFont(scaled_font(Type.SMALL))
    left = line.left()
    for number, tag in enumerate(tags):
        others = len(tags) - number - 1
        room = line.right() - left - (_more_width(others) if others else 0)
        least = _metrics().averageCharWidth() * 4 + 2 * Space.S
        if room < least:
            _draw_more(painter, left, line, others + 1, c)
            return
        text = _metrics().elidedText(tag, Qt.TextElideMode.ElideRight, room - 2 * Space.S)
        chip = QRect(left, line.top(), _metrics().horizontalAdvance(text) + 2 * Space.S, 0)
        chip.setHeight(chips_height())
        painter.setPen(QColor(c.border_strong))
        painter.setBrush(QColor(c.raised))
        painter.drawRoundedRect(chip, Size.RADIUS, Size.RADIUS)
        painter.setPen(QColor(c.text))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)
        left = chip.right() + Space.XS


def _draw_more(painter: QPainter, left: int, line: QRect, count: int, c: Colours) -> None:
    painter.setPen(QColor(c.muted))
    place = QRect(left, line.top(), _more_width(count), chips_height())
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, f"+{count}")


def _more_width(count: int) -> int:
    return _metrics().horizontalAdvance(f"+{count}") + Space.XS


def _metrics() -> QFontMetrics:
    return QFontMetrics(scaled_font(Type.SMALL))
