"""A scripted vision model, page search and drawer: what was asked of them is kept."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from desktop.core.page_drawing import DrawnPage
from desktop.core.structure.values import PageImage
from desktop.models.generation import GenerationEnd, ModelLoading, TextPart, Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.question.query import Query
    from desktop.models.generation import EndReason, VisionRequest


class FakeVision:
    """Says what a test laid out, the last thing again and again, or raises it."""

    model_id = "fake-vision r1"

    def __init__(self, *sayings: str | Exception, end: EndReason = "stop") -> None:
        self.requests: list[VisionRequest] = []
        self.stopped = threading.Event()
        self.held: threading.Event | None = None
        self._sayings = list(sayings) or ["Terminal X1:2 leads to pump P1."]
        self._end = end

    def read(self, request, cancelled=lambda: False):
        self.requests.append(request)
        saying = self._sayings.pop(0) if len(self._sayings) > 1 else self._sayings[0]
        if isinstance(saying, Exception):
            raise saying
        yield ModelLoading(0.1)
        yield ModelLoading(0.6)
        for word in saying.split(" "):
            yield TextPart(f"{word} ")
        while self.held is not None and not cancelled():
            self.held.wait(0.005)
        if cancelled():
            self.stopped.set()
            yield GenerationEnd("cancelled", Usage())
            return
        yield GenerationEnd(self._end, Usage())


class FakeModels:
    """Hands out one vision model and no other."""

    def __init__(self, vision=None) -> None:
        self._vision = vision

    def language(self):
        return None

    def vision(self):
        return self._vision


class FakeVisualSearch:
    def __init__(self, *found, ready: bool = True) -> None:
        self.queries: list[Query] = []
        self.ready = ready
        self._found: Sequence = found

    def has_pages(self):
        return self.ready

    def search(self, query):
        self.queries.append(query)
        if self._found and isinstance(self._found[0], Exception):
            raise self._found[0]
        return list(self._found)


class FakeDrawer:
    """Draws grey pages of 600 x 800 points; `failure` instead, if there is one."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.drawn: list[tuple[int, int, float]] = []
        self.failure = failure

    def draw(self, document_id, page, scale):
        self.drawn.append((document_id, page, scale))
        if self.failure is not None:
            raise self.failure
        width, height = int(600 * scale), int(800 * scale)
        return DrawnPage(PageImage(width, height, b"\xc0" * (3 * width * height)), 600.0, 800.0)
