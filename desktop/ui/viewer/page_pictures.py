"""Small pictures of cited pages and their cited parts, drawn alongside the window's work.

The latest wish is drawn first: it is the one that a person is looking at.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage, QPixmap

from desktop.ui.bridge import Bridge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from desktop.core.events import PageRegion
    from desktop.core.jobs import CancelToken
    from desktop.core.page_drawing import PageDrawer
    from desktop.core.structure.values import PageImage
    from desktop.core.workspace import Workspace

MOST_BYTES = 32 * 1024 * 1024
_WHOLE_SCALE = 0.5
"""Pixels per point of a whole page: twice as many as a thumbnail shows."""
_PART_SCALE = 2.0
_SAME = 12
"""Levels between two pixels that look alike."""
_OF_A_SIGN = 0.012
"""Of a row, may differ from the next one between two lines: beside them a warning sign goes on."""
_NARROWEST = 220
"""Points that are shown at least: the words of a narrow column would be larger than all others."""
_HIGHEST_LINE = 32
"""Rows of pixels that are left out at most, where a line of text is cut at the top."""
_HIGHEST_SHARE = 0.55
"""Of its width: what is close to the regions ends there, for the page is one click away."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A page with its regions marked: "page", the "part" around the regions, or "close" to them.

    width: of the picture, in pixels of the screen.
    """

    source: PageRegion
    kind: Literal["page", "part", "close"]
    width: int


class PagePictures(QObject):
    """drawn(wish, pixmap): a picture that was wished for; None if the page cannot be drawn."""

    drawn = Signal(object, object)

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        from desktop.core.page_drawing import LibraryDrawer

        self._drawer: PageDrawer = LibraryDrawer(workspace.library, workspace.parser)
        self._lock = threading.Lock()
        self._wishes: list[Wish] = []
        self._kept: OrderedDict[Wish, QPixmap] = OrderedDict()
        self._bytes = 0
        self._closed = False
        self._bridge = Bridge("groundwork-page-pictures", self, self._take, lambda _: self._begin())

    def kept(self, wish: Wish) -> QPixmap | None:
        """Return a picture that was wished for, while it is there."""
        return self._kept.get(wish)

    def wish(self, wish: Wish) -> None:
        """Have a picture reported through `drawn`: at once if it is there already."""
        kept = self._kept.get(wish)
        if kept is not None:
            self._kept.move_to_end(wish)
            self.drawn.emit(wish, kept)
            return
        with self._lock:
            if wish in self._wishes:
                self._wishes.remove(wish)
            self._wishes.append(wish)
        self._begin()

    def close(self) -> None:
        """Draw nothing more and join the thread."""
        self._closed = True
        self._bridge.close()

    def _begin(self) -> None:
        with self._lock:
            waiting = bool(self._wishes)
        if waiting and not self._closed and not self._bridge.running:
            self._bridge.start(self._draw_all)

    def _draw_all(self, cancel: CancelToken) -> Iterator[tuple[Wish, QImage | None]]:
        while not cancel.cancelled:
            with self._lock:
                if not self._wishes:
                    return
                wish = self._wishes.pop()
            yield wish, picture(self._drawer, wish)

    def _take(self, made: tuple[Wish, QImage | None]) -> None:
        wish, image = made
        if image is None:
            self.drawn.emit(wish, None)
            return
        pixmap = QPixmap.fromImage(image)
        self._kept[wish] = pixmap
        self._bytes += image.sizeInBytes()
        while self._bytes > MOST_BYTES and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= oldest.width() * oldest.height() * 4
        self.drawn.emit(wish, pixmap)


def as_image(drawn: PageImage) -> QImage:
    """Return drawn pixels as an image that owns them."""
    row = 3 * drawn.width
    shown = QImage(drawn.rgb, drawn.width, drawn.height, row, QImage.Format.Format_RGB888)
    # Scaled in 24 bits, Qt leaves a dark line below a height that is no whole number of rows.
    return shown.convertToFormat(QImage.Format.Format_RGB32)


def picture(drawer: PageDrawer, wish: Wish) -> QImage | None:
    """Return what was wished for, None if the page cannot be drawn; blocks."""
    import numpy as np

    from desktop.core.errors import LibraryError
    from desktop.core.page_drawing import highlight
    from desktop.core.reports.cited_pictures import cited_part
    from desktop.core.structure.values import PageImage

    source, whole = wish.source, wish.kind == "page"
    try:
        page = drawer.draw(source.document_id, source.page, _WHOLE_SCALE if whole else _PART_SCALE)
    except (LibraryError, OSError):
        return None
    pixels = (
        highlight(page.image, page.width, source.regions)
        if whole
        else cited_part(page, source.regions, tight=wish.kind == "close")
    )
    if wish.kind == "close":
        narrow = max(0, round(_NARROWEST * _PART_SCALE) - pixels.shape[1])
        pixels = np.pad(pixels, ((0, 0), (0, narrow), (0, 0)), constant_values=255)
        pixels = cut_between_lines(pixels, round(_HIGHEST_SHARE * pixels.shape[1]))
    height, width = pixels.shape[:2]
    image = as_image(PageImage(width, height, pixels.tobytes()))
    return image.scaledToWidth(wish.width, Qt.TransformationMode.SmoothTransformation)


def cut_between_lines(pixels: NDArray[np.uint8], most: int) -> NDArray[np.uint8]:
    """Return at most this many rows of a picture, begun and ended between two lines of text.

    Letters change from one row to the next; the space between them hardly does, whether
    highlighted, beside a sign or crossed by the rules of a table.
    """
    cut_line = _spaces(pixels[:_HIGHEST_LINE])
    pixels = pixels[int(cut_line[0]) if len(cut_line) else 0 :]
    if len(pixels) <= most:
        return pixels
    spaces = _spaces(pixels[most // 2 : most])
    return pixels[: most // 2 + int(spaces[-1]) + 1 if len(spaces) else most]


def _spaces(pixels: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return which rows of a picture are nearly like the next one."""
    import numpy as np

    change = np.abs(np.diff(pixels.astype(np.int16), axis=0)).max(axis=2) >= _SAME
    found: NDArray[np.intp] = (change.mean(axis=1) <= _OF_A_SIGN).nonzero()[0]
    return found
