"""Whether the library's copies of the manuals are what their names say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.store.backups import hash_of

if TYPE_CHECKING:
    from pathlib import Path


def misfits(path: Path) -> bool:
    """Whether a copy is not the file after whose hash it is named, or cannot be read."""
    try:
        return hash_of(path).sha256 != path.stem
    except OSError:
        return True
