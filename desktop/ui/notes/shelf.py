"""All notes at once, narrowed down: what the list, the filters and the margins show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.library.places import Place
    from desktop.core.notes.note import Note, NoteFilter


MOST_ROWS = 500
"""More rows than that are read by nobody; the filters lead to the rest."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """All notes, the latest first, with what they can be narrowed down by.

    rows: what the list shows. matching: how many notes the filter leaves. pinned: the notes
    that are linked to a manual, by the SHA-256 of its PDF.
    """

    notes: tuple[Note, ...] = ()
    rows: tuple[Note, ...] = ()
    matching: int = 0
    tags: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    roles: tuple[str, ...] = ()
    pinned: Mapping[str, tuple[Note, ...]] = field(default_factory=dict)


def shelf_of(notes: Sequence[Note], wanted: NoteFilter) -> Shelf:
    """Return the shelf of notes; tags are ordered by how often they are used."""
    used = Counter(tag for note in notes for tag in note.tags)
    matching = [note for note in notes if wanted.shows(note)]
    return Shelf(
        tuple(notes),
        tuple(matching[:MOST_ROWS]),
        len(matching),
        tuple(tag for tag, _ in sorted(used.items(), key=lambda item: (-item[1], item[0]))),
        tuple({note.place.key: note.place for note in notes if note.place}.values()),
        tuple(sorted({note.role for note in notes if note.role})),
        _pinned(notes),
    )


def _pinned(notes: Sequence[Note]) -> dict[str, tuple[Note, ...]]:
    found: dict[str, dict[str, Note]] = {}
    for note in notes:
        for link in note.pages:
            found.setdefault(link.document, {})[note.piece_id] = note
    return {document: tuple(each.values()) for document, each in found.items()}
