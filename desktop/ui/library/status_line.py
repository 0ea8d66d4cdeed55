"""The bottom line: what is ready, what is being read, profile, "offline" and its proof."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QSizePolicy, QStatusBar, QToolButton, QWidget

from desktop import tripwire
from desktop.ui import wording
from desktop.ui.design.controls import (
    ElidedLabel,
    fill,
    flat_button,
    in_row,
    label,
    plain_tooltip,
    set_tone,
    thin_bar,
)
from desktop.ui.design.icons import IconPicture
from desktop.ui.design.theme import scaled_font
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.library.model import LibraryModel, current_pass, row_view

if TYPE_CHECKING:
    from desktop.core.library.values import DocumentRecord, PassName, PassProgress


LOOK_MS = 2_000
SHOWN_TARGETS = 5
WATCHED_S = 60.0
"""How far back is looked to tell how fast it goes."""
ENOUGH_S = 20.0
"""Before so many seconds have been watched, nothing is said."""
SLOWLY = 0.05
"""How much of a new estimate counts beside the one that is told."""
STEADY = 1.5
"""How many times as fast one half of the time watched may be as the other."""


class AmountRead:
    """Of all manuals that are read together: one that is finished still counts beside the others.

    clock: seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._pages: dict[int, int] = {}
        self._seen: deque[tuple[float, float]] = deque()
        self._ends: float | None = None
        self.count = 0
        self.finished = 0
        self.share = 0.0

    def take(
        self,
        records: Sequence[DocumentRecord],
        progress: Callable[[int], Mapping[PassName, PassProgress]],
    ) -> None:
        """Look at the manuals as they stand now."""
        busy = {each.id: each for each in records if each.being_read}
        if not busy:
            self._pages.clear()
        known = {each.id for each in records}
        before = set(self._pages)
        self._pages = {id_: pages for id_, pages in self._pages.items() if id_ in known}
        self._pages |= {id_: each.page_count for id_, each in busy.items()}
        if set(self._pages) != before:
            self._seen.clear()
            self._ends = None
        self.count, self.finished = len(self._pages), len(self._pages.keys() - busy.keys())
        # the same share as the bar of its card
        read = {id_: row_view(each, progress(id_)).read or 0.0 for id_, each in busy.items()}
        done = sum(read.get(id_, 1.0) * max(1, pages) for id_, pages in self._pages.items())
        self.share = done / max(1, sum(max(1, pages) for pages in self._pages.values()))
        self._watch()

    @property
    def seconds_left(self) -> float | None:
        """Seconds until all is read; None until it is read steadily. It counts down meanwhile."""
        return None if self._ends is None else max(0.0, self._ends - self._clock())

    def _watch(self) -> None:
        now = self._clock()
        self._seen.append((now, self.share))
        while now - self._seen[0][0] > WATCHED_S:
            self._seen.popleft()
        (began, share), (middle, half) = self._seen[0], self._seen[len(self._seen) // 2]
        if now - began < ENOUGH_S or not began < middle < now:
            return
        first, second = (half - share) / (middle - began), (self.share - half) / (now - middle)
        if min(first, second) <= 0 or max(first, second) > STEADY * min(first, second):
            return
        ends = now + (1 - self.share) * (now - began) / (self.share - share)
        self._ends = ends if self._ends is None else self._ends + SLOWLY * (ends - self._ends)


class ConnectionCount(QWidget):
    """A shield, looked at every two seconds; a warning with the number when it is not 0."""

    def __init__(self, count: Callable[[], int] = tripwire.count) -> None:
        super().__init__()
        self._count = count
        self._shown = -1
        self.shield = IconPicture("shield-check", Size.ICON)
        self.text = label("", factor=Type.SMALL, tone="attention")
        fill(in_row(self, (0, 0, Space.M, 0), spacing=Space.XS), self.shield, self.text)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(LOOK_MS)
        self.look()

    def look(self) -> None:
        """Show the count as it is now."""
        count = self._count()
        if count == self._shown:
            return
        self._shown = count
        said = self.tr("Connections made: {n}").format(n=count)
        self.shield.show_icon("triangle-alert" if count else "shield-check")
        self.text.setText(said if count else "")
        self.setToolTip(plain_tooltip(f"{said}\n{self._explanation(count)}"))
        self.setAccessibleName(said)

    def _explanation(self, count: int) -> str:
        if not count:
            return self.tr(
                "Groundwork and its PDF reader have not tried to reach any network since they "
                "were started. Downloading a model, when you ask for one, is not counted."
            )
        targets = [self._attempt(each) for each in tripwire.attempts()[:SHOWN_TARGETS]]
        return self.tr(
            "Something in this program tried to reach a network:\n{targets}\nReport it, with the "
            "newest file from the library's folder 'logs'."
        ).format(targets="\n".join(targets))

    def _attempt(self, attempt: tripwire.Attempt) -> str:
        match attempt.kind:
            case "look up":
                told = self.tr("looked up the name {target}")
            case "bind":
                told = self.tr("waited for others at {target}")
            case _:
                told = self.tr("wanted to send to {target}")
        return told.format(target=attempt.target)


class TaskLine(QWidget):
    """A long task that a person asked for, hidden without one. stopped(): they want it to end."""

    stopped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = _giving_way()
        self.bar = thin_bar()
        self.bar.setFixedWidth(TASK_BAR)
        self.stop = flat_button("square", self.tr("Stop"), self.stopped)
        fill(in_row(self, (0, 0, Space.M, 0), spacing=Space.S), (self.text, 1), self.bar, self.stop)
        self.hide()

    def show_progress(self, text: str, done: int, total: int) -> None:
        """Say what is done; total: 0 while nobody knows how much there is."""
        self.text.setText(text)
        self.bar.setAccessibleName(text)
        self.bar.setRange(0, total)
        self.bar.setValue(done)
        self.show()


MESSAGE_MS = 6_000
REFRESH_MS = 200
WORK_WIDTH = 280
TASK_BAR = 80
_WHOLE = 1000
"""Steps of the bar."""


def _giving_way() -> ElidedLabel:
    """Return a line that is shortened before anything beside it."""
    line = ElidedLabel(factor=Type.SMALL, tone="muted")
    line.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    line.setMinimumWidth(1)
    return line


class StatusLine(QStatusBar):
    """Reads the library model; `refresh` may be called as often as events arrive."""

    def __init__(self, model: LibraryModel, meter: QToolButton) -> None:
        super().__init__()
        self._model = model
        self._indexing = False
        self._waiting = ""
        self._read = AmountRead()
        self.setSizeGripEnabled(False)
        self.setFont(scaled_font(Type.SMALL))
        self.ready = label("", factor=Type.SMALL)
        self.work = _giving_way()
        self.bar = thin_bar()
        self.bar.setFixedWidth(120)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.message = _giving_way()
        self.profile = label("", factor=Type.SMALL, tone="muted")
        self.offline = label("", factor=Type.SMALL)
        self.show_network(in_use=False)
        self.model_work = label("", factor=Type.SMALL, tone="muted")
        self.model_work.hide()
        self.meter = meter
        left = QWidget()
        row = in_row(left, (Space.M, Space.XS, 0, Space.XS), spacing=Space.M)
        for widget in (self.ready, self.bar, self.work, self.message):
            row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        self.addWidget(left, 1)
        self.task = TaskLine()
        self.addPermanentWidget(self.task)
        self.addPermanentWidget(self.model_work)
        self.addPermanentWidget(self.meter)
        for widget in (self.profile, self.offline):
            widget.setContentsMargins(Space.S, 0, Space.M, 0)
            self.addPermanentWidget(widget)
        self.connections = ConnectionCount()
        self.addPermanentWidget(self.connections)
        self._timer = QTimer(self, singleShot=True, interval=REFRESH_MS)
        self._timer.timeout.connect(self._say)
        self._forget = QTimer(self, singleShot=True)
        self._forget.timeout.connect(lambda: self.message.setText(""))
        self.bar.hide()

    def event(self, event: QEvent) -> bool:
        """Be as tall as the contents: Qt only asks what was there when the line was added."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.setMinimumHeight(self.sizeHint().height())
        return handled

    def set_profile(self, profile: str) -> None:
        """Show which profile answers; where manuals are only quoted there is none to name."""
        self.profile.setText(self.tr("{name} profile").format(name=profile.capitalize()))
        self.profile.setVisible(profile != "lite")

    def show_model_work(self, text: str) -> None:
        """Show what is being done with models' files; nothing when `text` is empty."""
        # Files may have any name; the window must not grow with it.
        metrics = self.model_work.fontMetrics()
        self.model_work.setText(metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, WORK_WIDTH))
        self.model_work.setToolTip(plain_tooltip(text) if text else "")
        self.model_work.setVisible(bool(text))

    def show_network(self, *, in_use: bool) -> None:
        """Say whether a download is going on, the only thing that uses a network."""
        if in_use:
            self.offline.setText(self.tr("Online: downloading a model"))
            self.offline.setToolTip(self.tr("No manual or question leaves this computer."))
        else:
            self.offline.setText(self.tr("Offline"))
            self.offline.setToolTip(self.tr("Nothing leaves this computer."))
        set_tone(self.offline, "attention" if in_use else "good")

    def refresh(self, *, indexing: bool) -> None:
        """Show the model's state soon."""
        self._indexing = indexing
        if not self._timer.isActive():
            self._timer.start()

    def show_waiting(self, sentence: str) -> None:
        """Say why indexing waits; "" when it does not."""
        self._waiting = sentence
        self._say()

    def say(self, text: str) -> None:
        """Show a passing message."""
        self.message.setText(text)
        self._forget.start(MESSAGE_MS)

    def _is_read_now(self, record: DocumentRecord) -> bool:
        """Whether a pass of it is running; other manuals wait between passes."""
        now = current_pass(self._model.progress(record.id))
        return now is not None and now.done < now.total

    def _say(self) -> None:
        records = self._model.records()
        busy = [each for each in records if each.being_read]
        self._read.take(records, self._model.progress)
        self.ready.setText(self._told_ready(records) if records else self.tr("No manuals yet"))
        self.bar.setVisible(self._indexing and bool(busy) and not self._waiting)
        self.work.setText(self._waiting)
        set_tone(self.work, "attention" if self._waiting else "muted")
        if self._waiting or not (self._indexing and busy):
            return
        current = next(filter(self._is_read_now, busy), None) or next(
            (each for each in busy if each.state == "indexing"), busy[0]
        )
        self.bar.setRange(0, _WHOLE)
        self.bar.setValue(round(self._read.share * _WHOLE))
        text = self.tr("Reading {title}").format(title=current.title or current.name)
        seconds = self._read.seconds_left
        self.work.setText(text if seconds is None else f"{text} · {wording.time_left(seconds)}")

    def _told_ready(self, records: Sequence[DocumentRecord]) -> str:
        if self._read.count:
            return self.tr("{n} of {manuals} read").format(
                n=self._read.finished, manuals=wording.manuals(self._read.count)
            )
        usable = [each for each in records if each.searchable]
        return self.tr("{manuals}, {pages} ready").format(
            manuals=wording.manuals(len(usable)),
            pages=wording.pages(sum(each.done[0] for each in usable)),
        )
