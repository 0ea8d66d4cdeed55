"""What is to be drawn, in which order, and by whom. No Qt: a lock and lists.

Three groups of wishes, each replaced as a whole whenever its owner's view changes:
what was scrolled away simply is not in the new list. A worker takes the first wish
that it may draw. Pages known to be slow go to the parser, which has time limits;
everything else to QtPdf, which is faster. When QtPdf hangs on a page that nobody
knew to be slow, the parser helps out with what is visible.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


Group = Literal["visible", "near", "thumbnails"]
GROUPS: tuple[Group, ...] = ("visible", "near", "thumbnails")
Worker = Literal["qtpdf", "parser"]

SLOW_PAGE_SECONDS = 1.5


@dataclass(frozen=True, slots=True)
class ImageKey:
    """One drawn image: a page at a pixel size, or a tile of the page at that size.

    width, height: pixels of the whole page. clip: (x, y, width, height) of the tile.
    """

    document_id: int
    page: int
    width: int
    height: int
    clip: tuple[int, int, int, int] | None = None

    @property
    def pixel_size(self) -> tuple[int, int]:
        """Size of the image itself."""
        return self.clip[2:] if self.clip else (self.width, self.height)


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """One image to draw. page_width: points, to turn pixels into a scale."""

    key: ImageKey
    path: Path
    password: str | None
    page_width: float
    slow: bool


class CannotDraw(Exception):  # noqa: N818 - says what happened, for the page itself
    """A page could not be drawn; the text is for people."""


class RenderQueue:
    """Wishes of the views and the work in progress; safe to use from any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._wishes: dict[Group, list[DrawRequest]] = {group: [] for group in GROUPS}
        self._drawing: dict[Worker, tuple[DrawRequest, float]] = {}
        self._under_way: set[ImageKey] = set()
        self._slow_pages: set[tuple[int, int]] = set()
        self._help = False
        self._closed = False

    def want(self, group: Group, requests: Sequence[DrawRequest]) -> None:
        """Replace the wishes of a group; earlier ones not repeated here are dropped."""
        with self._changed:
            # an owner may ask again before it has seen what was drawn for it
            self._wishes[group] = [
                request for request in requests if request.key not in self._under_way
            ]
            self._wake_parser()

    def take(self, worker: Worker) -> DrawRequest | None:
        """Wait for the next request for this worker to draw; None once closed."""
        with self._changed:
            while not self._closed:
                request = self._begin(worker)
                if request is not None:
                    return request
                self._changed.wait()
            return None

    def take_now(self, worker: Worker) -> DrawRequest | None:
        """Return the next request for this worker to draw, None if there is none now."""
        with self._changed:
            return None if self._closed else self._begin(worker)

    def finish(self, worker: Worker) -> None:
        """Say that the worker's request is drawn or has failed for good."""
        with self._changed:
            request, started = self._end(worker)
            if worker == "qtpdf" and time.monotonic() - started > SLOW_PAGE_SECONDS:
                self._slow_pages.add(_page_of(request))
            for wishes in self._wishes.values():
                wishes[:] = [wish for wish in wishes if wish.key != request.key]
            self._under_way.add(request.key)
            self._wake_parser()

    def delivered(self, key: ImageKey) -> None:
        """Say that the image has reached its owner, who will not ask for it again."""
        with self._changed:
            self._under_way.discard(key)

    def pass_on(self, worker: Worker) -> None:
        """Say that QtPdf cannot draw the page, so that the parser gets it."""
        with self._changed:
            request, _ = self._end(worker)
            self._slow_pages.add(_page_of(request))
            self._wake_parser()

    def help_wanted(self) -> None:
        """Let the parser draw what is visible until QtPdf is done with the page it is at."""
        with self._changed:
            self._help = "qtpdf" in self._drawing
            self._changed.notify_all()

    def pending(self) -> int:
        """Return how many wishes are open or on their way to their owner."""
        with self._changed:
            return sum(len(wishes) for wishes in self._wishes.values()) + len(self._under_way)

    def close(self) -> None:
        """Let every worker's `take` return None."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _begin(self, worker: Worker) -> DrawRequest | None:
        request = next(self._allowed(worker), None)
        if request is not None:
            self._drawing[worker] = (request, time.monotonic())
        return request

    def _end(self, worker: Worker) -> tuple[DrawRequest, float]:
        if worker == "qtpdf":
            self._help = False
        return self._drawing.pop(worker)

    def _wake_parser(self) -> None:
        """Wake the parser only for a wish of its own: awake, it competes with page painting."""
        if next(self._allowed("parser"), None) is not None:
            self._changed.notify_all()

    def _allowed(self, worker: Worker) -> Iterator[DrawRequest]:
        busy = {request.key for request, _ in self._drawing.values()}
        for group in GROUPS:
            helps = group == "visible" and self._help
            for request in self._wishes[group]:
                slow = request.slow or _page_of(request) in self._slow_pages
                mine = slow or helps if worker == "parser" else not slow
                if mine and request.key not in busy:
                    yield request


def _page_of(request: DrawRequest) -> tuple[int, int]:
    return request.key.document_id, request.key.page
