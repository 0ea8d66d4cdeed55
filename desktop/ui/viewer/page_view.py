"""The pages as one sees them: laid out as a strip, paper at once, pictures and marks on top."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSizeF,
    Qt,
    QTimer,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from desktop.core.geometry import near_each_other
from desktop.ui.design.theme import dim_paper, milliseconds
from desktop.ui.viewer import page_painter
from desktop.ui.viewer.document import BlankSides, OpenDocument, ViewState, fitted_zoom, is_usual
from desktop.ui.viewer.overlays import Overlays
from desktop.ui.viewer.page_layout import Fit, PagePoint, PageStrip, clamped, painting_upright
from desktop.ui.viewer.page_painter import PageFrame
from desktop.ui.viewer.render_queue import draw_request, near_images, page_images, visible_images

if TYPE_CHECKING:
    from desktop.core.geometry import Box
    from desktop.ui.viewer.document import WordStore
    from desktop.ui.viewer.render_queue import ImageKey
    from desktop.ui.viewer.render_service import RenderService

_GAP = 24
"""Between and around pages: the numbers of highlights stand in it, beside the paper."""
_POINTS_PER_INCH = 72.0
_SETTLE_MS = 90
GLIDE_MS = 250
"""How long it takes to glide to what is revealed."""
_LINE = 48
_FREE = 20
"""Between what is shown and the bars that float below it."""
_MARGIN_ACROSS = 24.0
_MARGIN_DOWN = 84.0
"""What is shown lies at least this far from the edges, where bars float."""
_READING_HEIGHT = 0.38
_HEADED = 40.0
"""Points from which on what is marked above a row is its headings, apart from it."""


def _nothing() -> None:
    """Do nothing once what is revealed is in view."""


class PageView(QAbstractScrollArea):
    """Lays the pages of the manual in view out as a strip, moves over it and paints it.

    Strip positions are device pixels; positions in the viewport are logical ones.
    """

    page_changed = Signal(int)
    looked = Signal()
    """Other pages are in view, or the same ones elsewhere."""
    moved = Signal()
    """Pages lie elsewhere in the viewport, at once; what lies beside them follows."""
    zoom_changed = Signal()

    def __init__(self, service: RenderService, words: WordStore) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
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
        self.document: OpenDocument | None = None
        self._strip: PageStrip | None = None
        self._state = ViewState()
        self.page = 0
        self._covered = 0
        self._placing = False
        self._laid_anew = False
        # while a pinch goes on, only the last size is worth drawing
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._look)
        self._glide = QVariantAnimation(self, easingCurve=QEasingCurve(QEasingCurve.Type.OutCubic))
        self._glide.valueChanged.connect(self._glide_by)
        self._glide.finished.connect(lambda: self._arrived())
        self._gliding_to = (0.0, 0)
        self._arrived: Callable[[], None] = _nothing

    @property
    def zoom(self) -> float:
        return self._state.zoom

    @property
    def fit(self) -> Fit:
        return self._state.fit

    @property
    def zooming(self) -> bool:
        """Whether the zoom changed a moment ago and may change again at once."""
        return self._settle.isActive()

    @property
    def gliding(self) -> bool:
        """Whether what is revealed is still on its way into view."""
        return self._glide.state() is QVariantAnimation.State.Running

    def show_document(self, document: OpenDocument | None, state: ViewState | None = None) -> None:
        """Show a document where its state says; the state is kept up to date from now on."""
        self.document = document
        self._state = state or ViewState()
        self._rebuild(self._state.point)

    def update_document(self, document: OpenDocument) -> None:
        """Take newer records of the document in view; the place is kept."""
        self.document = document
        self._rebuild(self.place())

    # places

    def place(self) -> PagePoint:
        """Return the place at the viewport's top left, relative to the current page."""
        if self._strip is None:
            return PagePoint(0)
        rect, view = self._strip.rect(self.page), self.strip_area()
        return PagePoint(
            self.page, (view.x() - rect.x()) / rect.width(), (view.y() - rect.y()) / rect.height()
        )

    def go_to(self, point: PagePoint) -> None:
        """Show a place as `place` returned it."""
        if self._strip is not None:
            self.fit_to(self._strip.nearest_page(point.page))
            x, y = self._strip.position(point)
            self._scroll_to(x, y, self._strip.nearest_page(point.page))

    def fit_to(self, page: int) -> None:
        """Fit a page that is jumped to like the others: a wide one may follow a tall one."""
        zoom = self._fitted(self._state.fit, page)
        if self._state.fit is not Fit.NONE and zoom != self._state.zoom:
            self._state.zoom = zoom
            self._build_strip()  # looked at when the page is scrolled to, not at the old place
            self.zoom_changed.emit()

    def strip_area(self) -> QRect:
        """Return the part of the strip that the viewport shows."""
        ratio = self.devicePixelRatioF()
        return QRect(
            round(self.horizontalScrollBar().value() * ratio),
            round(self.verticalScrollBar().value() * ratio),
            round(self.viewport().width() * ratio),
            round(self.viewport().height() * ratio),
        )

    def visible_pages(self) -> range:
        """Return the pages in view."""
        view = self.strip_area()
        return self._strip.visible(view.y(), view.y() + view.height()) if self._strip else range(0)

    def page_frame(self, page: int) -> PageFrame:
        """Return where a page of the document lies in the viewport now."""
        if self.document is None or self._strip is None:
            raise LookupError("no document is shown")
        rect, view, ratio = self._strip.rect(page), self.strip_area(), self.devicePixelRatioF()
        here = rect.translated(-view.topLeft())
        area = QRectF(QPointF(here.topLeft()) / ratio, QSizeF(here.size()) / ratio)
        width, height = self.document.sizes[page]
        return PageFrame(area, width, height, self._state.turn)

    def page_under(self, position: QPointF) -> int | None:
        """Return the page at (or above) a viewport position."""
        if self._strip is None:
            return None
        ratio, view = self.devicePixelRatioF(), self.strip_area()
        return self._strip.page_at(
            int(view.y() + position.y() * ratio), view.x() + position.x() * ratio
        )

    def _fitted(self, fit: Fit, page: int) -> float:
        if fit is Fit.NONE or self.document is None or not self.document.pages:
            return self._state.zoom
        # as if the scroll bar were there: without this it appears and undoes the fit
        room = self.maximumViewportSize()
        room.setWidth(room.width() - self.verticalScrollBar().sizeHint().width())
        dots = self._pixels_per_point()
        return fitted_zoom(self.document, self._state, page, room, _GAP, dots, fit)

    def _pixels_per_point(self) -> float:
        return self.logicalDpiX() / _POINTS_PER_INCH

    # the strip and the scroll bars

    def _rebuild(self, point: PagePoint) -> None:
        count = len(self.document.pages) if self.document else 0
        if not count:
            self._strip = None
            self.page = 0
            self._update_bars()
            self.moved.emit()
        else:
            self.page = min(point.page, count - 1)
            if self._state.fit is not Fit.NONE:
                self._state.zoom = self._fitted(self._state.fit, self.page)
            self._build_strip()
            self.go_to(point)
        if not count or self._laid_anew:
            self.view_moved()
        self.zoom_changed.emit()

    def _build_strip(self) -> None:
        if self.document is None:
            return
        ratio = self.devicePixelRatioF()
        self._strip = PageStrip(
            self.document.sizes,
            self._state.zoom * self._pixels_per_point() * ratio,
            round(_GAP * ratio),
            round(self.viewport().width() * ratio),
            self._state.across,
            self._state.turn,
        )
        self._laid_anew = True
        self._update_bars()

    def _update_bars(self) -> None:
        height = self._strip.height / self.devicePixelRatioF() if self._strip else 0
        bar, room = self.verticalScrollBar(), self.viewport().height()
        with self._placement():
            bar.setPageStep(room)
            bar.setSingleStep(_LINE)
            bar.setRange(0, round(height) + self._covered - room if height > room else 0)
        self._update_horizontal_bar()

    def _update_horizontal_bar(self) -> None:
        """Let the bar move over the rows in view only: others may be wider than the viewport."""
        bar, room = self.horizontalScrollBar(), self.viewport().width()
        low = high = 0
        if self._strip is not None:
            ratio, top = self.devicePixelRatioF(), self.strip_area().y()
            # as if the bar were not there: it must not hide the row for which it appears
            bottom = top + round(self.maximumViewportSize().height() * ratio)
            pages = self._strip.visible(top, bottom)
            widest = self._strip.widest(pages) + 2 * self._strip.gap
            beside = max(0, round((widest / ratio - room) / 2))
            middle = round((self._strip.width / ratio - room) / 2)
            low, high = middle - beside, middle + beside
            if beside and self._shows_words_alone(pages):
                low = high = middle + self._aside(widest / ratio - 2 * _GAP - room)
        with self._placement():
            bar.setPageStep(room)
            bar.setSingleStep(_LINE)
            bar.setRange(low, high)

    def _shows_words_alone(self, pages: range) -> bool:
        """Whether these pages are fitted without the blank paper at their sides."""
        document, state = self.document, self._state
        if document is None or state.fit is not Fit.WIDTH:
            return False
        return all(is_usual(document, state, document.pages[page].width) for page in pages)

    def _aside(self, hidden: float) -> int:
        """Return how far from the middle one sees most words. hidden: pixels of a page."""
        blank = self.document.blank if self.document is not None else BlankSides()
        both = blank.left + blank.right
        return round(max(0.0, hidden) * (blank.left / both - 0.5)) if both else 0

    def _scroll_to(self, x: float, y: float, page: int | None) -> None:
        self._glide.stop()
        self._move_to(x, y, page)

    def _move_to(self, x: float, y: float, page: int | None) -> None:
        ratio, before = self.devicePixelRatioF(), self.strip_area()
        down = min(round(y / ratio), self.verticalScrollBar().maximum())
        if not self.zooming and self.document is not None and self._strip is not None:
            # drawing begins while the bars are still being moved and everybody is being told
            corner = QPoint(round(x), round(max(0, down) * ratio))
            self._want_visible(self.document, self._strip, QRect(corner, before.size()))
        with self._placement():
            self.verticalScrollBar().setValue(down)
            self._update_horizontal_bar()
            self.horizontalScrollBar().setValue(round(x / ratio))
        if self._laid_anew or self.strip_area() != before:
            self._look()
        self._arrived_at(self._main_page() if page is None else page)
        self.moved.emit()

    def _look(self) -> None:
        """Deal with what is in view now, before anybody is told, so that drawing begins at once."""
        if self.zooming:
            self.viewport().update()
        else:
            self._laid_anew = False
            self.view_moved()
            self.looked.emit()

    def _main_page(self) -> int:
        view = self.strip_area()
        return self._strip.main_page(view.y(), view.y() + view.height()) if self._strip else 0

    def _arrived_at(self, page: int) -> None:
        changed = page != self.page
        self.page = page
        self._state.point = self.place()
        if changed:
            self.page_changed.emit(page)

    @contextmanager
    def _placement(self) -> Iterator[None]:
        """Move the bars without treating it as scrolling by a person."""
        outer, self._placing = self._placing, True
        try:
            yield
        finally:
            self._placing = outer

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802 - Qt's name
        self._revealed = None
        if not self._placing:
            self._glide.stop()
            if dy:
                self._update_horizontal_bar()
            self._look()
            self._arrived_at(self._main_page())
            self.moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        # a window that is just being laid out must not lose what it was opened for
        revealed = self._revealed
        super().resizeEvent(event)
        self._rebuild(self._state.point)
        if revealed is not None:
            self.reveal(*revealed, glide=False)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._rebuild(self._state.point)
        return super().event(event)

    # what a person does with the pages

    def go_to_page(self, page: int) -> None:
        """Bring the top of a page to the top of the viewport."""
        if self._strip is None:
            return
        page = self._strip.nearest_page(page)
        self.fit_to(page)
        row, view = self._strip.row(page), self.strip_area()
        fits_across = row.width() + 2 * self._strip.gap <= view.width()
        x = (self._strip.width - view.width()) / 2 if fits_across else view.x()
        self._scroll_to(x, row.y() - self._strip.gap, page)

    def turn_row(self, by: int) -> None:
        """Go on by a page, or by a row of pages."""
        if self._strip is not None:
            self.go_to_page(self._strip.beside(self.page, by))

    def scroll_by(self, dx: float, dy: float, page: int) -> None:
        """Scroll by logical pixels and make a page the current one."""
        ratio, view = self.devicePixelRatioF(), self.strip_area()
        self._scroll_to(view.x() + dx * ratio, view.y() + dy * ratio, page)

    def set_zoom(self, zoom: float, around: QPointF | None = None) -> None:
        """Zoom so that what is at `around` (default: the viewport's middle) stays there."""
        self._state.fit = Fit.NONE
        # a huge page seen whole is below the usual limit: let it stay reachable
        whole = self._fitted(Fit.PAGE, self.page)
        self._zoom_to(zoom if whole <= zoom < clamped(zoom) else clamped(zoom), around)

    def set_fit(self, fit: Fit) -> None:
        """Fit the current page's width or whole page, now and when the viewer is resized."""
        page = self.page
        self._state.fit = fit
        self._zoom_to(self._fitted(fit, page), QPointF(self.viewport().width() / 2, 0))
        if fit is Fit.PAGE:
            self.go_to_page(page)

    @property
    def across(self) -> int:
        """How many pages stand in a row."""
        return self._state.across

    def set_across(self, across: int) -> None:
        """Show one page in a row, or two beside each other."""
        self._state.across = across
        self._lay_out_anew()

    @property
    def turn(self) -> int:
        """Clockwise quarter turns of every page."""
        return self._state.turn

    def rotate(self, quarters: int) -> None:
        """Turn every page of the manual in view, clockwise."""
        self._state.turn = (self._state.turn + quarters) % 4
        self._lay_out_anew()

    def _lay_out_anew(self) -> None:
        page = self.page
        self._rebuild(PagePoint(page))
        self.go_to_page(page)

    def _zoom_to(self, zoom: float, around: QPointF | None) -> None:
        if self._strip is None:
            return
        fixed = around or QPointF(self.viewport().rect().center())
        ratio, view = self.devicePixelRatioF(), self.strip_area()
        held = self._strip.locate(view.x() + fixed.x() * ratio, view.y() + fixed.y() * ratio)
        self._state.zoom = zoom
        self._settle.start()
        self._build_strip()
        x, y = self._strip.position(held)
        self._scroll_to(x - fixed.x() * ratio, y - fixed.y() * ratio, None)
        self.viewport().update()
        self.zoom_changed.emit()

    # marks and painting

    def highlight_rects(self, page: int) -> list[QRectF]:
        """Return where the highlighted boxes of a page are drawn, in viewport pixels."""
        if self.document is None or not 0 <= page < len(self.document.pages):
            return []
        frame = self.page_frame(page)
        marks = self.overlays.highlights.on_page(self.document.id, page)
        return [frame.rect(box) for mark in marks for box in mark.boxes]

    def reveal(
        self,
        page: int,
        boxes: Sequence[Box],
        *,
        glide: bool = True,
        arrived: Callable[[], None] = _nothing,
    ) -> None:
        """Scroll boxes of a page into view with a margin around them, unless they are already.

        A row that is further below its headings than there is room is shown without them.
        glide: the last screenful of the way is seen, where things may move. arrived: called once
        they are in view, unless somebody moves on before.
        """
        if self.document is None or not 0 <= page < len(self.document.pages):
            return
        if not boxes:
            self.go_to_page(page)
            arrived()
            return
        self.fit_to(page)
        frame = self.page_frame(page)
        target = frame.around(boxes)
        room = self.viewport().size()
        if frame.area.width() <= room.width():
            dx = frame.area.center().x() - room.width() / 2
        else:
            dx = _shift(target.left(), target.right(), room.width(), _MARGIN_ACROSS)
        high = room.height() - max(0.0, self._covered + _FREE - _MARGIN_DOWN)
        if target.height() > high - 2 * _MARGIN_DOWN:
            target = frame.around(near_each_other(boxes, _HEADED)[-1])
        dy = _shift(target.top(), target.bottom(), high, _MARGIN_DOWN)
        if glide and self.isVisible() and milliseconds(GLIDE_MS):
            self._begin_glide(dx, dy, page)
        else:
            self.scroll_by(dx, dy, page)
        self._revealed = (page, boxes)
        self._arrived = arrived
        if not self.gliding:
            arrived()

    def _begin_glide(self, dx: float, dy: float, page: int) -> None:
        ratio, view, most = self.devicePixelRatioF(), self.strip_area(), self.viewport().height()
        x, y = view.x() + dx * ratio, view.y() + dy * ratio
        bar = self.verticalScrollBar()
        end = min(max(y / ratio, 0), bar.maximum())
        start = min(max(bar.value(), end - most), end + most)
        self._scroll_to(x, start * ratio, page)
        if round(start) == round(end):
            return
        self._gliding_to = (x, page)
        self._glide.setStartValue(float(start * ratio))
        self._glide.setEndValue(float(end * ratio))
        self._glide.setDuration(milliseconds(GLIDE_MS))
        self._glide.start()

    def _glide_by(self, y: float) -> None:
        (x, page), revealed = self._gliding_to, self._revealed
        self._move_to(x, y, page)
        self._revealed = revealed

    def cover(self, below: int) -> None:
        """Leave what is shown, and the end of the last page, free of bars. below: their height."""
        if below == self._covered:
            return
        self._covered, revealed = below, self._revealed
        self._update_bars()
        if revealed is not None:
            self.reveal(*revealed, glide=False)

    def view_moved(self) -> None:
        """Ask for what is in view now; what is no longer needed is dropped."""
        self.viewport().update()
        document, strip = self.document, self._strip
        if document is None or strip is None:
            self._service.want("visible", ())
            self._service.want("near", ())
            return
        view = self.strip_area()
        self._want_visible(document, strip, view)
        near = near_images(document, strip, view)
        self._service.want("near", [draw_request(document, key) for key in near])

    def _want_visible(self, document: OpenDocument, strip: PageStrip, area: QRect) -> None:
        keys = visible_images(document, strip, area)
        self._service.want("visible", [draw_request(document, key) for key in keys])

    def _image_arrived(self, key: ImageKey) -> None:
        here = self.document is not None and key.document_id == self.document.id
        if here and key.page in self.visible_pages():
            self.viewport().update(_sheet(self.page_frame(key.page).area))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            self._paint_surround(painter, event.region())
            document, strip = self.document, self._strip
            if document is not None and strip is not None:
                view = self.strip_area()
                for page in self.visible_pages():
                    frame = self.page_frame(page)
                    page_painter.paint_paper(
                        painter, frame.area, page_painter.paper_edge(self.palette())
                    )
                    keys = page_images(document, strip, view, page)
                    with painting_upright(painter, frame.area, frame.turn) as upright:
                        self._paint_picture(painter, upright, keys)
                    page_painter.paint_marks(
                        painter, frame, self.overlays.on_page(document.id, page)
                    )
                    dim_paper(painter, frame.area)

    def _paint_surround(self, painter: QPainter, around: QRegion) -> None:
        """Fill what no sheet will cover: most of what is to be painted is paper."""
        for page in self.visible_pages():
            # whole pixels that are covered whatever the scale of the screen
            around -= QRegion(_sheet(self.page_frame(page).area).adjusted(2, 2, -2, -2))
        if around.isEmpty():
            return
        painter.setClipRegion(around)
        painter.fillRect(around.boundingRect(), page_painter.surround(self.palette()))
        painter.setClipping(False)

    def drawn(self, page: int, box: Box) -> QImage | None:
        """Return a box of a page as it is drawn now, without marks; None while nothing is."""
        document, strip, service = self.document, self._strip, self._service
        if document is None or strip is None:
            return None
        where = (document.id, page)
        if not any(each.best_whole_page(*where) for each in (service.cache, service.thumbnails)):
            return None
        frame, ratio = self.page_frame(page), self.devicePixelRatioF()
        area = frame.rect(box)
        image = QImage((area.size() * ratio).toSize(), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(page_painter.PAPER)
        with QPainter(image) as painter:
            painter.translate(-area.topLeft())
            with painting_upright(painter, frame.area, frame.turn) as upright:
                keys = page_images(document, strip, self.strip_area(), page)
                self._paint_picture(painter, upright, keys)
        return image

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
                painter.fillRect(place, page_painter.PAPER)
                painter.drawImage(place, tile)


def _sheet(area: QRectF) -> QRect:
    """Return the pixels of a page and its edge."""
    return area.toAlignedRect().adjusted(-1, -1, 1, 1)


def _shift(low: float, high: float, room: float, margin: float) -> float:
    """Return how far to scroll so that [low, high] lies in the room with a margin."""
    if low >= margin and high <= room - margin:
        return 0.0
    if high - low > room - 2 * margin:
        return low - margin
    return (low + high) / 2 - room * _READING_HEIGHT
