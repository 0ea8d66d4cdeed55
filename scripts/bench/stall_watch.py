"""Notices when an event loop stalls, and in which line of Python it did."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

BEAT_MS = 4
LATE_SECONDS = 0.025
LOOK_SECONDS = 0.004
DEPTH = 3
IDLE = {"wait", "_worker", "_work", "select", "results", "take", "_serve", "get"}
"""Functions in which a thread of ours does nothing but wait."""


@dataclass(frozen=True, slots=True)
class Stall:
    """One gap between two beats of the loop.

    main: where the loop's thread was, beside: the other threads at work; both most often
    seen. looks: how often the watching thread could look; none in a long stall means that
    somebody held the interpreter, or the machine was busy with others.
    """

    milliseconds: float
    phase: str
    looks: int
    main: str
    beside: str

    def __str__(self) -> str:
        where = f"{self.main or '-'}  beside: {self.beside or '-'}"
        return f"{self.milliseconds:6.1f} ms  {self.phase} ({self.looks} looks)  {where}"


class StallWatch:
    """Beats in the thread that makes it; a second thread looks at the stacks when it is late."""

    def __init__(self) -> None:
        self.phase = ""
        self.stalls: list[Stall] = []
        self._thread_id = threading.get_ident()
        self._last = time.perf_counter()
        self._seen: list[tuple[str, str]] = []
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(BEAT_MS)
        self._over = threading.Event()
        self._looker = threading.Thread(target=self._look, name="stall-watch", daemon=True)
        self._looker.start()

    def longest_ms(self, counts: Callable[[str], bool] = lambda _phase: True) -> float:
        """Return the longest stall of the phases that count, 0 if none was worth keeping."""
        return max((s.milliseconds for s in self.stalls if counts(s.phase)), default=0.0)

    def worst(self, count: int) -> list[Stall]:
        """Return the longest ones, longest first."""
        return sorted(self.stalls, key=lambda each: -each.milliseconds)[:count]

    def pause(self) -> None:
        """The loop is not run from now on, on purpose."""
        self._timer.stop()

    def resume(self) -> None:
        """The loop runs again."""
        self._last = time.perf_counter()
        self._timer.start(BEAT_MS)

    def close(self) -> None:
        """Stop beating and looking."""
        self._timer.stop()
        self._over.set()
        self._looker.join()

    def _beat(self) -> None:
        now = time.perf_counter()
        late = now - self._last - BEAT_MS / 1000
        seen, self._seen = self._seen, []
        if late > LATE_SECONDS:
            main = Counter(main for main, _ in seen).most_common(1)
            beside = Counter(beside for _, beside in seen).most_common(1)
            self.stalls.append(
                Stall(
                    late * 1000,
                    self.phase,
                    len(seen),
                    main[0][0] if main else "",
                    beside[0][0] if beside else "",
                )
            )
        self._last = time.perf_counter()

    def _look(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            if time.perf_counter() - self._last > LATE_SECONDS / 2:
                frames = sys._current_frames()
                names = {thread.ident: thread.name for thread in threading.enumerate()}
                others = [
                    f"{names.get(ident, '?')} {_place(frame, 2)}"
                    for ident, frame in frames.items()
                    if ident not in (self._thread_id, threading.get_ident()) and not _idle(frame)
                ]
                self._seen.append((_place(frames.get(self._thread_id)), "; ".join(others)))
                # a frame that is held holds its variables too, painters among them
                frames.clear()


def _idle(frame: FrameType) -> bool:
    return frame.f_code.co_name in IDLE


def _place(frame: FrameType | None, depth: int = DEPTH) -> str:
    parts = traceback.extract_stack(frame)[-depth:] if frame is not None else ()
    return " > ".join(f"{Path(part.filename).name}:{part.lineno} {part.name}" for part in parts)
