"""Notes beside the answer they supported: unlike any page of a manual."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.core.notes.wording import note_label
from desktop.ui import wording
from desktop.ui.controls import label, push_button
from desktop.ui.icons import icon
from desktop.ui.notes import words
from desktop.ui.theme import colours
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Callable

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
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.S)
        title = self.tr("Notes of your site, not from a manual")
        self._column.addWidget(label(title, factor=Type.SMALL, bold=True, tone="muted", wrap=True))
        self.hide()

    @property
    def events(self) -> list[NoteCitationEvent]:
        """What was cited, in order."""
        return [row.citation for row in self.rows]

    def add(self, event: NoteCitationEvent, title_of: Callable[[PageRegion], str]) -> None:
        """Append a cited note. title_of: names the manual of its page."""
        row = CitedNote(event, title_of)
        row.button.clicked.connect(lambda: self.opened.emit(event))
        if row.page is not None:
            row.page.clicked.connect(lambda: self.place_wanted.emit(event.note.page))
        self.rows.append(row)
        self._column.addWidget(row)
        self.show()

    def open(self, number: int) -> bool:
        """Open the note of a citation mark; return whether the mark is one of a note."""
        found = next((each for each in self.events if each.number == number), None)
        if found is not None:
            self.opened.emit(found)
        return found is not None


class CitedNote(QFrame):
    """A note's mark, who wrote it when, how far it is to be trusted, and its words."""

    def __init__(self, event: NoteCitationEvent, title_of: Callable[[PageRegion], str]) -> None:
        super().__init__()
        self.citation = event
        note = event.note
        self.setObjectName("cited_note")
        says = words.sentence(note_label(note))
        self.setAccessibleName(f"[{event.number}] {says}: {event.quote}")
        self.button = push_button(f"[{event.number}]  {says}", kind="row")
        self.button.setToolTip(_tr("Open this note"))
        about = " · ".join(part for part in (note.scope, words.tier(note.tier)) if part)
        self.page = self._page_button(note.page, title_of)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(Space.S, Space.XS, Space.S, Space.S)
        self._column.setSpacing(Space.XS)
        self._column.addWidget(self.button)
        self._add(label(about, factor=Type.SMALL, tone="muted", wrap=True))
        if event.quote.strip():
            self._add(label(event.quote.strip(), wrap=True, selectable=True))
        if self.page is not None:
            self._column.addWidget(self.page, 0, Qt.AlignmentFlag.AlignLeft)
        self._paint_tokens()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_tokens()

    def _add(self, text: QLabel) -> None:
        text.setContentsMargins(Space.S, 0, Space.S, 0)
        self._column.addWidget(text)

    def _page_button(
        self, page: PageRegion | None, title_of: Callable[[PageRegion], str]
    ) -> QPushButton | None:
        if page is None:
            return None
        where = f"{title_of(page)}, {wording.page_label(page.label, page.page)}"
        return push_button(where, name="link-2")

    def _paint_tokens(self) -> None:
        c = colours()
        sheet = (
            f"QFrame#cited_note {{ background: {c.site_wash}; border: 0;"
            f" border-left: 4px solid {c.site}; border-radius: {Size.RADIUS}px; }}"
            f'QFrame#cited_note QPushButton[kind="row"] {{ color: {c.site}; }}'
        )
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)
            self.button.setIcon(icon("sticky-note", c.site))


def _tr(text: str) -> str:
    return QCoreApplication.translate("CitedNotes", text)
