"""What a cited page looks like in an answer: its chip, its crop, its card, its preview."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from desktop.core.events import PageRegion
from desktop.ui import wording
from desktop.ui.design.controls import (
    FlowLayout,
    PressButton,
    in_column,
    in_row,
    label,
    plain_tooltip,
)
from desktop.ui.design.icons import IconPicture
from desktop.ui.design.theme import colours, dim_paper, scaled_font
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.viewer.page_pictures import Wish

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QEnterEvent, QPaintEvent, QResizeEvent, QShowEvent

    from desktop.core.events import CitationEvent
    from desktop.ui.viewer.page_pictures import PagePictures


CHIP = 18
"""Height of a chip; what can be pressed is higher."""


class PageChip(PressButton):
    """hovered(over): the pointer has come, or gone. lit: its highlight is pointed at."""

    hovered = Signal(bool)

    def __init__(self, source: PageRegion, title: str) -> None:
        super().__init__()
        self.setText(wording.short_page(source.label, source.page))
        page = wording.page_label(source.label, source.page)
        self.setAccessibleName(f"{page}, {title}")
        self.setToolTip(plain_tooltip(f"{title}, {page}"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setMinimumHeight(Size.ROW)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._lit = False

    def light(self, lit: bool) -> None:
        """Show that its highlight is pointed at on the page."""
        self._lit = lit
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(scaled_font(Type.SMALL, bold=True))
        high = max(CHIP, metrics.height() + Space.HAIR)
        across = metrics.horizontalAdvance(self.text()) + 2 * Space.S
        return QSize(max(across, Size.ROW), max(high, Size.ROW))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.hovered.emit(True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        c = colours()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = scaled_font(Type.SMALL, bold=True)
        high = max(CHIP, QFontMetrics(font).height() + Space.HAIR)
        area = QRectF(0, (self.height() - high) / 2, self.width(), high).adjusted(1, 0, -1, 0)
        strong = self._lit or self.underMouse()
        painter.setPen(QPen(QColor(c.accent), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(c.accent if strong else c.accent_wash))
        painter.drawRoundedRect(area, high / 2, high / 2)
        painter.setFont(font)
        painter.setPen(QColor(c.accent_ink if strong else c.accent))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()  # not left to the collector, see PlaceButton


LATER_MS = 120


class CropButton(PressButton):
    """As wide as there is room; names the page until it is drawn, or if it cannot be."""

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
        self._later = QTimer(self, singleShot=True, interval=LATER_MS)
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
            dim_paper(painter, area)
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
        self._pictures.wish(self._wish)

    def _take(self, wish: Wish, pixmap: QPixmap | None) -> None:
        if pixmap is not None and wish == self._wish:
            self._pixmap = pixmap
            self._fit()
            self.update()

    def _fit(self) -> None:
        if self._pixmap is not None:
            high = round(self._pixmap.height() * (self.width() - 2) / self._pixmap.width()) + 2
            self.setFixedHeight(max(Size.ROW, high))


COVER = (36, 48)


class Cover(QFrame):
    """The first page of a manual, small; a sign until it is drawn."""

    def __init__(self, source: PageRegion, pictures: PagePictures | None) -> None:
        super().__init__()
        self.setFixedSize(*COVER)
        self._first = PageRegion(source.document_id, source.document, 0, "", ())
        self._pictures = pictures
        self._pixmap: QPixmap | None = None
        sign = IconPicture("file-text", Size.ICON, "muted")
        in_column(self).addWidget(sign, 0, Qt.AlignmentFlag.AlignCenter)
        self._sign = sign
        if pictures is not None:
            pictures.drawn.connect(self._take)

    @property
    def drawn(self) -> bool:
        """Whether the picture is there."""
        return self._pixmap is not None

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._pictures is not None and self._pixmap is None:
            self._pictures.wish(self._wish())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._pixmap is not None:
            painter.drawPixmap(self.rect(), self._pixmap)
            dim_paper(painter, QRectF(self.rect()))
        painter.setPen(QColor(colours().border))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()  # not left to the collector, see PlaceButton

    def _wish(self) -> Wish:
        return Wish(self._first, "page", round(COVER[0] * self.devicePixelRatioF()))

    def _take(self, wish: Wish, pixmap: QPixmap | None) -> None:
        if pixmap is not None and wish == self._wish():
            self._pixmap = pixmap
            self._sign.hide()
            self.update()


class SourceCard(QFrame):
    """opened(number), hovered(number): as of a `PageChip`."""

    opened = Signal(int)
    hovered = Signal(int)

    def __init__(self, source: PageRegion, title: str, pictures: PagePictures | None) -> None:
        super().__init__()
        self.document_id = source.document_id
        self.title = title
        self.chips: dict[int, PageChip] = {}
        self._pages: dict[int, PageChip] = {}
        column = in_column()
        column.addWidget(label(title, factor=Type.SMALL, wrap=True))
        shelf = QWidget()
        self._flow = FlowLayout(shelf, Space.XS)
        self._flow.setContentsMargins(0, 0, 0, 0)
        column.addWidget(shelf)
        row = in_row(self, (0, Space.XS, 0, Space.XS), spacing=Space.M)
        row.addWidget(Cover(source, pictures), 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)

    def add(self, citation: CitationEvent) -> None:
        """Show the page of a citation; one page has one chip."""
        page = citation.source.page
        if page not in self._pages:
            chip = PageChip(citation.source, self.title)
            chip.clicked.connect(lambda: self.opened.emit(citation.number))
            chip.hovered.connect(lambda over: self.hovered.emit(citation.number if over else 0))
            self._pages[page] = chip
            self._flow.addWidget(chip)
        self.chips[citation.number] = self._pages[page]


class SourceCards(QWidget):
    """One card for each cited manual; hidden while there is none.

    opened(number), hovered(number): as of a `PageChip`.
    """

    opened = Signal(int)
    hovered = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[SourceCard] = []
        self.pictures: PagePictures | None = None
        self._column = in_column(self)
        self._column.addWidget(
            label(self.tr("Sources"), factor=Type.SMALL, bold=True, tone="muted")
        )
        self.hide()

    def add(self, citation: CitationEvent, title: str) -> None:
        """Add a cited page to the card of its manual."""
        card = next((c for c in self.cards if c.document_id == citation.source.document_id), None)
        if card is None:
            card = SourceCard(citation.source, title, self.pictures)
            card.opened.connect(self.opened)
            card.hovered.connect(self.hovered)
            self.cards.append(card)
            self._column.addWidget(card)
            self.show()
        card.add(citation)

    def light(self, number: int) -> None:
        """Light the chip of a citation that is pointed at on its page; 0: none."""
        for card in self.cards:
            lit = card.chips.get(number)
            for chip in card.chips.values():
                chip.light(chip is lit)
