"""Notes beside the answer they supported: unlike any page of a manual."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from desktop.core.notes.note import SAID_BY_LABEL, note_label
from desktop.ui import note_words as words
from desktop.ui import wording
from desktop.ui.design.controls import in_column, label, plain_tooltip
from desktop.ui.design.place_button import PlaceButton
from desktop.ui.design.theme import colours
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import spoken_language, told, tr

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


class NoteButton(PlaceButton):
    """Shows "[2]  Site note, 12 March" above "by shift lead · asset P-200"."""

    def __init__(self, mark: str, says: str, about: str) -> None:
        super().__init__(mark, about, says)
        self.setToolTip(plain_tooltip(f"{says}\n{about}"))

    def _ink(self) -> str:
        return colours().site

    def _name(self) -> None:
        about = f", {self._title}" if self._title else ""
        self.setAccessibleName(f"{self._mark} {self._page}{about}")
        self.update()


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
        self.button = NoteButton(mark, says, about)
        self.page: PlaceButton | None = None
        column = in_column(self, (Space.S, Space.XS, Space.S, Space.S), spacing=Space.XS)
        column.addWidget(self.button)
        if " ".join(citation.quote.split()) not in " ".join(answer.split()):
            quote = label(citation.quote.strip(), wrap=True, selectable=True)
            quote.setContentsMargins(Space.S, 0, Space.S, 0)
            column.addWidget(quote)
        if note.page is not None:
            where = wording.page_label(note.page.label, note.page.page)
            self.page = PlaceButton("", title_of(note.page), tr("Linked {page}").format(page=where))
            column.addWidget(self.page)
