"""The pages as one sees them: paper at once, the picture when it is drawn, marks on top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QRegion, QResizeEvent

from desktop.ui.viewer import colours
from desktop.ui.viewer.drawing.wishes import draw_request, near_images, page_images, visible_images
from desktop.ui.viewer.pages import page_painter
from desktop.ui.viewer.pages.overlays import Overlays
from desktop.ui.viewer.pages.strip_view import StripView
from desktop.ui.viewer.pages.turning import painting_upright

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from desktop.core.geometry import Box
    from desktop.ui.viewer.drawing.render_service import RenderService
    from desktop.ui.viewer.drawing.tiling import ImageKey
    from desktop.ui.viewer.manuals.open_document import OpenDocument
    from desktop.ui.viewer.pages.strip import PageStrip, PixelRect
    from desktop.ui.viewer.text.words import WordStore

_MARGIN_ACROSS = 24.0
_MARGIN_DOWN = 72.0
_READING_HEIGHT = 0.38


class PageView(StripView):
    """Paints the pages in view and asks the drawing service for what is missing."""

    def __init__(
        self, service: RenderService, words: WordStore, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Manual pages"))
        # every pixel is painted: no background below it
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.overlays = Overlays(words)
        self._service = service
        self._revealed: tuple[int, Sequence[Box]] | None = None
        service.drawn.connect(self._image_arrived)
        service.failed.connect(self._image_arrived)
        words.loaded.connect(self.viewport().update)

    def highlight_rects(self, page: int) -> list[QRectF]:
        """Return where the highlighted boxes of a page are drawn, in viewport pixels."""
        if self._document is None or not 0 <= page < len(self._document.pages):
            return []
        frame = self.page_frame(page)
        marks = self.overlays.highlights.on_page(self._document.id, page)
        return [frame.rect(box) for mark in marks for box in mark.boxes]

    def reveal(self, page: int, boxes: Sequence[Box]) -> None:
        """Scroll boxes of a page into view with a margin around them, if they are not."""
        if self._document is None or not 0 <= page < len(self._document.pages):
            return
        if not boxes:
            self.go_to_page(page)
            return
        self.fit_to(page)
        frame = self.page_frame(page)
        target = QRectF()
        for box in boxes:
            target = target.united(frame.rect(box))
        room = self.viewport().size()
        if frame.area.width() <= room.width():
            dx = frame.area.center().x() - room.width() / 2
        else:
            dx = _shift(target.left(), target.right(), room.width(), _MARGIN_ACROSS)
        dy = _shift(target.top(), target.bottom(), room.height(), _MARGIN_DOWN)
        self.scroll_by(dx, dy, page)
        self._revealed = (page, boxes)

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802 - Qt's name
        self._revealed = None
        super().scrollContentsBy(dx, dy)

    def resizeEvent(self, event: QResizeEvent) -> None:
        # a window that is just being laid out must not lose what it was opened for
        revealed = self._revealed
        super().resizeEvent(event)
        if revealed is not None:
            self.reveal(*revealed)

    def view_will_move(self, area: PixelRect) -> None:
        """Have the drawing begin while the bars are moved and everybody is told."""
        if self._document is not None and self._strip is not None:
            self._want_visible(self._document, self._strip, area)

    def view_moved(self) -> None:
        """Ask for what is in view now; what is no longer needed is dropped."""
        super().view_moved()
        document, strip = self._document, self._strip
        if document is None or strip is None:
            self._service.want("visible", ())
            self._service.want("near", ())
            return
        view = self.strip_area()
        self._want_visible(document, strip, view)
        near = near_images(document, strip, view)
        self._service.want("near", [draw_request(document, key) for key in near])

    def _want_visible(self, document: OpenDocument, strip: PageStrip, area: PixelRect) -> None:
        keys = visible_images(document, strip, area)
        self._service.want("visible", [draw_request(document, key) for key in keys])

    def _image_arrived(self, key: ImageKey) -> None:
        here = self._document is not None and key.document_id == self._document.id
        if here and key.page in self.visible_pages():
            self.viewport().update(_sheet(self.page_frame(key.page).area))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        self._paint_surround(painter, event.region())
        document, strip = self._document, self._strip
        if document is not None and strip is not None:
            view = self.strip_area()
            for page in self.visible_pages():
                frame = self.page_frame(page)
                page_painter.paint_paper(painter, frame.area, colours.paper_edge(self.palette()))
                keys = page_images(document, strip, view, page)
                with painting_upright(painter, frame.area, frame.turn) as upright:
                    self._paint_picture(painter, upright, keys)
                page_painter.paint_marks(painter, frame, self.overlays.on_page(document.id, page))
        painter.end()

    def _paint_surround(self, painter: QPainter, around: QRegion) -> None:
        """Fill what no sheet will cover: most of what is to be painted is paper."""
        for page in self.visible_pages():
            # whole pixels that are covered whatever the scale of the screen
            around -= QRegion(_sheet(self.page_frame(page).area).adjusted(2, 2, -2, -2))
        if around.isEmpty():
            return
        painter.setClipRegion(around)
        painter.fillRect(around.boundingRect(), colours.surround(self.palette()))
        painter.setClipping(False)

    def _paint_picture(self, painter: QPainter, area: QRectF, keys: list[ImageKey]) -> None:
        cache, whole_page = self._service.cache, keys[0]
        exact = cache.get(whole_page) if len(keys) == 1 else None
        if exact is not None:
            painter.drawImage(area, exact)
            return
        where = (whole_page.document_id, whole_page.page)
        coarse = cache.best_whole_page(*where) or self._service.thumbnails.best_whole_page(*where)
        if coarse is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not self.zooming)
            painter.drawImage(area, coarse)
        elif why := self._service.failure(whole_page):
            page_painter.paint_note(painter, area, why)
        ratio = self.devicePixelRatioF()
        for key in keys[1:]:
            tile = cache.get(key)
            if tile is not None and key.clip is not None:
                x, y, width, height = (value / ratio for value in key.clip)
                place = QRectF(area.x() + x, area.y() + y, width, height)
                # a tile is clear where its paper is empty: the coarse page must not show there
                painter.fillRect(place, colours.PAPER)
                painter.drawImage(place, tile)


def _sheet(area: QRectF) -> QRect:
    """Return the pixels of a page and its edge."""
    return area.toAlignedRect().adjusted(-1, -1, 1, 1)


def _shift(low: float, high: float, room: float, margin: float) -> float:
    """Return by how much to scroll so that [low, high] lies in the room with a margin."""
    if low >= margin and high <= room - margin:
        return 0.0
    if high - low > room - 2 * margin:
        return low - margin
    return (low + high) / 2 - room * _READING_HEIGHT
