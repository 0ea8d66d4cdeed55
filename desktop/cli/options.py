"""What every command shares: its library, opening it, refusing, and being interrupted."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import SimpleQueue
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.exceptions import TyperException

if TYPE_CHECKING:
    from desktop.core.engine import RunHandle
    from desktop.core.events import Event
    from desktop.core.settings.sections import Settings
    from desktop.core.workspace import Workspace


class Refused(TyperException):
    """Ends the command with exit code 1; the message is a sentence that says what to do."""

    exit_code = 1

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self._message = message

    def format_message(self) -> str:
        """Return what to print."""
        return self._message


def _library_option(default: str) -> Any:
    return typer.Option(
        "--library",
        "-l",
        metavar="DIR",
        help=f"Folder of the library. Default: {default}.",
        file_okay=False,
        show_default=False,
    )


Library = Annotated[Path | None, _library_option("this user's library")]
DemoLibrary = Annotated[Path | None, _library_option("one of its own")]
BenchLibrary = Annotated[Path | None, _library_option("a temporary one")]


def place_option(name: str, what: str) -> Any:
    """Return an option for the name of a site or an asset."""
    return typer.Option(f"--{name}", metavar="NAME", help=what)


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
    """Return the library to read from.

    Raises: Refused, if nothing was ever ingested there.
    """
    from desktop.core.paths import LibraryFolder

    folder = library_folder(context, given)
    if not LibraryFolder(folder).database.exists():
        raise Refused(f"There is no library in {folder} yet. Make one with: groundwork ingest PATH")
    return folder


@contextmanager
def opened_workspace(
    folder: Path,
    *,
    read_only: bool = False,
    settings: Settings | None = None,
    soon_asked: bool = False,
) -> Iterator[Workspace]:
    """Open the library, pass on any notice about it, and close it at the end.

    settings: instead of the user's own. soon_asked: a question comes next.
    """
    from desktop import app

    options: dict[str, Any] = {}
    if settings is not None:
        options["settings"] = settings
    if soon_asked:
        options["soon_asked"] = True
    with closing(app.open_workspace(folder, read_only=read_only, **options)) as workspace:
        if workspace.notice:
            sys.stderr.write(workspace.notice + "\n")
        yield workspace


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


def events_until_done(
    start: Callable[[Callable[[Event], None], Callable[[], None]], RunHandle],
) -> Iterator[Event]:
    """Yield the events of a run in this thread; Ctrl-C cancels it.

    start: is given what to call with each event and at the end, and returns what cancels the run.
    """
    queue: SimpleQueue[Event | None] = SimpleQueue()
    running: list[RunHandle] = []
    interrupted = False

    def stop() -> None:
        nonlocal interrupted
        interrupted = True
        for handle in running:
            handle.cancel()

    try:
        with on_interrupt(stop):
            running.append(start(queue.put, lambda: queue.put(None)))
            if interrupted:  # while it was being started
                stop()
            while (event := queue.get()) is not None:
                yield event
    finally:
        stop()
