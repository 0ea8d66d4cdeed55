"""Which notes a list shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.library.places import EVERYWHERE, Place

if TYPE_CHECKING:
    from desktop.core.notes.note import Note
    from knowledge.pieces import KnowledgeType


@dataclass(frozen=True, slots=True)
class NoteFilter:
    """What is empty does not narrow anything down.

    text: every word of it stands in the note, its tags, its author's role or what it is
    about. place: notes about it and what lies in it. document: SHA-256 of a PDF the note is
    pinned to.
    """

    text: str = ""
    tag: str = ""
    place: Place = EVERYWHERE
    kind: KnowledgeType | None = None
    info_type: str = ""
    document: str = ""

    def shows(self, note: Note) -> bool:
        """Whether a note is in the list."""
        return (
            self.kind in (None, note.kind)
            and self.info_type in ("", note.info_type)
            and (not self.tag or self.tag.casefold() in {tag.casefold() for tag in note.tags})
            and (not self.place or self.place.holds(note.place))
            and (not self.document or any(x.document == self.document for x in note.pages))
            and self._says(note)
        )

    def _says(self, note: Note) -> bool:
        if not self.text.strip():
            return True
        told = "\n".join((note.text, *note.tags, note.role, note.scope)).casefold()
        return all(word in told for word in self.text.casefold().split())


EVERY_NOTE = NoteFilter()
