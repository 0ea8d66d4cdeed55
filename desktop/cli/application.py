"""The command line: its commands, and their exit codes.

0: fine. 1: it did not work, or not for everything. 2: wrong usage. 130: interrupted.
141: whoever read our output has closed it.
"""

from __future__ import annotations

import locale
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer
from typer.exceptions import Abort, TyperException

from desktop import __version__
from desktop.cli.ask import ask
from desktop.cli.bench import application as bench
from desktop.cli.compare import compare
from desktop.cli.conversations import application as conversations
from desktop.cli.doctor import doctor
from desktop.cli.documents import application as documents
from desktop.cli.ingest import ingest
from desktop.cli.knowledge import application as knowledge
from desktop.cli.library import application as library_care
from desktop.cli.models import application as models
from desktop.cli.nameplate import nameplate
from desktop.cli.optimise import optimise
from desktop.cli.options import INTERRUPTED, Library, Refused, option
from desktop.cli.packs import application as packs
from desktop.cli.research import research
from desktop.cli.serve_mcp import mcp
from desktop.cli.watch import application as watch
from desktop.cli.window import demo, open_files, open_window, smoke_test
from desktop.core.question.languages import fall_back_to

application = typer.Typer(
    name="groundwork",
    help="Ask your equipment manuals, offline. Every statement cites a page.\n\n"
    "Without a command the window opens.",
    epilog="Exit codes: 0 fine, 1 failed, 2 wrong usage, 130 interrupted.",
    add_completion=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)
FAILED, PIPE_CLOSED = 1, 141


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"groundwork {__version__}")
        raise typer.Exit


@application.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    library: Library = None,
    version: Annotated[
        bool, option("--version", "Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Keep the options before the command; open the window if there is no command."""
    context.obj = library
    fall_back_to((locale.getlocale()[0] or "").split("_")[0])
    if context.invoked_subcommand is None:
        open_window(context)


for command in (ingest, ask, compare, nameplate, demo, research, mcp, optimise, doctor):
    application.command()(command)
application.command("open")(open_files)
application.command(hidden=True)(smoke_test)
for group in (bench, conversations, documents, knowledge, library_care, models, packs, watch):
    application.add_typer(group)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    try:
        code = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        return PIPE_CLOSED
    return code


def _run(arguments: list[str]) -> int:
    if arguments and all(a.lower().endswith(".pdf") and a[0] != "-" for a in arguments):
        arguments = ["open", *arguments]  # as a desktop's "Open with" starts programs
    try:
        code = application(arguments, prog_name="groundwork", standalone_mode=False)
    except TyperException as error:
        return _wrong_usage(error)
    except (Abort, KeyboardInterrupt):
        return INTERRUPTED
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):
            _discard_output()
            return PIPE_CLOSED
        return stop.code if isinstance(stop.code, int) else FAILED
    except BrokenPipeError:
        raise
    except Exception as error:
        return failed(error)
    return code if isinstance(code, int) else 0


def _wrong_usage(error: TyperException) -> int:
    if isinstance(error, Refused):
        _say(f"groundwork: {error.format_message()}")
        return error.exit_code
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "groundwork"
    _say(f"groundwork: {error.format_message()}\nTry '{command} --help'.")
    return error.exit_code


def failed(error: Exception) -> int:
    """Say what went wrong; returns the exit code."""
    from desktop.core.problems import explain

    problem = explain(error)
    _say(f"groundwork: {problem.title}.\n{problem.advice}")
    if os.environ.get("GROUNDWORK_DEBUG"):
        traceback.print_exception(error, file=sys.stderr)
    else:
        _say(f"({problem.details})")
    return FAILED


def _say(message: str) -> None:
    sys.stderr.write(message + "\n")


def _discard_output() -> None:
    """Keep Python from complaining about the closed pipe when it flushes on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
