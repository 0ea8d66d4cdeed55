"""The one place that asks macOS for its notifications of sleep (through PyObjC)."""

from __future__ import annotations

import importlib
import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

SLEEP, WAKE = "NSWorkspaceWillSleepNotification", "NSWorkspaceDidWakeNotification"


def listen(sleeping: Callable[[], None], woke: Callable[[], None]) -> Callable[[], None] | None:
    """Call these on the main thread; returns what ends it, None where PyObjC is missing."""
    try:
        # By name: the module exists on a Mac alone, where text recognition brings it.
        appkit: Any = importlib.import_module("AppKit")
    except ImportError:
        logger.info("PyObjC is not there: sleep is noticed by the clocks")
        return None
    centre = appkit.NSWorkspace.sharedWorkspace().notificationCenter()
    observers = [
        centre.addObserverForName_object_queue_usingBlock_(name, None, None, _ignoring(call))
        for name, call in ((SLEEP, sleeping), (WAKE, woke))
    ]

    def stop() -> None:
        for each in observers:
            centre.removeObserver_(each)

    return stop


def _ignoring(call: Callable[[], None]) -> Callable[[object], None]:
    return lambda _notification: call()
