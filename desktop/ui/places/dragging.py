"""Manuals on their way to another place: what a drag inside the list carries."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QMimeData, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QDrag, QPainter, QPixmap

from desktop.ui.theme import colours, scaled_font
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

MIME = "application/x-groundwork-manuals"
WIDTH = 220


def manuals_data(ids: Sequence[int]) -> QMimeData:
    """Return what a drag of these manuals carries; it means nothing to other programs."""
    data = QMimeData()
    data.setData(MIME, QByteArray(json.dumps(list(ids)).encode()))
    return data


def dragged_manuals(data: QMimeData) -> list[int]:
    """Return the manuals of a drag, none if it carries something else."""
    if not data.hasFormat(MIME):
        return []
    try:
        ids = json.loads(bytes(data.data(MIME).data()))
    except ValueError:
        return []
    return [each for each in ids if isinstance(each, int)] if isinstance(ids, list) else []


def drag_manuals(source: QWidget, ids: Sequence[int], label: str) -> None:
    """Let manuals be dragged from a widget until they are dropped."""
    drag = QDrag(source)
    drag.setMimeData(manuals_data(ids))
    drag.setPixmap(_picture(label, source.devicePixelRatioF()))
    drag.setHotSpot(QPoint(Space.L, Space.L))
    drag.exec(Qt.DropAction.CopyAction)


def _picture(text: str, ratio: float) -> QPixmap:
    c = colours()
    picture = QPixmap(int(WIDTH * ratio), int(Size.TARGET * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QColor(c.accent))
    painter.setPen(Qt.PenStyle.NoPen)
    area = QRect(0, 0, WIDTH, Size.TARGET)
    painter.drawRoundedRect(area, Size.RADIUS, Size.RADIUS)
    painter.setPen(QColor(c.accent_ink))
    painter.setFont(scaled_font(Type.BODY, bold=True))
    line = area.adjusted(Space.M, 0, -Space.M, 0)
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, line.width())
    painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, shown)
    painter.end()
    return picture
