"""A button for a place in a manual that never loses its page, however long the title is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy

from desktop.ui.controls import plain_tooltip
from desktop.ui.tokens import Size, Space

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent


class PlaceButton(QPushButton):
    """Shows "[1]  Title · page 4-11"; the title is shortened in its middle to fit."""

    def __init__(self, mark: str, title: str, page: str) -> None:
        super().__init__()
        self._mark, self._title, self._page = mark, title, page
        self.setProperty("kind", "row")
        self.setAccessibleName(f"{mark} {title}, {page}".strip())
        self.setToolTip(plain_tooltip(f"{title}, {page}"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(Size.TARGET)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._say(title)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, Size.TARGET)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        metrics = self.fontMetrics()
        # the stylesheet's heavier weight is wider than the metrics of the plain font
        room = self.width() - 4 * Space.S - metrics.horizontalAdvance(self._whole("")) * 1.1
        self._say(
            metrics.elidedText(self._title, Qt.TextElideMode.ElideMiddle, max(20, int(room / 1.12)))
        )

    def _say(self, title: str) -> None:
        self.setText(self._whole(title).replace("&", "&&"))

    def _whole(self, title: str) -> str:
        return f"{self._mark}  {title} · {self._page}".strip()
