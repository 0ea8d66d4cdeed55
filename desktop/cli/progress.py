"""Progress of long commands: bars on a terminal, a line now and then in a file or a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn

QUIET_SECONDS = 10.0
"""Where no bar is drawn, a line this often shows that it is still running."""


class Bars(Progress):
    """Bars after their description, then `columns`; they go when the block ends."""

    def __init__(
        self,
        *columns: ProgressColumn,
        output: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """output: standard error unless given. clock: in seconds."""
        console = Console(file=output or sys.stderr, highlight=False, soft_wrap=True)
        super().__init__(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=30),
            *columns,
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._clock = clock
        self._said_at = clock()

    def say_now_and_then(self, text: str) -> None:
        """Say how far it is, where nobody sees the bars and nothing was said for a while."""
        if self.console.is_terminal or self._clock() - self._said_at < QUIET_SECONDS:
            return
        self._said_at = self._clock()
        self.console.print(f"  {text}", markup=False)


def print_marked(console: Console, sign: str, text: str) -> None:
    """Print a line behind a coloured sign: + for done, x for failed, ! and - for between."""
    color = {"+": "green", "x": "red", "!": "yellow", "-": "yellow", "=": "cyan"}[sign]
    console.print(sign, style=color, end=" ", markup=False)
    console.print(text, markup=False)
