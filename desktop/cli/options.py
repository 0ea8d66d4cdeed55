"""What every command shares: its library, opening it, refusing, and being interrupted."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.exceptions import TyperException

from desktop.core.jobs import Cancelled, CancelToken

if TYPE_CHECKING:
    from desktop.core.engine import RunHandle
    from desktop.core.events import CompleteEvent, Event
    from desktop.core.library.library import Library as Documents
    from desktop.core.store.database import Database
    from desktop.core.workspace import Workspace

INTERRUPTED = 130
"""The exit code after Ctrl-C."""


class Refused(TyperException):
    """Ends the command with exit code 1; the message is a sentence that says what to do."""


@contextmanager
def refusing(*kinds: type[Exception], told: str = "{error}") -> Iterator[None]:
    """Refuse the command where such an error ends the block. told: the sentence, with `{error}`."""
    try:
        yield
    except kinds as error:
        raise Refused(told.format(error=error)) from error


def option(names: str, what: str, **settings: Any) -> Any:
    """Return an option. names: "--manual -m NAME", what it takes last, if anything."""
    words = names.split()
    takes = None if words[-1].startswith("-") else words.pop()
    return typer.Option(*words, metavar=takes, help=what, **settings)


def argument(takes: str, what: str, **settings: Any) -> Any:
    """Return an argument."""
    return typer.Argument(metavar=takes, help=what, **settings)


def _library_option(default: str) -> Any:
    what = f"Folder of the library. Default: {default}."
    return option("--library -l DIR", what, file_okay=False, show_default=False)


Library = Annotated[Path | None, _library_option("this user's library")]
DemoLibrary = Annotated[Path | None, _library_option("one of its own")]
BenchLibrary = Annotated[Path | None, _library_option("a temporary one")]


def chosen_library(context: typer.Context, given: Path | None) -> Path | None:
    """Return the library given after the command, else before it, else None."""
    before: Path | None = context.find_root().obj
    chosen = given or before
    return chosen.expanduser().resolve() if chosen else None


def library_folder(context: typer.Context, given: Path | None) -> Path:
    """Return the library to use: the one named, else the user's own."""
    from desktop.core.paths import default_library

    return chosen_library(context, given) or default_library()


def existing_library(context: typer.Context, given: Path | None) -> Path:
    """Return the library to read from. Raises: Refused, if nothing was ever ingested there."""
    from desktop.core.paths import LibraryFolder

    folder = library_folder(context, given)
    if not LibraryFolder(folder).database.exists():
        raise Refused(f"There is no library in {folder} yet. Make one with: groundwork ingest PATH")
    return folder


@contextmanager
def opened_workspace(folder: Path, **options: Any) -> Iterator[Workspace]:
    """Open the library as `desktop.app.open_workspace`, pass on notices, close it at the end."""
    from desktop import app

    with closing(app.open_workspace(folder, **options)) as workspace:
        if workspace.notice:
            sys.stderr.write(workspace.notice + "\n")
        yield workspace


@contextmanager
def opened_documents(folder: Path, *, read_only: bool) -> Iterator[tuple[Database, Documents]]:
    """Open a library's file and its documents: no model and no parser is needed."""
    from desktop.core.library.library import Library as Documents
    from desktop.core.store.database import Database

    with Database.open(folder, read_only=read_only) as database:
        yield database, Documents(database, folder)


def print_json(values: Any) -> None:
    """Print values as JSON that people can read too."""
    sys.stdout.write(json.dumps(values, indent=2, ensure_ascii=False) + "\n")


@contextmanager
def on_interrupt(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` at the first Ctrl-C inside the block; the second raises KeyboardInterrupt."""

    def first(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stop()

    before = signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def interruptible(farewell: str = "") -> Iterator[CancelToken]:
    """Give a token that Ctrl-C cancels; work that ends by it says `farewell` and exits with 130."""
    cancel = CancelToken()
    try:
        with on_interrupt(cancel.cancel):
            yield cancel
    except Cancelled:
        sys.stderr.write(farewell)
        raise typer.Exit(INTERRUPTED) from None


def events_until_done(
    start: Callable[[Callable[[Event], None], Callable[[], None]], RunHandle],
) -> Iterator[Event]:
    """Yield the events of a run in this thread, as `follow`; Ctrl-C cancels it."""
    from desktop.core.engine import follow

    cancel = CancelToken()
    with on_interrupt(cancel.cancel):
        yield from follow(start, cancel)


def last_event(events: Iterable[Event]) -> CompleteEvent:
    """Follow a question to its end; one that ends without saying how has failed."""
    from desktop.core.events import CompleteEvent

    complete = [event for event in events if isinstance(event, CompleteEvent)]
    return complete[-1] if complete else CompleteEvent("failed", 0.0, 0)
