"""Links of notes and the pages of the library that they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from desktop.core.errors import DocumentNotFound
from desktop.core.events import NoteSource, PageRegion
from desktop.core.geometry import Box
from desktop.core.notes.note import Note, note_label
from desktop.ui import note_words as words
from desktop.ui import wording
from desktop.ui.language import spoken_language
from desktop.ui.viewer.links import MarginNote, NotePlace
from knowledge.pieces import PageLink

if TYPE_CHECKING:
    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord

LONGEST_SAID = 160


class PageLinks:
    """Finds pages by the hash of their manual. records: the manuals there are now."""

    def __init__(self, library: Library, records: Callable[[], Iterable[DocumentRecord]]) -> None:
        self._library = library
        self._records = records

    def link(self, place: NotePlace) -> PageLink | None:
        """Return the link to a place in a manual, None if the manual has left the library."""
        record = next((each for each in self._records() if each.id == place.document_id), None)
        if record is None:
            return None
        boxes = tuple(box.as_tuple() for box in place.boxes)
        return PageLink(record.sha256, place.page, place.quote, boxes)

    def record(self, link: PageLink) -> DocumentRecord | None:
        """Return the manual of a link."""
        return next((each for each in self._records() if each.sha256 == link.document), None)

    def region(self, link: PageLink) -> PageRegion | None:
        """Return the page of a link for the viewer; reads the library."""
        record = self.record(link)
        if record is None:
            return None
        boxes = tuple(Box(*box) for box in link.boxes)
        return PageRegion(record.id, record.name, link.page, self._label(record, link), boxes)

    def names(self, links: Iterable[PageLink]) -> dict[PageLink, str]:
        """Return the links whose manuals are here, each with its page's name; reads the library."""
        found = {}
        for link in links:
            record = self.record(link)
            if record is not None:
                title = record.title.strip() or record.name
                page = wording.page_label(self._label(record, link), link.page)
                found[link] = f"{title}, {page}"
        return found

    def margin(self, document_id: int, pinned: Mapping[str, Sequence[Note]]) -> list[MarginNote]:
        """Return the notes that stand in the margins of a manual. pinned: see `Shelf`."""
        record = next((each for each in self._records() if each.id == document_id), None)
        sha256 = record.sha256 if record is not None else ""
        return [
            MarginNote(
                note.piece_id,
                link.page,
                min((box[1] for box in link.boxes), default=0.0),
                said(note),
            )
            for note in pinned.get(sha256, ())
            for link in note.pages
            if link.document == sha256
        ]

    def _label(self, record: DocumentRecord, link: PageLink) -> str:
        try:
            pages = self._library.pages(record.id)
        except DocumentNotFound:
            return ""
        return next((each.label for each in pages if each.page == link.page), "")


def said(note: Note) -> str:
    """Return a note for a tooltip: who wrote it when, and its words."""
    source = NoteSource(note.piece_id, note.title, note.role, note.written, note.scope, note.tier)
    text = " ".join(note.text.split())
    if len(text) > LONGEST_SAID:
        text = text[:LONGEST_SAID].rstrip() + " …"
    return f"{words.sentence(note_label(source, language=spoken_language()))}: {text}"
