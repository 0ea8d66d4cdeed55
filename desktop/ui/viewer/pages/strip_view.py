"""Zooming, turning and jumping over a strip of pages; painting is left to `PageView`."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from desktop.ui.viewer.pages.laid_out_strip import LaidOutStrip
from desktop.ui.viewer.pages.strip import PagePoint
from desktop.ui.viewer.pages.zoom import Fit, clamped


class StripView(LaidOutStrip):
    """What a person does with the pages in view: go to one, zoom, fit, turn, two in a row."""

    def go_to_page(self, page: int) -> None:
        """Bring the top of a page to the top of the viewport."""
        if self._strip is None:
            return
        page = self._strip.nearest_page(page)
        self.fit_to(page)
        row, view = self._strip.row(page), self.strip_area()
        fits_across = row.width + 2 * self._strip.gap <= view.width
        x = (self._strip.width - view.width) / 2 if fits_across else view.x
        self._scroll_to(x, row.y - self._strip.gap, page)

    def turn_row(self, by: int) -> None:
        """Go on by a page, or by a row of pages."""
        if self._strip is not None:
            self.go_to_page(self._strip.beside(self._current, by))

    def scroll_by(self, dx: float, dy: float, page: int) -> None:
        """Scroll by logical pixels and make a page the current one."""
        ratio, view = self.devicePixelRatioF(), self.strip_area()
        self._scroll_to(view.x + dx * ratio, view.y + dy * ratio, page)

    def set_zoom(self, zoom: float, around: QPointF | None = None) -> None:
        """Zoom so that what is at `around` (default: the viewport's middle) stays there."""
        self._state.fit = Fit.NONE
        # a huge page seen whole is below the usual limit: let it stay reachable
        whole = self._fitted(Fit.PAGE, self._current)
        self._zoom_to(zoom if whole <= zoom < clamped(zoom) else clamped(zoom), around)

    def set_fit(self, fit: Fit) -> None:
        """Fit the current page's width or whole page, now and when the viewer is resized."""
        page = self._current
        self._state.fit = fit
        self._zoom_to(self._fitted(fit, page), QPointF(self.viewport().width() / 2, 0))
        if fit is Fit.PAGE:
            self.go_to_page(page)

    @property
    def across(self) -> int:
        """How many pages stand in a row."""
        return self._state.across

    @property
    def cover_alone(self) -> bool:
        """Whether two pages stand in a row, but for the first one, as in a book."""
        return self._state.across == 2 and self._state.cover_alone

    def set_across(self, across: int, *, cover_alone: bool = False) -> None:
        """Show one page in a row, or two beside each other."""
        self._state.across, self._state.cover_alone = across, cover_alone
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
        page = self._current
        self._rebuild(PagePoint(page))
        self.go_to_page(page)

    def _zoom_to(self, zoom: float, around: QPointF | None) -> None:
        if self._strip is None:
            return
        fixed = around or QPointF(self.viewport().rect().center())
        ratio, view = self.devicePixelRatioF(), self.strip_area()
        held = self._strip.locate(view.x + fixed.x() * ratio, view.y + fixed.y() * ratio)
        self._state.zoom = zoom
        self._settle.start()
        self._build_strip()
        x, y = self._strip.position(held)
        self._scroll_to(x - fixed.x() * ratio, y - fixed.y() * ratio, None)
        self.viewport().update()
        self.zoom_changed.emit()
