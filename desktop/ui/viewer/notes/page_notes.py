"""Notes and the viewer: taking one of the place in view, and those in the margins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.ui.viewer.notes.margin_notes import MarginNotes
from desktop.ui.viewer.notes.note_place import NotePlace, find_note_place

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.ui.viewer.pages.page_view import PageView
    from desktop.ui.viewer.text.words import WordStore


class PageNotes(QObject):
    """wanted(place): write a note about this `NotePlace`. opened(key): read this note."""

    wanted = Signal(object)
    opened = Signal(str)

    def __init__(self, view: PageView, words: WordStore) -> None:
        super().__init__(view)
        self._view, self._words = view, words
        self.margin = MarginNotes(view)
        self.margin.opened.connect(self.opened)

    def add(self) -> None:
        """Ask for a note about the selected words, else about the page in view."""
        self.find_place(self._ask)

    def find_place(self, then: Callable[[NotePlace | None], None]) -> None:
        """Call `then` with the place a note would be about, None when no page is shown."""
        find_note_place(self._view, self._words, then)

    def _ask(self, place: NotePlace | None) -> None:
        if place is not None:
            self.wanted.emit(place)
