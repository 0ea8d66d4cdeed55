"""Draws a conversation's row: its title, how much was asked and when, and whether it is open."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from desktop.ui.conversations.model import ConversationModel
from desktop.ui.icons import icon
from desktop.ui.theme import colours, scaled_font
from desktop.ui.tokens import Size, Space, Type

BUTTON_WIDTH = Size.TARGET + Space.S
TITLE_LINES = 2
GAP = 3


class ConversationDelegate(QStyledItemDelegate):
    """The row's button is a real widget that the list lays over it."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        c = colours()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_background(painter, option)
        is_open = bool(index.data(ConversationModel.OpenRole))
        area = option.rect.adjusted(Space.M, Space.S, -Space.S, -Space.S)
        mark = QRect(area.left(), area.top() + 1, Size.ICON, Size.ICON)
        icon("message-square-text", c.accent if is_open else c.muted).paint(painter, mark)

        line = area.adjusted(Size.ICON + Space.S, 0, -BUTTON_WIDTH, 0)
        title = str(index.data(Qt.ItemDataRole.DisplayRole))
        line.setHeight(_title_height(title, line.width()))
        painter.setFont(scaled_font(Type.BODY, bold=True))
        painter.setPen(QColor(c.accent if is_open else c.text))
        painter.drawText(line, Qt.TextFlag.TextWordWrap, title)

        painter.setFont(scaled_font(Type.SMALL))
        painter.setPen(QColor(c.muted))
        rest = QRect(line.left(), line.bottom() + GAP, line.width(), _detail_height())
        painter.drawText(
            rest, Qt.TextFlag.TextSingleLine, str(index.data(ConversationModel.DetailRole))
        )
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        view = option.widget
        width = option.rect.width()
        if isinstance(view, QAbstractItemView):
            width = view.viewport().width()
        width -= Space.M + Space.S + Size.ICON + Space.S + BUTTON_WIDTH
        title = str(index.data(Qt.ItemDataRole.DisplayRole))
        height = _title_height(title, width) + GAP + _detail_height() + 2 * Space.S
        return QSize(160, max(height, Size.TARGET + Space.S))

    def _draw_background(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        c = colours()
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


def _title_height(title: str, width: int) -> int:
    metrics = QFontMetrics(scaled_font(Type.BODY, bold=True))
    room = QRect(0, 0, max(40, width), 10_000)
    needed = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, title).height()
    return min(metrics.lineSpacing() * TITLE_LINES, needed)


def _detail_height() -> int:
    return QFontMetrics(scaled_font(Type.SMALL)).lineSpacing()
