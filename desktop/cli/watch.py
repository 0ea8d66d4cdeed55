"""`groundwork watch`: the folders whose manuals come in by themselves."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from desktop.cli.options import (
    INTERRUPTED,
    Library,
    argument,
    existing_library,
    interruptible,
    library_folder,
    opened_documents,
    opened_workspace,
)

if TYPE_CHECKING:
    from desktop.core.jobs import CancelToken
    from desktop.core.library.watched_folders import WatchedFolders, WatchEvent
    from desktop.core.workspace import Workspace

MOST_LOOKS = 3
"""How often one scan looks; a file that is still growing then waits for the next one."""

application = typer.Typer(
    name="watch",
    help="Watch folders: manuals put there are added to the library automatically.\n\nThe window "
    "checks every minute while it is open; `groundwork watch scan` checks once.",
    no_args_is_help=True,
)

Folder = Annotated[Path, argument("FOLDER", "On this computer or a share.")]


@application.command()
def add(context: typer.Context, folder: Folder, library: Library = None) -> None:
    """Watch a folder, and the folders in it, from now on."""
    with _opened(library_folder(context, library)) as watched:
        watched.add(folder.expanduser())
    sys.stdout.write(f"Watched: {folder}. Take in what is there with: groundwork watch scan\n")


@application.command()
def remove(context: typer.Context, folder: Folder, library: Library = None) -> None:
    """Stop watching a folder; its manuals stay in the library."""
    with _opened(existing_library(context, library)) as watched:
        watched.remove(folder.expanduser())
    sys.stdout.write(f"No longer watched: {folder}. Its manuals stay in the library.\n")


@application.command(name="list")
def list_folders(context: typer.Context, library: Library = None) -> None:
    """List the watched folders: how many manuals came from each, and whether it can be reached."""
    with _opened(existing_library(context, library), read_only=True) as watched:
        for folder in watched.folders:
            state = "" if folder.is_dir() else "  (not reachable)"
            sys.stdout.write(f"{watched.count(folder):>6}  {folder}{state}\n")


@application.command()
def scan(context: typer.Context, library: Library = None) -> None:
    """Check every watched folder now, and add what is new or changed.

    Exits with 1 if a file was refused or could not be read.
    """
    from desktop.cli.ingest import ingest_paths
    from desktop.core.jobs import CancelToken
    from desktop.core.library.watched_folders import WatchedFolders

    with opened_workspace(existing_library(context, library)) as workspace:
        watched = WatchedFolders(workspace.library)
        if not watched.folders:
            sys.stdout.write("No folder is watched. Add one with: groundwork watch add FOLDER\n")
            return
        with interruptible() as cancel:
            arrived = _look(watched, workspace, cancel)
        if not arrived:
            sys.stdout.write("Nothing is new.\n")
            return
        display = ingest_paths(workspace, [])
        for _ in watched.look(CancelToken()):  # notes what is in the library now
            pass
    if display.interrupted:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(1 if display.failures else 0)


def _look(watched: WatchedFolders, workspace: Workspace, cancel: CancelToken) -> int:
    """Look until nothing is being written any more; returns how many files to add."""
    from desktop.core.library.watched_folders import FileArrived, LookEnded

    arrived, pause = 0, 0.0
    for number in range(MOST_LOOKS):
        end = time.monotonic() + pause
        while number and time.monotonic() < end:
            cancel.check()
            time.sleep(0.05)
        for event in watched.look(cancel):
            if isinstance(event, FileArrived):
                arrived += 1
                workspace.ingestion.enqueue([event.path], replaces=event.replaces)
            elif isinstance(event, LookEnded):
                resting, pause = event.resting, event.again_in
            else:
                _tell(event)
        if not resting:
            return arrived
    sys.stderr.write(f"Still being written, for the next scan: {resting}\n")
    return arrived


def _tell(event: WatchEvent) -> None:
    from desktop.core.library.watched_folders import FilesGone, FolderUnreachable

    if isinstance(event, FolderUnreachable):
        sys.stderr.write(f"{event.folder} cannot be reached; nothing in it counts as removed.\n")
    elif isinstance(event, FilesGone):
        for document in event.documents:
            sys.stderr.write(
                f"{document.name} is no longer in {event.folder}. Its manual stays in the library; "
                "the window asks what to do.\n"
            )


@contextmanager
def _opened(folder: Path, *, read_only: bool = False) -> Iterator[WatchedFolders]:
    from desktop.core.library.watched_folders import WatchedFolders

    with opened_documents(folder, read_only=read_only) as (_, documents):
        yield WatchedFolders(documents)
