"""Opening the window."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from desktop.cli.options import Library, library_folder
from desktop.cli.refusal import Refused


def open_window(context: typer.Context) -> None:
    """Open the window on the chosen library; ends with the window."""
    if not has_display():
        raise Refused(
            "There is no display for the window. Use a command instead: groundwork --help"
        )
    from desktop.app import run_window

    raise typer.Exit(run_window(library_folder(context, None)))


def open_files(
    context: typer.Context,
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH", help="PDF files, or folders with them.", exists=True),
    ],
    library: Library = None,
) -> None:
    """Open the window and add manuals to it; `groundwork MANUAL.pdf` does the same.

    A window that is open already takes them.
    """
    if not has_display():
        raise Refused("There is no display for the window. Without one: groundwork ingest PATH")
    from desktop.app import run_window

    files = [path.resolve() for path in paths]
    raise typer.Exit(run_window(library_folder(context, library), files=files))


def has_display() -> bool:
    """Return whether a window can be shown here."""
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if platform in {"offscreen", "minimal", "vnc"}:
        return platform == "vnc"
    if sys.platform != "linux":
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
