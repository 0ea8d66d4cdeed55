"""Signed check-ins of notes as files: one a change, never altered, verified before they count.

    FOLDER/keys/FINGERPRINT.pub         the public key of everybody who takes part, with their name
    FOLDER/check-ins/FINGERPRINT/*.json one change of one note, as `SharedLog.write` makes it
    FOLDER/check-ins/FINGERPRINT/*.json.sig

The same in the library and in the folder that is shared, so that an exchange copies files and
union is all there is to merging them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from desktop.core.notes.merging import CheckIn
from desktop.core.sentences import said
from desktop.core.signing import (
    PUBLIC_SUFFIX,
    SIGNATURE_SUFFIX,
    SignatureRefused,
    fingerprint,
    sign,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from desktop.core.signing import TrustedKeys

CHECK_INS, KEYS = "check-ins", "keys"
_MOST_BYTES = 4 << 20
_WRITER = re.compile(r"[0-9a-f]{16}")
_ID_LETTERS = 32


class _Stored(BaseModel):
    """A check-in as its file has it; what it is stands in it, because it is signed."""

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
    """The check-ins of one folder. Blocks; whoever calls sees to it that one thread writes."""

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
            if _WRITER.fullmatch(writer.name) and writer.is_dir()
            for file in writer.iterdir()
            if file.suffix == ".json" and not file.name.startswith(".")
        )

    def read(self, name: str, trusted: TrustedKeys) -> CheckIn | LeftOut:
        """Return one check-in if it is signed by a trusted key. Raises: OSError, KeyUnusable."""
        path = self.folder / name
        writer = name.split("/")[1]
        data = self.bytes_of(name)
        if data is None:
            return LeftOut(name, said("It is too large for a note."))
        signature = path.with_name(path.name + SIGNATURE_SUFFIX)
        try:
            key = trusted.verify(data, signature.read_bytes() if signature.exists() else None)
        except SignatureRefused as error:
            known = any(writer == each.fingerprint for each in trusted.all())
            return LeftOut(name, str(error), "" if known else writer)
        try:
            stored = _Stored.model_validate_json(data)
        except ValidationError:
            return LeftOut(name, said("It is no note, or one of a newer Groundwork."))
        if stored.author != key.fingerprint or writer != key.fingerprint:
            return LeftOut(name, said("It is signed by another person than it says."))
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
        """Whether a check-in of another log is here whole. Raises: OSError."""
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


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all, also after a power cut."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


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
