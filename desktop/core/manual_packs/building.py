"""Building a pack: every PDF becomes a shard, by the same passes that take it into a library.

`build_shard` is all there is to do for one file and may run anywhere; `build_pack` does it for
folders, one file after the other or as `build_shards` does it. Whatever ends either, the next run
goes on from there.
"""

from __future__ import annotations

import errno
import re
import shutil
import uuid
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, ValidationError

from desktop import __version__
from desktop.core.errors import LibraryDamaged, ManualPackRefused, NotALibrary
from desktop.core.library.editions import newer_revisions
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.intake import (
    copy_to_partial,
    documents_below,
    hash_file,
    put_in_place,
    require_space,
)
from desktop.core.library.library import Library
from desktop.core.library.values import DocumentRecord, FileRefused
from desktop.core.manual_packs.manifest import (
    PIPELINE,
    Manifest,
    PackFolder,
    Recipe,
    ShardEntry,
    fault_of,
    read_manifest,
)
from desktop.core.manual_packs.shard import make_shard
from desktop.core.paths import write_whole
from desktop.core.store.backups import hash_of
from desktop.core.store.database import Database
from desktop.core.store.schema import SCHEMA
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from desktop.core.jobs import CancelToken
    from desktop.core.parsing.parser import Parser
    from desktop.core.settings.sections import Settings
    from desktop.models.roles import PageEmbedder, TextEmbedder

ResultT = TypeVar("ResultT")
ShardBuilder: TypeAlias = (
    "Callable[[Sequence[Path], PackFolder, PackTools, CancelToken, Mapping[str, Quarantined],"
    " bool], Iterator[tuple[int, ShardEntry | Quarantined]]]"
)
"""Given what `build_shard` is, for many files."""

_TIMES_AS_LARGE: Final = 8
"""So many times the bytes of a PDF have to be free to read it."""
_SPARE_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class PackTools:
    """What reads manuals: the parser and the models, each of which may serve many files.

    text, pages: None where there is no such model. settings: of the passes and the parser.
    """

    parser: Parser
    text: TextEmbedder | None
    pages: PageEmbedder | None
    settings: Settings

    @property
    def recipe(self) -> Recipe:
        """What the shards depend on. Raises: ModelError."""
        parser = self.settings.parser
        return Recipe(
            pipeline=PIPELINE,
            text=self.text.model_id if self.text is not None else "",
            pages=self.pages.model_id if self.pages is not None else "",
            ocr=parser.ocr,
            layout_model=parser.layout_model,
        )


class Quarantined(BaseModel):
    """A file that could not be read, and why. manual: its SHA-256, "" if even that failed.

    key: of the shard it did not become; the same key is not tried again unless asked
    for.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    manual: str = ""
    key: str = ""
    reason: str


class Quarantine(BaseModel):
    """What `quarantine.json` says."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    files: tuple[Quarantined, ...] = ()


def build_shard(
    pdf: Path,
    pack: PackFolder,
    tools: PackTools,
    cancel: CancelToken,
    left_alone: Mapping[str, Quarantined] = MappingProxyType({}),
    retry: bool = False,
) -> ShardEntry | Quarantined:
    """Build the shard of one file, unless a whole one is there; say why if that is impossible.

    left_alone: files, by key, that could not be read before and are not tried again.
    retry: also files that were read except for some pages, which may have taken too
    long on a busy machine.

    Several processes may build into one folder; if two of them take the same file at
    once, the second one is refused it (LibraryBusy).

    Raises: Cancelled. DiskFull, LibraryBusy, OSError: not the file's fault.
        ManualPackRefused: a model gave up.
    """
    read = read_manual(pdf, pack, tools, tools.recipe, cancel, left_alone, retry)
    if not isinstance(read, tuple):
        return read
    key, record = read
    _check_vectors(record, tools)
    return _keep(record, pack, key)


def read_manual(
    pdf: Path,
    pack: PackFolder,
    tools: PackTools,
    recipe: Recipe,
    cancel: CancelToken,
    left_alone: Mapping[str, Quarantined],
    retry: bool,
) -> tuple[str, DocumentRecord] | ShardEntry | Quarantined:
    """Read a manual into its folder of PACK/work; `build_shard` goes on from there.

    recipe: of the shard; tools without the model of pages leave looking at them to `build_shard`.

    Returns: the shard's key and the manual; or what `build_shard` would, if there is nothing left
        for it to do.
    Raises: as `build_shard`.
    """
    try:
        manual = hash_file(pdf, cancel.check)
    except OSError as error:
        unread = said("The file cannot be read: {reason}.", reason=error.strerror or error)
        return Quarantined(path=str(pdf), reason=unread)
    key = recipe.key(manual)
    if key in left_alone:
        return left_alone[key].model_copy(update={"path": str(pdf)})
    known = whole_entry(pack, key, cancel.check)
    if known is not None and not (retry and known.failed_pages):
        return known
    work = pack.work / key
    require_space(_made(pack.work), pdf.stat().st_size * _TIMES_AS_LARGE, _SPARE_BYTES)
    record, refused = _read(pdf, work, tools, cancel)
    if record is None or record.state != "ready":
        shutil.rmtree(work, ignore_errors=True)
        reason = _without_place(refused if record is None else record.reason, work, pdf.name)
        return Quarantined(path=str(pdf), manual=manual, key=key, reason=reason)
    return key, record


def _without_place(reason: str, work: Path, name: str) -> str:
    """Return why a file failed, with its name in place of its temporary copy's path."""
    copy = re.escape(str(work / "originals")) + r"/[0-9a-f]*(\.pdf)?"
    return re.sub(copy, lambda _: name, reason)


def whole_entry(pack: PackFolder, key: str, check: Callable[[], None]) -> ShardEntry | None:
    """Return the entry of a shard if it and its PDF are there and as they were written."""
    try:
        entry = ShardEntry.model_validate_json(pack.entry(key).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
    return None if any(fault_of(*file, check) for file in pack.files_of(entry)) else entry


def _read(
    pdf: Path, work: Path, tools: PackTools, cancel: CancelToken
) -> tuple[DocumentRecord | None, str]:
    """Read a file into a library of its own, or go on reading it; return why if refused."""
    refused: str = ""
    with _opened(work) as database:
        library = Library(database, work)
        ingestion = Ingestion(
            database,
            library,
            tools.parser,
            tools.text,
            tools.settings.ingestion,
            page_embedder=lambda: tools.pages,
            source_tiers=tools.settings.source_tiers,
        )
        if not library.documents():
            ingestion.enqueue([pdf])
        for event in ingestion.run(cancel):
            if isinstance(event, FileRefused):
                refused = event.reason
        cancel.check()
        return next(iter(library.documents()), None), refused


def _opened(work: Path) -> Database:
    """Open the library that reads one file; one already becoming a shard is begun anew."""
    try:
        return Database.open(work)
    except (NotALibrary, LibraryDamaged):
        shutil.rmtree(work)
        return Database.open(work)


def _check_vectors(record: DocumentRecord, tools: PackTools) -> None:
    """Refuse to go on: a model that gave up in the middle is not the fault of any file."""
    _, laid_out, embedded = record.done
    without_text = tools.text is not None and embedded < laid_out
    if without_text or (tools.pages is not None and record.pictures_done < record.page_count):
        raise ManualPackRefused(
            "{name} was read, but a model could not make all its vectors. {reason} Fix that "
            "and build again: it continues from here.",
            name=record.name,
            reason=record.reason,
        )


def _keep(record: DocumentRecord, pack: PackFolder, key: str) -> ShardEntry:
    """Make a shard of what was read; its entry is written last."""
    work = pack.work / key
    partial = work / "shard.partial"
    partial.unlink(missing_ok=True)
    make_shard(work / "library.db", partial)
    written = hash_of(partial)
    _move(partial, pack.shard(key))
    _move(work / "originals" / f"{record.sha256}.pdf", pack.manual(record.sha256))
    entry = ShardEntry(
        key=key,
        sha256=written.sha256,
        bytes=written.bytes,
        manual=record.sha256,
        manual_bytes=record.bytes,
        name=record.name,
        title=record.title,
        pages=record.page_count,
        failed_pages=record.failed_pages,
        source_type=record.source_type,
        revision=record.revision,
        revision_date=record.revision_date,
    )
    write_whole(pack.entry(key), entry.model_dump_json(indent=1).encode())
    shutil.rmtree(work, ignore_errors=True)
    return entry


def _move(source: Path, target: Path) -> None:
    """Put a file in place, even on another disk; it is there whole or not at all."""
    _made(target.parent)
    try:
        put_in_place(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        copy, _ = copy_to_partial(source, target.parent, lambda: None)
        put_in_place(copy, target)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@dataclass(frozen=True, slots=True)
class PackBuilding:
    """Progress: files of so many, and the last one looked at. built: anew, by this run."""

    done: int
    total: int
    path: Path
    result: ShardEntry | Quarantined
    built: bool


def files_of(sources: Sequence[Path]) -> list[tuple[Path, str]]:
    """Return the PDF files of folders, and single ones, with how a pack names their origin."""
    found: list[tuple[Path, str]] = []
    for source in (each.resolve() for each in sources):
        below = documents_below(source) if source.is_dir() else [source]
        root = source if source.is_dir() else source.parent
        pdfs = [path for path in below if path.suffix.lower() == ".pdf" or path == source]
        found += [(path, path.relative_to(root).as_posix()) for path in pdfs]
    return found


def one_after_the_other(
    paths: Sequence[Path],
    pack: PackFolder,
    tools: PackTools,
    cancel: CancelToken,
    left_alone: Mapping[str, Quarantined],
    retry: bool,
) -> Iterator[tuple[int, ShardEntry | Quarantined]]:
    """Build the shards of files in this process. Yields: which file, and what became of it."""
    for number, path in enumerate(paths):
        cancel.check()
        yield number, build_shard(path, pack, tools, cancel, left_alone, retry)


def build_pack(
    sources: Sequence[Path],
    pack: PackFolder,
    tools: PackTools,
    cancel: CancelToken,
    *,
    name: str,
    expires_at: datetime | None,
    retry: bool = False,
    build_shards: ShardBuilder = one_after_the_other,
) -> Iterator[PackBuilding]:
    """Build what is missing from a pack and write its manifest, which is then to be signed.

    retry: also the files and pages that could not be read with the same recipe before.
    build_shards: may finish the shards in any order.

    Raises: as `build_shard`; ManualPackRefused, if there is no PDF at all.
    """
    files = files_of(sources)
    if not files:
        raise ManualPackRefused("There is no PDF in these folders. The pack stays as it is.")
    with _alone(pack):
        left_alone = {each.key: each for each in read_quarantine(pack) if each.key and not retry}
        there = {path.stem for path in pack.entry("").parent.glob("*.json")} | left_alone.keys()
        failures: dict[int, Quarantined] = {}
        entries: dict[int, ShardEntry] = {}
        paths = [path for path, _ in files]
        results = build_shards(paths, pack, tools, cancel, left_alone, retry)
        for done, (number, result) in enumerate(results, 1):
            path, shown = files[number]
            if isinstance(result, Quarantined):
                failures[number] = result
                write_quarantine(pack, [*left_alone.values(), *_in_order(failures)])
            else:
                entries[number] = result.model_copy(update={"path": shown})
            yield PackBuilding(done, len(files), path, result, result.key not in there)
        write_quarantine(pack, _in_order(failures))
        _sweep(pack)
        write_manifest(pack, _in_order(entries), tools.recipe, name=name, expires_at=expires_at)


@contextmanager
def _alone(pack: PackFolder) -> Iterator[None]:
    try:
        with FileLock(_made(pack.root) / ".building.lock", timeout=0, thread_local=False):
            yield
    except Timeout as error:
        raise ManualPackRefused(
            "Another build is writing this pack. Wait until it has finished."
        ) from error


def _in_order(results: Mapping[int, ResultT]) -> list[ResultT]:
    return [results[number] for number in sorted(results)]


def _sweep(pack: PackFolder) -> None:
    """Remove what half-read manuals left whose files are gone; leave all else, wherever it is."""
    for folder in pack.work.iterdir() if pack.work.is_dir() else ():
        if re.fullmatch("[0-9a-f]{64}-[0-9a-f]{16}", folder.name):
            shutil.rmtree(folder, ignore_errors=True)
    if pack.scratch is None:
        with suppress(OSError):  # something else is in it
            pack.work.rmdir()


def prune(pack: PackFolder) -> int:
    """Remove files that the pack's list does not name; return how many.

    Raises: ManualPackRefused, if there is no usable list; OSError.
    """
    manifest = read_manifest(pack)
    if manifest is None:
        raise ManualPackRefused("There is no pack of manuals in {folder}.", folder=pack.root)
    kept = {entry.key for entry in manifest.shards} | {entry.manual for entry in manifest.shards}
    files = [*pack.entry("").parent.iterdir(), *pack.manuals.iterdir()]
    gone = [path for path in files if path.stem not in kept]
    for path in sorted(
        gone, key=lambda each: each.suffix != ".json"
    ):  # first what says it is there
        path.unlink()
    return len(gone)


def read_quarantine(pack: PackFolder) -> tuple[Quarantined, ...]:
    """Return the files that could not be read, as far as they are listed. Raises: OSError."""
    try:
        return Quarantine.model_validate_json(pack.quarantine.read_bytes()).files
    except (FileNotFoundError, ValidationError):
        return ()


def write_quarantine(pack: PackFolder, files: Iterable[Quarantined]) -> None:
    """Write the list of files that could not be read, each once."""
    once = {each.path: each for each in files}
    listed = Quarantine(files=tuple(once.values()))
    write_whole(pack.quarantine, listed.model_dump_json(indent=1).encode())


def write_manifest(
    pack: PackFolder,
    entries: Iterable[ShardEntry],
    recipe: Recipe,
    *,
    name: str = "",
    expires_at: datetime | None = None,
) -> Manifest:
    """Write what is in a pack as its next release; if unchanged, it stays as is, and signed.

    name: "" keeps the last release's name, or uses the folder's. entries: a manual that
    occurs twice counts once.

    Raises: ManualPackRefused, if the manifest of the last release cannot be read;
        OSError.
    """
    before = read_manifest(pack)
    shards = {entry.manual: entry for entry in sorted(entries, key=lambda each: each.path)}
    fresh = Manifest(
        id=before.id if before else uuid.uuid4().hex,
        name=name or (before.name if before else pack.root.resolve().name[:80] or "pack"),
        release=before.release + 1 if before else 1,
        created_at=datetime.now(UTC).replace(microsecond=0),
        expires_at=expires_at,
        made_by=f"Groundwork {__version__}",
        schema_version=SCHEMA,
        recipe=recipe,
        manuals=len(shards),
        pages=sum(entry.pages for entry in shards.values()),
        editions=_editions(list(shards.values())),
        shards=tuple(sorted(shards.values(), key=lambda each: (each.path, each.manual))),
    )
    passing = {"release": 0, "created_at": fresh.created_at}
    if before and before.model_copy(update=passing) == fresh.model_copy(update=passing):
        return before
    pack.signature.unlink(missing_ok=True)  # of the last release
    write_whole(pack.manifest, fresh.model_dump_json(indent=1).encode())
    return fresh


def _editions(entries: list[ShardEntry]) -> dict[str, str]:
    """Return the SHA-256 of older manuals -> of those that replace them, as a library would say."""
    records = [
        DocumentRecord(
            id=number,
            sha256=entry.manual,
            name=entry.name,
            title=entry.title,
            bytes=entry.manual_bytes,
            page_count=entry.pages,
            state="ready",
            reason="",
            added_at="",
            done=(entry.pages, entry.pages, entry.pages),
            failed_pages=entry.failed_pages,
            source_type=entry.source_type,
            revision=entry.revision,
            revision_date=entry.revision_date,
        )
        for number, entry in enumerate(entries)
    ]
    newer = newer_revisions(records)
    return {entries[old].manual: entries[new].manual for old, new in newer.items()}
