"""One note: read, edited, merged with changes elsewhere, deleted, seen among its relations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QScrollArea, QWidget

from desktop.core.notes.note import Note, day
from desktop.ui import note_words as words
from desktop.ui.design.controls import fill, in_column, label, painted_as, push_button
from desktop.ui.design.forms import PageFrame
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import spoken_language, told
from desktop.ui.notes.graph import GraphPicture
from desktop.ui.notes.note_form import NoteForm, is_of_relations, relations_field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.ui.notes.graph import GraphPlan
    from knowledge.pieces import PageLink


@dataclass(frozen=True, slots=True)
class Written:
    """A note with the relations that belong to it, one a line."""

    note: Note
    relations: str = ""


class NotePage(QWidget):
    """save_wanted(written), delete_wanted(piece_id), page_wanted(link), edited().

    node_chosen(node_id, is_note): of the picture.
    """

    save_wanted = Signal(object)
    delete_wanted = Signal(str)
    page_wanted = Signal(object)
    node_chosen = Signal(str, bool)
    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._original = Written(Note(""))
        self._names: Mapping[PageLink, str] = {}
        self.form = NoteForm()
        self.relations = relations_field()
        self.picture = GraphPicture()
        self._picture_title = label("", factor=Type.LEAD, bold=True, wrap=True)
        content = QWidget()
        column = in_column(content, spacing=Space.M)
        fill(column, self.form, self.relations)
        column.addSpacing(Space.S)
        fill(column, self._picture_title, self._picture_area())
        self.delete = push_button(self.tr("Delete"), name="trash-2")
        self.revert = push_button(self.tr("Revert"))
        self.save = push_button(self.tr("Save"), kind="primary")
        self.frame = PageFrame(content, left=(self.delete,), right=(self.revert, self.save))
        in_column(self).addWidget(self.frame)
        self.setFocusProxy(self.form)
        self.form.edited.connect(self._edited)
        self.relations.edited.connect(self._edited)
        self.form.page_wanted.connect(self.page_wanted)
        self.picture.chosen.connect(self.node_chosen)
        self.delete.clicked.connect(lambda: self.delete_wanted.emit(self.piece_id))
        self.revert.clicked.connect(self._revert)
        self.save.clicked.connect(self.ask_to_save)

    @property
    def piece_id(self) -> str:
        """The note that is shown."""
        return self._original.note.piece_id

    @property
    def original(self) -> Written:
        """The note as it was kept when it was shown."""
        return self._original

    @property
    def written(self) -> Written:
        """The note as it stands in the fields."""
        return Written(self.form.note, self.relations.text.strip())

    @property
    def changed(self) -> bool:
        """Whether the fields differ from what is kept."""
        return self.written != self._original

    def show_note(
        self, kept: Written, page_names: Mapping[PageLink, str], draft: Written | None = None
    ) -> None:
        """Show a note, with any earlier changes that are not kept yet."""
        note = kept.note
        same = note.piece_id == self.piece_id
        self._original, self._names = kept, page_names
        shown = draft or kept
        self.form.show_note(shown.note, page_names)
        self.relations.set_text(shown.relations)
        self.relations.show_fault("")
        written = day(note.written, language=spoken_language())
        by = self.tr("by {role}").format(role=note.role) if note.role else ""
        state = ", ".join(part for part in (words.kind(note.kind), written, by) if part)
        self.frame.show_title(note.title, state)
        if not same:
            self.show_picture(None, "")
            self.frame.to_top()
        self._update()

    def show_picture(self, plan: GraphPlan | None, of: str) -> None:
        """Show what belongs to an entity; None: the note is about nothing in particular."""
        shown = plan is not None and len(plan.placed) > 1
        self._picture_title.setText(self.tr("What belongs to {name}").format(name=of))
        for widget in (self._picture_title, self._area):
            widget.setVisible(shown)
        if plan is not None:
            self.picture.show_plan(plan)
            bar = self._area.horizontalScrollBar().sizeHint().height()
            self._area.setFixedHeight(self.picture.height() + bar)

    def ask_to_save(self) -> None:
        """Ask for what stands in the fields to be kept."""
        if self.changed:
            self.save_wanted.emit(self.written)

    def show_fault(self, reason: str) -> None:
        """Say why the note is refused, where it has to be repaired."""
        field: QWidget | None
        if self.relations.text.strip() != self._original.relations and is_of_relations(reason):
            self.relations.show_fault(told(reason))
            field = self.relations
        else:
            field = self.form.show_fault(reason)
        if field is not None:
            field.setFocus()
            self.frame.area.ensureWidgetVisible(field)

    def _picture_area(self) -> QScrollArea:
        """Return what lets a narrow window scroll the picture sideways."""
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(self.picture)
        painted_as(self.picture, "panel")
        return self._area

    def _edited(self) -> None:
        self.form.show_fault("")
        self.relations.show_fault("")
        self._update()
        self.edited.emit()

    def _update(self) -> None:
        self.save.setEnabled(self.changed)
        self.revert.setVisible(self.changed)

    def _revert(self) -> None:
        self.show_note(self._original, self._names)
        self.edited.emit()


Value = TypeVar("Value")
