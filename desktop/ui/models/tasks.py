"""Long work on models: importing, reading, downloading; and the strip that shows it."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFrame, QWidget

from desktop.core.jobs import Cancelled, CancelToken
from desktop.models.packs.pack_events import PackDone, PackProgress, PackVerified, PackWritten
from desktop.ui import wording
from desktop.ui.bridge import Bridge
from desktop.ui.design.controls import in_column, in_row, label, push_button, thin_bar
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


Kind = Literal["import", "verify", "copy", "download"]
End: TypeAlias = PackDone | PackVerified | PackWritten
Event: TypeAlias = PackProgress | End
MEASURED_FROM = 3.0
"""Seconds of work before its remaining time is said; earlier it would jump."""


@dataclass(frozen=True, slots=True)
class Task:
    """work: gets a function that says whether to stop; ends with an `End` unless stopped.

    name: of the model, or of what is imported. model_id: "" for an import.
    """

    kind: Kind
    name: str
    work: Callable[[Callable[[], bool]], Iterator[Event]]
    model_id: str = ""


@dataclass(frozen=True, slots=True)
class TaskView:
    """A task as it is shown. share: of its stage, 0 to 1, None before the first progress."""

    number: int
    task: Task
    waiting: bool
    stopping: bool = False
    stage: str = ""
    share: float | None = None
    seconds_left: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a task ended: with its last event, with a failure, or because it was stopped."""

    task: Task
    end: End | None = None
    failure: BaseException | None = None
    cancelled: bool = False


class Tasks(QObject):
    """changed(): something to show. ended(outcome): one is over; the next one starts."""

    changed = Signal()
    ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = count(1)
        importing = _Queue("groundwork-models-import", self)
        reading = _Queue("groundwork-models-read", self)
        fetching = _Queue("groundwork-models-download", self)
        self._queues: dict[Kind, _Queue] = {
            "import": importing,
            "verify": reading,
            "copy": reading,
            "download": fetching,
        }
        self._all = (importing, reading, fetching)

    def add(self, task: Task) -> None:
        """Run a task when its turn comes; the same check or copy is not queued twice."""
        if task.model_id and self.of_model(task.model_id, task.kind) is not None:
            return
        self._queues[task.kind].add(next(self._numbers), task)

    def views(self) -> list[TaskView]:
        """Return what runs and what waits, the oldest first."""
        found = [view for queue in self._all for view in queue.views()]
        return sorted(found, key=lambda view: view.number)

    def of_model(self, model_id: str, kind: Kind | None = None) -> TaskView | None:
        """Return the task that a model is in, if any."""
        return next(
            (
                view
                for view in self.views()
                if view.task.model_id == model_id and kind in (None, view.task.kind)
            ),
            None,
        )

    def cancel(self, number: int) -> None:
        """Stop the running task, or forget the waiting one."""
        for queue in self._all:
            queue.cancel(number)

    def close(self) -> None:
        """Cancel everything and join."""
        for queue in self._all:
            queue.close()


class _Queue(QObject):
    def __init__(self, name: str, tasks: Tasks) -> None:
        super().__init__(tasks)
        self._tasks = tasks
        self._waiting: deque[tuple[int, Task]] = deque()
        self._running: tuple[int, Task] | None = None
        self._stopping = False
        self._progress: PackProgress | None = None
        self._end: End | None = None
        self._stage_began = 0.0
        self._closed = False
        self._bridge = Bridge(name, self)
        self._bridge.received.connect(self._take)
        self._bridge.finished.connect(self._finish)

    def add(self, number: int, task: Task) -> None:
        self._waiting.append((number, task))
        self._start_next()

    def views(self) -> list[TaskView]:
        waiting = [TaskView(number, task, waiting=True) for number, task in self._waiting]
        if self._running is None:
            return waiting
        number, task = self._running
        now = self._progress
        if now is None:
            return [TaskView(number, task, False, self._stopping), *waiting]
        share = min(1.0, now.done_bytes / now.total_bytes) if now.total_bytes else None
        passed = time.monotonic() - self._stage_began
        left = passed / share - passed if share and passed > MEASURED_FROM else None
        view = TaskView(number, task, False, self._stopping, now.stage, share, left)
        return [view, *waiting]

    def cancel(self, number: int) -> None:
        self._waiting = deque(each for each in self._waiting if each[0] != number)
        if self._running is not None and self._running[0] == number:
            self._stopping = True
            self._bridge.cancel()
        self._tasks.changed.emit()

    def close(self) -> None:
        self._closed = True
        self._waiting.clear()
        self._bridge.close()

    def _start_next(self) -> None:
        if self._running is None and self._waiting and not self._closed:
            self._running = self._waiting.popleft()
            self._stopping, self._progress, self._end = False, None, None
            task = self._running[1]
            self._bridge.start(lambda cancel: _steps(task, cancel))
        self._tasks.changed.emit()

    def _take(self, event: Event) -> None:
        if isinstance(event, PackProgress):
            if self._progress is None or self._progress.stage != event.stage:
                self._stage_began = time.monotonic()
            self._progress = event
            self._tasks.changed.emit()
        else:
            self._end = event

    def _finish(self, failure: BaseException | None) -> None:
        if self._running is None:
            return
        task = self._running[1]
        self._running = None
        # What had ended before it could be stopped is done all the same.
        stopped = self._stopping and self._end is None
        self._tasks.ended.emit(Outcome(task, self._end, None if stopped else failure, stopped))
        self._start_next()


def _steps(task: Task, cancel: CancelToken) -> Iterator[Event]:
    """Stop between two steps even if the work itself does not look."""
    for step in task.work(lambda: cancel.cancelled):
        yield step
        if cancel.cancelled and isinstance(step, PackProgress):
            raise Cancelled


def describe(view: TaskView) -> str:
    """Return "Importing qwen.zip, 43%, 2 min left"."""
    text = _doing(view.task)
    if view.stopping:
        return tr("{text}: stopping").format(text=text)
    if view.waiting:
        return tr("{text}: waiting").format(text=text)
    parts = [f"{text}: {_stage(view.stage)}" if view.stage else text]
    if view.share is not None:
        parts.append(wording.percent(view.share))
    if view.seconds_left is not None:
        parts.append(wording.time_left(view.seconds_left))
    return ", ".join(parts)


class TaskStrip(QWidget):
    """cancel_wanted(number). Hidden while nothing runs."""

    cancel_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._rows: dict[int, _TaskRow] = {}
        self._column = in_column(self, spacing=Space.XS)
        self.hide()

    def show_tasks(self, views: Sequence[TaskView]) -> None:
        for number in set(self._rows) - {view.number for view in views}:
            row = self._rows.pop(number)
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        for view in views:
            known = self._rows.get(view.number)
            if known is None:
                known = self._rows[view.number] = _TaskRow()
                known.stop.clicked.connect(
                    lambda _=False, number=view.number: self.cancel_wanted.emit(number)
                )
                self._column.addWidget(known)
            known.show_task(view)
        self.setVisible(bool(views))

    def texts(self) -> list[str]:
        """Return what is shown, the oldest first."""
        return [row.text.text() for row in self._rows.values()]


class _TaskRow(QFrame):
    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.text = label("", factor=Type.SMALL, wrap=True)
        self._bar = thin_bar()
        self.stop = push_button(self.tr("Cancel"))
        left = in_column(spacing=Space.XS)
        left.addWidget(self.text)
        left.addWidget(self._bar)
        row = in_row(self, (Space.M, Space.S, Space.S, Space.S), spacing=Space.M)
        row.addLayout(left, 1)
        row.addWidget(self.stop)

    def show_task(self, view: TaskView) -> None:
        text = describe(view)
        self.text.setText(text)
        self._bar.setVisible(not view.waiting)
        self._bar.setRange(0, 0 if view.share is None else 1000)
        self._bar.setValue(int((view.share or 0) * 1000))
        self._bar.setAccessibleName(text)
        self.stop.setEnabled(not view.stopping)
        self.stop.setAccessibleName(self.tr("Cancel: {what}").format(what=_doing(view.task)))


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
