"""The quoted part of the page as a picture: what people believe. A click opens the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy

from desktop.ui import wording
from desktop.ui.controls import PressButton, plain_tooltip
from desktop.ui.page_pictures import Wish
from desktop.ui.theme import colours
from desktop.ui.tokens import Size

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QPaintEvent, QResizeEvent, QShowEvent

    from desktop.core.events import PageRegion
    from desktop.ui.page_pictures import PagePictures

HIGHEST = 200
"""A higher part is cut at its end: the page itself is one click away."""
LATER_MS = 120


class CropButton(PressButton):
    """As wide as there is room; until it is drawn, and if it cannot be, it names the page."""

    def __init__(self, source: PageRegion, title: str, pictures: PagePictures | None) -> None:
        super().__init__()
        self._source = source
        self._pictures = pictures
        self._pixmap: QPixmap | None = None
        self._wish: Wish | None = None
        self._page = page = wording.page_label(source.label, source.page)
        self.setAccessibleName(self.tr("Picture of {page}, {title}").format(page=page, title=title))
        self.setToolTip(plain_tooltip(self.tr("Open {page}").format(page=page)))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(Size.TARGET)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(LATER_MS)
        self._later.timeout.connect(self._ask)
        if pictures is not None:
            pictures.drawn.connect(self._take)

    @property
    def drawn(self) -> bool:
        """Whether the picture is there."""
        return self._pixmap is not None

    def sizeHint(self) -> QSize:
        return QSize(240, self.height())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._later.start(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()
            self._later.start()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        c = colours()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        path = QPainterPath()
        path.addRoundedRect(area, Size.RADIUS, Size.RADIUS)
        painter.setClipPath(path)
        if self._pixmap is None:
            painter.fillRect(area, QColor(c.raised))
            painter.setPen(QColor(c.muted))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self._page)
        else:
            high = self._pixmap.height() * area.width() / max(1, self._pixmap.width())
            picture = QRectF(area.x(), area.y(), area.width(), high)
            painter.fillRect(area, QColor("white"))
            painter.drawPixmap(picture, self._pixmap, QRectF(self._pixmap.rect()))
        painter.setClipping(False)
        strong = self.hasFocus() or self.underMouse()
        painter.setPen(QPen(QColor(c.accent if strong else c.border), 2 if self.hasFocus() else 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        painter.end()  # not left to the collector, see PlaceButton

    def _ask(self) -> None:
        width = round((self.width() - 2) * self.devicePixelRatioF())
        if self._pictures is None or width < 40 or not self.isVisible():
            return
        self._wish = Wish(self._source, "close", width)
        kept = self._pictures.wish(self._wish)
        if kept is not None:
            self._take(self._wish, kept)

    def _take(self, wish: Wish, pixmap: QPixmap | None) -> None:
        if pixmap is not None and wish == self._wish:
            self._pixmap = pixmap
            self._fit()
            self.update()

    def _fit(self) -> None:
        if self._pixmap is not None:
            high = round(self._pixmap.height() * (self.width() - 2) / self._pixmap.width()) + 2
            self.setFixedHeight(max(Size.ROW, min(HIGHEST, high)))
