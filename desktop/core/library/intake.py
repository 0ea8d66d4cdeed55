"""Taking dropped files in: what is accepted, what is known already, the copy, the row.

The library's own copy of each PDF is hashed, complete or absent, and never fills the
disk.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from desktop.core.errors import DiskFull, DocumentError, LibraryNotWritable
from desktop.core.library.documents import (
    document_made_from,
    document_with_hash,
    insert_document,
    note_made_from,
    note_replacement,
    one_document,
    queue_again,
)
from desktop.core.library.places import EVERYWHERE, Place, put_at
from desktop.core.library.values import (
    CONVERTED,
    OFFICE,
    DocumentChanged,
    DuplicateFound,
    FileRefused,
    IngestionEvent,
)
from desktop.core.paths import LibraryFolder, synchronise
from desktop.sentences import full, message, said, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import apsw

    from desktop.core.library.values import DocumentRecord
    from desktop.core.parsing.parser import Parser
    from desktop.core.settings.sections import IngestionSettings
    from desktop.core.store.database import Database

_CHUNK = 1 << 20
_PARTIAL = ".partial"
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT)


def hash_file(path: Path, check: Callable[[], None]) -> str:
    """Return the SHA-256 of a file in hexadecimal; `check` is called between pieces.

    Raises: OSError, and what `check` raises.
    """
    digest = hashlib.sha256()
    with path.open("rb") as source:
        while piece := source.read(_CHUNK):
            check()
            digest.update(piece)
    return digest.hexdigest()


def require_space(folder: Path, size: int, reserve: int) -> None:
    """Check that `size` bytes more leave `reserve` bytes free on the disk of `folder`.

    Raises: DiskFull, saying how many bytes are missing.
    """
    free = shutil.disk_usage(folder).free
    missing = size + reserve - free
    if missing > 0:
        raise DiskFull(
            said(
                "not enough disk space: another {missing} MB is needed",
                missing=f"{missing / 2**20:.0f}",
            ),
            missing,
        )


def copy_to_partial(source: Path, folder: Path, check: Callable[[], None]) -> tuple[Path, str]:
    """Copy a file under a temporary name into `folder` and synchronise it to the disk.

    Returns: the temporary file, which the caller renames or removes, and the SHA-256 of
        what was copied.

    Raises: OSError, LibraryNotWritable, DiskFull, and what `check` raises; then nothing is left.
    """
    partial = folder / f"{uuid.uuid4().hex}{_PARTIAL}"
    digest = hashlib.sha256()
    try:
        with source.open("rb") as reading, _create(partial) as writing:
            while piece := reading.read(_CHUNK):
                check()
                digest.update(piece)
                writing.write(piece)
            writing.flush()
            os.fsync(writing.fileno())
    except BaseException as error:
        partial.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno in _NO_SPACE:
            raise DiskFull(
                said("no space left on the disk that holds {folder}", folder=folder)
            ) from error
        raise
    return partial, digest.hexdigest()


def put_in_place(partial: Path, target: Path) -> None:
    """Rename a synchronised copy to its final name so that the name survives a power cut."""
    partial.replace(target)
    synchronise(target.parent)


def remove_partials(folder: Path) -> None:
    """Remove copies left unfinished by a run that was killed."""
    for partial in folder.glob(f"*{_PARTIAL}"):
        partial.unlink(missing_ok=True)


def _create(partial: Path) -> BinaryIO:
    try:
        partial.parent.mkdir(parents=True, exist_ok=True)
        return partial.open("xb")
    except OSError as error:
        if error.errno in _NO_SPACE:
            raise
        raise LibraryNotWritable(
            said("{parent} cannot be written to: {error}", parent=partial.parent, error=error)
        ) from error


ACCEPTED = said(
    "Groundwork takes PDF, Word (.docx), PowerPoint (.pptx), Excel (.xlsx), EPUB, web pages "
    "(.html), Markdown, plain text, pictures of pages (PNG, JPEG, TIFF), and folders with "
    "documents in them."
)
IN_FOLDERS = (".pdf", *OFFICE)
"""What is taken out of a folder. Texts and pictures lie everywhere: those are taken by name."""

_HEADER_BYTES = 1024


def documents_below(
    folder: Path, failed: Callable[[OSError], object] = lambda _error: None
) -> list[Path]:
    """Return the documents in a folder and its subfolders, by name, without hidden ones.

    failed: told of each folder that cannot be read, which is left out.

    A library's own copies are left out: `ingest .` beside a library means the other
    files. Links to folders are not followed, so that a loop of them does no harm.
    """
    found: list[Path] = []
    for directory, folders, files in os.walk(folder, onerror=failed):
        copies = LibraryFolder(Path(directory))  # of a library that lies below the folder
        skipped = {copies.originals.name} if copies.database.name in files else set()
        folders[:] = sorted(n for n in folders if not n.startswith(".") and n not in skipped)
        for name in sorted(files):
            if name.lower().endswith(IN_FOLDERS) and not name.startswith((".", "~$")):
                found.append(type(folder)(directory) / name)
    return found


class Intake:
    """Turns one dropped file into a document that waits for its passes."""

    def __init__(
        self,
        database: Database,
        folder: LibraryFolder,
        settings: IngestionSettings,
        parser: Parser,
    ) -> None:
        self._parser = parser
        self._database = database
        self._folder = folder
        self._settings = settings

    def take(
        self,
        path: Path,
        priority: int,
        check: Callable[[], None],
        place: Place = EVERYWHERE,
        replaces: str = "",
    ) -> Iterator[IngestionEvent]:
        """Copy a file into the library and add its row; the same file only once.

        check: called between pieces of the file; what it raises leaves nothing behind.
        place: where it belongs; nowhere leaves a file that is known where it is.
        replaces: hash of the manual of which it is a newer edition, "" if it is none.

        Raises: LibraryNotWritable, and what `check` raises.
        """
        try:
            refusal = _refusal(path)
            if refusal:
                yield FileRefused(path, refusal)
                return
            sha256 = hash_file(path, check)
            if path.suffix.lower() in CONVERTED and not _is_pdf(path):
                yield from self._convert(path, sha256, priority, place)
                return
            known = self._database.read(lambda c: document_with_hash(c, sha256))
            if known is not None:
                if replaces:
                    self._database.write(lambda c: note_replacement(c, sha256, replaces))
                yield from self._recognise(path, self._placed(known, place), check)
            elif (partial := self._copy(path, sha256, check)) is not None:
                yield self._register(path, partial, sha256, priority, place, replaces=replaces)
            else:
                yield FileRefused(path, said("The file changed while it was being read."))
        except DocumentError as error:
            yield FileRefused(path, said("No pages could be made from it: {reason}.", reason=error))
        except DiskFull as error:
            yield FileRefused(path, full(message(error)))
        except OSError as error:
            yield FileRefused(
                path, said("The file cannot be read: {reason}.", reason=error.strerror or error)
            )

    def _convert(
        self, path: Path, source: str, priority: int, place: Place
    ) -> Iterator[IngestionEvent]:
        """Take in a document that is not a PDF as the PDF made from it. source: its hash."""
        known = self._database.read(lambda c: document_made_from(c, source))
        if known is not None and self._folder.original(known.sha256).exists():
            placed = self._placed(known, place)
            yield DuplicateFound(path, placed)
            yield from self._tried_again(placed)
            return
        originals = self._folder.originals
        originals.mkdir(parents=True, exist_ok=True)
        require_space(originals, 2 * path.stat().st_size, self._settings.free_space_mib << 20)
        partial = originals / f"{uuid.uuid4().hex}{_PARTIAL}"
        self._parser.convert(path, partial, path.suffix.lower(), path.name)
        synchronise(partial)
        sha256 = hash_file(partial, lambda: None)
        yield self._register(path, partial, sha256, priority, place, source)

    def _register(
        self,
        path: Path,
        partial: Path,
        sha256: str,
        priority: int,
        place: Place,
        source: str = "",
        replaces: str = "",
    ) -> DocumentChanged:
        """Put a finished copy in its place and add its row. source: what it was made from."""

        def register(connection: apsw.Connection) -> DocumentRecord:
            put_in_place(partial, self._folder.original(sha256))
            size = self._folder.original(sha256).stat().st_size
            document_id = insert_document(connection, sha256, path.name, size, priority)
            older = document_with_hash(connection, replaces) if replaces else None
            put_at(connection, [document_id], place or (older.place if older else EVERYWHERE))
            if source:
                note_made_from(connection, document_id, source)
            if older is not None:
                note_replacement(connection, sha256, replaces)
            return one_document(connection, document_id)

        try:
            record = self._database.write(register)
        finally:
            partial.unlink(missing_ok=True)
        return DocumentChanged(record)

    def _recognise(
        self, path: Path, known: DocumentRecord, check: Callable[[], None]
    ) -> Iterator[IngestionEvent]:
        """Report that a file is here already; whoever drops it again wants it to work, too."""
        original = self._folder.original(known.sha256)
        if not original.exists():
            partial = self._copy(path, known.sha256, check)
            if partial is not None:
                put_in_place(partial, original)
        yield DuplicateFound(path, known)
        yield from self._tried_again(known)

    def _tried_again(self, known: DocumentRecord) -> Iterator[IngestionEvent]:
        if known.state in ("failed", "cancelled"):
            self._database.write(lambda c: queue_again(c, known.id))
            yield DocumentChanged(self._database.read(lambda c: one_document(c, known.id)))

    def _placed(self, known: DocumentRecord, place: Place) -> DocumentRecord:
        if not place or known.place == place:
            return known

        def move(connection: apsw.Connection) -> DocumentRecord:
            put_at(connection, [known.id], place)
            return one_document(connection, known.id)

        return self._database.write(move)

    def _copy(self, path: Path, sha256: str, check: Callable[[], None]) -> Path | None:
        """Return the finished copy under its temporary name; None if the file changed."""
        self._folder.originals.mkdir(parents=True, exist_ok=True)
        require_space(
            self._folder.originals, path.stat().st_size, self._settings.free_space_mib << 20
        )
        partial, copied = copy_to_partial(path, self._folder.originals, check)
        if copied == sha256:
            return partial
        partial.unlink(missing_ok=True)
        return None


def _refusal(path: Path) -> str:
    """Return why a file is not taken in, "" if it is.

    Anything that calls itself a PDF gets a row, which says what is wrong with it.
    """
    if not path.exists():
        return said("The file does not exist.")
    if not path.is_file():
        return together([said("This is not a file."), ACCEPTED])
    if path.suffix.lower() in (".pdf", *CONVERTED) or _is_pdf(path):
        return ""
    return together([said("This kind of file is not accepted."), ACCEPTED])


def _is_pdf(path: Path) -> bool:
    with path.open("rb") as source:
        return b"%PDF-" in source.read(_HEADER_BYTES)
