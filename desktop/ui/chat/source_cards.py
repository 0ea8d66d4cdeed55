"""The manuals that an answer stands on: cover, title, and a chip for every cited page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop.core.events import PageRegion
from desktop.ui.chat.page_chip import PageChip
from desktop.ui.controls import label
from desktop.ui.flow_layout import FlowLayout
from desktop.ui.icon_picture import IconPicture
from desktop.ui.page_pictures import Wish
from desktop.ui.theme import colours
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QPixmap, QShowEvent

    from desktop.core.events import CitationEvent
    from desktop.ui.page_pictures import PagePictures

COVER = (36, 48)


class Cover(QFrame):
    """The first page of a manual, small; a sign as long as it is not drawn."""

    def __init__(self, source: PageRegion, pictures: PagePictures | None) -> None:
        super().__init__()
        self.setFixedSize(*COVER)
        self._first = PageRegion(source.document_id, source.document, 0, "", ())
        self._pictures = pictures
        self._pixmap: QPixmap | None = None
        sign = IconPicture("file-text", Size.ICON, "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(sign, 0, Qt.AlignmentFlag.AlignCenter)
        self._sign = sign
        if pictures is not None:
            pictures.drawn.connect(self._take)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._pictures is not None and self._pixmap is None:
            kept = self._pictures.wish(self._wish())
            if kept is not None:
                self._take(self._wish(), kept)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._pixmap is not None:
            painter.drawPixmap(self.rect(), self._pixmap)
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
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(label(title, factor=Type.SMALL, wrap=True))
        shelf = QWidget()
        self._flow = FlowLayout(shelf, Space.XS)
        self._flow.setContentsMargins(0, 0, 0, 0)
        column.addWidget(shelf)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, Space.XS, 0, Space.XS)
        row.setSpacing(Space.M)
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
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
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
