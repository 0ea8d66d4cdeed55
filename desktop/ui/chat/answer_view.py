"""An answer while it is streamed: how it appears, its words and its quotes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEasingCurve, QEvent, QRectF, Qt, QTimer, QUrl, QVariantAnimation, Signal
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
    QTextBlock,
    QTextLine,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.core.events import CitationEvent, Event, PageRegion, RevisedText
from desktop.ui import wording
from desktop.ui.chat.answer_text import (
    Block,
    Prose,
    Quoted,
    SafeBrowser,
    answer_blocks,
    answer_html,
    chip_number,
    cited_in,
)
from desktop.ui.chat.citations import CHIP
from desktop.ui.chat.quoted_card import CitedPicture, QuotedCard
from desktop.ui.design.controls import discard, in_column
from desktop.ui.design.theme import colours, fade_in, moving, scaled_font
from desktop.ui.design.tokens import Space, Type

if TYPE_CHECKING:
    from desktop.ui.viewer.page_pictures import PagePictures


PULSE_MS = 1_400
_WIDTHS = (0.92, 1.0, 0.64)
"""Of the lines, as shares of the room: a paragraph ends early."""
_FAINTEST = 0.45


class Skeleton(QWidget):
    """Three lines that breathe while there is nothing to read yet."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(len(_WIDTHS) * Space.L + (len(_WIDTHS) - 1) * Space.XS)
        self._strength = 1.0
        self.pulse = QVariantAnimation(self)
        self.pulse.setDuration(PULSE_MS)
        self.pulse.setLoopCount(-1)
        self.pulse.setKeyValues([(0.0, 1.0), (0.5, _FAINTEST), (1.0, 1.0)])
        self.pulse.setEasingCurve(QEasingCurve.Type.InOutSine)
        self.pulse.valueChanged.connect(self._breathe)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if moving():
            self.pulse.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.pulse.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setOpacity(self._strength)
            painter.setBrush(QColor(colours().hover))
            for row, share in enumerate(_WIDTHS):
                top = row * (Space.L + Space.XS) + Space.HAIR
                line = QRectF(0, top, self.width() * share, Space.M)
                painter.drawRoundedRect(line, Space.XS, Space.XS)

    def _breathe(self, strength: float) -> None:
        self._strength = strength
        self.update()


MOST_PICTURES = 3
"""Pages shown below a written answer; the others are chips in it."""
REDRAW_MS = 30
"""Tokens are gathered this long before the answer is laid out again."""


class ProseView(SafeBrowser):
    """Text with its chips. chip_hovered(number): the pointer is over one; 0 over none."""

    chip_hovered = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._lit = 0
        self.setProperty("kind", "answer")
        self.setFont(scaled_font(Type.LEAD))
        self.setAccessibleName(self.tr("Answer"))
        self.highlighted.connect(lambda url: self._point_at(chip_number(url)))

    def light(self, number: int) -> None:
        """Light the chips of a citation; 0 of none."""
        if number != self._lit:
            self._lit = number
            self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point_at(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        c = colours()
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for number, noted, area in self.chip_areas():
                ink, wash = (c.site, c.site_wash) if noted else (c.accent, c.accent_wash)
                painter.setPen(QPen(QColor(ink), 2) if number == self._lit else Qt.PenStyle.NoPen)
                painter.setBrush(QColor(wash))
                painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
        super().paintEvent(event)

    def chip_areas(self) -> Iterator[tuple[int, bool, QRectF]]:
        """Yield the number of each visible chip, whether it is a note's, and its place."""
        block = self.document().begin()
        while block.isValid():
            yield from self._chips_of(block)
            block = block.next()

    def _chips_of(self, block: QTextBlock) -> Iterator[tuple[int, bool, QRectF]]:
        corner = self.document().documentLayout().blockBoundingRect(block).topLeft()
        layout, site = block.layout(), QColor(colours().site)
        parts = block.begin()
        while not parts.atEnd():
            fragment = parts.fragment()
            form = fragment.charFormat()
            number = chip_number(QUrl(form.anchorHref())) if form.isAnchor() else 0
            if number:
                first = fragment.position() - block.position()
                line = layout.lineForTextPosition(first)
                left, right = _x(line, first), _x(line, first + fragment.length())
                high = max(CHIP, line.height() - Space.HAIR)
                top = corner.y() + line.y() + (line.height() - high) / 2
                area = QRectF(corner.x() + left, top, right - left, high)
                yield number, form.foreground().color() == site, area
            parts += 1

    def _point_at(self, number: int) -> None:
        self.light(number)
        self.chip_hovered.emit(number)


class AnswerView(QWidget):
    """Prose and cards in the order of the answer.

    citation_clicked(number): show this one. chip_hovered(number): the pointer is over
    the mark of a citation in the text; 0 over none. card_hovered(number): the same for
    a card's chip. wide: there is the room of a report.
    """

    citation_clicked = Signal(int)
    chip_hovered = Signal(int)
    card_hovered = Signal(int)

    def __init__(self, title_of: Callable[[PageRegion], str], *, wide: bool = False) -> None:
        super().__init__()
        self.written = RevisedText()
        self.cited: dict[int, CitationEvent] = {}
        self.noted: set[int] = set()
        self.pictures: PagePictures | None = None
        self.running = True
        self.is_doubted = False
        self._title_of = title_of
        self._wide = wide
        self._blocks: list[Block] = []
        self._parts: list[ProseView | QuotedCard] = []
        self.pictured: list[CitedPicture] = []
        self._column = in_column(self, spacing=Space.M)
        self.hide()
        self._redraw = QTimer(self, singleShot=True, interval=REDRAW_MS)
        self._redraw.timeout.connect(self.draw)

    @property
    def prose(self) -> list[ProseView]:
        """What is shown as text."""
        return [each for each in self._parts if isinstance(each, ProseView)]

    @property
    def cards(self) -> list[QuotedCard]:
        """What is shown as it is on its page."""
        return [each for each in self._parts if isinstance(each, QuotedCard)]

    def take(self, event: Event) -> None:
        """Take a token or a revision."""
        self.written.take(event)
        self.draw_soon()

    def draw_soon(self) -> None:
        """Lay the answer out again, with whatever comes in the next moment."""
        if not self._redraw.isActive():
            self._redraw.start()

    def draw(self) -> None:
        """Lay the answer out again."""
        self._redraw.stop()
        blocks = answer_blocks(self.written.pieces, self.cited, running=self.running)
        kept = 0
        for old, new, part in zip(self._blocks, blocks, self._parts, strict=False):
            if old != new and not (isinstance(new, Prose) and isinstance(part, ProseView)):
                break
            kept += 1
        while len(self._parts) > kept:
            discard(self._parts.pop(), self._column)
        if len(blocks) > kept:
            self._draw_pictures([])  # they stand below what is added
        self._parts += [
            self._added(block, leads=not (kept or at or self.is_doubted))
            for at, block in enumerate(blocks[kept:])
        ]
        self._blocks = blocks
        places = {number: each.source for number, each in self.cited.items()}
        labels = {n: wording.short_page(each.label, each.page) for n, each in places.items()}
        for block, part in zip(blocks, self._parts, strict=True):
            if isinstance(block, Prose) and isinstance(part, ProseView):
                part.setHtml(answer_html(block.pieces, labels, colours(), self.noted))
        # a report has the pictures with its sources
        pictured = not (self.running or self._wide)
        self._draw_pictures(cited_in(blocks, self.cited) if pictured else [])
        if blocks:
            self.show()

    def doubt(self) -> None:
        """Give no value prominence: this may be no answer."""
        self.is_doubted = True
        while self._parts:
            discard(self._parts.pop(), self._column)
        self.draw_soon()

    def light(self, number: int) -> None:
        """Light the chips of a citation that is pointed at on its page; 0: of none."""
        for part in (*self._parts, *self.pictured):
            part.light(number)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # One that is hidden stays so: its verdict stands above it.
        changed = event.type() == QEvent.Type.PaletteChange and not self.isHidden()
        if changed and hasattr(self, "_redraw"):
            self._redraw.start()

    def _draw_pictures(self, pages: list[list[int]]) -> None:
        """Show what written text cites below it. pages: the numbers that cite each page."""
        if [each.numbers for each in self.pictured] == pages[:MOST_PICTURES]:
            return
        while self.pictured:
            discard(self.pictured.pop(), self._column)
        for numbers in pages[:MOST_PICTURES]:
            citations = [self.cited[number] for number in numbers]
            title = self._title_of(citations[0].source)
            picture = CitedPicture(citations, title, self.pictures)
            picture.opened.connect(self.citation_clicked)
            picture.hovered.connect(self.card_hovered)
            self._column.addWidget(picture)
            self.pictured.append(picture)

    def _added(self, block: Block, *, leads: bool) -> ProseView | QuotedCard:
        part: ProseView | QuotedCard
        if isinstance(block, Quoted):
            part = QuotedCard(
                block,
                self._title_of,
                self.pictures,
                leads=leads,
                doubted=self.is_doubted,
                wide=self._wide,
            )
            part.opened.connect(self.citation_clicked)
            part.hovered.connect(self.card_hovered)
        else:
            part = ProseView()
            part.citation_clicked.connect(self.citation_clicked)
            part.chip_hovered.connect(self.chip_hovered)
        self._column.addWidget(part)
        if self.running:
            fade_in(part)
        return part


def _x(line: QTextLine, position: int) -> float:
    found: Any = line.cursorToX(position)  # a pair, whatever its annotation says
    return float(found[0])
