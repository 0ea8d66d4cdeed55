"""The library's own copy of each PDF: hashed, complete or absent, never over the disk's edge."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import uuid
from typing import TYPE_CHECKING, BinaryIO

from desktop.core.errors import DiskFull, LibraryNotWritable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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
        raise DiskFull(f"not enough disk space: {missing / 2**20:.0f} MB more are needed", missing)


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
            raise DiskFull(f"no space left on the disk that holds {folder}") from error
        raise
    return partial, digest.hexdigest()


def put_in_place(partial: Path, target: Path) -> None:
    """Rename a synchronised copy to its final name so that the name survives a power cut."""
    partial.replace(target)
    directory = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def remove_partials(folder: Path) -> None:
    """Remove copies that a run which was killed left unfinished."""
    for partial in folder.glob(f"*{_PARTIAL}"):
        partial.unlink(missing_ok=True)


def _create(partial: Path) -> BinaryIO:
    try:
        partial.parent.mkdir(parents=True, exist_ok=True)
        return partial.open("xb")
    except OSError as error:
        if error.errno in _NO_SPACE:
            raise
        raise LibraryNotWritable(f"{partial.parent} cannot be written: {error}") from error
