"""Runs a command and turns whatever happens into an exit code and a readable message.

0: fine. 1: it did not work, or not for everything. 2: wrong usage. 130: interrupted.
141: whoever read our output has closed it.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence

from typer.exceptions import Abort, TyperException

from desktop.cli.application import application
from desktop.cli.refusal import Refused

FAILED, INTERRUPTED, PIPE_CLOSED = 1, 130, 141


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
    if arguments and all(_is_manual(each) for each in arguments):
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
        return _failed(error)
    return code if isinstance(code, int) else 0


def _is_manual(argument: str) -> bool:
    return argument.lower().endswith(".pdf") and not argument.startswith("-")


def _wrong_usage(error: TyperException) -> int:
    if isinstance(error, Refused):
        _say(f"groundwork: {error.format_message()}")
        return error.exit_code
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "groundwork"
    _say(f"groundwork: {error.format_message()}\nTry '{command} --help'.")
    return error.exit_code


def _failed(error: Exception) -> int:
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
    """Keep Python from complaining about the closed pipe when it flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
