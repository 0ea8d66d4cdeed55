"""Draws a manual's row: icon, title, what it is doing, and a strip with its three passes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from desktop.ui.icons import icon
from desktop.ui.library_model import LibraryModel
from desktop.ui.theme import colours, scaled_font
from desktop.ui.tokens import Colours, Size, Space, Type

if TYPE_CHECKING:
    from desktop.ui.library_row import RowView

STRIP_HEIGHT = 5
BUTTONS_WIDTH = Size.TARGET + Space.S
TITLE_LINES = 3
DETAIL_LINES = 4
"""How many lines a reason may take before it is cut; the tooltip has the rest."""


class LibraryDelegate(QStyledItemDelegate):
    """Paints `RowView`s; the row's buttons are real widgets laid over it by the list."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        view: RowView = index.data(LibraryModel.ViewRole)
        c = colours()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._background(painter, option, c)
        area = _content(option.rect)
        tone = {"bad": c.bad, "attention": c.attention}.get(view.tone, "")
        mark = QRect(area.left(), area.top() + 1, Size.ICON, Size.ICON)
        icon(view.icon, tone or c.muted).paint(painter, mark)

        text = area.adjusted(Size.ICON + Space.S, 0, 0, 0)
        line = text.adjusted(0, 0, -BUTTONS_WIDTH, 0)
        line.setHeight(_title_height(view, line))
        painter.setFont(scaled_font(Type.BODY, bold=True))
        painter.setPen(QColor(c.text))
        painter.drawText(line, Qt.TextFlag.TextWordWrap, view.title)

        painter.setFont(scaled_font(Type.SMALL))
        painter.setPen(QColor(tone or c.muted))
        rest = QRect(line.left(), line.bottom() + 3, line.width(), _detail_height(view, line))
        painter.drawText(rest, Qt.TextFlag.TextWordWrap, view.detail)
        if view.passes:
            strip = QRect(text.left(), rest.bottom() + 6, line.width(), STRIP_HEIGHT)
            _draw_passes(painter, strip, view.passes, c)
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        view: RowView = index.data(LibraryModel.ViewRole)
        view_widget = option.widget
        width = option.rect.width()
        if isinstance(view_widget, QAbstractItemView):
            width = view_widget.viewport().width()
        inner = _content(QRect(0, 0, width, 100))
        line = inner.adjusted(Size.ICON + Space.S, 0, -BUTTONS_WIDTH, 0)
        height = _row_height(view, line.width(), QApplication.font().key())
        return QSize(160, height)

    def _background(self, painter: QPainter, option: QStyleOptionViewItem, c: Colours) -> None:
        box = option.rect.adjusted(Space.XS, 1, -Space.XS, -1)
        fill = ""
        if option.state & QStyle.StateFlag.State_Selected:
            fill = c.accent_wash
        elif option.state & QStyle.StateFlag.State_MouseOver:
            fill = c.hover
        if fill:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(fill))
            painter.drawRoundedRect(box, Size.RADIUS, Size.RADIUS)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(c.accent))
            painter.drawRoundedRect(box.adjusted(0, 0, -1, -1), Size.RADIUS, Size.RADIUS)


def _content(rect: QRect) -> QRect:
    return rect.adjusted(Space.M, Space.S, -Space.S, -Space.S)


@lru_cache(maxsize=4096)
def _row_height(view: RowView, width: int, font: str) -> int:
    """Return the height of a row; `font` is only there to forget heights of another font."""
    line = QRect(0, 0, width, 0)
    height = _title_height(view, line) + 3 + _detail_height(view, line) + 2 * Space.S
    if view.passes:
        height += STRIP_HEIGHT + 6
    return max(height, Size.TARGET + Space.S)


def _title_height(view: RowView, line: QRect) -> int:
    return _height(view.title, QFontMetrics(scaled_font(Type.BODY, bold=True)), line, TITLE_LINES)


def _detail_height(view: RowView, line: QRect) -> int:
    return _height(view.detail, QFontMetrics(scaled_font(Type.SMALL)), line, DETAIL_LINES)


def _height(text: str, metrics: QFontMetrics, line: QRect, most_lines: int) -> int:
    room = QRect(0, 0, max(40, line.width()), 10_000)
    needed = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, text).height()
    return min(metrics.lineSpacing() * most_lines, needed)


def _draw_passes(painter: QPainter, strip: QRect, passes: tuple[float, ...], c: Colours) -> None:
    gap = 3
    width = (strip.width() - gap * (len(passes) - 1)) / len(passes)
    painter.setPen(Qt.PenStyle.NoPen)
    for place, share in enumerate(passes):
        left = strip.left() + place * (width + gap)
        painter.setBrush(QColor(c.border))
        painter.drawRoundedRect(int(left), strip.top(), int(width), strip.height(), 2, 2)
        if share > 0:
            painter.setBrush(QColor(c.good if share >= 1 else c.accent))
            done = max(3, int(width * share))
            painter.drawRoundedRect(int(left), strip.top(), done, strip.height(), 2, 2)
