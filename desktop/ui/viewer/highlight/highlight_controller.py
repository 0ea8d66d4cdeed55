"""Steps through an answer's regions, on the pages and in the bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QMouseEvent

from desktop.ui.viewer.highlight.highlights import Highlight, Highlights, PageRegionLike

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QPointF

    from desktop.ui.viewer.highlight.highlight_bar import HighlightBar
    from desktop.ui.viewer.pages.page_view import PageView


class HighlightController(QObject):
    """Keeps the highlights of the view and its bar the same."""

    changed = Signal()
    wanted = Signal(object)
    """A `Highlight` that is to be brought into view, in whatever manual it is."""

    pointed = Signal(int)
    """The number of the citation whose words the pointer is over, 0 over none."""

    def __init__(self, view: PageView, bar: HighlightBar) -> None:
        super().__init__(view)
        self._view = view
        self._bar = bar
        self._pointed = 0
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._point_at(0)
        elif (
            isinstance(event, QMouseEvent)
            and event.type() == QEvent.Type.MouseMove
            and not event.buttons()
        ):
            self._point_at(self.number_at(event.position()))
        return False

    def number_at(self, position: QPointF) -> int:
        """Return the citation whose words are at a position of the viewport, 0 for none."""
        document, page = self._view.document, self._view.page_under(position)
        if document is None or page is None or not len(self.highlights):
            return 0
        frame = self._view.page_frame(page)
        for mark in reversed(self.highlights.on_page(document.id, page)):
            if any(frame.rect(box).contains(position) for box in mark.boxes):
                return mark.number
        return 0

    def _point_at(self, number: int) -> None:
        if number != self._pointed:
            self._pointed = number
            self.pointed.emit(number)

    @property
    def highlights(self) -> Highlights:
        return self._view.overlays.highlights

    def show(self, regions: Sequence[PageRegionLike], current: int) -> None:
        """Highlight regions and ask for the current one."""
        self._set(Highlights(regions, current))
        self._want_current()

    def clear(self) -> None:
        """Remove all highlights."""
        self._set(Highlights())

    def forget_document(self, document_id: int) -> None:
        """Remove the highlights of a manual that goes."""
        self._set(self.highlights.without_document(document_id))

    def step(self, by: int) -> None:
        """Go to the next or previous region."""
        self.highlights.step(by)
        self._set(self.highlights)
        self._want_current()

    def light(self, number: int) -> None:
        """Make the region of a citation current where it is; nothing is scrolled."""
        if self.highlights.point_at(number):
            self._set(self.highlights)

    def _want_current(self) -> None:
        current: Highlight | None = self.highlights.current
        if current is not None:
            self.wanted.emit(current)

    def _set(self, highlights: Highlights) -> None:
        self._view.overlays.highlights = highlights
        self._bar.show_highlights(highlights)
        self._view.viewport().update()
        self.changed.emit()
