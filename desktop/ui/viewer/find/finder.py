"""Searches a manual on a thread and hands over the hits in small batches."""

from __future__ import annotations

import contextlib
import itertools
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.core.jobs import Cancelled, CancelToken
from desktop.ui.viewer.find.find_hits import MOST_HITS, FindHit, FindHits
from desktop.ui.viewer.manuals.task_thread import TaskThread

if TYPE_CHECKING:
    from desktop.ui.viewer.manuals.source import ManualSource

_BATCH_SECONDS = 0.05


class Finder(QObject):
    """One search at a time; a new one stops the one before."""

    changed = Signal()
    """The number of hits, or that it is final, changed."""
    found_current = Signal()
    """There is a current hit now, to be shown."""

    def __init__(self, source: ManualSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._tasks = TaskThread("viewer-find", self)
        self._cancel = CancelToken()
        self.hits = FindHits()

    def search(self, document_id: int, needle: str, start_page: int) -> None:
        """Find `needle`; hits at or after `start_page` come first."""
        self.clear()
        self.hits = hits = FindHits(start_page)
        cancel = self._cancel = CancelToken()
        self._tasks.submit(
            lambda: self._run(document_id, needle, hits, cancel),
            lambda _: self._finish(hits),
            lambda _: self._finish(hits),
        )
        self.changed.emit()

    def clear(self) -> None:
        """Stop searching and forget the hits."""
        self._cancel.cancel()
        self.hits = FindHits()
        self.changed.emit()

    def shutdown(self) -> None:
        self._cancel.cancel()
        self._tasks.shutdown()

    def _run(self, document_id: int, needle: str, hits: FindHits, cancel: CancelToken) -> None:
        """Collect hits on the search thread."""
        batch: list[FindHit] = []
        sent = time.monotonic()
        with contextlib.suppress(Cancelled):
            cancel.check()
            found = self._source.find_text(document_id, needle)
            for page, boxes in itertools.islice(found, MOST_HITS):
                cancel.check()
                batch.append(FindHit(page, boxes))
                if time.monotonic() - sent > _BATCH_SECONDS:
                    self._send(hits, batch)
                    batch, sent = [], time.monotonic()
        self._send(hits, batch)

    def _send(self, hits: FindHits, batch: list[FindHit]) -> None:
        if batch:
            self._tasks.answer(lambda: self._take(hits, batch))

    def _take(self, hits: FindHits, batch: list[FindHit]) -> None:
        if hits is not self.hits:
            return
        became_current = hits.add(batch)
        self.changed.emit()
        if became_current:
            self.found_current.emit()

    def _finish(self, hits: FindHits) -> None:
        if hits is not self.hits:
            return
        became_current = hits.finish()
        self.changed.emit()
        if became_current:
            self.found_current.emit()
