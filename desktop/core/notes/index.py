"""What is looked up in all notes at once: those of a page, and the entities by their names."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.notes.entities import entity_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from desktop.core.notes.note import Note
    from knowledge.base import KnowledgeBase

_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 5
_LEAST_LETTERS = 2


@dataclass(frozen=True, slots=True)
class EntityNames:
    """Entities by what they are called. ids: all of them. by_name: as `name_key` writes names."""

    ids: tuple[str, ...]
    by_name: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, base: KnowledgeBase) -> EntityNames:
        """Read them: what is related, what has a profile and what has a note."""
        labels = {node.node_id: node.label for node in base.graph_store.nodes()}
        ids = dict.fromkeys([*labels, *entity_ids(base)])
        by_name: dict[str, list[str]] = {}
        for entity_id in ids:
            own = entity_id.partition(":")[2].rpartition("/")[2]
            for name in dict.fromkeys((name_key(labels.get(entity_id, "")), name_key(own))):
                if len(name) >= _LEAST_LETTERS and not name.isdigit():
                    by_name.setdefault(name, []).append(entity_id)
        return cls(tuple(ids), {name: tuple(found) for name, found in by_name.items()})

    def named_in(self, text: str) -> tuple[str, ...]:
        """Return the entities that a text names, in its order ("P-200" is "P 200", too)."""
        words = [word.casefold() for word in _WORD.findall(text)]
        found: dict[str, None] = {}
        for start in range(len(words)):
            for end in range(start + 1, min(start + _MOST_WORDS, len(words)) + 1):
                found |= dict.fromkeys(self.by_name.get("".join(words[start:end]), ()))
        return tuple(found)


def name_key(name: str) -> str:
    """Return a name without case, spaces and punctuation."""
    return "".join(_WORD.findall(name.casefold()))


class NoteIndex:
    """Reads once, and again after every change; any thread.

    notes: all there are. base: where their entities are. path: of the knowledge file, which
    another program may write; None for notes in memory. The first two block.
    """

    def __init__(
        self,
        notes: Callable[[], Iterable[Note]],
        base: Callable[[], KnowledgeBase],
        path: Path | None,
    ) -> None:
        self._notes = notes
        self._base = base
        self._path = path
        self._lock = threading.Lock()
        self._by_page: dict[tuple[str, int], list[str]] | None = None
        self._names: EntityNames | None = None
        self._read_at: tuple[int, ...] = ()

    def pinned_to(self, document: str, page: int) -> tuple[str, ...]:
        """Return the ids of the notes pinned to a page, each once."""
        with self._lock:
            self._forget_old()
            if self._by_page is None:
                self._by_page = {}
                for note in self._notes():
                    for link in note.pages:
                        page_key = (link.document, link.page)
                        self._by_page.setdefault(page_key, []).append(note.piece_id)
            return tuple(dict.fromkeys(self._by_page.get((document, page), ())))

    def names(self) -> EntityNames:
        """Return every entity by its names."""
        with self._lock:
            self._forget_old()
            if self._names is None:
                self._names = EntityNames.of(self._base())
            return self._names

    def forget(self) -> None:
        """Read again when asked the next time."""
        with self._lock:
            self._by_page = self._names = None

    def _forget_old(self) -> None:
        """Read again if another program has written notes."""
        stamp: tuple[int, ...] = ()
        if self._path is not None:
            files = (self._path, self._path.with_name(f"{self._path.name}-wal"))
            stamp = tuple(file.stat().st_mtime_ns for file in files if file.exists())
        if stamp != self._read_at:
            self._by_page = self._names = None
            self._read_at = stamp
