"""The command line's commands and the options before them."""

from __future__ import annotations

from typing import Annotated

import typer

from desktop import __version__
from desktop.cli.ask import ask
from desktop.cli.bench import bench
from desktop.cli.conversations import application as conversations
from desktop.cli.demo import demo
from desktop.cli.doctor import doctor
from desktop.cli.documents import application as documents
from desktop.cli.ingest import ingest
from desktop.cli.knowledge import application as knowledge
from desktop.cli.library import application as library_care
from desktop.cli.models import application as models
from desktop.cli.optimise import optimise
from desktop.cli.options import Library
from desktop.cli.research import research
from desktop.cli.smoke_test import smoke_test
from desktop.cli.trace import show_trace
from desktop.cli.window import open_files, open_window

application = typer.Typer(
    name="groundwork",
    help="Ask your equipment manuals, offline. Every statement cites a page.\n\n"
    "Without a command the window opens.",
    epilog="Exit codes: 0 fine, 1 failed, 2 wrong usage, 130 interrupted.",
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"groundwork {__version__}")
        raise typer.Exit


@application.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    library: Library = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Keep the options before the command; open the window if there is no command."""
    context.obj = library
    if context.invoked_subcommand is None:
        open_window(context)


application.command()(ingest)
application.command()(ask)
application.command()(demo)
application.command()(bench)
application.command()(research)
application.command()(optimise)
application.command()(doctor)
application.command("open")(open_files)
application.command(hidden=True)(smoke_test)
conversations.command(name="trace")(show_trace)
application.add_typer(conversations)
application.add_typer(documents)
application.add_typer(knowledge)
application.add_typer(library_care)
application.add_typer(models)
