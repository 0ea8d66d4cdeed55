"""A document laid out as a strip of pages under two scroll bars."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QTimer, Signal
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from desktop.ui.viewer.manuals.open_document import OpenDocument, ViewState
from desktop.ui.viewer.pages.fitting import fitted_zoom
from desktop.ui.viewer.pages.page_painter import PageFrame
from desktop.ui.viewer.pages.strip import PagePoint, PageStrip, PixelRect
from desktop.ui.viewer.pages.zoom import Fit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QResizeEvent

_GAP = 24
"""Between and around pages: the numbers of highlights stand in it, beside the paper."""
_POINTS_PER_INCH = 72.0
_SETTLE_MS = 90
_LINE = 48


class LaidOutStrip(QAbstractScrollArea):
    """Knows where every page of the document in view lies, and which one is current.

    Strip positions are device pixels; positions in the viewport are logical ones.
    """

    page_changed = Signal(int)
    looked = Signal()
    """Other pages are in view, or the same ones elsewhere."""
    zoom_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._document: OpenDocument | None = None
        self._strip: PageStrip | None = None
        self._state = ViewState()
        self._current = 0
        self._placing = False
        self._laid_anew = False
        # while a pinch goes on, only the last size is worth drawing
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._look)

    def view_moved(self) -> None:
        """Called whenever other pages, or the same ones in another size, are in view."""
        self.viewport().update()

    def view_will_move(self, area: PixelRect) -> None:
        """Called before the bars are moved so that this part of the strip comes into view."""

    @property
    def document(self) -> OpenDocument | None:
        return self._document

    @property
    def page(self) -> int:
        """The page a person is on."""
        return self._current

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

    def show_document(self, document: OpenDocument | None, state: ViewState | None = None) -> None:
        """Show a document where its state says; the state is kept up to date from now on."""
        self._document = document
        self._state = state or ViewState()
        self._rebuild(self._state.point)

    def update_document(self, document: OpenDocument) -> None:
        """Take newer records of the document in view; the place stays."""
        self._document = document
        self._rebuild(self.place())

    # places

    def place(self) -> PagePoint:
        """Return the place at the viewport's top left, relative to the current page."""
        if self._strip is None:
            return PagePoint(0)
        rect, view = self._strip.rect(self._current), self.strip_area()
        return PagePoint(
            self._current, (view.x - rect.x) / rect.width, (view.y - rect.y) / rect.height
        )

    def go_to(self, point: PagePoint) -> None:
        """Show a place as `place` returned it."""
        if self._strip is not None:
            self.fit_to(self._strip.nearest_page(point.page))
            x, y = self._strip.position(point)
            self._scroll_to(x, y, self._strip.nearest_page(point.page))

    def fit_to(self, page: int) -> None:
        """Fit a page that is jumped to, as the others were: a wide one may come after a tall."""
        zoom = self._fitted(self._state.fit, page)
        if self._state.fit is not Fit.NONE and zoom != self._state.zoom:
            self._state.zoom = zoom
            self._build_strip()  # looked at when the page is scrolled to, not at the old place
            self.zoom_changed.emit()

    def strip_area(self) -> PixelRect:
        """Return the part of the strip that the viewport shows."""
        ratio = self.devicePixelRatioF()
        return PixelRect(
            round(self.horizontalScrollBar().value() * ratio),
            round(self.verticalScrollBar().value() * ratio),
            round(self.viewport().width() * ratio),
            round(self.viewport().height() * ratio),
        )

    def visible_pages(self) -> range:
        """Return the pages in view."""
        view = self.strip_area()
        return self._strip.visible(view.y, view.bottom) if self._strip else range(0)

    def page_frame(self, page: int) -> PageFrame:
        """Return where a page of the document lies in the viewport now."""
        if self._document is None or self._strip is None:
            raise LookupError("no document is shown")
        rect, view, ratio = self._strip.rect(page), self.strip_area(), self.devicePixelRatioF()
        area = QRectF(
            (rect.x - view.x) / ratio,
            (rect.y - view.y) / ratio,
            rect.width / ratio,
            rect.height / ratio,
        )
        width, height = self._document.sizes[page]
        return PageFrame(area, width, height, self._state.turn)

    def page_under(self, position: QPointF) -> int | None:
        """Return the page at (or above) a viewport position."""
        if self._strip is None:
            return None
        ratio, view = self.devicePixelRatioF(), self.strip_area()
        return self._strip.page_at(
            int(view.y + position.y() * ratio), view.x + position.x() * ratio
        )

    def _fitted(self, fit: Fit, page: int) -> float:
        if fit is Fit.NONE or self._document is None or not self._document.pages:
            return self._state.zoom
        # as if the scroll bar were there: without this it appears and undoes the fit
        room = self.maximumViewportSize()
        room.setWidth(room.width() - self.verticalScrollBar().sizeHint().width())
        dots = self._pixels_per_point()
        return fitted_zoom(self._document, self._state, page, room, _GAP, dots, fit)

    def _pixels_per_point(self) -> float:
        return self.logicalDpiX() / _POINTS_PER_INCH

    # the strip and the scroll bars

    def _rebuild(self, point: PagePoint) -> None:
        count = len(self._document.pages) if self._document else 0
        if not count:
            self._strip = None
            self._current = 0
            self._update_bars()
        else:
            self._current = min(point.page, count - 1)
            if self._state.fit is not Fit.NONE:
                self._state.zoom = self._fitted(self._state.fit, self._current)
            self._build_strip()
            self.go_to(point)
        if not count or self._laid_anew:
            self.view_moved()
        self.zoom_changed.emit()

    def _build_strip(self) -> None:
        if self._document is None:
            return
        ratio = self.devicePixelRatioF()
        self._strip = PageStrip(
            self._document.sizes,
            self._state.zoom * self._pixels_per_point() * ratio,
            round(_GAP * ratio),
            round(self.viewport().width() * ratio),
            self._state.across,
            self._state.turn,
            self._state.empty_places,
        )
        self._laid_anew = True
        self._update_bars()

    def _update_bars(self) -> None:
        height = self._strip.height / self.devicePixelRatioF() if self._strip else 0
        bar, room = self.verticalScrollBar(), self.viewport().height()
        with self._placement():
            bar.setPageStep(room)
            bar.setSingleStep(_LINE)
            bar.setRange(0, max(0, round(height) - room))
        self._update_horizontal_bar()

    def _update_horizontal_bar(self) -> None:
        """Let it move over the rows in view alone: others may be wider than the viewport."""
        bar, room = self.horizontalScrollBar(), self.viewport().width()
        low = high = 0
        if self._strip is not None:
            ratio, top = self.devicePixelRatioF(), self.strip_area().y
            # as if the bar were not there: it must not hide the row for which it appears
            bottom = top + round(self.maximumViewportSize().height() * ratio)
            widest = self._strip.widest(self._strip.visible(top, bottom)) + 2 * self._strip.gap
            beside = max(0, round((widest / ratio - room) / 2))
            middle = round((self._strip.width / ratio - room) / 2)
            low, high = middle - beside, middle + beside
        with self._placement():
            bar.setPageStep(room)
            bar.setSingleStep(_LINE)
            bar.setRange(low, high)

    def _scroll_to(self, x: float, y: float, page: int | None) -> None:
        ratio, before = self.devicePixelRatioF(), self.strip_area()
        down = min(round(y / ratio), self.verticalScrollBar().maximum())
        if not self.zooming:
            self.view_will_move(replace(before, x=round(x), y=round(max(0, down) * ratio)))
        with self._placement():
            self.verticalScrollBar().setValue(down)
            self._update_horizontal_bar()
            self.horizontalScrollBar().setValue(round(x / ratio))
        if self._laid_anew or self.strip_area() != before:
            self._look()
        self._arrived_at(self._main_page() if page is None else page)

    def _look(self) -> None:
        """See to what is in view now; before anybody is told, so that drawing begins at once."""
        if self.zooming:
            self.viewport().update()
        else:
            self._laid_anew = False
            self.view_moved()
            self.looked.emit()

    def _main_page(self) -> int:
        view = self.strip_area()
        return self._strip.main_page(view.y, view.bottom) if self._strip else 0

    def _arrived_at(self, page: int) -> None:
        changed = page != self._current
        self._current = page
        self._state.point = self.place()
        if changed:
            self.page_changed.emit(page)

    @contextmanager
    def _placement(self) -> Iterator[None]:
        """Move the bars without taking it for scrolling by a person."""
        outer, self._placing = self._placing, True
        try:
            yield
        finally:
            self._placing = outer

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802 - Qt's name
        if not self._placing:
            if dy:
                self._update_horizontal_bar()
            self._look()
            self._arrived_at(self._main_page())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._rebuild(self._state.point)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._rebuild(self._state.point)
        return super().event(event)
