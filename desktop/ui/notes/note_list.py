"""The notes that a list shows, one row each: how it begins, what it is, about what, since when."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal

from desktop.core.notes.wording import day
from desktop.ui.keyed_list import KeyedList
from desktop.ui.language import spoken_language
from desktop.ui.library.row import RowView
from desktop.ui.notes import words
from desktop.ui.notes.kinds import row

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PySide6.QtGui import QKeyEvent

    from desktop.core.notes.note import Note


class NoteList(KeyedList):
    """chosen(piece_id): a person went to a note. delete_wanted(piece_id): with the Delete key."""

    delete_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__(QCoreApplication.translate("NoteList", "Notes"))

    def show_notes(self, notes: Sequence[Note], edited: Collection[str]) -> None:
        """Show notes in this order. edited: those that were changed and are not kept yet."""
        self.show_rows([(each.piece_id, _row(each, edited)) for each in notes])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.key:
            self.delete_wanted.emit(self.key)
            return
        super().keyPressEvent(event)


def _row(note: Note, edited: Collection[str]) -> RowView:
    icon = "link-2" if note.pages else "sticky-note"
    # the dots of a shortened title do not stand on a line of their own
    title = note.title.replace(" …", "\u00a0…")
    view = RowView(
        title, row(note, day(note.written, language=spoken_language())), "", icon, (), ""
    )
    if note.piece_id in edited:
        return replace(view, detail=words.not_kept_yet(), tone="attention")
    return view
