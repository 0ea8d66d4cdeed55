"""Plays a person who adds a manual, asks, and looks at the cited page: proof that it all works."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop.ui.design.notices import ProblemPage

if TYPE_CHECKING:
    from desktop.core.library.values import DocumentRecord
    from desktop.ui.window.main_window import MainWindow

LOOK_MS = 20
ACT_SECONDS = 300.0
"""How long a single act may take, on the slowest and busiest machine that builds."""


class Rehearsal(QObject):
    """milliseconds: when each act was over, since `begin`. failure: why it ended, "" if it did not.

    documents: the library's records, None while it is not open.
    manual: what is taken in and asked; None ends it when the library is open.
    """

    def __init__(
        self,
        window: MainWindow,
        documents: Callable[[], list[DocumentRecord] | None],
        manual: Path | None,
        question: str,
    ) -> None:
        super().__init__(window)
        self.milliseconds: dict[str, float] = {}
        self.answer = ""
        self.cited = ""
        self.failure = ""
        self._window = window
        self._documents = documents
        self._manual = manual
        self._question = question
        self._acts = self._play()
        self._waiting_for: tuple[str, Callable[[], bool]] | None = None
        self._begun = self._act_begun = 0.0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)

    def begin(self) -> None:
        """Play; the window is closed at the end, whatever happened."""
        self._begun = time.monotonic()
        self._next()
        self._timer.start(LOOK_MS)

    def _play(self) -> Iterator[tuple[str, Callable[[], bool]]]:
        yield "library open", lambda: self._documents() is not None
        if self._manual is None:
            return
        self._window.take_in([self._manual])
        yield "manual ready", self._is_ready
        self._window.chat.ask(self._question)
        turn = self._window.chat.turns[-1]
        yield "answered", lambda: not turn.running
        self.answer = turn.text
        if turn.outcome != "answered" or not turn.citations:
            self._fail(f"the question ended as '{turn.outcome}' without a citation")
            return
        place = turn.citations[0].source
        self.cited = f"{place.document}, page {place.label}"
        yield (
            "cited page shown",
            lambda: (
                self._window.centre.place() == (place.document_id, place.page)
                and self._window.centre.marks(place.page) > 0
            ),
        )

    def _is_ready(self) -> bool:
        documents = self._documents() or []
        for document in documents:
            if document.state not in ("queued", "indexing", "ready"):
                self._fail(f"{document.name} is '{document.state}'")
        return bool(documents) and all(document.state == "ready" for document in documents)

    def _look(self) -> None:
        if self._waiting_for is None or self.failure:
            return
        act, is_over = self._waiting_for
        if is_over():
            self.milliseconds[act] = (time.monotonic() - self._begun) * 1000
            self._next()
        elif isinstance(problem := self._window.centre.currentWidget(), ProblemPage):
            self._fail(problem.accessibleName())
        elif time.monotonic() - self._act_begun > ACT_SECONDS:
            self._fail(f"'{act}' did not come within {ACT_SECONDS:.0f} s")

    def _next(self) -> None:
        self._act_begun = time.monotonic()
        self._waiting_for = next(self._acts, None)
        if self._waiting_for is None:
            self._end()

    def _fail(self, reason: str) -> None:
        self.failure = self.failure or reason
        self._end()

    def _end(self) -> None:
        self._timer.stop()
        self._window.close()
