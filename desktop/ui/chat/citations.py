"""What a cited page or note looks like beside an answer: its chip, its crop, its card, its row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFont,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QSizePolicy, QWidget

from desktop.core.events import CitationEvent, NoteCitationEvent, PageRegion
from desktop.core.notes.note import SAID_BY_LABEL, note_label
from desktop.ui import note_words as words
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
from desktop.ui.language import spoken_language, told, tr
from desktop.ui.viewer.page_pictures import PagePictures, Wish

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

    @property
    def lit(self) -> bool:
        """Whether it shows that its highlight is pointed at."""
        return self._lit

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
        with QPainter(self) as painter:
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


LATER_MS = 120


class CropButton(PressButton):
    """As wide as there is room; names the page until it is drawn, or if it cannot be.

    Its picture can be dragged out, to other programs.

    wide: there is room for the whole width of the page.
    """

    def __init__(
        self, source: PageRegion, title: str, pictures: PagePictures | None, *, wide: bool = False
    ) -> None:
        super().__init__()
        self._source, self._title = source, title
        self._wide = wide
        self._pictures = pictures
        self._held: QPointF | None = None
        """Where the mouse was pressed, to drag the picture."""
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
        with QPainter(self) as painter:
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
            painter.setPen(
                QPen(QColor(c.accent if strong else c.border), 2 if self.hasFocus() else 1)
            )
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(path)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._held = event.position() if event.button() == Qt.MouseButton.LeftButton else None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = None
        super().mouseReleaseEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._pixmap is None or self._held is None:
            return
        if (event.position() - self._held).manhattanLength() >= QApplication.startDragDistance():
            from desktop.ui.viewer.output import drag_picture  # loaded with the pages

            self._held = None
            self.setDown(False)  # whoever drags does not want it opened
            label = self._source.label or str(self._source.page + 1)
            drag_picture(self, self._pixmap.toImage(), self._title, label)

    def _ask(self) -> None:
        width = round((self.width() - 2) * self.devicePixelRatioF())
        if self._pictures is None or width < 40 or not self.isVisible():
            return
        self._wish = Wish(self._source, "part" if self._wide else "close", width)
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
        with QPainter(self) as painter:
            if self._pixmap is not None:
                painter.drawPixmap(self.rect(), self._pixmap)
                dim_paper(painter, QRectF(self.rect()))
            painter.setPen(QColor(colours().border))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

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


class CitedNotes(QWidget):
    """A headed list of cited notes; hidden while it is empty.

    opened(event): read the note. place_wanted(region): show the page it is linked to.
    """

    opened = Signal(object)
    place_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[CitedNote] = []
        self._column = in_column(self, spacing=Space.S)
        title = self.tr("Notes from your site, not from a manual")
        self._column.addWidget(label(title, factor=Type.SMALL, bold=True, tone="muted", wrap=True))
        self.hide()

    @property
    def events(self) -> list[NoteCitationEvent]:
        """What was cited, in order."""
        return [row.citation for row in self.rows]

    def add(
        self, event: NoteCitationEvent, title_of: Callable[[PageRegion], str], answer: str = ""
    ) -> None:
        """Append a cited note. title_of: names the manual of its page. answer: what is written."""
        row = CitedNote(event, title_of, answer)
        row.button.clicked.connect(lambda: self.opened.emit(event))
        if row.page is not None:
            row.page.clicked.connect(lambda: self.place_wanted.emit(event.note.page))
        self.rows.append(row)
        self._column.addWidget(row)
        self.show()

    def open(self, number: int) -> bool:
        """Open the note of a citation mark; return whether the mark is a note's."""
        found = next((each for each in self.events if each.number == number), None)
        if found is not None:
            self.opened.emit(found)
        return found is not None


class PlaceButton(PressButton):
    """A line above a smaller one, both shortened to fit. ink: the token of the upper one's colour.

    said: both of them, for a screen reader.
    """

    def __init__(self, upper: str, lower: str, said: str, *, ink: str = "accent") -> None:
        super().__init__()
        self._upper, self._lower, self._ink = upper, lower, ink
        self.setProperty("kind", "row")
        self.setAccessibleName(said)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(240, max(Size.TARGET, sum(self._heights()) + Space.S))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.draw_frame(painter)
            area = self.rect().adjusted(Space.S, Space.XS, -Space.S, -Space.XS)
            upper, lower = self._fonts()
            # at the bottom: the words of the place stand below, and belong to this one
            high = self._heights()
            top = area.top() + max(0, area.height() - sum(high))
            first = QRect(area.left(), top, area.width(), high[0])
            painter.setFont(upper)
            painter.setPen(QColor(getattr(colours(), self._ink)))
            above = QFontMetrics(upper).elidedText(
                self._upper, Qt.TextElideMode.ElideRight, area.width()
            )
            painter.drawText(first, Qt.AlignmentFlag.AlignVCenter, above)
            metrics = QFontMetrics(lower)
            painter.setFont(lower)
            painter.setPen(QColor(colours().muted))
            second = QRect(area.left(), first.bottom() + 1, area.width(), metrics.lineSpacing())
            below = metrics.elidedText(self._lower, Qt.TextElideMode.ElideMiddle, area.width())
            painter.drawText(second, Qt.AlignmentFlag.AlignVCenter, below)

    def _fonts(self) -> tuple[QFont, QFont]:
        lower = scaled_font(Type.SMALL)
        lower.setWeight(QFont.Weight.Normal)  # said, or the button's own weight would be taken
        return scaled_font(Type.BODY, bold=True), lower

    def _heights(self) -> list[int]:
        fonts = self._fonts() if self._lower else self._fonts()[:1]
        return [QFontMetrics(font).lineSpacing() for font in fonts]


class CitedNote(QFrame):
    """A note's mark, who wrote it when, and its words unless the answer has told them."""

    def __init__(
        self, citation: NoteCitationEvent, title_of: Callable[[PageRegion], str], answer: str
    ) -> None:
        super().__init__()
        self.citation = citation
        note = citation.note
        self.setProperty("role", "site_note")
        says = words.sentence(note_label(replace(note, role=""), language=spoken_language()))
        by = tr("by {role}").format(role=note.role) if note.role else ""
        kind = "" if note.tier in SAID_BY_LABEL else words.tier(note.tier)
        about = " · ".join(part for part in (by, told(note.scope), kind) if part)
        mark = tr("Note {n}").format(n=citation.number)
        self.setAccessibleName(f"{mark}, {says}: {citation.quote}")
        name = ", ".join(filter(None, (f"{mark}, {says}", about)))
        self.button = PlaceButton(f"{mark} · {says}", about, name, ink="site")
        self.button.setToolTip(plain_tooltip(f"{says}\n{about}"))
        self.page: PlaceButton | None = None
        column = in_column(self, (Space.S, Space.XS, Space.S, Space.S), spacing=Space.XS)
        column.addWidget(self.button)
        if " ".join(citation.quote.split()) not in " ".join(answer.split()):
            quote = label(citation.quote.strip(), wrap=True, selectable=True)
            quote.setContentsMargins(Space.S, 0, Space.S, 0)
            column.addWidget(quote)
        if note.page is not None:
            where = wording.page_label(note.page.label, note.page.page)
            linked, title = tr("Linked {page}").format(page=where), title_of(note.page)
            self.page = PlaceButton(linked, title, f"{title}, {linked}")
            self.page.setToolTip(plain_tooltip(f"{title}, {linked}"))
            column.addWidget(self.page)
