"""The notes of a team in a folder: a USB stick, a network share; one exchange, and more.

Trust is explicit. The folder may be written to by anybody who has the stick, so a key
first seen there proves nothing: its fingerprint is shown, compared by people, and
trusted by hand.

A change is a signed check-in, a file that is never altered and is verified before it
counts:

    FOLDER/keys/FINGERPRINT.pub         each participant's public key, with their name
    FOLDER/check-ins/FINGERPRINT/*.json one change of one note, by `SharedLog.write`
    FOLDER/check-ins/FINGERPRINT/*.json.sig

The layout is the same in the library and in the shared folder, so that an exchange
copies files and merging them is just their union.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import threading
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import unquote

from filelock import FileLock
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from desktop.core.library.places import Place
from desktop.core.notes.entities import entity_of, keep_place, place_of
from desktop.core.notes.note import DELETED, CheckIn, Conflict, Merged, merged_notes
from desktop.core.paths import data_folder, write_whole
from desktop.core.problems import explain
from desktop.core.signing import (
    PUBLIC_SUFFIX,
    SIGNATURE_SUFFIX,
    KeyUnusable,
    SignatureRefused,
    SigningError,
    TrustedKeys,
    fingerprint,
    make_key,
    read_private_key,
    read_public_key,
    sign,
)
from desktop.sentences import full, message, said, together
from knowledge.base import check_piece
from knowledge.errors import KnowledgeError, KnowledgeRefused
from knowledge.loader import PieceItem, piece_values, read_item

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from desktop.core.notes.desk import NoteDesk
    from desktop.core.paths import LibraryFolder
    from knowledge.pieces import KnowledgePiece


CHECK_INS, KEYS = "check-ins", "keys"
_MOST_BYTES = 4 << 20
_ID_LETTERS = 32


class _Stored(BaseModel):
    """A check-in as its file has it; its kind is stated inside, because the file is signed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["groundwork note check-in"] = "groundwork note check-in"
    format: Literal[1] = 1
    piece_id: str = Field(min_length=1, max_length=200)
    author: str = Field(pattern="^[0-9a-f]{16}$")
    name: str = Field(default="", max_length=80)
    at: str = Field(max_length=40)
    seen: tuple[str, ...] = ()
    values: dict[str, Any]
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that does not count. key: of its writer if that is not trusted yet, else ""."""

    file: str
    why: str
    key: str = ""

    def __str__(self) -> str:
        return f"{self.file}: {self.why}"


class SharedLog:
    """The check-ins of one folder. Blocks; the caller ensures that only one thread writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(
        self,
        key: Ed25519PrivateKey,
        name: str,
        piece_id: str,
        values: Mapping[str, Any],
        changed: Iterable[str],
        seen: Iterable[str],
    ) -> CheckIn:
        """Sign a change and keep it. Raises: OSError."""
        own = fingerprint(key.public_key())
        stored = _Stored(
            piece_id=piece_id,
            author=own,
            name=name,
            at=datetime.now(UTC).isoformat(timespec="microseconds"),
            seen=tuple(sorted(seen)),
            values=dict(values),
            changed=tuple(sorted(changed)),
        )
        text = json.dumps(stored.model_dump(mode="json"), ensure_ascii=False, sort_keys=True)
        data = text.encode()
        made = _check_in(stored, data)
        moment = re.sub(r"\D", "", made.at[:26])
        path = self.folder / CHECK_INS / own / f"{moment}-{made.id}.json"
        # the signature first: a check-in without one would be taken for forged
        write_whole(path.with_name(path.name + SIGNATURE_SUFFIX), sign(data, key))
        write_whole(path, data)
        return made

    def files(self) -> list[str]:
        """Return the names of all check-ins, relative to the folder. Raises: OSError."""
        root = self.folder / CHECK_INS
        if not root.is_dir():
            return []
        return sorted(
            f"{CHECK_INS}/{writer.name}/{file.name}"
            for writer in root.iterdir()
            if re.fullmatch(r"[0-9a-f]{16}", writer.name) and writer.is_dir()
            for file in writer.iterdir()
            if file.suffix == ".json" and not file.name.startswith(".")
        )

    def read(self, name: str, trusted: TrustedKeys) -> CheckIn | LeftOut:
        """Return one check-in if it is signed by a trusted key. Raises: OSError, KeyUnusable."""
        path = self.folder / name
        writer = name.split("/")[1]
        data = self.bytes_of(name)
        if data is None:
            return LeftOut(name, said("The file is too large for a note."))
        signature = path.with_name(path.name + SIGNATURE_SUFFIX)
        try:
            key = trusted.verify(data, signature.read_bytes() if signature.exists() else None)
        except SignatureRefused as error:
            known = any(writer == each.fingerprint for each in trusted.all())
            return LeftOut(name, message(error), "" if known else writer)
        try:
            stored = _Stored.model_validate_json(data)
        except ValidationError:
            return LeftOut(name, said("The file is not a note, or is from a newer Groundwork."))
        if stored.author != key.fingerprint or writer != key.fingerprint:
            return LeftOut(name, said("The note is signed by someone other than its author."))
        return _check_in(stored, data)

    def bytes_of(self, name: str) -> bytes | None:
        """Return the contents of a check-in, None if it is too large. Raises: OSError."""
        with (self.folder / name).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        return data if len(data) <= _MOST_BYTES else None

    def take(self, name: str, other: SharedLog) -> None:
        """Copy a check-in and its signature from another log. Raises: OSError."""
        data = other.bytes_of(name)
        signature = other.folder / (name + SIGNATURE_SUFFIX)
        if data is None:
            return
        if signature.exists():
            write_whole(self.folder / (name + SIGNATURE_SUFFIX), signature.read_bytes())
        write_whole(self.folder / name, data)

    def has(self, name: str, other: SharedLog) -> bool:
        """Whether a check-in of another log is here in full. Raises: OSError."""
        for each in (name, name + SIGNATURE_SUFFIX):
            here, there = self.folder / each, other.folder / each
            if not here.exists() or here.stat().st_size != there.stat().st_size:
                return False
        return True

    def key_files(self) -> Iterator[Path]:
        """Yield the public keys that lie in the folder. Raises: OSError."""
        root = self.folder / KEYS
        if root.is_dir():
            yield from sorted(root.glob(f"*{PUBLIC_SUFFIX}"))


def _check_in(stored: _Stored, data: bytes) -> CheckIn:
    return CheckIn(
        hashlib.sha256(data).hexdigest()[:_ID_LETTERS],
        stored.piece_id,
        stored.author,
        stored.name,
        stored.at,
        frozenset(stored.seen),
        stored.values,
        frozenset(stored.changed),
    )


logger = logging.getLogger(__name__)

SCHEME: Final = "folder"
_APPLIED, _TRUSTED = "applied.json", "trusted"
_PLACE: Final = "place"
SECONDS_BETWEEN: Final = 60.0


@dataclass(frozen=True, slots=True)
class FolderExchange:
    """What an exchange brought. taken, given: check-ins that came and went.

    changed: notes that are different here now. left_out: files that do not count.
    newcomers: keys in the folder that are not trusted, with the names they state.
    """

    taken: int = 0
    given: int = 0
    changed: int = 0
    left_out: tuple[LeftOut, ...] = ()
    newcomers: tuple[tuple[str, str], ...] = ()
    conflicts: tuple[Conflict, ...] = ()


class SharedNotes:
    """The shared notes of one library; blocks, one thread at a time works with the files."""

    def __init__(self, desk: NoteDesk, own: Path, key_file: Path, name: str = "") -> None:
        """own: the folder of the library that the log is kept in. key_file: of this person.

        name: as they want to be called.
        """
        self._desk = desk
        self._log = SharedLog(own)
        self._key_file = key_file
        self._name = name
        self._trusted = TrustedKeys(own / _TRUSTED)
        self._lock = threading.RLock()
        self._file_lock = FileLock(own / "working.lock", thread_local=False)
        # check-ins are never altered: each is verified once, as long as the same people are trusted
        self._verified: dict[str, CheckIn] = {}
        self._verified_by: frozenset[str] = frozenset()

    @property
    def own_fingerprint(self) -> str:
        """What others compare before they trust this person. Raises: SigningError, OSError."""
        return fingerprint(self._key().public_key())

    def trust(self, shared: Path, wanted: str, name: str = "") -> str:
        """Trust a key of the folder by its whole fingerprint; return whose it claims to be.

        Raises: KeyUnusable; OSError.
        """
        for path in SharedLog(shared).key_files():
            if fingerprint(read_public_key(path)) == wanted.strip().casefold():
                said_name = name or _said_name(path)
                known = {each.name.casefold() for each in self._trusted.all()}
                taken = said_name.casefold() in known
                self._trusted.add(path, f"{said_name} {wanted[:4]}" if taken else said_name)
                return said_name
        raise KeyUnusable("There is no key {key} in the folder.", key=wanted)

    def exchange(self, shared: Path) -> FolderExchange:
        """Give what the folder lacks, take what is signed by trusted people, merge it.

        If killed at any moment, it continues next time: a change is kept here before it
        is given, and counts as merged only after it is in the notes.

        Raises: OSError, if the folder cannot be reached. KnowledgeError, SigningError.
        """
        with self._working():
            if not shared.is_dir():
                raise FileNotFoundError(2, said("the shared folder cannot be found"), str(shared))
            there = SharedLog(shared)
            self._record_changes()
            self._publish_key(there)
            left_out: list[LeftOut] = []
            taken = self._take(there, left_out)
            given = 0
            for name in self._log.files():
                if not there.has(name, self._log):
                    there.take(name, self._log)
                    given += 1
            merged = merged_notes(self._check_ins(left_out))
            changed = self._apply(merged, left_out)
            conflicts = tuple(c for each in merged.values() for c in each.conflicts)
            return FolderExchange(
                taken, given, changed, tuple(left_out), self._newcomers(there), conflicts
            )

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return what a person has to decide. Raises: OSError, SigningError."""
        with self._working():
            self._record_changes()
            merged = merged_notes(self._check_ins([]))
            return tuple(conflict for each in merged.values() for conflict in each.conflicts)

    def resolve(self, conflict: Conflict, value: Any) -> None:
        """Decide what a field has for everybody. Raises: OSError, SigningError, KnowledgeError."""
        with self._working():
            self._record_changes()
            check_ins = self._check_ins([])
            merged = merged_notes(check_ins).get(conflict.piece_id)
            if merged is None:
                return
            values = {**(merged.values or dict(conflict.versions[0].check_in.values))}
            values[conflict.field] = value
            self._write(conflict.piece_id, values, {conflict.field}, merged.seen)
            self._apply(merged_notes(self._check_ins([])), [])

    @contextmanager
    def _working(self) -> Iterator[None]:
        """Admit one thread of one program at a time: a command may run beside the window."""
        with self._lock:
            self._log.folder.mkdir(parents=True, exist_ok=True)
            with self._file_lock:
                yield

    # what was changed here

    def _record_changes(self) -> None:
        """Check in what a person changed since the last exchange."""
        applied = self._applied()
        pieces = {each.piece_id: each for each in self._desk.base().piece_store.all()}
        changed = [
            piece_id
            for piece_id in sorted({*pieces, *applied})
            if self._values(pieces.get(piece_id)) != applied.get(piece_id, _NOTHING)["values"]
        ]
        if not changed:
            return
        merged = merged_notes(self._check_ins([]))
        for piece_id in changed:
            now, before = self._values(pieces.get(piece_id)), applied.get(piece_id, _NOTHING)
            known = merged.get(piece_id)
            if known is not None and _without_nothing(known.values) == now:
                seen = known.seen  # it was merged, and the power failed before that was noted
            else:
                seen = frozenset(before["seen"])
                seen |= {self._check_in_change(piece_id, now, before["values"], seen).id}
            applied[piece_id] = {"values": now, "seen": sorted(seen)}
        self._note_applied(applied)

    def _check_in_change(
        self,
        piece_id: str,
        now: Mapping[str, Any] | None,
        before: Mapping[str, Any] | None,
        seen: frozenset[str],
    ) -> CheckIn:
        if now is None:
            return self._write(piece_id, {**(before or {}), DELETED: True}, {DELETED}, seen)
        names = {*now, *(before or {})}
        changed = {name for name in names if now.get(name) != (before or {}).get(name)}
        if before is None:
            changed |= {DELETED}
        values = {name: now.get(name) for name in names}
        return self._write(piece_id, {**values, DELETED: False}, changed, seen)

    def _write(
        self, piece_id: str, values: Mapping[str, Any], changed: set[str], seen: frozenset[str]
    ) -> CheckIn:
        return self._log.write(self._key(), self._name, piece_id, values, changed, seen)

    def _values(self, piece: KnowledgePiece | None) -> dict[str, Any] | None:
        """Return a piece as a check-in has it: plain JSON, its place by its names."""
        if piece is None:
            return None
        place = place_of(piece.entity_id, self._desk.base().graph_store)
        values = json.loads(json.dumps(piece_values(piece)))
        del values["piece_id"]
        if place:
            values.pop("entity_id", None)
            values[_PLACE] = [place.site, place.asset]
        return dict(values)

    # what others changed

    def _take(self, there: SharedLog, left_out: list[LeftOut]) -> int:
        taken = 0
        for name in there.files():
            if self._log.has(name, there):
                continue
            read = there.read(name, self._trusted)
            if isinstance(read, LeftOut):
                left_out.append(read)
            else:
                self._log.take(name, there)
                taken += 1
        return taken

    def _check_ins(self, left_out: list[LeftOut]) -> list[CheckIn]:
        """Return the check-ins here that count, oldest first: somebody may be trusted no longer."""
        trusted = frozenset(each.fingerprint for each in self._trusted.all())
        if trusted != self._verified_by:
            self._verified, self._verified_by = {}, trusted
        for name in self._log.files():
            if name in self._verified:
                continue
            read = self._log.read(name, self._trusted)
            if isinstance(read, LeftOut):
                left_out.append(read)
            else:
                self._verified[name] = read
        return sorted(self._verified.values(), key=lambda each: (each.at, each.id))

    def _apply(self, merged: Mapping[str, Merged], left_out: list[LeftOut]) -> int:
        """Bring the notes to the merged state; one that is being edited right now waits."""
        base, applied = self._desk.base(), self._applied()
        done: dict[str, Any] = {}
        changed = 0
        with base.transaction():
            for piece_id, each in sorted(merged.items()):
                now = self._values(base.piece_store.get(piece_id))
                before = applied.get(piece_id, _NOTHING)["values"]
                wanted = _without_nothing(each.values)
                if now not in (before, wanted):
                    continue
                if now != wanted:
                    try:
                        self._put(piece_id, wanted)
                    except KnowledgeRefused as error:
                        left_out.append(LeftOut(piece_id, message(error)))
                        continue
                # as it is kept, which may be a tidier form than it came in
                kept = self._values(base.piece_store.get(piece_id))
                changed += kept != now
                done[piece_id] = {"values": kept, "seen": sorted(each.seen)}
        if {**applied, **done} != applied:
            self._note_applied({**applied, **done})
        if changed:
            self._desk.changed()
        return changed

    def _put(self, piece_id: str, wanted: Mapping[str, Any] | None) -> None:
        base = self._desk.base()
        if wanted is None:
            base.piece_store.delete(piece_id)
            return
        values = {name: value for name, value in wanted.items() if name != _PLACE}
        piece = read_item(PieceItem, {**values, "piece_id": piece_id}).value()
        check_piece(piece)
        site, asset = wanted.get(_PLACE) or ("", "")
        place = Place.named(str(site), str(asset))
        if place:
            keep_place(base, place)
            piece = replace(piece, entity_id=entity_of(place))
        base.add_piece(piece)

    # keys and files

    def _key(self) -> Ed25519PrivateKey:
        if not self._key_file.exists():
            make_key(self._key_file)
        key = read_private_key(self._key_file)
        own = fingerprint(key.public_key())
        if all(each.fingerprint != own for each in self._trusted.all()):
            public = self._key_file.with_suffix(PUBLIC_SUFFIX)
            self._trusted.add(public, f"me {own[:8]}")
        return key

    def _publish_key(self, there: SharedLog) -> None:
        own = self.own_fingerprint
        plain = "".join(c if c.isalnum() or c in " -" else " " for c in self._name)[:40]
        words = " ".join(plain.split()) or "somebody"
        path = there.folder / KEYS / f"{words} {own}{PUBLIC_SUFFIX}"
        if not any(own in each.name for each in there.key_files()):
            write_whole(path, self._key_file.with_suffix(PUBLIC_SUFFIX).read_bytes())

    def _newcomers(self, there: SharedLog) -> tuple[tuple[str, str], ...]:
        known = {each.fingerprint for each in self._trusted.all()}
        found = []
        for path in there.key_files():
            try:
                key = fingerprint(read_public_key(path))
            except KeyUnusable:
                continue  # it can be trusted by nobody, so it is nobody's key
            if key not in known:
                found.append((key, _said_name(path)))
        return tuple(found)

    def _applied(self) -> dict[str, Any]:
        """Return per note what was merged last: its values, None if deleted, and what was seen."""
        path = self._log.folder / _APPLIED
        return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}

    def _note_applied(self, applied: Mapping[str, Any]) -> None:
        write_whole(self._log.folder / _APPLIED, json.dumps(applied, ensure_ascii=False).encode())


_NOTHING: Final[dict[str, Any]] = {"values": None, "seen": []}


def _without_nothing(values: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if values is None:
        return None
    return {name: value for name, value in values.items() if value is not None}


def _said_name(path: Path) -> str:
    return path.stem.rpartition(" ")[0] or "somebody"


def shared_path(address: str) -> Path | None:
    """Return the folder that an address means: "folder:///path" or a path; None for a service."""
    scheme, separator, rest = address.partition("://")
    if not separator:
        return Path(address).expanduser().absolute()
    return Path(unquote(rest)) if scheme == SCHEME else None


def open_shared(desk: NoteDesk, folder: LibraryFolder, name: str) -> SharedNotes:
    """Return the shared notes of a library. name: as this person wants to be called."""
    return SharedNotes(desk, folder.team, data_folder() / "keys" / "notes.key", name)


class FolderKeeper:
    """Exchanges on a thread of its own: soon after a change, and now and then.

    A folder that is away or slow holds up nothing else and is reported once.
    """

    def __init__(
        self, desk: NoteDesk, notes: SharedNotes, shared: Path, seconds: float = SECONDS_BETWEEN
    ) -> None:
        """seconds: between two exchanges if nothing changes here."""
        self._notes, self._shared, self._seconds = notes, shared, seconds
        self._wanted = threading.Event()
        self._ended = threading.Event()
        self._tell: Callable[[FolderExchange | str], None] = lambda _: None
        self._told: set[str] = set()
        self._wanted.set()
        self._end_listening = desk.subscribe(self._wanted.set)
        self._thread = threading.Thread(target=self._run, name="shared notes", daemon=True)
        self._thread.start()

    def tell(self, listener: Callable[[FolderExchange | str], None]) -> None:
        """Have each exchange reported, or in a sentence why there is none; on this thread."""
        self._tell = listener
        self._told.clear()
        self._wanted.set()

    def look(self) -> None:
        """Exchange now."""
        self._wanted.set()

    def trust(self, key: str) -> None:
        """Trust a key of the folder, and take what it signed. Blocks; see `SharedNotes.trust`."""
        self._notes.trust(self._shared, key)
        self.look()

    def resolve(self, conflict: Conflict, value: Any) -> None:
        """Decide a conflict, and pass the decision on. Blocks; see `SharedNotes.resolve`."""
        self._notes.resolve(conflict, value)
        self.look()

    def close(self) -> None:
        """Stop; a call that hangs in a slow folder is left to end by itself."""
        self._end_listening()
        self._ended.set()
        self._wanted.set()
        self._thread.join(timeout=2.0)

    def _run(self) -> None:
        while True:
            self._wanted.wait(self._seconds)
            if self._ended.is_set():
                return
            self._wanted.clear()
            try:
                exchange = self._notes.exchange(self._shared)
            except OSError as error:
                logger.info("shared folder not reached: errno %s", error.errno)
                self._tell_once(
                    said(
                        "Your team's shared folder cannot be reached ({name}). Your notes stay "
                        "here and go there when it is back.",
                        name=self._shared.name,
                    )
                )
            except SigningError as error:
                self._tell_once(message(error))
            except KnowledgeError as error:
                problem = explain(error)
                self._tell_once(together([full(problem.title), problem.advice]))
            else:
                self._told.clear()
                self._tell(exchange)

    def _tell_once(self, sentence: str) -> None:
        if sentence not in self._told:
            self._told.add(sentence)
            self._tell(sentence)
