"""Measure pages in the viewer: drawn first, turned to again, and a hundred scrolled through.

Part of the bench `window`, which has a window with a manual open in its viewer. A first draw is
timed from the wish to see a page until the viewport has been painted with its picture. Bare is
`QPdfDocument.render` of the same page in the same pixels with the same annotations, on a document
of its own, while nothing else is drawn. Its picture is kept, as a viewer has to: one that is
thrown away gets its memory for nothing. Of each page the two go first in turn, so that neither
finds the page warm more often.
"""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QEventLoop, QObject, QSize, QTimer
from PySide6.QtPdf import QPdfDocument, QPdfDocumentRenderOptions

from desktop.ui.viewer.page_layout import Fit
from desktop.ui.viewer.render_queue import PAGE_CACHE_BYTES, page_images

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from PySide6.QtGui import QImage

    from desktop.ui.viewer.panel import ViewerPanel
    from desktop.ui.viewer.render_queue import ImageKey

PAGES_TO_DRAW = 12
TURNS = 200
FIRST_PAGE, STEP = 5, 8  # far enough apart that none is drawn as another's neighbour
PAGES_TO_SCROLL, SCROLLS_A_PAGE = 100, 4
LONGEST_SECONDS = 20.0
TARGETS = {
    "first_draw_ratio": 1.3,
    "cached_turn_p95_ms": 16.0,
    "scrolling_growth_mib": 8.0,
}
_MIB = 1024 * 1024


def draw(viewer: ViewerPanel, manual: Path, first_page: int = FIRST_PAGE) -> dict[str, float]:
    """Time the first draw of some pages, and Qt's own drawing of them."""
    first: list[float] = []
    bare: list[float] = []
    ours, qt = _Ours(viewer), _Bare(manual)
    for number in range(PAGES_TO_DRAW):
        page = first_page + STEP * number
        size = _size_in_view(viewer, page)
        if number % 2:
            bare.append(qt.draw(page, size))
            first.append(ours.draw(page))
        else:
            first.append(ours.draw(page))
            bare.append(qt.draw(page, size))
    return {
        "first_draw_ms": statistics.median(first),
        "bare_render_ms": statistics.median(bare),
        "first_draw_ratio": statistics.median(a / b for a, b in zip(first, bare, strict=True)),
    }


class _Ours:
    """Draws pages by going to them in the viewer."""

    def __init__(self, viewer: ViewerPanel) -> None:
        self._viewer, self._painted = viewer, _Painted(viewer)

    def draw(self, page: int) -> float:
        """Return the milliseconds until it was painted; then its neighbours are drawn."""
        begun = time.perf_counter()
        self._viewer.view.go_to_page(page)
        self._painted.wait(_whole_page(self._viewer, page))
        milliseconds = (time.perf_counter() - begun) * 1000
        run(LONGEST_SECONDS, lambda: self._viewer.pending_drawings() == 0)
        return milliseconds


class _Bare:
    """Draws pages with a document of its own, and keeps their pictures."""

    def __init__(self, manual: Path) -> None:
        self._pdf = QPdfDocument()
        self._kept: list[QImage] = []
        self._pdf.load(str(manual))

    def draw(self, page: int, size: QSize) -> float:
        """Return the milliseconds; with annotations, as a viewer has to show them."""
        options = QPdfDocumentRenderOptions()
        options.setRenderFlags(QPdfDocumentRenderOptions.RenderFlag.Annotations)
        begun = time.perf_counter()
        self._kept.append(self._pdf.render(page, size, options))
        return (time.perf_counter() - begun) * 1000


def turn(viewer: ViewerPanel) -> dict[str, float]:
    """Time going to pages that are drawn already."""
    turns = []
    for number in range(TURNS):
        begun = time.perf_counter()
        viewer.view.go_to_page(FIRST_PAGE + STEP * (number % PAGES_TO_DRAW))
        viewer.view.viewport().repaint()
        turns.append((time.perf_counter() - begun) * 1000)
    return {
        "cached_turn_p95_ms": statistics.quantiles(turns, n=20)[-1],
        "cached_turn_worst_ms": max(turns),
    }


def scroll(viewer: ViewerPanel) -> dict[str, float]:
    """Scroll through a hundred pages, again and again, and say what memory does.

    The cache is full after the first times; what grows after that would grow for ever.
    """
    used = []
    for _round in range(4):
        for _ in _scrolled(viewer):
            pass
        used.append(_resident_mib())
    return {
        "page_cache_bytes": float(viewer._service.cache.used_bytes),
        "page_cache_limit_bytes": float(PAGE_CACHE_BYTES),
        "scrolled_once_mib": used[0],
        "scrolling_growth_mib": used[-1] - used[1],
    }


def _scrolled(viewer: ViewerPanel) -> Iterator[int]:
    """Scroll as with a wheel, and let every page be drawn."""
    view = viewer.view
    view.go_to_page(0)
    bar = view.verticalScrollBar()
    step = max(1, round(view.page_frame(0).area.height() / SCROLLS_A_PAGE))
    last = min(PAGES_TO_SCROLL, len(view.document.pages) if view.document else 0) - 1
    while view.page < last and bar.value() < bar.maximum():
        bar.setValue(bar.value() + step)
        run(LONGEST_SECONDS, lambda: viewer.pending_drawings() == 0)
        yield view.page


def _resident_mib() -> float:
    """Return this process's resident memory."""
    import psutil

    return float(psutil.Process().memory_info().rss) / _MIB


def _size_in_view(viewer: ViewerPanel, page: int) -> QSize:
    """Return how many pixels a page will have: all are fitted to the same width."""
    view = viewer.view
    assert view.document is not None
    assert view.fit is Fit.WIDTH
    width, height = view.document.sizes[page]
    across = _whole_page(viewer, view.page).width
    return QSize(across, round(across * height / width))


def _whole_page(viewer: ViewerPanel, page: int) -> ImageKey:
    view = viewer.view
    assert view.document is not None
    assert view._strip is not None
    return page_images(view.document, view._strip, view.strip_area(), page)[0]


class _Painted(QObject):
    """Waits until the viewport has been painted with a picture in it."""

    def __init__(self, viewer: ViewerPanel) -> None:
        super().__init__(viewer)
        self._pictures = viewer._service.cache
        self._wanted: ImageKey | None = None
        self._loop = QEventLoop()
        self._patience = QTimer(self, singleShot=True, interval=int(LONGEST_SECONDS * 1000))
        self._patience.timeout.connect(self._loop.quit)
        viewer.view.viewport().installEventFilter(self)

    def wait(self, key: ImageKey) -> None:
        self._wanted = key
        self._patience.start()
        self._loop.exec()
        self._patience.stop()
        if self._wanted is not None:
            raise RuntimeError(f"page {key.page} was not drawn within {LONGEST_SECONDS:.0f} s")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        wanted = self._wanted
        if event.type() == QEvent.Type.Paint and wanted is not None and wanted in self._pictures:
            self._wanted = None
            QTimer.singleShot(0, self._loop.quit)  # this is before it is painted
        return False


def run(seconds: float, finished: Callable[[], bool] = lambda: False) -> bool:
    """Run Qt's own loop until something is finished, at most so many seconds."""
    loop = QEventLoop()
    poll = QTimer()
    poll.timeout.connect(lambda: loop.quit() if finished() else None)
    poll.start(1)
    QTimer.singleShot(int(seconds * 1000), loop, loop.quit)
    if not finished():
        loop.exec()
    poll.stop()
    return finished()
