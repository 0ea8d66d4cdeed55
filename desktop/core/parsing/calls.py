"""One request on its way through the supervisor, and how long each of its stages may take."""

from __future__ import annotations

import itertools
import queue
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.core.parsing import messages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core.settings.sections import ParserSettings

# How long the worker may take to import MuPDF, and to load the OCR model: five seconds. On a
# machine that does much else it took a minute once, and a sound file was called unreadable.
START_SECONDS = 180.0
# OCR takes several times as long as anything else on a page.
_OCR_FACTOR = 3.0
# Judging how slowly a page draws, or reading its title: not worth more.
_EXTRA_SECONDS = 3.0

# A person waits for drawing; for everything else only a progress bar does.
URGENT, USUAL = 0, 1

_sequence = itertools.count()


@dataclass(order=True, slots=True)
class Call:
    """A request and the queue its replies arrive in, an exception or None as the last.

    urgency: URGENT goes before USUAL.
    """

    urgency: int
    order: int = field(init=False, default_factory=lambda: next(_sequence))
    request: messages.Request | None = field(compare=False)
    cancelled: bool = field(default=False, compare=False)
    replies: queue.SimpleQueue[messages.Reply | BaseException | None] = field(
        default_factory=queue.SimpleQueue, compare=False
    )

    def results(self) -> Iterator[messages.Reply]:
        """Yield the replies as they come, blocking.

        Raises: what ended the call early.
        """
        while (reply := self.replies.get()) is not None:
            if isinstance(reply, BaseException):
                raise reply
            yield reply


def seconds_after(reply: messages.Reply | None, settings: ParserSettings) -> float:
    """Return how long to wait for what comes after `reply` (None: after the request)."""
    match reply:
        case None:
            return settings.document_seconds
        case messages.Staged(stage="starting_ocr"):
            return START_SECONDS
        case messages.Staged(stage="ocr"):
            return settings.page_seconds * _OCR_FACTOR
        case messages.Opened() | messages.LayoutRead():
            return min(_EXTRA_SECONDS, settings.page_seconds)
        case _:
            return settings.page_seconds
