"""The notes that a question is about, for somebody at a place, and how they are cited."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.events import NoteSource, PageRegion
from desktop.core.geometry import Box
from desktop.core.notes.entities import entities_of
from desktop.core.notes.note import note_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from desktop.core.library.places import Place
    from desktop.core.library.values import DocumentRecord, PageRecord
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.notes.note import Note

    class Manuals(Protocol):
        """Knows the manuals that notes are pinned to; blocking."""

        def documents(self) -> Sequence[DocumentRecord]:
            """Return every manual."""

        def pages(self, document_id: int) -> Sequence[PageRecord]:
            """Return the pages of one."""


MOST_FOUND = 5
"""Notes that one question looks at."""

# Of 20 questions about a pump and 7 notes: notes that answer reach 0.35 to 0.94 with MiniLM,
# others 0.30 at most; with e5 five that answer have 0.57 and more, others 0.43 at most. By words
# alone one that does not answer reached 0.42.
_TELLS = 0.34
_TELLS_BY_WORDS = 0.45
_READ = 0.2
_CODE = re.compile(r"[^\W_]+(?:[-./][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class FoundNote:
    """A note that a question may be about.

    score: above 0, at most 1. telling: sure enough to be quoted by itself; the others are for
    a model to read. source: how it is cited.
    """

    note: Note
    score: float
    telling: bool
    source: NoteSource


class NoteSearch:
    """Finds notes; blocking, on any thread."""

    def __init__(self, desk: NoteDesk, manuals: Manuals | None = None) -> None:
        self._desk = desk
        self._manuals = manuals

    def __call__(self, question: str, place: Place) -> tuple[FoundNote, ...]:
        """Return the notes about a place, and about everything, that a question is about.

        Best first. Notes of another place are never among them.

        Raises: KnowledgeError, LibraryError.
        """
        if not self._desk.exists or not question.strip():
            return ()
        base = self._desk.base()
        entities = entities_of(place, base.graph_store)
        found = base.piece_store.search(question, also_of=entities, top_k=MOST_FOUND)
        codes = _codes(question) - _codes(str(place))
        least = _TELLS if self._desk.finds_by_meaning else _TELLS_BY_WORDS
        notes = []
        for piece, score in found:
            same_code = bool(codes & _codes(piece.content))
            if score >= _READ or same_code:
                note = note_of(piece, base.graph_store)
                telling = score >= least or same_code
                notes.append(FoundNote(note, score, telling, self.source(note)))
        return tuple(sorted(notes, key=lambda found: not found.telling))

    def source(self, note: Note) -> NoteSource:
        """Return how an answer cites a note."""
        return NoteSource(
            note.piece_id,
            note.title,
            note.role,
            note.written[:10],
            note.scope,
            note.tier,
            self._page(note),
        )

    def _page(self, note: Note) -> PageRegion | None:
        """Return the first page it is pinned to of a manual that the library has."""
        if self._manuals is None or not note.pages:
            return None
        by_hash = {document.sha256: document for document in self._manuals.documents()}
        for link in note.pages:
            document = by_hash.get(link.document)
            if document is None:
                continue
            pages = self._manuals.pages(document.id)
            label = next((each.label for each in pages if each.page == link.page), "")
            boxes = tuple(Box(*box) for box in link.boxes)
            return PageRegion(
                document.id, document.name, link.page, label or str(link.page + 1), boxes
            )
        return None


def _codes(text: str) -> frozenset[str]:
    """Return the codes of a text (E17, RS-485): letters and digits in one word."""
    words = (word for word in _CODE.findall(text) if any(c.isdigit() for c in word))
    return frozenset(
        "".join(c for c in word.casefold() if c.isalnum())
        for word in words
        if any(c.isalpha() for c in word)
    )
