"""Notes beside the answer they supported: unlike any page of a manual."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics
from PySide6.QtWidgets import (
    QFrame,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from desktop.core.notes.note import SAID_BY_LABEL, note_label
from desktop.ui import note_words as words
from desktop.ui import wording
from desktop.ui.design.controls import PressButton, in_column, label, plain_tooltip
from desktop.ui.design.theme import colours, scaled_font
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import spoken_language, told, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from desktop.core.events import NoteCitationEvent, PageRegion


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
        # not left to the collector: a painter that outlives its paint event crashes Qt, and
        # whoever looks at this frame (a debugger, a traceback) keeps its variables alive
        painter.end()

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
        mark = f"[{citation.number}]"
        self.setAccessibleName(f"{mark} {says}: {citation.quote}")
        name = ", ".join(filter(None, (f"{mark} {says}", about)))
        self.button = PlaceButton(f"{mark}  {says}", about, name, ink="site")
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
