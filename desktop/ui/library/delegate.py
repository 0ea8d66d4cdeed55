"""Draws a manual's row: icon, title, what it is doing, its tags or a strip with its passes."""

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
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from desktop.ui.controls import cut_to_lines, draw_row, in_lines
from desktop.ui.icons import icon
from desktop.ui.library.model import LibraryModel
from desktop.ui.library.rows import LibraryRows
from desktop.ui.theme import colours, scaled_font
from desktop.ui.tokens import Colours, Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.ui.library.arrangement import Group
    from desktop.ui.library.row import RowView
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
    """Paints headings and `RowView`s; their buttons are real widgets laid over by the list.

    drop_row: the heading that dragged manuals would be dropped at, -1 for none. room: width of
    the rows, 0 for that of the list.
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
        area = rect.adjusted(
            Space.M + index.data(LibraryRows.DepthRole) * INDENT, Space.S, -Space.S, -Space.S
        )
        group = index.data(LibraryRows.GroupRole)
        if group is not None:
            _draw_heading(painter, area, group, c)
        else:
            self._paint_manual(painter, area, index.data(LibraryModel.ViewRole), c)
        painter.restore()

    def _paint_manual(self, painter: QPainter, area: QRect, view: RowView, c: Colours) -> None:
        tone = {"bad": c.bad, "attention": c.attention}.get(view.tone, "")
        mark = QRect(area.left(), area.top() + 1, Size.ICON, Size.ICON)
        icon(view.icon, tone or c.muted).paint(painter, mark)

        text = area.adjusted(Size.ICON + Space.S, 0, 0, 0)
        line = text.adjusted(0, 0, -Size.TARGET, 0)
        line.setHeight(_title_height(view, line))
        painter.setFont(scaled_font(Type.BODY, bold=True))
        painter.setPen(QColor(c.text))
        painter.drawText(
            line, 0, cut_to_lines(view.title, painter.font(), line.width(), TITLE_LINES)
        )

        painter.setFont(scaled_font(Type.SMALL))
        painter.setPen(QColor(tone or c.muted))
        rest = QRect(line.left(), line.bottom() + 3, line.width(), _detail_height(view, line))
        detail = in_lines(view.detail, painter.fontMetrics(), line.width())
        painter.drawText(rest, 0, cut_to_lines(detail, painter.font(), rest.width(), DETAIL_LINES))
        below = QRect(text.left(), rest.bottom() + 6, line.width(), STRIP_HEIGHT)
        if view.passes:
            _draw_passes(painter, below, view.passes, c)
        elif view.tags:
            draw_chips(painter, below, view.tags, c)

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        self._font = self._font or QApplication.font().key()
        # Asked of every row whenever one changes: in a long list each step of this counts.
        if self._rows is not None:
            view, depth = self._rows.view_at(index.row())
        else:
            view, depth = index.data(LibraryModel.ViewRole), index.data(LibraryRows.DepthRole)
        if view is None:
            return QSize(160, _heading_height(self._font))
        width = self.room or _width(option)
        around = Space.M + depth * INDENT + Space.S + Size.ICON + Space.S + Size.TARGET
        return QSize(160, _row_height(view, width - around, self._font))


def _width(option: QStyleOptionViewItem) -> int:
    view = option.widget
    if isinstance(view, QAbstractItemView):
        return view.viewport().width()
    return option.rect.width()


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
    """Return the height of a row; `font` is only there to forget heights of another font."""
    line = QRect(0, 0, width, 0)
    height = _title_height(view, line) + 3 + _detail_height(view, line) + 2 * Space.S
    if view.passes:
        height += STRIP_HEIGHT + 6
    elif view.tags:
        height += chips_height() + 6
    return max(height, Size.TARGET + Space.S)


def _title_height(view: RowView, line: QRect) -> int:
    return _height(view.title, scaled_font(Type.BODY, bold=True), line, TITLE_LINES)


def _detail_height(view: RowView, line: QRect) -> int:
    font = scaled_font(Type.SMALL)
    detail = in_lines(view.detail, QFontMetrics(font), line.width())
    return _height(detail, font, line, DETAIL_LINES)


def _height(text: str, font: QFont, line: QRect, most_lines: int) -> int:
    lines = cut_to_lines(text, font, line.width(), most_lines).count("\n") + 1
    return lines * QFontMetrics(font).lineSpacing()


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
