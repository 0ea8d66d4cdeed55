"""Which Python modules a frozen program contains, read from its own archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyInstaller.archive.readers import CArchiveReader

if TYPE_CHECKING:
    from pathlib import Path


def frozen_modules(executable: Path, contents: Path) -> set[str]:
    """Return the names of all modules, those in the archive and those that lie in the folder.

    Raises: FileNotFoundError, if the program is not there; OSError, if it has no archive.
    """
    archive = CArchiveReader(str(executable))
    pyz = next(name for name in archive.toc if name.endswith(".pyz"))
    names = set(archive.open_embedded_archive(pyz).toc)
    for library in (*contents.rglob("*.so"), *contents.rglob("*.py")):
        place = library.relative_to(contents)
        names.add(".".join([*place.parts[:-1], place.name.partition(".")[0]]))
    return names
