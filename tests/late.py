"""Answers of other threads come late: a test that acts before the window knows fails at once.

QT_QPA_PLATFORM=offscreen python -m pytest -p tests.late tests/ui
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from desktop.ui import bridge
from desktop.ui.bridge import Errands

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = 0.04

_answer, _start, _follow = Errands.answer, bridge._JobRun.__init__, bridge.Bridge.follow


def _late(call: Callable[..., None]) -> Callable[..., None]:
    def later(*values: Any) -> None:
        time.sleep(SECONDS)
        call(*values)

    return later


def _answer_late(self: Errands, call: Callable[[], object]) -> None:
    time.sleep(SECONDS)
    _answer(self, call)


def _start_late(self: bridge._JobRun, job: Any, name: str, on_event: Any, on_done: Any, /) -> None:
    _start(self, job, name, _late(on_event), _late(on_done))


def _follow_late(self: bridge.Bridge, start_stream: bridge.StartStream) -> None:
    _follow(self, lambda on_event, on_done: start_stream(_late(on_event), _late(on_done)))


Errands.answer = _answer_late  # type: ignore[method-assign]
bridge._JobRun.__init__ = _start_late  # type: ignore[method-assign, assignment]
bridge.Bridge.follow = _follow_late  # type: ignore[method-assign]
