"""Draws a manual's row: icon, title, what it is doing, its tags or how much of it is read."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from desktop.ui.design.controls import ROW_ROOM, RowText, draw_row, row_width
from desktop.ui.design.icons import icon
from desktop.ui.design.theme import colours, scaled_font
from desktop.ui.design.tokens import Colours, Size, Space, Type
from desktop.ui.library.rows import LibraryRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.ui.design.tokens import Colours
    from desktop.ui.library.arrangement import Group
    from desktop.ui.library.row import RowView


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


STRIP_HEIGHT = 5
TITLE_LINES = 3
INDENT = Space.M
DETAIL_LINES = 4
"""How many lines a reason may take before it is cut; the tooltip has the rest."""


FONT_EVENTS = (
    QEvent.Type.FontChange,
    QEvent.Type.ApplicationFontChange,
    QEvent.Type.StyleChange,
)


class LibraryDelegate(QStyledItemDelegate):
    """Paints headings and `RowView`s; their buttons are real widgets the list lays over them.

    drop_row: the heading that dragged manuals would be dropped on, -1 for none.
    room: width of the rows, 0 for that of the list.
    """

    def __init__(self, parent: QObject | None = None, rows: LibraryRows | None = None) -> None:
        """rows: what the list shows, where it is a list of manuals."""
        super().__init__(parent)
        self.drop_row = -1
        self.room = 0
        self._rows = rows
        self._font = ""
        if parent is not None:
            parent.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in FONT_EVENTS:
            self._font = ""
        if watched is self.parent():
            return False  # the usual filter is for editors, and would keep the list's Tab
        return super().eventFilter(watched, event)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        c = colours()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_row(painter, option, framed=index.row() == self.drop_row)
        rect = QRect(option.rect)
        rect.setWidth(self.room or rect.width())  # as it was measured
        area = rect.marginsRemoved(ROW_ROOM)
        area.setLeft(area.left() + index.data(LibraryRows.DepthRole) * INDENT)
        group = index.data(LibraryRows.GroupRole)
        if group is not None:
            _draw_heading(painter, area, group, c)
        else:
            _draw_manual(painter, area, index.data(LibraryRows.ViewRole), c)
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        self._font = self._font or QApplication.font().key()
        # Asked of every row whenever one changes: in a long list each step of this counts.
        if self._rows is not None:
            view, depth = self._rows.view_at(index.row())
        else:
            view, depth = index.data(LibraryRows.ViewRole), index.data(LibraryRows.DepthRole)
        if view is None:
            return QSize(160, _heading_height(self._font))
        width = (self.room or row_width(option)) - depth * INDENT
        return QSize(160, _row_height(view, width, self._font))


@lru_cache(maxsize=8)
def _heading_height(font: str) -> int:
    """Return the height of a heading; `font` as in `_row_height`."""
    line = QFontMetrics(scaled_font(Type.BODY, bold=True)).lineSpacing()
    return max(line + Space.M, Size.TARGET)


def _draw_heading(painter: QPainter, area: QRect, group: Group, c: Colours) -> None:
    """Draw chevron, name and count; the place that questions are about has a pin."""
    row = QRect(area.left(), area.top() - Space.S, area.width(), area.height() + 2 * Space.S)
    mark = QRect(row.left(), 0, Size.ICON, Size.ICON)
    mark.moveCenter(QPoint(mark.center().x(), row.center().y()))
    icon("chevron-right" if group.collapsed else "chevron-down", c.muted).paint(painter, mark)
    text = row.adjusted(Size.ICON + Space.XS, 0, -Size.TARGET, 0)
    if group.active:
        icon("map-pin", c.accent).paint(painter, mark.translated(text.left() - mark.left(), 0))
        text.adjust(Size.ICON + Space.XS, 0, 0, 0)
    painter.setFont(scaled_font(Type.BODY, bold=bool(group.place) and group.depth == 0))
    count = f"  {group.count}"
    metrics = painter.fontMetrics()
    room = text.width() - metrics.horizontalAdvance(count)
    title = metrics.elidedText(group.title, Qt.TextElideMode.ElideRight, room)
    painter.setPen(QColor(c.accent if group.active else c.text if group.place else c.muted))
    painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, title)
    text.adjust(metrics.horizontalAdvance(title), 0, 0, 0)
    painter.setFont(scaled_font(Type.SMALL))
    painter.setPen(QColor(c.muted))
    painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, count)


@lru_cache(maxsize=20_000)
def _row_height(view: RowView, width: int, font: str) -> int:
    """Return the height of a row; `font` is there only to forget another font's heights."""
    height = _text(view).height(width - ROW_ROOM.left() - ROW_ROOM.right()) + 2 * Space.S
    if view.read is not None:
        height += STRIP_HEIGHT + 6
    elif view.tags:
        height += chips_height() + 6
    return max(height, Size.TARGET + Space.S)


def _text(view: RowView) -> RowText:
    return RowText(view.icon, view.title, view.detail, TITLE_LINES, DETAIL_LINES)


def _draw_manual(painter: QPainter, area: QRect, view: RowView, c: Colours) -> None:
    tone = {"bad": c.bad, "attention": c.attention}.get(view.tone, c.muted)
    inks = (c.accent, c.accent, tone) if view.tone == "open" else (tone, c.text, tone)
    detail = _text(view).draw(painter, area, inks)
    below = QRect(detail.left(), detail.bottom() + 6, detail.width(), STRIP_HEIGHT)
    if view.read is not None:
        _draw_read(painter, below, view.read, c)
    elif view.tags:
        draw_chips(painter, below, view.tags, c)


def _draw_read(painter: QPainter, strip: QRect, read: float, c: Colours) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(c.trough))
    painter.drawRoundedRect(strip, 2, 2)
    if read > 0:
        painter.setBrush(QColor(c.accent))
        done = max(3, int(strip.width() * read))
        painter.drawRoundedRect(strip.left(), strip.top(), done, strip.height(), 2, 2)
