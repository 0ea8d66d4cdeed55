"""Reading many pages through the supervisor without a gap, around pages that kill it."""

from __future__ import annotations

import os
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.errors import DocumentError, ParserLimit
from desktop.core.parsing import messages
from desktop.core.parsing.calls import USUAL, Call
from desktop.core.parsing.parser import UNKNOWN_SIZE
from desktop.core.parsing.values import PageText

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.core.parsing.supervisor import Supervisor
    from desktop.core.parsing.suspects import Suspects

# Short enough that drawing a page gets its turn, long enough to keep the worker busy.
_PAGES_PER_CALL = 32
_CALLS_AHEAD = 2
_RESTART_SECONDS = 1.0


@dataclass(slots=True)
class _Piece:
    """Pages `next` to `last` - 1, asked for in one call."""

    next: int
    last: int
    call: Call


class TextStream:
    """Pages `first` to `last` - 1 of one file, in order.

    patience: seconds that lost workers may cost in all before the document is given up.
    """

    def __init__(
        self,
        supervisor: Supervisor,
        suspects: Suspects,
        path: Path,
        password: str | None,
        patience: float,
    ) -> None:
        self._supervisor = supervisor
        self._suspects = suspects
        self._path = path
        self._password = password
        self._patience = patience
        self._ahead: deque[_Piece] = deque()

    def pages(self, first: int, last: int) -> Iterator[PageText]:
        """Yield the pages; one that took a worker down comes with its `error` set."""
        try:
            while first < last or self._ahead:
                while first < last and len(self._ahead) < _CALLS_AHEAD:
                    end = min(last, first + _PAGES_PER_CALL)
                    self._ahead.append(self._asked(first, end))
                    first = end
                yield from self._finished(self._ahead[0])
                self._ahead.popleft()
        finally:
            for piece in self._ahead:
                piece.call.cancelled = True

    def _finished(self, piece: _Piece) -> Iterator[PageText]:
        while piece.next < piece.last:
            waiting_since = time.monotonic()
            try:
                for reply in piece.call.results():
                    if isinstance(reply, messages.TextRead):
                        self._suspects.text_read(self._path, piece.next)
                        piece.next += 1
                        yield reply.text
                        waiting_since = time.monotonic()
                return
            except ParserLimit as limit:
                self._give_up_if_hopeless(limit, time.monotonic() - waiting_since)
                yield self._lost_page(piece.next, limit)
            piece.next += 1
            piece.call = self._asked(piece.next, piece.last).call

    def _asked(self, first: int, last: int) -> _Piece:
        request = messages.ReadText(os.fsencode(self._path), self._password, first, last)
        return _Piece(first, last, self._supervisor.submit(USUAL, request))

    def _give_up_if_hopeless(self, limit: ParserLimit, seconds: float) -> None:
        self._patience -= seconds + _RESTART_SECONDS
        if limit.kind == "start" or self._patience < 0:
            raise limit

    def _lost_page(self, page: int, limit: ParserLimit) -> PageText:
        self._suspects.text_failed(self._path, page, limit)
        return PageText(page, *self._size(page), b"", str(limit))

    def _size(self, page: int) -> tuple[float, float]:
        request = messages.ReadSize(os.fsencode(self._path), self._password, page)
        size = UNKNOWN_SIZE
        try:
            for reply in self._supervisor.submit(USUAL, request).results():
                if isinstance(reply, messages.SizeRead):
                    size = (reply.width, reply.height)
        except DocumentError:
            return UNKNOWN_SIZE
        return size
