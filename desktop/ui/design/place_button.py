"""A button for a place in a manual: its page in the first line, the manual in the second."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QStylePainter

from desktop.ui.design.controls import PressButton, plain_tooltip
from desktop.ui.design.theme import colours, scaled_font
from desktop.ui.design.tokens import Size, Space, Type

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent


class PlaceButton(PressButton):
    """Shows "[1] [2]  page 4-11" above the manual's title, which is shortened to fit."""

    def __init__(self, mark: str, title: str, page: str) -> None:
        super().__init__()
        self._mark, self._title, self._page = mark, title, page
        self.setProperty("kind", "row")
        self.setToolTip(plain_tooltip(f"{title}, {page}"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._name()

    def sizeHint(self) -> QSize:
        return QSize(240, max(Size.TARGET, sum(self._heights()) + Space.S))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        area = self.rect().adjusted(Space.S, Space.XS, -Space.S, -Space.XS)
        upper, lower = self._fonts()
        # at the bottom: the words of the place stand below, and belong to this one
        high = self._heights()
        top = area.top() + max(0, area.height() - sum(high))
        first = QRect(area.left(), top, area.width(), high[0])
        painter.setFont(upper)
        painter.setPen(QColor(self._ink()))
        above = QFontMetrics(upper).elidedText(
            self._first_line(), Qt.TextElideMode.ElideRight, area.width()
        )
        painter.drawText(first, Qt.AlignmentFlag.AlignVCenter, above)
        metrics = QFontMetrics(lower)
        painter.setFont(lower)
        painter.setPen(QColor(colours().muted))
        second = QRect(area.left(), first.bottom() + 1, area.width(), metrics.lineSpacing())
        title = metrics.elidedText(self._title, Qt.TextElideMode.ElideMiddle, area.width())
        painter.drawText(second, Qt.AlignmentFlag.AlignVCenter, title)
        # not left to the collector: a painter that outlives its paint event crashes Qt, and
        # whoever looks at this frame (a debugger, a traceback) keeps its variables alive
        painter.end()

    def _ink(self) -> str:
        return colours().accent

    def _fonts(self) -> tuple[QFont, QFont]:
        lower = scaled_font(Type.SMALL)
        lower.setWeight(QFont.Weight.Normal)  # said, or the button's own weight would be taken
        return scaled_font(Type.BODY, bold=True), lower

    def _heights(self) -> list[int]:
        fonts = self._fonts() if self._title else self._fonts()[:1]
        return [QFontMetrics(font).lineSpacing() for font in fonts]

    def _first_line(self) -> str:
        return f"{self._mark}  {self._page}".strip()

    def _name(self) -> None:
        self.setAccessibleName(f"{self._mark} {self._title}, {self._page}".strip())
