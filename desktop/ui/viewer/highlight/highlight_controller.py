"""Steps through an answer's regions, on the pages and in the bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.ui.viewer.highlight.highlights import Highlight, Highlights, PageRegionLike

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.ui.viewer.highlight.highlight_bar import HighlightBar
    from desktop.ui.viewer.pages.page_view import PageView


class HighlightController(QObject):
    """Keeps the highlights of the view and its bar the same."""

    changed = Signal()
    wanted = Signal(object)
    """A `Highlight` that is to be brought into view, in whatever manual it is."""

    def __init__(self, view: PageView, bar: HighlightBar) -> None:
        super().__init__(view)
        self._view = view
        self._bar = bar

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

    def _want_current(self) -> None:
        current: Highlight | None = self.highlights.current
        if current is not None:
            self.wanted.emit(current)

    def _set(self, highlights: Highlights) -> None:
        self._view.overlays.highlights = highlights
        self._bar.show_highlights(highlights)
        self._view.viewport().update()
        self.changed.emit()
