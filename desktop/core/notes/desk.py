"""The notes of a library: how its knowledge file is opened; read, write, structure, exchange."""

from __future__ import annotations

import json
import logging
import threading
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from desktop.core.errors import LibraryError
from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.library.places import EVERYWHERE
from desktop.core.notes.entities import entity_ids, keep_place, tells_of_another
from desktop.core.notes.note import EVERY_NOTE, Note, note_of, notes_of
from desktop.core.notes.proposal import Kept, Proposal, data_to_keep, propose
from desktop.core.notes.relations import (
    keep_relations,
    kept_relations,
    relate,
    related,
    unrelate,
)
from desktop.core.problems import failure_place
from desktop.core.store.connection import (
    PAGE_SIZE,
    closed_if_it_fails,
    connect_writer,
    make_durable,
    named_errors,
)
from desktop.core.structure.sentences import words_in
from desktop.models.errors import ModelError
from desktop.sentences import message
from knowledge.base import memory_knowledge_base, sqlite_knowledge_base
from knowledge.domain_shelf import write_domain_file
from knowledge.errors import KnowledgeError, VectorsUnavailable
from knowledge.ingestion_cli import (
    KnowledgeIngestionCLI,
    RuleStructurer,
    StructuredText,
    piece_id_of,
)
from knowledge.loader import KnowledgeDataLoader, exported, piece_values
from knowledge.team import kept_by, synchronise, team_base

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from desktop.core.library.places import Place
    from desktop.core.notes.note import NoteFilter
    from desktop.models.roles import LanguageModel, TextEmbedder
    from knowledge.base import KnowledgeBase
    from knowledge.pieces import PageLink
    from knowledge.team import Exchanged


_MOST_WORDS = 5
_LEAST_LETTERS = 2


@dataclass(frozen=True, slots=True)
class EntityNames:
    """Entities by what they are called. ids: all of them. by_name: as `name_key` writes names."""

    ids: tuple[str, ...]
    by_name: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, base: KnowledgeBase) -> EntityNames:
        """Read the entities: those with relations, with a profile or with a note."""
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
        """Return the entities that a text names, in its order ("P-200" is also "P 200")."""
        words = [word.casefold() for word in words_in(text)]
        found: dict[str, None] = {}
        for start in range(len(words)):
            for end in range(start + 1, min(start + _MOST_WORDS, len(words)) + 1):
                found |= dict.fromkeys(self.by_name.get("".join(words[start:end]), ()))
        return tuple(found)


def name_key(name: str) -> str:
    """Return a name without case, spaces and punctuation."""
    return "".join(words_in(name.casefold()))


class NameIndex:
    """The entities by their names. Reads once, and again after every change; any thread.

    base: returns the store of the entities; blocks. path: of the knowledge file, which
    another program may write; None for notes in memory.
    """

    def __init__(self, base: Callable[[], KnowledgeBase], path: Path | None) -> None:
        self._base = base
        self._path = path
        self._lock = threading.Lock()
        self._names: EntityNames | None = None
        self._read_at: tuple[int, ...] = ()

    def names(self) -> EntityNames:
        """Return every entity by its names."""
        stamp: tuple[int, ...] = ()
        if self._path is not None:  # another program may have written notes
            files = (self._path, self._path.with_name(f"{self._path.name}-wal"))
            stamp = tuple(file.stat().st_mtime_ns for file in files if file.exists())
        with self._lock:
            if self._names is None or stamp != self._read_at:
                self._names = EntityNames.of(self._base())
                self._read_at = stamp
            return self._names

    def forget(self) -> None:
        """Read again when asked the next time."""
        with self._lock:
            self._names = None


logger = logging.getLogger(__name__)


class NoteDesk:
    """Reads and writes notes; every method blocks and may be called from any thread.

    Text that may not be kept (nothing, a secret) raises `KnowledgeRefused`, whose
    message is for the person who wrote it; errors of the disk raise `KnowledgeError` or
    `LibraryError`.
    """

    def __init__(
        self,
        path: Path | None = None,
        vectors: NoteVectors | None = None,
        language_model: Callable[[], LanguageModel | None] = lambda: None,
        check_ins: Path | None = None,
        *,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        """path: the knowledge file, made with the first note; None: in memory.

        vectors: the text models. language_model: structures texts, where there is one.
        check_ins: folder of the records of structured texts.
        """
        self._path = path
        self._vectors = vectors
        self._language_model = language_model
        self._check_ins = check_ins
        self._now = now
        self._lock = threading.RLock()
        self._opened: KnowledgeBase | None = None
        self._index = NameIndex(self.base, path)
        self._listeners: list[Callable[[], None]] = []

    @property
    def exists(self) -> bool:
        """Whether there may be notes: the knowledge file is there."""
        return self._opened is not None or self._path is None or self._path.exists()

    @property
    def finds_by_meaning(self) -> bool:
        """Whether there is a text model beside the words."""
        return self._vectors is not None

    def base(self) -> KnowledgeBase:
        """Return the knowledge base itself, made if it is not there."""
        with self._lock:
            if self._opened is None:
                self._opened = open_notes(self._path, self._vectors)
            return self._opened

    def list(self, wanted: NoteFilter = EVERY_NOTE, most: int | None = None) -> tuple[Note, ...]:
        """Return the notes a filter shows, the latest first."""
        if not self.exists:
            return ()
        base = self.base()
        notes = notes_of(base.piece_store.all(), base.graph_store)
        shown = [note for note in notes if wanted.shows(note)]
        shown.sort(key=lambda note: note.piece_id)
        shown.sort(key=lambda note: note.written, reverse=True)
        return tuple(shown[:most])

    def get(self, piece_id: str) -> Note | None:
        """Return a note."""
        if not self.exists:
            return None
        base = self.base()
        piece = base.piece_store.get(piece_id)
        return None if piece is None else note_of(piece, base.graph_store)

    def add(self, note: Note) -> Note:
        """Keep a new note; return it with its id, and dated today if it had no date."""
        written = note.written or self._now().date().isoformat()
        kept = replace(note, piece_id=self._free_id(note), written=written)
        return self._keep(kept)

    def update(self, note: Note, relations: str | None = None) -> Note:
        """Keep a note in place of the one with its id; also brings a deleted one back.

        relations: as `relations` gives them; None leaves the existing ones.
        """
        return self._keep(note, relations)

    def relations(self, note: Note) -> str:
        """Return what a note says belongs to what, one relation a line, for a person to edit."""
        return kept_relations(note, self.base().graph_store) if self.exists else ""

    def related(self, name: str = "") -> tuple[str, ...]:
        """Return relations as lines; only those of the thing with this name, unless it is empty."""
        if not self.exists:
            return ()
        about = None if not name.strip() else (name.strip(), *self.names().named_in(name))
        return tuple(related(self.base().graph_store, about))

    def relate(self, text: str, place: Place = EVERYWHERE) -> int:
        """Keep relations, one a line ("P1 > driven by > U1"), at a place; return how many are new.

        Raises: KnowledgeRefused, naming the line that cannot be read or kept.
        """
        base = self.base()
        with base.transaction():
            keep_place(base, place)
            new = relate(text, base, Note("", place=place))
        self.changed()
        return new

    def unrelate(self, text: str) -> int:
        """Forget relations, one a line as `related` gives them; return how many there were."""
        gone = unrelate(text, self.base()) if self.exists else 0
        if gone:
            self.changed()
        return gone

    def delete(self, piece_id: str) -> Note | None:
        """Forget a note; return it, so that `update` can bring it back."""
        note = self.get(piece_id)
        if note is not None:
            self.base().piece_store.delete(piece_id)
            self.changed()
        return note

    def structure(
        self,
        text: str,
        place: Place = EVERYWHERE,
        *,
        role: str = "",
        tier: int = 0,
        tags: tuple[str, ...] = (),
        pages: tuple[PageLink, ...] = (),
        cancel: CancelToken | None = None,
        by_rules: bool = False,
    ) -> Proposal:
        """Return what a text holds, by the language model or by rules; nothing is kept.

        place, role, tier, tags, pages: what the person says of all of it; a tier of 0 leaves
        it as usual. by_rules: do not ask the language model.

        Raises: KnowledgeRefused, before a model sees the text. Cancelled.
        """
        model = None if by_rules else self._language_model()
        written = self._now().date().isoformat()
        given = {"role": role, "written": written, "tier": tier, "tags": tags, "pages": pages}
        return propose(text, self.base(), place, model, cancel, given)

    def keep(self, proposal: Proposal) -> Kept:
        """Keep a proposal, edited or not, with a check-in record. Raises: KnowledgeFileError."""
        base = self.base()
        data = data_to_keep(proposal, proposal.notes, self._free_id)
        structurer = RuleStructurer()  # it was structured already
        taking = KnowledgeIngestionCLI(
            structurer, KnowledgeDataLoader(base), check_ins=self._check_ins, now=self._now
        )
        with base.transaction():
            for place in {note.place for note in proposal.notes}:
                keep_place(base, place)
            done = taking.keep(StructuredText(proposal.text, data, proposal.faults))
        self.changed()
        kept = base.piece_store.get_all(str(piece["piece_id"]) for piece in data["pieces"])
        notes = tuple(note_of(piece, base.graph_store) for piece in kept.values())
        return Kept(notes, done.summary.changed, tuple(done.summary.problems))

    def import_json(self, path: Path, cancel: CancelToken | None = None) -> Kept:
        """Load a file of knowledge; its good items are kept, the others reported.

        Raises: KnowledgeFileError. Cancelled; then nothing of the file is kept.
        """
        between = cancel.check if cancel is not None else lambda: None
        summary = KnowledgeDataLoader(self.base(), between).load_file(path)
        self.changed()
        return Kept((), summary.changed, tuple(summary.problems))

    def export_json(self, path: Path, notes: Iterable[Note] | None = None) -> int:
        """Write notes, by default all, profiles and graph; return how many. Raises: OSError."""
        data = exported(self.base())
        if notes is not None:
            chosen = sorted(notes, key=lambda note: note.piece_id)
            data["pieces"] = [piece_values(note.piece()) for note in chosen]
        write_domain_file(path, json.dumps(data, ensure_ascii=False, indent=2) + "\n")
        return len(data["pieces"])

    def names(self) -> EntityNames:
        """Return everything that notes, profiles and relations are about, by its names."""
        return self._index.names()

    def team(self, urls: Sequence[str]) -> KnowledgeBase:
        """Open what a team shares, for the caller to close. Raises: KnowledgeStoreError."""
        return team_base(urls, self._vectors)

    def synchronise(self, urls: Sequence[str]) -> Exchanged:
        """Exchange profiles, notes and relations with what a team shares.

        Raises: KnowledgeStoreError; what was taken over by then is not kept.
        """
        parts = [part for url in urls for part in kept_by(url)]
        with self.team(urls) as team:
            exchanged = synchronise(self.base(), team, parts)
        if exchanged.taken:
            self.changed()
        return exchanged

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Have `listener` called after every change, on its thread; return a call that ends it."""
        self._listeners.append(listener)

        def end() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return end

    def embed_missing(self, cancel: CancelToken) -> None:
        """Make missing vectors, batch after batch; what was made stays.

        Raises: Cancelled, ModelError.
        """
        if self._vectors is None or not self.exists:
            return
        for _left in self.base().embed_missing():
            cancel.check()

    def close(self) -> None:
        """Close the file; it opens again when it is needed."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def _keep(self, note: Note, relations: str | None = None) -> Note:
        base = self.base()
        was = self.get(note.piece_id) if relations is not None else None
        with base.transaction():
            keep_place(base, note.place)
            changed = base.add_piece(note.piece())
            if relations is not None:
                changed = keep_relations(note, relations, base, was) or changed
        if changed:
            self.changed()
        return note

    def _free_id(self, note: Note) -> str:
        """Return an id for a new note, its own if it has one: never that of another note.

        The same words about the same thing always have the same id.
        """
        pieces = self.base().piece_store
        for name in (note.piece_id, piece_id_of(note.text, note.entity or "")):
            known = pieces.get(name) if name else None
            same = known is None or (known.content, known.entity_id) == (note.text, note.entity)
            if name and same:
                return name
        return f"{name}-{self._now():%Y%m%dt%H%M%S%f}"

    def changed(self) -> None:
        """Say that notes were written into the base, here or by something else."""
        self._index.forget()
        for listener in tuple(self._listeners):
            listener()


# What a prompt is told: a model reads slowly, and what is further off misleads it.
_MOST_PIECES = 6
_LEAST_SCORE = 0.2


class NoteVectors:
    """Satisfies the `TextVectors` of the knowledge base with the library's text models.

    Where a question cannot have its vector, notes are searched by their words.
    """

    def __init__(self, asking: TextEmbedder, keeping: TextEmbedder) -> None:
        """asking: for questions; it remembers the last ones, a question is searched for twice.

        keeping: for notes, which gives way to questions.
        """
        self._asking = asking
        self._keeping = keeping

    @property
    def model_id(self) -> str:
        """Name and revision of the model."""
        return self._asking.model_id

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        return self._asking.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed notes. Raises: ModelError."""
        return self._keeping.embed(texts)

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions. Raises: VectorsUnavailable."""
        try:
            return self._asking.embed_queries(queries)
        except ModelError as error:
            logger.info("notes are searched by words: %s", type(error).__name__)
            raise VectorsUnavailable(message(error)) from error


def open_notes(path: Path | None, vectors: NoteVectors | None) -> KnowledgeBase:
    """Open or make the knowledge file; None: in memory. Raises: KnowledgeError, LibraryError."""
    asked: dict[str, Any] = {
        "top_k": _MOST_PIECES,
        "least_score": _LEAST_SCORE,
        "graph_backwards": tells_of_another,
    }
    if path is None:
        return memory_knowledge_base(vectors, **asked)
    return sqlite_knowledge_base(lambda: connect_notes(path), vectors, embed_later=True, **asked)


def connect_notes(path: Path) -> apsw.Connection:
    """Open or create a durable knowledge file with sqlite-vec. Raises: as `named_errors` names."""
    connection = connect_writer(path)
    with closed_if_it_fails(connection), named_errors(path):
        connection.pragma("page_size", PAGE_SIZE)
        make_durable(connection)
    return connection


class VectorKeeper:
    """Makes missing vectors when it starts and after every change, on a thread of its own.

    Until a note has its vector it is found by its words. Work left undone by a stop is
    done at the next start.
    """

    def __init__(self, desk: NoteDesk) -> None:
        self._desk = desk
        self._cancel = CancelToken()
        self._wanted = threading.Event()
        self._wanted.set()
        self._end_listening = desk.subscribe(self._wanted.set)
        self._thread = threading.Thread(target=self._run, name="note vectors", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop after the batch that is being made."""
        self._end_listening()
        self._cancel.cancel()
        self._wanted.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            try:
                self._cancel.check()
                self._desk.embed_missing(self._cancel)
            except Cancelled:
                return
            except (ModelError, KnowledgeError, LibraryError) as error:
                # found by words meanwhile; the next change tries again
                logger.warning("vectors of notes are not made: %s", failure_place(error))
