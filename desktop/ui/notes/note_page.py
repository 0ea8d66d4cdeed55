"""One note: read and edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop.core.notes.note import Note, day
from desktop.ui import note_words as words
from desktop.ui.design.controls import (
    fill,
    in_column,
    push_button,
)
from desktop.ui.design.forms import PageFrame
from desktop.ui.design.tokens import Space
from desktop.ui.language import spoken_language, told
from desktop.ui.notes.note_form import NoteForm, relations_field

if TYPE_CHECKING:
    from knowledge.pieces import PageLink


@dataclass(frozen=True, slots=True)
class Written:
    """A note with the relations that belong to it, one a line."""

    note: Note
    relations: str = ""


_OF_RELATIONS = ("line ", "the relation", "the id of a node", "the node")
"""How the refusals of relations begin, and not of the note."""


class NotePage(QWidget):
    """save_wanted(written), delete_wanted(piece_id), page_wanted(link), edited()."""

    save_wanted = Signal(object)
    delete_wanted = Signal(str)
    page_wanted = Signal(object)
    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.original = Written(Note(""))
        self._names: Mapping[PageLink, str] = {}
        self.form = NoteForm()
        self.relations = relations_field()
        content = QWidget()
        fill(in_column(content, spacing=Space.M), self.form, self.relations)
        self.delete = push_button(self.tr("Delete"), name="trash-2")
        self.revert = push_button(self.tr("Revert"), self._revert)
        self.save = push_button(self.tr("Save"), self.ask_to_save, kind="primary")
        self.frame = PageFrame(content, left=(self.delete,), right=(self.revert, self.save))
        in_column(self).addWidget(self.frame)
        self.setFocusProxy(self.form)
        self.form.edited.connect(self._edited)
        self.relations.edited.connect(self._edited)
        self.form.page_wanted.connect(self.page_wanted)
        self.delete.clicked.connect(lambda: self.delete_wanted.emit(self.piece_id))

    @property
    def piece_id(self) -> str:
        """The note that is shown."""
        return self.original.note.piece_id

    @property
    def written(self) -> Written:
        """The note as it stands in the fields."""
        return Written(self.form.note, self.relations.text.strip())

    @property
    def changed(self) -> bool:
        """Whether the fields differ from what is kept."""
        return self.written != self.original

    def show_note(
        self, kept: Written, page_names: Mapping[PageLink, str], draft: Written | None = None
    ) -> None:
        """Show a note, with any earlier changes that are not kept yet."""
        note = kept.note
        same = note.piece_id == self.piece_id
        self.original, self._names = kept, page_names
        shown = draft or kept
        self.form.show_note(shown.note, page_names)
        self.relations.set_text(shown.relations)
        self.relations.show_fault("")
        written = day(note.written, language=spoken_language())
        by = self.tr("by {role}").format(role=note.role) if note.role else ""
        state = ", ".join(part for part in (words.kind(note.kind), written, by) if part)
        self.frame.show_title(note.title, state)
        if not same:
            self.frame.to_top()
        self._update()

    def ask_to_save(self) -> None:
        """Ask for what stands in the fields to be kept."""
        if self.changed:
            self.save_wanted.emit(self.written)

    def show_fault(self, reason: str) -> None:
        """Say why the note is refused, where it has to be repaired."""
        field: QWidget | None
        changed = self.relations.text.strip() != self.original.relations
        if changed and reason.casefold().startswith(_OF_RELATIONS):
            self.relations.show_fault(told(reason))
            field = self.relations
        else:
            field = self.form.show_fault(reason)
        if field is not None:
            field.setFocus()
            self.frame.area.ensureWidgetVisible(field)

    def _edited(self) -> None:
        self.form.show_fault("")
        self.relations.show_fault("")
        self._update()
        self.edited.emit()

    def _update(self) -> None:
        self.save.setEnabled(self.changed)
        self.revert.setVisible(self.changed)

    def _revert(self) -> None:
        self.show_note(self.original, self._names)
        self.edited.emit()
