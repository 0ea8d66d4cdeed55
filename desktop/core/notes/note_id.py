"""What a new note is called: never as another one is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge.rule_structurer import piece_id_of

if TYPE_CHECKING:
    from datetime import datetime

    from desktop.core.notes.note import Note
    from knowledge.pieces import KnowledgePieceStore


def free_id(note: Note, pieces: KnowledgePieceStore, now: datetime) -> str:
    """Return an id for a new note, its own if it has one: never that of another note.

    The same words about the same thing always have the same.
    """
    for name in (note.piece_id, piece_id_of(note.text, note.entity or "")):
        known = pieces.get(name) if name else None
        same = known is not None and (known.content, known.entity_id) == (note.text, note.entity)
        if name and (known is None or same):
            return name
    return f"{name}-{now:%Y%m%dt%H%M%S%f}"
