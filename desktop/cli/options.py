"""The option that every command takes: which library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from desktop.cli.refusal import Refused

Library = Annotated[
    Path | None,
    typer.Option(
        "--library",
        "-l",
        metavar="DIR",
        help="Folder of the library. Default: the library of this user.",
        file_okay=False,
        show_default=False,
    ),
]


def chosen_library(context: typer.Context, given: Path | None) -> Path | None:
    """Return the library named after the command, else before it, else None."""
    before: Path | None = context.find_root().obj
    chosen = given or before
    return chosen.expanduser().resolve() if chosen else None


def library_folder(context: typer.Context, given: Path | None) -> Path:
    """Return the library to use: the one named, else the user's own."""
    from desktop.core.paths import default_library

    return chosen_library(context, given) or default_library()


def existing_library(context: typer.Context, given: Path | None) -> Path:
    """Return the library to read from.

    Raises: Refused, if nothing was ever ingested there.
    """
    from desktop.core.paths import LibraryFolder

    folder = library_folder(context, given)
    if not LibraryFolder(folder).database.exists():
        raise Refused(f"There is no library in {folder} yet. Make one with: groundwork ingest PATH")
    return folder
