"""The option that every command takes: which library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from desktop.cli.refusal import Refused


def _library_option(default: str) -> Any:
    return typer.Option(
        "--library",
        "-l",
        metavar="DIR",
        help=f"Folder of the library. Default: {default}.",
        file_okay=False,
        show_default=False,
    )


Library = Annotated[Path | None, _library_option("the library of this user")]
DemoLibrary = Annotated[Path | None, _library_option("one of its own")]
BenchLibrary = Annotated[Path | None, _library_option("a temporary one")]


def place_option(name: str, what: str) -> Any:
    """Return an option for the name of a site or an asset."""
    return typer.Option(f"--{name}", metavar="NAME", help=what)


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
