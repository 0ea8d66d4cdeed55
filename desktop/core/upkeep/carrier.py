"""The one file that carries a whole library: what it may hold, writing and reading it.

A zip file. `groundwork-library.json` lists every other file with its size and SHA-256. Left out
are the log files, the lock and the backups.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import tempfile
import uuid
import zipfile
import zlib
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import apsw
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from desktop import __version__
from desktop.core.errors import BackupUnusable, CarrierRefused, LibraryTooNew, NotALibrary
from desktop.core.library.intake import require_space
from desktop.core.paths import LibraryFolder
from desktop.core.store.backups import BackupFile, copy_database, copy_knowledge
from desktop.core.store.connection import connect_reader, connect_writer, ending, named_errors
from desktop.core.store.schema import SCHEMA, check_identity, migrate
from desktop.core.upkeep.backups import check_database
from desktop.models.errors import shown
from desktop.models.packs.model_folder import fault_of_name
from desktop.sentences import template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core.jobs import CancelToken

SUFFIX: Final = ".groundwork"
MANIFEST: Final = "groundwork-library.json"
DATABASES: Final = ("library.db", "knowledge.db")
MOST_FILES: Final = 200_000

_TEXTS = re.compile(
    r"(?:domains/[^/]+\.toml|questions\.json|programs/[^/]+\.json"
    r"|check-ins/(?:[^/]+/)*[^/]+\.(?:json|txt|md)"
    r"|research/(?:[^/]+/)*[^/]+\.(?:json|jsonl|md|txt|pdf)"
    r"|reports/(?:[^/]+/)*[^/]+\.(?:md|pdf|png|jpg|eml|json|txt))"
)
_CHUNK = 1 << 20
_SPARE_BYTES = 64 << 20
_SPARE_AFTER_IMPORT = 256 << 20
_LONGEST_MANIFEST = 64 << 20
_DAMAGED = template("The file is damaged or incomplete. Copy it again.")
_OURS = ("fts5", "fts5vocab", "vec0")


class CarrierManifest(BaseModel):
    """What `groundwork-library.json` says. schema_version: of library.db."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1] = 1
    made_at: datetime
    made_by: str = Field(max_length=200)
    schema_version: int = Field(ge=1)
    files: dict[str, BackupFile] = Field(max_length=MOST_FILES)


def may_carry(name: str) -> bool:
    """Whether a file of this name, relative to the library's folder, belongs to a library."""
    if name in DATABASES:
        return True
    if fault_of_name(name) or any(part.startswith(".") for part in name.split("/")):
        return False
    return bool(re.fullmatch(r"originals/[0-9a-f]{64}\.pdf", name) or _TEXTS.fullmatch(name))


def files_to_carry(library: LibraryFolder) -> Iterator[tuple[str, Path]]:
    """Yield name and place of every file beside the databases, in the order of their names."""
    folders = (
        library.originals,
        library.domains,
        library.check_ins,
        library.programs,
        library.reports,
        library.research,
    )
    candidates = [library.questions, *(p for each in folders for p in sorted(each.rglob("*")))]
    for path in candidates:
        name = path.relative_to(library.root).as_posix()
        if path.is_file() and not path.is_symlink() and may_carry(name):
            yield name, path


def export_library(folder: Path, target: Path, cancel: CancelToken) -> None:
    """Write the library in `folder` to `target`, which appears complete or not at all.

    Raises: CarrierRefused, if `target` exists. BackupUnusable, if the library is damaged.
        NotALibrary, DiskFull, LibraryBusy, OSError, Cancelled.
    """
    if target.exists():
        raise CarrierRefused("The file {target} already exists.", target=target)
    library = LibraryFolder(folder)
    partial = target.with_name(f".{target.name}.partial")
    with tempfile.TemporaryDirectory(prefix="groundwork-export-", dir=target.parent) as name:
        copies, version = _copied_databases(library, Path(name))
        files = [*copies, *files_to_carry(library)]
        total = sum(path.stat().st_size for _, path in files)
        require_space(target.parent, total, _SPARE_BYTES)
        try:
            _write(partial, files, version, cancel)
            cancel.check()
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)


def _write(partial: Path, files: list[tuple[str, Path]], version: int, cancel: CancelToken) -> None:
    with partial.open("wb") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as carrier:
            listed = {name: _put(carrier, name, path, cancel) for name, path in files}
            manifest = CarrierManifest(
                made_at=datetime.now(UTC),
                made_by=f"Groundwork {__version__}",
                schema_version=version,
                files=listed,
            )
            carrier.writestr(MANIFEST, manifest.model_dump_json(indent=1))
        file.flush()
        os.fsync(file.fileno())


def _put(carrier: zipfile.ZipFile, name: str, path: Path, cancel: CancelToken) -> BackupFile:
    """Copy one file into the zip; a manual's copy must be what its name says."""
    digest, size = hashlib.sha256(), 0
    entry = zipfile.ZipInfo(name)
    entry.external_attr = 0o644 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED if name in DATABASES else zipfile.ZIP_STORED
    entry.file_size = path.stat().st_size  # decides whether the entry needs 64 bits
    with path.open("rb") as source, carrier.open(entry, "w") as inside:
        while piece := source.read(_CHUNK):
            cancel.check()
            digest.update(piece)
            size += len(piece)
            inside.write(piece)
    if name.startswith("originals/") and digest.hexdigest() != path.stem:
        raise CarrierRefused(
            "The library's copy {name} is damaged. Run 'groundwork library check', "
            "add that manual again, then export.",
            name=path.name,
        )
    return BackupFile(bytes=size, sha256=digest.hexdigest())


def _copied_databases(library: LibraryFolder, work: Path) -> tuple[list[tuple[str, Path]], int]:
    with closing(connect_reader(library.database)) as source:
        with named_errors(library.database):
            version = check_identity(source, library.database)
        copy_database(source, work / library.database.name)
    check_database(work / library.database.name)
    copy_knowledge(library.knowledge, work)
    copies = [(name, work / name) for name in DATABASES if (work / name).exists()]
    return copies, version


def import_library(source: Path, folder: Path, cancel: CancelToken) -> None:
    """Unpack a carried library into `folder`, which appears complete or not at all.

    Every file is compared with the manifest while it is written, and the databases are looked
    through, before anything is put in place.

    Raises: CarrierRefused; LibraryTooNew; DiskFull; OSError; Cancelled.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CarrierRefused(
            "{folder} is not empty. Choose a new folder with --library.", folder=folder
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = folder.parent / f".{folder.name}-{uuid.uuid4().hex[:8]}.partial"
    with source.open("rb") as file, _refusing(), zipfile.ZipFile(file) as carrier:
        manifest = _manifest(carrier, source.stat().st_size)
        total = sum(each.bytes for each in manifest.files.values())
        require_space(folder.parent, total, _SPARE_AFTER_IMPORT)
        try:
            work.mkdir()
            for name, listed in manifest.files.items():
                _take(carrier, name, listed, work, cancel)
            _look_through(LibraryFolder(work))
            cancel.check()
            if folder.exists():
                folder.rmdir()
            work.rename(folder)
        finally:
            shutil.rmtree(work, ignore_errors=True)


def _manifest(carrier: zipfile.ZipFile, file_bytes: int) -> CarrierManifest:
    """Return the manifest after the zip's own directory was compared with it."""
    entries = carrier.infolist()
    if len(entries) > MOST_FILES:
        raise CarrierRefused(
            "More than {most_files} files: this is not a library.",
            most_files=f"{MOST_FILES:,}",
        )
    for entry in entries:
        _check_entry(entry)
    if sum(entry.compress_size for entry in entries) > file_bytes:
        raise CarrierRefused("The files in it overlap: made to fill the disk.")
    names = [entry.orig_filename for entry in entries]
    if len(set(names)) < len(names):
        raise CarrierRefused("Two files in it have the same name.")
    if MANIFEST not in names:
        raise CarrierRefused("This is not a library exported by Groundwork.")
    if carrier.getinfo(MANIFEST).file_size > _LONGEST_MANIFEST:
        raise CarrierRefused("The file list is too long.")
    try:
        manifest = CarrierManifest.model_validate_json(carrier.read(MANIFEST))
    except ValidationError as error:
        raise CarrierRefused("The file list is not in the form Groundwork writes.") from error
    if manifest.schema_version > SCHEMA:
        raise LibraryTooNew(manifest.schema_version, SCHEMA)
    _compare(manifest, {entry.orig_filename: entry.file_size for entry in entries})
    return manifest


def _compare(manifest: CarrierManifest, sizes: dict[str, int]) -> None:
    sizes.pop(MANIFEST)
    for name in sizes.keys() | manifest.files.keys():
        if not may_carry(name):
            raise CarrierRefused("{name} does not belong in a library.", name=shown(name))
        listed = manifest.files.get(name)
        if listed is None or sizes.get(name) != listed.bytes:
            raise CarrierRefused("{name} does not match its list of files.", name=shown(name))
    if "library.db" not in sizes:
        raise CarrierRefused("The file library.db is missing.")


def _check_entry(entry: zipfile.ZipInfo) -> None:
    name = entry.orig_filename
    if name != MANIFEST and not may_carry(name):
        raise CarrierRefused("{name} does not belong in a library.", name=shown(name))
    if entry.flag_bits & 0x1:
        raise CarrierRefused("The file is protected with a password.")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise CarrierRefused("{name} is packed in a way Groundwork cannot read.", name=shown(name))
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
        raise CarrierRefused("{name} is a link or a device, not a file.", name=shown(name))


def _take(
    carrier: zipfile.ZipFile, name: str, listed: BackupFile, work: Path, cancel: CancelToken
) -> None:
    """Unpack one file; never more bytes than are listed, whatever the zip says."""
    target = work / name
    target.parent.mkdir(parents=True, exist_ok=True)
    digest, left = hashlib.sha256(), listed.bytes
    with carrier.open(name) as inside, target.open("xb") as writing:
        while piece := inside.read(min(_CHUNK, left + 1)):
            cancel.check()
            left -= len(piece)
            if left < 0:
                raise CarrierRefused("{name} is longer than it says.", name=shown(name))
            digest.update(piece)
            writing.write(piece)
        writing.flush()
        os.fsync(writing.fileno())
    if left or digest.hexdigest() != listed.sha256:
        raise CarrierRefused(
            "{name} is not the file that was exported (checksum).", name=shown(name)
        )
    if name.startswith("originals/") and target.stem != listed.sha256:
        raise CarrierRefused("{name} is not the manual its name says it is.", name=shown(name))


def _look_through(library: LibraryFolder) -> None:
    """Check the databases before the program ever opens them for writing."""
    try:
        check_database(library.database)
        for name in DATABASES:
            path = library.root / name
            if path.exists() and (found := foreign_code(path)):
                raise CarrierRefused(
                    "{name} contains {found}, not made by Groundwork: it is not trusted.",
                    name=name,
                    found=shown(found),
                )
    except (BackupUnusable, NotALibrary, apsw.Error) as error:
        raise CarrierRefused("A database in it is damaged: {error}.", error=error) from error
    for suffix in ("-wal", "-shm"):
        for name in DATABASES:
            (library.root / f"{name}{suffix}").unlink(missing_ok=True)


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn whatever damaged zip files of all kinds raise into one refusal."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError) as error:
        # NotImplementedError, which zipfile raises too, is a RuntimeError
        raise CarrierRefused(_DAMAGED) from error


def foreign_code(path: Path) -> str:
    """Return the name of a trigger, view or virtual table in a database that is not ours; or "".

    Tables and indexes run nothing: `trusted_schema` holds functions in their definitions back.
    """
    known = _our_triggers()
    for kind, name, sql in _objects(path):
        if kind == "trigger" and known.get(name) == sql:
            continue
        if kind in ("trigger", "view"):
            return str(name)
        module = (
            re.search(r"USING\s+(\w+)", sql or "", flags=re.IGNORECASE)
            if (sql or "").lstrip().upper().startswith("CREATE VIRTUAL")
            else None
        )
        if module and module[1].lower() not in _OURS:
            return str(name)
    return ""


def _objects(path: Path) -> list[tuple[Any, ...]]:
    with ending(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        connection.pragma("trusted_schema", False)
        return connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()


def _our_triggers() -> dict[Any, Any]:
    with ending(connect_writer(Path(":memory:"))) as fresh:
        migrate(fresh, Path(":memory:"))
        rows: Any = fresh.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        return dict(rows.fetchall())
