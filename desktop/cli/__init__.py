"""The command line. Each command has a file; heavy things are imported when one runs."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

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
    except KeyboardInterrupt:
        from desktop.cli.options import INTERRUPTED

        return INTERRUPTED
    except Exception as error:
        from desktop.cli.application import failed

        return failed(error)


def has_display() -> bool:
    """Return whether a window can be shown here."""
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if platform in {"offscreen", "minimal", "vnc"}:
        return platform == "vnc"
    if sys.platform != "linux":
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
