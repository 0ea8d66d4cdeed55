"""What a pack of manuals says of itself, where its files lie, and whether it is to be trusted.

    PACK/manifest.json        what is in it: `Manifest`
    PACK/manifest.json.sig    the company's signature over exactly those bytes
    PACK/shards/KEY.shard     what was read of one manual; KEY.json: its `ShardEntry`
    PACK/manuals/SHA256.pdf   the manual itself
    PACK/quarantine.json      the files that could not be read, and why
    PACK/work/, PACK/logs/    what is being built, and what happened

A file's name says what it was made of, so a pack is carried on by copying what is new or changed.
"""

from __future__ import annotations

import fnmatch
import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from desktop.core.errors import ManualPackRefused
from desktop.core.library.intake import hash_file
from desktop.core.signing import SIGNATURE_SUFFIX, SignatureRefused, SigningError
from desktop.core.store.schema import SCHEMA
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from desktop.core.signing import TrustedKey, TrustedKeys

PIPELINE: Final = 15
"""Raise it when reading the same file with the same models gives something else: new words, blocks,
units or vectors. Every shard is then built again."""

MOST_MANUALS: Final = 1_000_000
_SHA256 = "^[0-9a-f]{64}$"


class Recipe(BaseModel):
    """What a shard depends on beside the file. text, pages: ids of the models, "" without one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pipeline: int = Field(ge=1)
    text: str = Field(max_length=200)
    pages: str = Field(max_length=200)
    ocr: bool
    layout_model: bool

    def key(self, manual: str) -> str:
        """Return the name of the shard of a file. manual: its SHA-256."""
        said_of_it = self.model_dump_json().encode()
        return f"{manual}-{hashlib.sha256(said_of_it).hexdigest()[:16]}"


class ShardEntry(BaseModel):
    """One manual of a pack.

    manual: SHA-256 of the PDF. sha256: of the shard. path: where it was in the
    company's folders. bytes: of the shard, manual_bytes: of the PDF. failed_pages:
    those not read in full.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str = Field(pattern="^[0-9a-f]{64}-[0-9a-f]{16}$")
    sha256: str = Field(pattern=_SHA256)
    bytes: int = Field(ge=0)
    manual: str = Field(pattern=_SHA256)
    manual_bytes: int = Field(ge=0)
    name: str = Field(max_length=1000)
    title: str = Field(max_length=10_000)
    path: str = Field(default="", max_length=4000)
    pages: int = Field(ge=0)
    failed_pages: int = Field(ge=0)
    source_type: str = Field(default="manual", max_length=200)
    revision: str = Field(default="", max_length=200)
    revision_date: str = Field(default="", max_length=20)

    @property
    def shown(self) -> str:
        """What a person calls it."""
        return self.title or self.name

    def fits(self, patterns: Sequence[str]) -> bool:
        """Whether one of the patterns is in its title, file name or path; True without patterns.

        A pattern with * or ? must fit the whole of one of them; case does not matter.
        """
        texts = [text.casefold() for text in (self.title, self.name, self.path)]
        for pattern in (each.casefold() for each in patterns):
            if any(sign in pattern for sign in "*?["):
                if any(fnmatch.fnmatchcase(text, pattern) for text in texts):
                    return True
            elif any(pattern in text for text in texts):
                return True
        return not patterns


class Manifest(BaseModel):
    """What `manifest.json` says.

    release: counts up with every change. recipe: how the shards were made. editions: SHA-256 of
    an older manual -> of the newest one of the pack that replaces it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["groundwork pack of manuals"] = "groundwork pack of manuals"
    format: Literal[1] = 1
    id: str = Field(pattern="^[0-9a-f]{32}$")
    name: str = Field(min_length=1, max_length=80)
    release: int = Field(ge=1)
    created_at: datetime
    expires_at: datetime | None = None
    made_by: str = Field(max_length=200)
    schema_version: int = Field(ge=1)
    recipe: Recipe
    manuals: int = Field(ge=0)
    pages: int = Field(ge=0)
    editions: dict[str, str] = Field(default_factory=dict)
    shards: tuple[ShardEntry, ...] = Field(max_length=MOST_MANUALS)


class PackFolder:
    """Where the files of a pack lie.

    scratch: where manuals are read, if not in `root`: SQLite needs a disk and no share for that.
    work: what is being built, a folder each. manuals: the PDF files, named by their SHA-256.
    """

    def __init__(self, root: Path, scratch: Path | None = None) -> None:
        self.root: Final = root
        self.scratch: Final = scratch
        self.manifest: Final = root / "manifest.json"
        self.signature: Final = root / f"manifest.json{SIGNATURE_SUFFIX}"
        self.quarantine: Final = root / "quarantine.json"
        self.manuals: Final = root / "manuals"
        self.work: Final = scratch or root / "work"

    def shard(self, key: str) -> Path:
        """Return where the shard of this key is."""
        return self.root / "shards" / f"{key}.shard"

    def entry(self, key: str) -> Path:
        """Return where the entry of a shard is; it is written last."""
        return self.root / "shards" / f"{key}.json"

    def manual(self, sha256: str) -> Path:
        """Return where a manual's PDF is."""
        return self.manuals / f"{sha256}.pdf"

    def files_of(self, entry: ShardEntry) -> tuple[tuple[Path, str], tuple[Path, str]]:
        """Return the files of a manual with the SHA-256 that each must have."""
        return (self.shard(entry.key), entry.sha256), (self.manual(entry.manual), entry.manual)


@dataclass(frozen=True, slots=True)
class OpenedPack:
    """A pack whose signature holds. digest: SHA-256 of the manifest's bytes. signer: whose key."""

    folder: PackFolder
    manifest: Manifest
    digest: str
    signer: TrustedKey


def read_manifest(folder: PackFolder) -> Manifest | None:
    """Return what a pack says of itself, unverified. Raises: ManualPackRefused; OSError."""
    try:
        return _parsed(folder.manifest.read_bytes())
    except FileNotFoundError:
        return None


def _parsed(data: bytes) -> Manifest:
    try:
        return Manifest.model_validate_json(data)
    except ValidationError as error:
        raise ManualPackRefused(
            "The pack's list of contents cannot be read: it is damaged, or was made by a "
            "newer Groundwork. Copy it again, or update Groundwork."
        ) from error


def open_pack(folder: Path, trusted: TrustedKeys) -> OpenedPack:
    """Open a pack if a trusted key signed it and it has not expired; its signature comes first.

    Raises: ManualPackRefused; OSError.
    """
    pack = PackFolder(folder)
    try:
        data = pack.manifest.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ManualPackRefused(
            "There is no pack of manuals in {folder}.", folder=folder
        ) from error
    signature = pack.signature.read_bytes() if pack.signature.exists() else None
    try:
        signer = trusted.verify(data, signature)
    except SignatureRefused as error:
        raise ManualPackRefused(error.args[0]) from error
    except SigningError as error:
        raise ManualPackRefused(
            "The keys that this computer trusts cannot be read. {reason}", reason=error
        ) from error
    manifest = _parsed(data)
    if manifest.expires_at is not None and manifest.expires_at < datetime.now(UTC):
        raise ManualPackRefused(
            "The pack {name} expired on {day}. Ask whoever makes it for a newer release.",
            name=manifest.name,
            day=f"{manifest.expires_at:%Y-%m-%d}",
        )
    if manifest.schema_version > SCHEMA:
        raise ManualPackRefused(
            "A newer version made the pack. Update Groundwork on this computer."
        )
    return OpenedPack(pack, manifest, hashlib.sha256(data).hexdigest(), signer)


def fault_of(path: Path, sha256: str, check: Callable[[], None]) -> str:
    """Return what is wrong with a file that must have this hash, or "". `check` may raise."""
    try:
        found = hash_file(path, check)
    except FileNotFoundError:
        return said("The file is missing. Copy the pack again.")
    except OSError as error:
        return said("The file cannot be read: {reason}.", reason=error.strerror or error)
    if found != sha256:
        return said("The file is damaged or has been changed. Copy the pack again.")
    return ""


def faults_of(pack: OpenedPack, check: Callable[[], None]) -> Iterator[tuple[int, ShardEntry, str]]:
    """Yield a count, each manual, and what is wrong with its files, or "". `check` may raise."""
    for number, entry in enumerate(pack.manifest.shards, 1):
        files = pack.folder.files_of(entry)
        faults = (
            f"{path.name}: {fault}" for path, sha in files if (fault := fault_of(path, sha, check))
        )
        yield number, entry, next(faults, "")
