"""The command line. Each command has a file; heavy things are imported when one runs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from desktop.cli.display import has_display

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code.

    Without arguments the window opens, and waits for no command to be imported.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given or not has_display():
        from desktop.cli.application import main as run

        return run(given)
    from desktop.app import run_window
    from desktop.core.paths import default_library

    try:
        return run_window(default_library())
    except Exception as error:
        from desktop.cli.application import failed

        return failed(error)
