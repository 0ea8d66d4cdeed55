"""Copying a model's files in small steps, hashed on the way and safe on the disk afterwards."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from typing import TYPE_CHECKING

from desktop.models.errors import PackRefused, shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from hashlib import _Hash as Digest
    from pathlib import Path
    from typing import BinaryIO

    from desktop.models.packs.pack_source import PackSource

STEP_BYTES = 8 * 2**20
"""Between two steps of this size work can be cancelled."""

_SPARE_BYTES = 200 * 2**20  # a full disk stops other programs as well


def hash_steps(file: BinaryIO, digest: Digest) -> Iterator[int]:
    """Feed a file to a hash. Yields the bytes of each step."""
    while chunk := file.read(STEP_BYTES):
        digest.update(chunk)
        yield len(chunk)


def copy_steps(source: BinaryIO, target: BinaryIO, most: int, digest: Digest) -> Iterator[int]:
    """Copy a file and feed it to a hash. Yields the bytes of each step.

    Raises: PackRefused, if the source has more than `most` bytes; OSError.
    """
    done = 0
    while chunk := source.read(STEP_BYTES):
        done += len(chunk)
        if done > most:
            raise PackRefused("A file in it is longer than it says. Copy or download it again.")
        digest.update(chunk)
        _write(target, chunk)
        yield len(chunk)


def copy_file(
    source: PackSource, name: str, target: Path, digest: Digest, *, link: bool
) -> Iterator[int]:
    """Copy one file of a source to a new file, and force it to the disk.

    Args:
        source: where it comes from.
        name: of the file in the source.
        target: must not exist; its folder is made.
        digest: is fed with the file's bytes.
        link: the source is ours and on the same disk, so its file need not be doubled.

    Yields: bytes done in each step.
    Raises: PackRefused, if its size is not what the source said; OSError.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    size = source.files[name]
    place = source.place(name)
    if link and place is not None and _linked(place, target):
        with target.open("rb") as file:
            yield from hash_steps(file, digest)
            os.fsync(file.fileno())
    else:
        with source.open(name) as file, target.open("xb") as copy:
            yield from copy_steps(file, copy, size, digest)
            copy.flush()
            os.fsync(copy.fileno())
    if target.stat().st_size != size:
        raise PackRefused(
            f"{shown(name)} changed or broke off while it was copied. Try again, and keep the "
            "disk connected."
        )


def sync_folder(folder: Path) -> None:
    """Force a folder's list of names to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Some disks, of USB sticks and networks, cannot do this for a folder.
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def check_room(folder: Path, needed_bytes: int, what: str) -> None:
    """Refuse before the first byte is written what does not fit on the disk.

    Args:
        folder: exists, on the disk that is written to.
        needed_bytes: of the files.
        what: for the message, such as "qwen3-8b-4bit".

    Raises: PackRefused.
    """
    free = shutil.disk_usage(folder).free
    if needed_bytes + _SPARE_BYTES > free:
        missing = needed_bytes + _SPARE_BYTES - free
        raise PackRefused(
            f"There is not enough room for {what}: it needs {in_units(needed_bytes)} and "
            f"{in_units(free)} are free in {folder}. Free {in_units(missing)} more and try again."
        )


def in_units(size: int) -> str:
    """Return bytes as a person reads them, with the 10^9 bytes that disks are sold in."""
    for unit, scale in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}" if size < 100 * scale else f"{size // scale} {unit}"
    return f"{size} bytes"


def _write(target: BinaryIO, chunk: bytes) -> None:
    try:
        target.write(chunk)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise PackRefused(
                "The disk it is written to cannot hold files over 4 GB (FAT32). Format it as "
                "exFAT, or use another one."
            ) from error
        raise


def _linked(place: Path, target: Path) -> bool:
    try:
        os.link(place, target, follow_symlinks=False)
    except OSError:  # another disk, or one without links: it is copied
        return False
    return True
