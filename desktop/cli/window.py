"""Opening the window, and `groundwork smoke-test` for whoever builds the program."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from desktop.cli.options import Library, Refused, library_folder


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


def smoke_test(
    runtimes: Annotated[
        bool, typer.Option("--runtimes", help="Import what runs models, too.")
    ] = False,
    only_start: Annotated[
        bool, typer.Option("--only-start", help="End when the library is open.")
    ] = False,
) -> None:
    """Use the whole program once on a library that is thrown away; print what came of it as JSON.

    Ends with 1 if anything went wrong.
    """
    from desktop.app import smoke_test as test

    outcome = test.smoke_test(only_start=only_start)
    if runtimes and not outcome.failure:
        from desktop.models.runtimes import import_all

        found, failure = import_all()
        outcome = replace(outcome, runtimes=found, failure=failure)
    sys.stdout.write(json.dumps(asdict(outcome), indent=2, ensure_ascii=False) + "\n")
    sys.stdout.flush()
    raise typer.Exit(1 if outcome.failure else 0)
