"""Which notes are pinned to which page, read once and again after every change."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from desktop.core.notes.note import Note


class PinnedNotes:
    """Ids of notes by page; any thread.

    notes: all there are; blocks. path: of the knowledge file, which another program may
    write; None for notes in memory.
    """

    def __init__(self, notes: Callable[[], Iterable[Note]], path: Path | None) -> None:
        self._notes = notes
        self._path = path
        self._lock = threading.Lock()
        self._by_page: dict[tuple[str, int], list[str]] | None = None
        self._read_at: tuple[int, ...] = ()

    def ids(self, document: str, page: int) -> tuple[str, ...]:
        """Return the ids of the notes pinned to a page, each once."""
        with self._lock:
            stamp = self._stamp()
            if self._by_page is None or self._read_at != stamp:
                self._read_at = stamp
                self._by_page = {}
                for note in self._notes():
                    for link in note.pages:
                        page_key = (link.document, link.page)
                        self._by_page.setdefault(page_key, []).append(note.piece_id)
            return tuple(dict.fromkeys(self._by_page.get((document, page), ())))

    def forget(self) -> None:
        """Read again when asked the next time."""
        with self._lock:
            self._by_page = None

    def _stamp(self) -> tuple[int, ...]:
        """Return what changes when another program writes notes."""
        if self._path is None:
            return ()
        files = (self._path, self._path.with_name(f"{self._path.name}-wal"))
        return tuple(file.stat().st_mtime_ns for file in files if file.exists())
