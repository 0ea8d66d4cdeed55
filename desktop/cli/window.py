"""The commands that open the window, and the demonstration."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from desktop.cli import has_display
from desktop.cli.ask import answer_question
from desktop.cli.ingest import ingest_paths
from desktop.cli.options import (
    INTERRUPTED,
    DemoLibrary,
    Library,
    Refused,
    argument,
    chosen_library,
    library_folder,
    opened_workspace,
    option,
    print_json,
)


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
    paths: Annotated[list[Path], argument("PATH", "PDF files, or folders with them.", exists=True)],
    library: Library = None,
) -> None:
    """Open the window and add manuals to it; `groundwork MANUAL.pdf` does the same.

    If a window is already open, it takes them.
    """
    if not has_display():
        raise Refused("There is no display for the window. Use instead: groundwork ingest PATH")
    from desktop.app import run_window

    files = [path.resolve() for path in paths]
    raise typer.Exit(run_window(library_folder(context, library), files=files))


def smoke_test(
    runtimes: Annotated[bool, option("--runtimes", "Also import what runs models.")] = False,
    only_start: Annotated[bool, option("--only-start", "Exit once the library is open.")] = False,
) -> None:
    """Use the whole program once on a temporary library; print the result as JSON.

    Exits with 1 if anything went wrong.
    """
    from desktop.app import smoke_test as test

    outcome = test.smoke_test(only_start=only_start)
    if runtimes and not outcome.failure:
        found, failure = test.import_all()
        outcome = replace(outcome, runtimes=found, failure=failure)
    print_json(asdict(outcome))
    raise typer.Exit(1 if outcome.failure else 0)


def demo(
    context: typer.Context,
    headless: Annotated[
        bool, option("--headless", "Answer on the terminal even if there is a display.")
    ] = False,
    library: DemoLibrary = None,
) -> None:
    """Ask the sample manuals that come with Groundwork.

    Opens the window on them. Without a display it prints an answer and writes the
    cited page as a picture.
    """
    from desktop.app import run_window
    from desktop.core.paths import SAMPLE_QUESTION, demo_library, sample_manuals

    folder = chosen_library(context, library) or demo_library()
    manuals = sample_manuals()
    if not manuals:
        raise Refused("This installation has no sample manuals.")
    if has_display() and not headless:
        raise typer.Exit(run_window(folder, manuals))
    with opened_workspace(folder) as workspace:
        sys.stdout.write(f"Library: {folder}\n")
        sys.stdout.flush()
        display = ingest_paths(workspace, manuals)
        if display.interrupted or display.failures:
            raise typer.Exit(INTERRUPTED if display.interrupted else 1)
        sys.stdout.write(f"\nQuestion: {SAMPLE_QUESTION}\n\n")
        last = answer_question(workspace, SAMPLE_QUESTION, pages_folder=folder / "pages")
        sys.stdout.write(f"\n{last.outcome} in {last.milliseconds:.0f} ms\n")
        raise typer.Exit(0 if last.answered else 1)
