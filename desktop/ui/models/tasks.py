"""Long work on models: importing, reading, downloading; and the strip that shows it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.core.jobs import Cancelled, CancelToken
from desktop.models.packs.pack_events import PackDone, PackProgress, PackVerified, PackWritten
from desktop.ui import wording
from desktop.ui.bridge import Bridge
from desktop.ui.design.controls import discard, in_column
from desktop.ui.design.notices import BusyNotice
from desktop.ui.design.tokens import Space
from desktop.ui.language import tr

Kind = Literal["import", "verify", "copy", "download"]
LANES: dict[Kind, str] = {
    "import": "import",
    "verify": "read",
    "copy": "read",
    "download": "download",
}
"""Of the tasks in one lane only one runs at a time."""
End: TypeAlias = PackDone | PackVerified | PackWritten
Event: TypeAlias = PackProgress | End
MEASURED_FROM = 3.0
"""Seconds of work before its remaining time is said; earlier it would jump."""


@dataclass(eq=False, slots=True)
class Task:
    """work: gets a function that says whether to stop; ends with an `End` unless stopped.

    name: of the model, or of what is imported. model_id: "" for an import.
    stage_began: when the stage of `progress` did. end, failure: how it ended, if it has.
    """

    kind: Kind
    name: str
    work: Callable[[Callable[[], bool]], Iterator[Event]]
    model_id: str = ""
    waiting: bool = True
    stopping: bool = False
    progress: PackProgress | None = None
    stage_began: float = 0.0
    end: End | None = None
    failure: BaseException | None = None

    @property
    def cancelled(self) -> bool:
        """Whether it was stopped; what had ended before that is done all the same."""
        return self.stopping and self.end is None

    @property
    def share(self) -> float | None:
        """How much of its stage is done, 0 to 1, None where that is not known."""
        now = self.progress
        return min(1.0, now.done_bytes / now.total_bytes) if now and now.total_bytes else None

    @property
    def seconds_left(self) -> float | None:
        """How long its stage still takes, None where that is not known yet."""
        passed = time.monotonic() - self.stage_began
        return passed / self.share - passed if self.share and passed > MEASURED_FROM else None


class Tasks(QObject):
    """changed(): something to show. ended(task): one is over; the next one starts."""

    changed = Signal()
    ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks: list[Task] = []
        self._bridges: dict[str, Bridge] = {}
        for lane in LANES.values():
            if lane not in self._bridges:
                take, over = partial(self._take, lane), partial(self._finish, lane)
                self._bridges[lane] = Bridge(f"groundwork-models-{lane}", self, take, over)

    def add(self, task: Task) -> None:
        """Run a task when its turn comes; the same check or copy is not queued twice."""
        if not task.model_id or self.of_model(task.model_id, task.kind) is None:
            self._tasks.append(task)
            self._start_next(LANES[task.kind])

    def all(self) -> list[Task]:
        """Return what runs and what waits, the oldest first."""
        return list(self._tasks)

    def of_model(self, model_id: str, kind: Kind | None = None) -> Task | None:
        """Return the task that a model is in, if any."""
        mine = (each for each in self._tasks if each.model_id == model_id)
        return next((each for each in mine if kind in (None, each.kind)), None)

    def cancel(self, task: Task) -> None:
        """Stop the running task, or forget the waiting one."""
        if task.waiting:
            self._tasks.remove(task)
        else:
            task.stopping = True
            self._bridges[LANES[task.kind]].cancel()
        self.changed.emit()

    def close(self) -> None:
        """Cancel everything and join."""
        self._tasks.clear()
        for bridge in self._bridges.values():
            bridge.close()

    def _first(self, lane: str) -> Task | None:
        """Return the task that runs in a lane, else the one that waits longest."""
        return next((each for each in self._tasks if LANES[each.kind] == lane), None)

    def _start_next(self, lane: str) -> None:
        task = self._first(lane)
        if task is not None and task.waiting:
            task.waiting = False
            self._bridges[lane].start(lambda cancel: _steps(task, cancel))
        self.changed.emit()

    def _take(self, lane: str, event: Event) -> None:
        task = self._first(lane)
        if task is None:
            return
        if not isinstance(event, PackProgress):
            task.end = event
            return
        if task.progress is None or task.progress.stage != event.stage:
            task.stage_began = time.monotonic()
        task.progress = event
        self.changed.emit()

    def _finish(self, lane: str, failure: BaseException | None) -> None:
        task = self._first(lane)
        if task is None:
            return
        self._tasks.remove(task)
        task.failure = failure
        self.ended.emit(task)
        self._start_next(lane)


def _steps(task: Task, cancel: CancelToken) -> Iterator[Event]:
    """Stop between two steps even if the work itself does not look."""
    for step in task.work(lambda: cancel.cancelled):
        yield step
        if cancel.cancelled and isinstance(step, PackProgress):
            raise Cancelled


def describe(task: Task) -> str:
    """Return "Importing qwen.zip, 43%, 2 min left"."""
    text = _doing(task)
    if task.stopping:
        return tr("{text}: stopping").format(text=text)
    if task.waiting:
        return tr("{text}: waiting").format(text=text)
    parts = [f"{text}: {_stage(task.progress.stage)}" if task.progress else text]
    if task.share is not None:
        parts.append(wording.percent(task.share))
    if task.seconds_left is not None:
        parts.append(wording.time_left(task.seconds_left))
    return ", ".join(parts)


class TaskStrip(QWidget):
    """cancel_wanted(task). Hidden while nothing runs."""

    cancel_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._rows: dict[Task, BusyNotice] = {}
        self._column = in_column(self, spacing=Space.XS)
        self.hide()

    def show_tasks(self, tasks: Sequence[Task]) -> None:
        for gone in set(self._rows) - set(tasks):
            discard(self._rows.pop(gone), self._column)
        for task in tasks:
            if task not in self._rows:
                new = self._rows[task] = BusyNotice()
                new.cancel.clicked.connect(partial(self._cancel, task))
                self._column.addWidget(new)
            row = self._rows[task]
            row.show_progress(describe(task), task.share)
            row.bar.setVisible(not task.waiting)
            row.cancel.setEnabled(not task.stopping)
            row.cancel.setAccessibleName(self.tr("Cancel: {what}").format(what=_doing(task)))
        self.setVisible(bool(tasks))

    def _cancel(self, task: Task, _checked: bool = False) -> None:
        self.cancel_wanted.emit(task)

    def texts(self) -> list[str]:
        """Return what is shown, the oldest first."""
        return [row.text.text() for row in self._rows.values()]


def _stage(name: str) -> str:
    says = {
        "downloading": tr("downloading"),
        "checking": tr("looking at its files"),
        "merging": tr("merging its adapter"),
        "copying": tr("copying"),
        "hashing": tr("checking every byte"),
        "writing": tr("writing"),
    }
    return says.get(name, name)


def _doing(task: Task) -> str:
    says = {
        "import": tr("Importing {name}"),
        "verify": tr("Verifying {name}"),
        "copy": tr("Copying {name}"),
        "download": tr("Downloading {name}"),
    }
    return says[task.kind].format(name=task.name)
