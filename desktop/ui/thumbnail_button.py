"""A button that is a small picture of a page, its regions marked; it opens the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPixmap
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QStylePainter

from desktop.ui import wording
from desktop.ui.controls import PressButton, plain_tooltip
from desktop.ui.page_pictures import Wish
from desktop.ui.theme import colours, scaled_font
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QShowEvent

    from desktop.core.events import PageRegion
    from desktop.ui.page_pictures import PagePictures

WIDTH, HEIGHT = 84, 112


class ThumbnailButton(PressButton):
    """The picture is drawn when the button is first seen; without pictures it is a page sign."""

    def __init__(self, place: PageRegion, caption: str, pictures: PagePictures | None) -> None:
        super().__init__()
        self.place = place
        self._caption = caption
        self._pictures = pictures
        self._pixmap: QPixmap | None = None
        self._asked = False
        self.setProperty("kind", "plain")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        page = wording.page_label(place.label, place.page)
        name = f"{place.document}, {page}"
        self.setAccessibleName(name)
        self.setToolTip(plain_tooltip(f"{name}\n{caption}".strip()))
        if pictures is not None:
            pictures.drawn.connect(self._take)

    def sizeHint(self) -> QSize:
        lines = 2 if self._caption else 1
        text = QFontMetrics(scaled_font(Type.SMALL)).lineSpacing() * lines
        return QSize(WIDTH, HEIGHT + text + Space.XS)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._pictures is not None and not self._asked:
            self._asked = True
            self._pixmap = self._pictures.wish(self._wish())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        room = QRect(0, 0, self.width(), HEIGHT).adjusted(Space.XS, Space.XS, -Space.XS, 0)
        if self._pixmap is not None:
            fitted = self._pixmap.scaled(
                room.size() * self.devicePixelRatioF(),
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            fitted.setDevicePixelRatio(self.devicePixelRatioF())
            area = QRect(0, 0, *(round(v) for v in fitted.deviceIndependentSize().toTuple()))
            area.moveCenter(room.center())
            painter.drawPixmap(area, fitted)
        painter.setFont(scaled_font(Type.SMALL))
        metrics = QFontMetrics(painter.font())
        page = self.place.label or str(self.place.page + 1)
        top = HEIGHT
        for text, ink in ((page, colours().accent), (self._caption, colours().muted)):
            line = QRect(Space.XS, top, self.width() - 2 * Space.XS, metrics.lineSpacing())
            painter.setPen(QColor(ink))
            fitting = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignCenter, fitting)
            top += metrics.lineSpacing()
        painter.end()  # not left to the collector, see PlaceButton

    def _wish(self) -> Wish:
        return Wish(self.place, "page", round((WIDTH - 2 * Space.XS) * self.devicePixelRatioF()))

    def _take(self, wish: Wish, pixmap: QPixmap | None) -> None:
        if pixmap is not None and self._asked and wish == self._wish():
            self._pixmap = pixmap
            self.update()
