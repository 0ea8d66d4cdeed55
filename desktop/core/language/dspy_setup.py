"""Importing DSPy the way this application wants it: silent, and remembering nothing."""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


@cache
def load_dspy() -> ModuleType:
    """Import dspy and turn off what it would do behind the user's back.

    Its cache would write every prompt and answer, unencrypted, below the home folder; its
    log handler would write to the terminal. Neither has anything to do with `dspy.settings`,
    which are left alone. The import takes a third of a second to a second and a half.
    """
    import dspy

    dspy.configure_cache(enable_disk_cache=False, enable_memory_cache=False)
    logger = logging.getLogger("dspy")
    for handler in list(logger.handlers):
        if handler.name == "dspy_handler":
            logger.removeHandler(handler)
    logger.propagate = True
    logger.setLevel(logging.WARNING)
    module: ModuleType = dspy
    return module
