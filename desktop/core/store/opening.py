"""What is looked at when a library file is opened for writing, so that damage is told then."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

from desktop.core.errors import LibraryDamaged, NotALibrary
from desktop.core.paths import LibraryFolder
from desktop.core.store.check import find_problems
from desktop.core.store.connection import connect_reader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ALWAYS_BELOW = 64 << 20
"""Bytes: a smaller library is checked at every opening, which takes a third of a second.
A larger one when it was not closed well, or when damage was seen in it."""


@contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """Tell a library whose header is damaged from a file that never was a library."""
    try:
        yield
    except NotALibrary as error:
        if isinstance(error.__cause__, apsw.NotADBError) and _was_a_library(path):
            raise LibraryDamaged(f"the header of {path} is damaged") from error
        raise
    except apsw.SQLError as error:
        if "unsupported file format" not in str(error):
            raise
        raise LibraryDamaged(f"the header of {path} is damaged") from error


def check_at_opening(path: Path) -> None:
    """Look for damage in a library file that its writer has just opened.

    Leaves a mark in the folder, which closing in order takes away.

    Raises: LibraryDamaged.
    """
    mark = LibraryFolder(path.parent).check_wanted
    unclean = mark.exists()
    mark.touch()
    if not unclean and path.stat().st_size > ALWAYS_BELOW:
        return
    connection = connect_reader(path)
    try:
        problems = find_problems(connection)
    finally:
        connection.close(True)
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        lines = [line for line in problems[0].splitlines() if not line.startswith("***")]
        raise LibraryDamaged(f"{path} is damaged: {''.join(lines[:1])}{more}")


def _was_a_library(path: Path) -> bool:
    folder = LibraryFolder(path.parent)
    if folder.backups.is_dir():
        return True
    return folder.originals.is_dir() and any(folder.originals.glob("*.pdf"))
