"""The found entries: their model, and how a row of them is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.ui.controls import plain_tooltip
from desktop.ui.dotted import DOT
from desktop.ui.icons import icon
from desktop.ui.theme import colours, scaled_font
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from desktop.ui.palette.entry import Entry, Kind

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
ICONS: dict[Kind, str] = {
    "manual": "library",
    "page": "file-text",
    "heading": "table-of-contents",
    "action": "arrow-right",
    "question": "message-square-text",
}
DETAIL_SHARE = 0.45
"""How much of a row the detail may take from a long title."""
KEYS_GAP = "    "


class ResultModel(QAbstractListModel):
    """The entries, the best first."""

    EntryRole = Qt.ItemDataRole.UserRole + 1

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[Entry] = []

    def show(self, entries: list[Entry]) -> None:
        """Show exactly these."""
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._entries):
            return None
        entry = self._entries[index.row()]
        match role:
            case self.EntryRole:
                return entry
            case Qt.ItemDataRole.DisplayRole:
                return entry.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken(entry)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip("\n".join(filter(None, (entry.title, entry.detail))))
            case _:
                return None


def spoken(entry: Entry) -> str:
    """Return an entry for a screen reader."""
    kinds = {
        "manual": _tr("manual"),
        "page": _tr("page"),
        "heading": _tr("heading"),
        "action": _tr("action"),
        "question": _tr("question"),
    }
    return ", ".join(filter(None, (entry.title, kinds[entry.kind], entry.detail, entry.keys)))


class ResultDelegate(QStyledItemDelegate):
    """One line: what it is, its title, where it is, and the keys of an action."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: Entry = index.data(ResultModel.EntryRole)
        c = colours()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(c.accent_wash if chosen else c.hover))
            painter.drawRoundedRect(
                option.rect.adjusted(Space.XS, 1, -Space.XS, -1), Size.RADIUS, Size.RADIUS
            )
        area = option.rect.adjusted(Space.M, 0, -Space.M, 0)
        mark = QRect(area.left(), 0, Size.ICON, Size.ICON)
        mark.moveCenter(QPoint(mark.center().x(), area.center().y()))
        icon(ICONS[entry.kind], c.accent if chosen else c.muted).paint(painter, mark)
        area.adjust(Size.ICON + Space.M, 0, 0, 0)
        area.setRight(_draw_right(painter, area, entry) - Space.M)
        painter.setFont(scaled_font(Type.BODY, bold=True))
        painter.setPen(QColor(c.text))
        _draw_line(painter, area, entry.title, Qt.AlignmentFlag.AlignLeft)
        painter.restore()

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(160, Size.TARGET)


def _draw_right(painter: QPainter, area: QRect, entry: Entry) -> int:
    """Draw keys and detail at the right end; return where they begin."""
    left = QFontMetrics(scaled_font(Type.BODY, bold=True)).horizontalAdvance(entry.title)
    painter.setFont(scaled_font(Type.SMALL))
    painter.setPen(QColor(colours().muted))
    metrics = painter.fontMetrics()
    room = max(int(area.width() * DETAIL_SHARE), area.width() - left - 2 * Space.M)
    text = right_text(entry, metrics, room)
    width = min(metrics.horizontalAdvance(text), room)
    place = QRect(area.right() - width, area.top(), width + 1, area.height())
    _draw_line(painter, place, text, Qt.AlignmentFlag.AlignRight)
    return place.left()


def right_text(entry: Entry, metrics: QFontMetrics, room: int) -> str:
    """Return keys and detail as they fit; only the last part is cut, and in its middle.

    The page stands before the manual's title, whose begin and end tell it from its neighbours.
    """
    text = KEYS_GAP.join(filter(None, (entry.detail, entry.keys)))
    if metrics.horizontalAdvance(text) <= room:
        return text
    first, dot, last = entry.detail.rpartition(DOT)
    keys = f"{KEYS_GAP}{entry.keys}" if entry.keys else ""
    left = room - metrics.horizontalAdvance(f"{first}{dot}{keys}")
    return f"{first}{dot}{metrics.elidedText(last, Qt.TextElideMode.ElideMiddle, left)}{keys}"


def _draw_line(painter: QPainter, place: QRect, text: str, side: Qt.AlignmentFlag) -> None:
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, place.width())
    painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, shown)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Palette", text)
