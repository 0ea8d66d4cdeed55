"""Which images of pages are to be drawn, in which order and by whom, and those that are kept.

Three groups of wishes, each replaced as a whole whenever its owner's view changes:
what was scrolled away simply is not in the new list. A worker takes the first wish
that it may draw. Pages known to be slow go to the parser, which has time limits;
everything else to QtPdf, which is faster. When QtPdf hangs on a page that nobody
knew to be slow, the parser helps out with what is visible.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage

from desktop.ui.viewer.page_layout import PageStrip, upright_rect

if TYPE_CHECKING:
    from desktop.ui.viewer.document import OpenDocument


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


WHOLE_PAGE_PIXELS = 6_000_000
COARSE_PAGE_PIXELS = 2_000_000
TILE = 1024


def images_for(
    document_id: int, page: int, width: int, height: int, visible: QRect
) -> list[ImageKey]:
    """Return the images needed to show the `visible` part of a page, coarse one first."""
    if width * height <= WHOLE_PAGE_PIXELS:
        return [ImageKey(document_id, page, width, height)]
    shrink = math.sqrt(COARSE_PAGE_PIXELS / (width * height))
    coarse = ImageKey(document_id, page, max(1, int(width * shrink)), max(1, int(height * shrink)))
    seen = visible & QRect(0, 0, width, height)
    if seen.isEmpty():
        return [coarse]
    tiles = [
        (x, y, min(TILE, width - x), min(TILE, height - y))
        for y in range(seen.y() // TILE * TILE, seen.y() + seen.height(), TILE)
        for x in range(seen.x() // TILE * TILE, seen.x() + seen.width(), TILE)
    ]
    return [coarse, *(ImageKey(document_id, page, width, height, tile) for tile in tiles)]


def visible_images(document: OpenDocument, strip: PageStrip, view: QRect) -> list[ImageKey]:
    """Return the images of the visible pages, the one in the middle first."""
    middle = view.center().y()
    pages = sorted(
        strip.visible(view.y(), view.y() + view.height()),
        key=lambda page: abs(strip.rect(page).center().y() - middle),
    )
    return [key for page in pages for key in page_images(document, strip, view, page)]


def near_images(document: OpenDocument, strip: PageStrip, view: QRect) -> list[ImageKey]:
    """Return the images of the pages one would turn to next: two below, one above."""
    pages = strip.visible(view.y(), view.y() + view.height())
    if not pages:
        return []
    near = [pages.stop, pages.start - 1, pages.stop + 1]
    return [
        # of a neighbour too large for one image the coarse one will do
        page_images(document, strip, view, page)[0]
        for page in near
        if 0 <= page < strip.count
    ]


def page_images(document: OpenDocument, strip: PageStrip, view: QRect, page: int) -> list[ImageKey]:
    """Return the images that show the visible part of one page."""
    rect = strip.rect(page)
    size = rect.size().transposed() if strip.turn % 2 else rect.size()
    width, height = size.width(), size.height()
    seen = upright_rect(view.translated(-rect.topLeft()), width, height, strip.turn)
    return images_for(document.id, page, width, height, seen)


def draw_request(document: OpenDocument, key: ImageKey) -> DrawRequest:
    """Return the request for an image of the document."""
    page = document.pages[key.page]
    return DrawRequest(key, document.path, document.password, page.width, page.slow_to_draw)


PAGE_CACHE_BYTES = 192 * 1024 * 1024
THUMBNAIL_CACHE_BYTES = 24 * 1024 * 1024


class ImageCache:
    """Images by key; used by the UI thread alone."""

    def __init__(self, max_bytes: int = PAGE_CACHE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._images: OrderedDict[ImageKey, QImage] = OrderedDict()
        self.used_bytes = 0

    def __contains__(self, key: ImageKey) -> bool:
        return key in self._images

    def __len__(self) -> int:
        return len(self._images)

    def get(self, key: ImageKey) -> QImage | None:
        """Return the image and count it as used, or None."""
        image = self._images.get(key)
        if image is not None:
            self._images.move_to_end(key)
        return image

    def put(self, key: ImageKey, image: QImage) -> None:
        """Keep an image; older ones go until all fit. One larger than all is not kept."""
        self._remove(key)
        if image.sizeInBytes() > self._max_bytes:
            return
        self._images[key] = image
        self.used_bytes += image.sizeInBytes()
        while self.used_bytes > self._max_bytes:
            self._remove(next(iter(self._images)))

    def best_whole_page(self, document_id: int, page: int) -> QImage | None:
        """Return the largest image of the whole page, whatever its size."""
        keys = (
            key
            for key in self._images
            if (key.document_id, key.page, key.clip) == (document_id, page, None)
        )
        largest = max(keys, key=lambda key: key.width, default=None)
        return None if largest is None else self.get(largest)

    def forget_document(self, document_id: int) -> None:
        for key in [key for key in self._images if key.document_id == document_id]:
            self._remove(key)

    def _remove(self, key: ImageKey) -> None:
        image = self._images.pop(key, None)
        if image is not None:
            self.used_bytes -= image.sizeInBytes()
