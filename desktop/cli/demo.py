"""`groundwork demo`: the sample manuals, in the window or on the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from desktop.cli.ask import answer_question
from desktop.cli.ingest import ingest_paths
from desktop.cli.options import DemoLibrary, Refused, chosen_library, opened_workspace
from desktop.cli.window import has_display

if TYPE_CHECKING:
    from desktop.core.workspace import Workspace


def demo(
    context: typer.Context,
    headless: Annotated[
        bool, typer.Option("--headless", help="Answer on the terminal even if there is a display.")
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
            raise typer.Exit(130 if display.interrupted else 1)
        raise typer.Exit(_answer_here(workspace, SAMPLE_QUESTION, folder / "pages"))


def _answer_here(workspace: Workspace, question: str, pages_folder: Path) -> int:
    sys.stdout.write(f"\nQuestion: {question}\n\n")
    last = answer_question(workspace, question, pages_folder=pages_folder)
    sys.stdout.write(f"\n{last.outcome} in {last.milliseconds:.0f} ms\n")
    return 0 if last.answered else 1
