"""Is a model file the one that was published? Hashed once, then remembered by its stamp."""

from __future__ import annotations

import hashlib
from threading import Lock
from typing import TYPE_CHECKING

from desktop.models.errors import ModelDamaged, ModelNotInstalled

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Stamp = tuple[str, int, int]  # path, size, modification time in ns
_hashes: dict[Stamp, str] = {}
_hashing = Lock()  # who needs the same file at the same time waits for its hash


def sha256_of(path: Path) -> str:
    """Hash a file, once in this process for as long as its size and time are unchanged.

    Raises: ModelNotInstalled, if it is not there.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise ModelNotInstalled(
            "{name} is missing from {parent}", name=path.name, parent=path.parent
        ) from error
    stamp = (str(path), status.st_size, status.st_mtime_ns)
    with _hashing:
        if stamp not in _hashes:
            with path.open("rb") as file:
                _hashes[stamp] = hashlib.file_digest(file, "sha256").hexdigest()
        return _hashes[stamp]


def verify(folder: Path, published: Mapping[str, str]) -> None:
    """Compare files with their published SHA-256.

    Args:
        folder: where the files are.
        published: SHA-256 in lower-case hex by file name.

    Raises: ModelNotInstalled, if one is missing; ModelDamaged, if one differs.
    """
    for name, expected in published.items():
        if sha256_of(folder / name) != expected:
            raise ModelDamaged(
                "{name} in {folder} is not the published file", name=name, folder=folder
            )
