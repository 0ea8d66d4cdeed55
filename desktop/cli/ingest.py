"""`groundwork ingest`: takes manuals of any file type, and folders, into a library."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from desktop.cli.options import (
    Library,
    Refused,
    argument,
    existing_library,
    library_folder,
    on_interrupt,
    opened_workspace,
    option,
)

if TYPE_CHECKING:
    from desktop.cli.ingestion_display import IngestionDisplay
    from desktop.core.library.places import Place
    from desktop.core.library.values import DocumentRecord
    from desktop.core.workspace import Workspace

PASSWORD_TRIES = 3


def ingest(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None,
        argument(
            "PATH",
            "PDF, Word, PowerPoint, Excel, EPUB, web pages (.html), Markdown, text, "
            "pictures of pages (PNG, JPEG, TIFF), or folders of documents. Without a path: "
            "continue what is unfinished.",
            exists=True,
            show_default=False,
        ),
    ] = None,
    password: Annotated[
        str | None, option("--password TEXT", "Password for the protected files among them.")
    ] = None,
    site: Annotated[
        str | None, option("--site NAME", "Where their equipment is, such as 'SITE 12'.")
    ] = None,
    asset: Annotated[
        str | None, option("--asset NAME", "Which equipment they are for, such as 'Pump P-200'.")
    ] = None,
    library: Library = None,
) -> None:
    """Add manuals to a library.

    What was read is kept: after an interruption, run the same command to continue.
    With --site or --asset, manuals that are already in the library move there.
    Exits with 1 if a file was refused or could not be read.
    """
    from desktop.core.library.places import Place

    find_library = library_folder if paths else existing_library
    with opened_workspace(find_library(context, library)) as workspace:
        if not paths and not workspace.ingestion.has_work():
            raise Refused("Nothing is unfinished. Name files or folders to add.")
        place = Place.named(site or "", asset or "")
        display = ingest_paths(workspace, paths or [], password=password, place=place)
    if display.interrupted:
        raise typer.Exit(130)
    raise typer.Exit(1 if display.failures or display.is_empty else 0)


def ingest_paths(
    workspace: Workspace,
    paths: Sequence[Path],
    *,
    password: str | None = None,
    place: Place | None = None,
) -> IngestionDisplay:
    """Ingest manuals of a place with progress bars, ask for passwords, print a summary."""
    from desktop.cli.ingestion_display import IngestionDisplay
    from desktop.core.library.places import EVERYWHERE

    display = IngestionDisplay(sys.stderr)
    workspace.ingestion.enqueue([path.resolve() for path in paths], place or EVERYWHERE)
    _run(workspace, display)
    for document in display.protected():
        _unlock(workspace, display, document, password)
    display.summarize()
    return display


def _run(workspace: Workspace, display: IngestionDisplay) -> None:
    from desktop.core.jobs import Cancelled, CancelToken

    cancel = CancelToken()
    with display, on_interrupt(cancel.cancel):
        try:
            for event in workspace.ingestion.run(cancel):
                display.show(event)
        except Cancelled:
            display.interrupted = True
    display.interrupted = display.interrupted or cancel.cancelled


def _unlock(
    workspace: Workspace,
    display: IngestionDisplay,
    document: DocumentRecord,
    password: str | None,
) -> None:
    """Try the password given, then ask; an empty answer leaves the file protected."""
    from desktop.core.errors import PdfNeedsPassword

    tries = PASSWORD_TRIES if sys.stdin.isatty() else 0
    while not display.interrupted:
        if password is None:
            if tries == 0:
                return
            tries -= 1
            password = getpass.getpass(f"Password of {document.name} (leave empty to skip it): ")
            if not password:
                return
        try:
            workspace.ingestion.unlock(document.id, password)
            _run(workspace, display)
        except PdfNeedsPassword:
            pass
        if workspace.library.document(document.id).state != "needs_password":
            return
        sys.stderr.write(f"That is not the password for {document.name}.\n")
        password = None
