"""Keeps the ingestion running while there is work, unless the battery is low; feeds the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.core import power
from desktop.core.library.values import (
    DocumentChanged,
    DuplicateFound,
    FileRefused,
    IngestionEvent,
    PageFailed,
    PassProgress,
    WantedRead,
)
from desktop.ui.bridge import Bridge, Errands, WindowPart
from desktop.ui.language import told

if TYPE_CHECKING:
    from desktop.core.library.ingestion import Ingestion
    from desktop.core.power import Battery
    from desktop.core.workspace import Workspace
    from desktop.ui.library.model import LibraryModel
    from desktop.ui.library.status_line import StatusLine
    from desktop.ui.settings.controller import SettingsController


AGAIN_MS = 60_000
"""How often to look for work that came by itself: a model was installed, or memory is free."""


class Indexing(QObject):
    """One run at a time; started by `add` and `wake`, and again when work is left at its end.

    changed(): something to show. settled(): a run ended. appeared(id), document_changed(id):
    a manual is new, or has a new state. wanted_read(id): the pages of a manual that a question
    found are laid out. refused(name, reason), known(record),
    broke(exception): what a person should hear of. waits(bool): whether there is work that is
    held up.
    """

    changed = Signal()
    settled = Signal()
    appeared = Signal(int)
    document_changed = Signal(int)
    wanted_read = Signal(int)
    refused = Signal(str, str)
    known = Signal(object)
    broke = Signal(object)
    waits = Signal(bool)

    def __init__(self, model: LibraryModel, errands: Errands, parent: QObject) -> None:
        super().__init__(parent)
        self._ingestion: Ingestion
        self._model = model
        self._errands = errands
        self._moved = False
        self._closed = True  # until there is a library
        self._held: set[str] = set()
        self._by_themselves: set[str] = set()
        self._bridge = Bridge("groundwork-indexing", self, self._take, self._ended, resumes=True)
        self._again = QTimer(self, interval=AGAIN_MS)
        self._again.timeout.connect(self.wake)

    def open(self, ingestion: Ingestion) -> None:
        """Do this library's work from now on, once it is woken."""
        self._ingestion, self._closed = ingestion, False
        self._again.start()

    @property
    def running(self) -> bool:
        return self._bridge.running

    def add(self, paths: Sequence[Path], *, replaces: str = "", by_itself: bool = False) -> None:
        """Import files and folders; a run in progress picks them up by itself.

        replaces: hash of the manual that a file is a newer edition of. by_itself:
        nobody asked for them now, so new ones are not brought to anybody's attention.
        """
        if by_itself:
            self._by_themselves.update(path.name for path in paths)
        self._errands.run(
            lambda: self._ingestion.enqueue(paths, replaces=replaces), lambda _: self.wake()
        )

    def wake(self) -> None:
        """Start a run unless one is going on or there is nothing to do."""
        if not self._closed and not self._held and not self._bridge.running:
            self._errands.run(self._ingestion.has_work, self._start_if)

    def hold(self, reason: str) -> None:
        """Stop after the page that is being read, and start nothing until it is released."""
        if self._closed:
            return
        if reason not in self._held:
            self._held.add(reason)
            self._bridge.cancel()
        self._errands.run(self._ingestion.has_work, self._tell_waiting)

    def release(self, reason: str) -> None:
        """Go on, unless it is held for another reason too."""
        if reason not in self._held:
            return
        self._held.discard(reason)
        if not self._held:
            self.waits.emit(False)
            self.wake()

    def _tell_waiting(self, has_work: bool) -> None:
        self.waits.emit(has_work and bool(self._held))

    def close(self) -> None:
        """Cancel and join."""
        self._closed = True
        self._again.stop()
        self._bridge.close()

    def _start_if(self, has_work: bool) -> None:
        held_up = self._closed or self._held or self._bridge.running
        if has_work and not held_up:
            self._moved = False
            self._bridge.start(self._ingestion.run)
            self.changed.emit()

    def _take(self, event: IngestionEvent) -> None:
        self._moved = True
        match event:
            case DocumentChanged():
                new = self._model.record(event.document.id) is None
                self._model.put(event.document)
                self.document_changed.emit(event.document.id)
                if new and event.document.name not in self._by_themselves:
                    self.appeared.emit(event.document.id)
            case PassProgress():
                self._model.advance(event)
            case DuplicateFound():
                self.known.emit(event.document)
            case FileRefused():
                self.refused.emit(event.path.name, told(event.reason))
            case WantedRead():
                self.wanted_read.emit(event.document_id)
            case PageFailed():
                pass  # the document's own row counts them
            case _:
                assert_never(event)
        self.changed.emit()

    def _ended(self, failure: BaseException | None) -> None:
        self.changed.emit()
        self.settled.emit()
        if failure is not None:
            self.broke.emit(failure)
        elif self._moved:
            # Something may have been enqueued while the run was ending. A run that did
            # nothing at all is not repeated: it would do nothing again, forever.
            QTimer.singleShot(0, self, self.wake)


LOOK_MS = 15_000
BATTERY = "battery"


class LaptopController(WindowPart):
    """Holds and releases the indexing of the open library."""

    def __init__(
        self,
        indexing: Indexing,
        settings: SettingsController,
        status: StatusLine,
        parent: QObject,
        *,
        battery: Callable[[], Battery | None] | None = None,
    ) -> None:
        """battery: what reports it, if not the system."""
        super().__init__(parent)
        self._indexing = indexing
        self._settings = settings
        self._status = status
        self._battery = battery or power.read_battery
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self.look)
        indexing.waits.connect(self._say)
        settings.changed.connect(lambda path: self.look() if path[0] == "ingestion" else None)

    def open_workspace(self, workspace: Workspace) -> None:
        """Look after this library's indexing."""
        super().open_workspace(workspace)
        self._timer.start()
        self.look()

    def look(self) -> None:
        least = self._settings.settings.ingestion.battery_percent
        if power.should_wait(self._battery(), least):
            self._indexing.hold(BATTERY)
        else:
            self._indexing.release(BATTERY)

    def close(self) -> None:
        self._timer.stop()
        super().close()

    def _say(self, waiting: bool) -> None:
        battery = self._battery()
        if not waiting or battery is None:
            self._status.show_waiting("")
            return
        said = self.tr("Indexing is paused: battery at {n} %. It resumes when plugged in.")
        self._status.show_waiting(said.format(n=round(battery.percent)))
