"""What a person writes in the page of a note: the note, and what belongs to what by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.notes.note import Note


@dataclass(frozen=True, slots=True)
class Written:
    """A note with the relations that belong to it, one a line."""

    note: Note
    relations: str = ""
