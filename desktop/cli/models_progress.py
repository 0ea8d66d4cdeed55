"""Work on model files in a terminal: a bar, Ctrl-C, and refusals as one sentence."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, TypeVar, cast

import typer

from desktop.cli.options import Refused, on_interrupt
from desktop.models.packs.installing import PackProgress

if TYPE_CHECKING:
    from collections.abc import Generator

    from rich.progress import Progress, TaskID

    from desktop.models.generation import Cancelled

EndT = TypeVar("EndT")

QUIET_SECONDS = 10.0
"""Into a file or a pipe no bar is drawn: a line so often says that it is alive."""

STOPPED = "Interrupted."


def run_job(
    name: str, job: Callable[[Cancelled], Iterator[PackProgress | EndT]], when_stopped: str
) -> EndT:
    """Run a job of `desktop.models.packs.operations` with a progress bar; returns its last event.

    Raises: Refused, with the job's reason; typer.Exit with 130 after Ctrl-C.
    """
    stop = threading.Event()
    last: EndT | None = None
    events = cast("Generator[PackProgress | EndT, None, None]", job(stop.is_set))
    with refusals(), _Display(name) as display, on_interrupt(stop.set), closing(events):
        for event in events:
            if isinstance(event, PackProgress):
                display.show(event)
            else:
                last = event
    if last is None:
        sys.stderr.write(f"{when_stopped}\n")
        raise typer.Exit(130)
    return last


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what a person can understand into a refusal of the command."""
    from desktop.models.errors import DownloadFailed, ModelDamaged, ModelNotInstalled, PackRefused

    try:
        yield
    except (PackRefused, DownloadFailed, ModelNotInstalled, ModelDamaged) as error:
        raise Refused(str(error)) from error


def say(sign: str, model_id: str, remark: str) -> None:
    """Print what became of a model."""
    from rich.console import Console

    color = {"+": "green", "x": "red", "-": "yellow"}[sign]
    console = Console(file=sys.stdout, highlight=False, soft_wrap=True)
    console.print(sign, style=color, end=" ", markup=False)
    console.print(f"{model_id}: {remark}", markup=False)


class _Display:
    """A bar for each stage of one job; lines now and then where no bar can be drawn."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._progress = _bars()
        self._bar: TaskID | None = None
        self._stage = ""
        self._said_at = time.monotonic()

    def __enter__(self) -> _Display:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, event: PackProgress) -> None:
        """Move the bar; a new stage has a new one, for its own pace."""
        if event.stage != self._stage or self._bar is None:
            if self._bar is not None:
                self._progress.remove_task(self._bar)
            self._stage = event.stage
            self._bar = self._progress.add_task(f"{self._name}: {event.stage}", total=None)
        self._progress.update(
            self._bar, completed=event.done_bytes, total=event.total_bytes or None
        )
        if self._progress.console.is_terminal or not event.total_bytes:
            return
        if time.monotonic() - self._said_at >= QUIET_SECONDS:
            self._said_at = time.monotonic()
            share = event.done_bytes / event.total_bytes
            self._progress.console.print(f"  {self._name}: {event.stage}, {share:.0%}")


def _bars() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
