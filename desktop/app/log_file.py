"""The log of a library: ids, counts and milliseconds, no text of manuals."""

from __future__ import annotations

import logging
import logging.handlers
import os
from typing import TYPE_CHECKING

from desktop.core.paths import LibraryFolder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LOG_BYTES, LOG_FILES = 1_000_000, 3


def start_logging(folder: Path) -> Callable[[], None]:
    """Log to a rotating file in the library; returns what stops it.

    Only our own packages write there: ids, counts and milliseconds, no text of manuals.
    A folder that cannot be written to has no log.
    """
    handler: logging.Handler
    try:
        logs = LibraryFolder(folder).logs
        logs.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(
            logs / "groundwork.log", maxBytes=LOG_BYTES, backupCount=LOG_FILES, encoding="utf-8"
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    level = logging.DEBUG if os.environ.get("GROUNDWORK_DEBUG") else logging.INFO
    loggers = [logging.getLogger(name) for name in ("desktop", "knowledge")]
    for ours in loggers:
        ours.setLevel(level)
        ours.propagate = False
        ours.addHandler(handler)

    def stop() -> None:
        for ours in loggers:
            ours.removeHandler(handler)
        handler.close()

    return stop
