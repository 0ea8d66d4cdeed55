"""Indexing on a laptop: waits on a low battery and during sleep, goes on by itself, says why."""

from __future__ import annotations

import importlib
import logging
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import SLOT, QObject, QTimer, Signal, Slot

from desktop.core import power

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.power import Battery
    from desktop.core.workspace import Workspace
    from desktop.ui.library.indexing import Indexing
    from desktop.ui.library.status_line import StatusLine
    from desktop.ui.settings.controller import SettingsController

LOOK_MS = 15_000
BATTERY, SLEEP = "battery", "sleep"


class LaptopController(QObject):
    """Holds and releases the indexing of the open library."""

    def __init__(
        self,
        indexing: Callable[[], Indexing | None],
        settings: SettingsController,
        status: StatusLine,
        parent: QObject,
        *,
        battery: Callable[[], Battery | None] | None = None,
        sleep: SleepWatch | None = None,
    ) -> None:
        """indexing: of the open library. battery, sleep: what reports them, if not the system."""
        super().__init__(parent)
        self._indexing = indexing
        self._settings = settings
        self._status = status
        self._battery = battery or power.read_battery
        self._sleep = sleep or SleepWatch(self)
        self._sleep.sleeping.connect(self._fall_asleep)
        self._sleep.woke.connect(self._wake_up)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self.look)
        settings.changed.connect(lambda path: self.look() if path[0] == "ingestion" else None)

    def open_workspace(self, workspace: Workspace) -> None:
        """Look after this library's indexing."""
        indexing = self._indexing()
        if indexing is None:
            return
        indexing.waits.connect(self._say)
        self._sleep.start()
        self._timer.start()
        self.look()

    def look(self) -> None:
        """Ask the battery."""
        indexing = self._indexing()
        if indexing is None:
            return
        least = self._settings.settings.ingestion.battery_percent
        if power.should_wait(self._battery(), least):
            indexing.hold(BATTERY)
        else:
            indexing.release(BATTERY)

    def close(self) -> None:
        """Stop looking and listening."""
        self._timer.stop()
        self._sleep.close()

    def _fall_asleep(self) -> None:
        indexing = self._indexing()
        if indexing is not None:
            indexing.hold(SLEEP)

    def _wake_up(self) -> None:
        indexing = self._indexing()
        if indexing is not None:
            indexing.release(SLEEP)
        self.look()

    def _say(self, waiting: bool) -> None:
        battery = self._battery()
        if not waiting or battery is None:
            self._status.show_waiting("")
            return
        said = self.tr("Indexing is paused: battery at {n} %. It resumes when plugged in.")
        self._status.show_waiting(said.format(n=round(battery.percent)))


logger = logging.getLogger(__name__)

WATCH_MS = 5_000
GAP_SECONDS = 20.0
LOGIND = (
    "org.freedesktop.login1",
    "/org/freedesktop/login1",
    "org.freedesktop.login1.Manager",
    "PrepareForSleep",
)


def load_listener() -> None:
    """Import this system's listener; may run in any thread."""
    if sys.platform == "linux":
        with suppress(ImportError):  # left out of a slim installation
            import PySide6.QtDBus  # noqa: F401 - for its effect: it is loaded then


class SleepWatch(QObject):
    """sleeping(): about to sleep, in a moment nothing runs. woke(): it runs again.

    Each system says it in its own way: macOS through its workspace, Linux through logind on the
    system's bus. Where neither answers, a clock that stands still while the computer sleeps is
    compared with one that does not: late, but it is noticed.
    """

    sleeping = Signal()
    woke = Signal()

    def __init__(
        self, parent: QObject | None = None, *, slept: Callable[[], float] | None = None
    ) -> None:
        """slept: seconds that the computer has slept so far; asks the system's clocks if None."""
        super().__init__(parent)
        self._slept = slept or seconds_slept
        self._before = self._slept()
        self._stop: Callable[[], None] | None = None
        self._timer = QTimer(self, interval=WATCH_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Listen from now on."""
        self._timer.start()
        if sys.platform == "darwin":
            self._stop = listen(self.sleeping.emit, self.woke.emit)
        elif sys.platform == "linux":
            self._stop = self._listen_to_logind()

    def close(self) -> None:
        """Stop listening."""
        self._timer.stop()
        if self._stop is not None:
            self._stop()
            self._stop = None

    def look(self) -> None:
        """Compare the clocks: has it slept since the last look?"""
        slept = self._slept()
        gap, self._before = slept - self._before, slept
        if gap >= GAP_SECONDS:
            self.woke.emit()

    @Slot(bool)
    def prepare(self, going_to_sleep: bool) -> None:
        """Take logind's word: true before sleep, false afterwards."""
        if going_to_sleep:
            self.sleeping.emit()
        else:
            self._before = self._slept()
            self.woke.emit()

    def _listen_to_logind(self) -> Callable[[], None] | None:
        try:
            from PySide6.QtDBus import QDBusConnection
        except ImportError:  # left out of a slim installation
            return None
        bus = QDBusConnection.systemBus()
        slot = SLOT("prepare(bool)").encode()
        if not bus.isConnected() or not bus.connect(*LOGIND, self, slot):
            logger.info("logind does not tell of sleep; the clocks do")
            return None

        def stop() -> None:
            bus.disconnect(*LOGIND, self, slot)

        return stop


def seconds_slept() -> float:
    """Return how long this computer has slept since it started, as far as clocks tell."""
    whole = getattr(time, "CLOCK_BOOTTIME", None)  # Linux: goes on during sleep
    if whole is not None:
        return max(0.0, time.clock_gettime(whole) - time.clock_gettime(time.CLOCK_MONOTONIC))
    awake = getattr(time, "CLOCK_UPTIME_RAW", None)  # macOS: stands still during sleep
    if awake is not None:
        return time.clock_gettime(time.CLOCK_MONOTONIC) - time.clock_gettime(awake)
    return 0.0


_SLEEPS, _WAKES = "NSWorkspaceWillSleepNotification", "NSWorkspaceDidWakeNotification"


def listen(sleeping: Callable[[], None], woke: Callable[[], None]) -> Callable[[], None] | None:
    """Call these on the main thread; return a function that stops it, None without PyObjC."""
    try:
        # By name: the module exists on a Mac alone, where text recognition brings it.
        appkit: Any = importlib.import_module("AppKit")
    except ImportError:
        logger.info("PyObjC is not there: sleep is noticed by the clocks")
        return None
    centre = appkit.NSWorkspace.sharedWorkspace().notificationCenter()
    observers = [
        centre.addObserverForName_object_queue_usingBlock_(
            name, None, None, lambda _notification, call=call: call()
        )
        for name, call in ((_SLEEPS, sleeping), (_WAKES, woke))
    ]

    def stop() -> None:
        for each in observers:
            centre.removeObserver_(each)

    return stop
