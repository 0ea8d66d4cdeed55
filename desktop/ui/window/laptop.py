"""Indexing on a laptop: waits on a low battery, goes on by itself, says why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop.core import power

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.power import Battery
    from desktop.core.workspace import Workspace
    from desktop.ui.library.indexing import Indexing
    from desktop.ui.library.status_line import StatusLine
    from desktop.ui.settings.controller import SettingsController

LOOK_MS = 15_000
BATTERY = "battery"


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
    ) -> None:
        """indexing: of the open library. battery: what reports it, if not the system."""
        super().__init__(parent)
        self._indexing = indexing
        self._settings = settings
        self._status = status
        self._battery = battery or power.read_battery
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self.look)
        settings.changed.connect(lambda path: self.look() if path[0] == "ingestion" else None)

    def open_workspace(self, workspace: Workspace) -> None:
        """Look after this library's indexing."""
        indexing = self._indexing()
        if indexing is None:
            return
        indexing.waits.connect(self._say)
        self._timer.start()
        self.look()

    def look(self) -> None:
        indexing = self._indexing()
        if indexing is None:
            return
        least = self._settings.settings.ingestion.battery_percent
        if power.should_wait(self._battery(), least):
            indexing.hold(BATTERY)
        else:
            indexing.release(BATTERY)

    def close(self) -> None:
        self._timer.stop()

    def _say(self, waiting: bool) -> None:
        battery = self._battery()
        if not waiting or battery is None:
            self._status.show_waiting("")
            return
        said = self.tr("Indexing is paused: battery at {n} %. It resumes when plugged in.")
        self._status.show_waiting(said.format(n=round(battery.percent)))
