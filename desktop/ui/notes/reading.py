"""Opens notes, and changes and deletes them."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop.sentences import message
from desktop.ui.notes.note_page import Written
from desktop.ui.notes.shelf import Shelf
from knowledge.errors import KnowledgeRefused

if TYPE_CHECKING:
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.notes.note import Note
    from desktop.ui.bridge import Errands
    from desktop.ui.notes.drawer import NotesDrawer
    from desktop.ui.notes.page_links import PageLinks
    from knowledge.pieces import PageLink


Value = TypeVar("Value")


class ChangedElsewhere(KnowledgeRefused):
    """The same field was changed here and elsewhere."""


def merged(mine: Written, begun_from: Written, kept: Written) -> Written:
    """Return a note with the changes of both sides.

    begun_from: the note that `mine` was made from. kept: as it is kept now.

    Raises:
        ChangedElsewhere: both changed a field, and differently.
    """
    note = mine.note
    for field in fields(note):
        sides = (getattr(each.note, field.name) for each in (mine, begun_from, kept))
        note = replace(note, **{field.name: _either(*sides)})
    return Written(note, _either(mine.relations, begun_from.relations, kept.relations))


def _either(mine: Value, before: Value, kept: Value) -> Value:
    if mine in (before, kept):
        return kept
    if kept == before:
        return mine
    raise ChangedElsewhere("This note was changed elsewhere since it was opened.")


UNDO_MS = 20_000
NOTICE_MS = 6_000


@dataclass(frozen=True, slots=True)
class _Opened:
    """A note with what is shown beside it; None for one that is gone."""

    piece_id: str
    kept: Written | None
    page_names: dict[PageLink, str]


class NoteReading(QObject):
    """Connects the list and the page of one note with the notes of a library.

    deleted(piece_id): a note was deleted here.
    """

    deleted = Signal(str)

    def __init__(
        self, drawer: NotesDrawer, desk: NoteDesk, links: PageLinks, errands: Errands
    ) -> None:
        super().__init__(drawer)
        self._drawer, self._desk, self._links, self._errands = drawer, desk, links, errands
        self._shelf = Shelf()
        self._drafts: dict[str, Written] = {}
        self._begun_from: dict[str, Written] = {}
        self._wanted = ""
        self._starts = True  # the list is shown, or the field for the first note
        drawer.list.chosen.connect(self.go_to)
        drawer.list.delete_wanted.connect(self.delete)
        drawer.note.edited.connect(self._edited)
        drawer.note.save_wanted.connect(self._save)
        drawer.note.delete_wanted.connect(self.delete)
        drawer.back.clicked.connect(self._go_back)
        drawer.list_wanted.connect(self.show_list)

    def go_to(self, piece_id: str) -> None:
        """Show a note as soon as it is read, unless something else is shown by then."""
        self._wanted = piece_id
        self._errands.run(lambda: self._read(piece_id), self._show)

    @property
    def has_notes(self) -> bool:
        """Whether there is a note to list."""
        return bool(self._shelf.notes)

    def show_list(self) -> None:
        """Show all notes, or the field for the first one while there are none."""
        self.leave()
        self._starts = True
        self._drawer.show_start(has_notes=self.has_notes)

    def leave(self) -> None:
        """Something else is shown: a note that is being read comes too late."""
        self._wanted, self._starts = "", False

    def show_shelf(self, shelf: Shelf) -> None:
        """Show other notes in the list."""
        self._shelf = shelf
        drawer = self._drawer
        drawer.filters.offer(shelf.tags, shelf.places)
        self._show_rows()
        writing = drawer.shown is drawer.compose and drawer.compose.text.text
        if (self._starts and not self._wanted and not writing) or (
            drawer.shown is drawer.note
            and not any(each.piece_id == drawer.note.piece_id for each in self._shelf.notes)
        ):
            self.show_list()

    def delete(self, piece_id: str) -> None:
        """Delete a note at once, so that no answer uses it; it can be undone for a while."""
        self._forget_draft(piece_id)
        self._errands.run(lambda: self._desk.delete(piece_id), self._tell_deleted)

    def finish(self) -> None:
        """Keep what was changed and may be kept; nobody is there any more to be asked."""
        for written in list(self._drafts.values()):
            self._save(written, last=True)

    def _go_back(self) -> None:
        drawer = self._drawer
        if drawer.shown is drawer.review:
            drawer.show_page(drawer.compose)
        else:
            self.show_list()

    def _read(self, piece_id: str) -> _Opened:
        note = self._desk.get(piece_id)
        if note is None:
            return _Opened(piece_id, None, {})
        kept = Written(note, self._desk.relations(note))
        return _Opened(piece_id, kept, self._links.names(note.pages))

    def _show(self, opened: _Opened) -> None:
        drawer = self._drawer
        if opened.piece_id != self._wanted:
            return
        if opened.kept is None:
            drawer.notices.say(self.tr("This note has been deleted."), milliseconds=NOTICE_MS)
            return
        key = opened.piece_id
        if key in self._drafts:
            self._begun_from.setdefault(key, opened.kept)
        self._starts = False
        drawer.note.show_note(opened.kept, opened.page_names, self._drafts.get(key))
        drawer.show_page(drawer.note)
        drawer.list.go_to(key)

    def _show_rows(self) -> None:
        shelf = self._shelf
        self._drawer.overview.show_rows(
            shelf.rows, shelf.matching, len(shelf.notes), list(self._drafts)
        )

    def _edited(self) -> None:
        page = self._drawer.note
        key, was_edited = page.piece_id, page.piece_id in self._drafts
        if page.changed:
            self._drafts[key] = page.written
            self._begun_from.setdefault(key, page.original)
        else:
            self._forget_draft(key)
        if was_edited != (key in self._drafts):
            self._show_rows()

    def _forget_draft(self, piece_id: str) -> None:
        self._drafts.pop(piece_id, None)
        self._begun_from.pop(piece_id, None)

    def _save(self, written: Written, *, last: bool = False) -> None:
        """Keep a note, merged with changes made to it elsewhere since it was opened.

        last: what conflicts with a change elsewhere becomes a note of its own, else it
        would be lost.
        """
        note = written.note
        begun_from = self._begun_from.get(note.piece_id, self._drawer.note.original)

        def save() -> KnowledgeRefused | None:
            try:
                before = self._desk.get(note.piece_id)
                kept = Written(before, self._desk.relations(before)) if before else None
                mine = written if kept is None else merged(written, begun_from, kept)
                same = kept is not None and kept.relations == mine.relations
                self._desk.update(mine.note, None if same else mine.relations)
            except ChangedElsewhere as refusal:
                if not last:
                    return refusal
                self._desk.update(self._desk.add(note), written.relations)
            except KnowledgeRefused as refusal:
                return refusal
            return None

        self._errands.run(save, lambda refusal: self._saved(note, refusal))

    def _saved(self, note: Note, refusal: KnowledgeRefused | None) -> None:
        drawer, is_shown = self._drawer, self._drawer.note.piece_id == note.piece_id
        if isinstance(refusal, ChangedElsewhere):
            self._tell_changed(note.piece_id)
            return
        if refusal is not None:
            if is_shown:
                drawer.note.show_fault(message(refusal))
            return
        self._forget_draft(note.piece_id)
        said = self.tr("Saved. Applies from the next question.")
        drawer.notices.say(said, milliseconds=NOTICE_MS)
        if is_shown and drawer.shown is drawer.note:
            self.go_to(note.piece_id)

    def _tell_changed(self, piece_id: str) -> None:
        """Ask which one counts: what was written here, or what is kept now."""
        self._begun_from.pop(piece_id, None)  # the next Save knows of the other change
        said = self.tr(
            "This note was changed elsewhere too. Yours is still in the fields: Save replaces the "
            "other one, Revert shows it."
        )
        self._drawer.notices.say(said, tone="bad")
        if self._drawer.note.piece_id == piece_id:
            self.go_to(piece_id)

    def _tell_deleted(self, note: Note | None) -> None:
        if note is None:
            return
        self.deleted.emit(note.piece_id)
        self._drawer.notices.say(
            self.tr("Deleted “{title}”. No answer uses it any more.").format(title=note.title),
            action=self.tr("Undo"),
            on_action=lambda: self._bring_back(note),
            milliseconds=UNDO_MS,
        )

    def _bring_back(self, note: Note) -> None:
        self._errands.run(lambda: self._desk.update(note), lambda _: self.go_to(note.piece_id))
