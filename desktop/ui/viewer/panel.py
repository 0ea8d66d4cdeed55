"""The viewer: open manuals, their pages, and everything one does with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRectF, Qt, Signal

from desktop.core.events import PageRegion
from desktop.core.geometry import Box
from desktop.ui.viewer.manual_viewer import ManualViewer
from desktop.ui.viewer.pages.view_commands import check_layout, connect_commands, page_commands

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.ui.viewer.action_table import ActionName
    from desktop.ui.viewer.highlight.highlights import Highlight, PageRegionLike
    from desktop.ui.viewer.region.page_area import PageArea


_ABOVE_TARGET = 12.0
"""Pixels above the place that a link leads to."""


class ViewerPanel(ManualViewer):
    """Shows manuals of a library. Call `shutdown` before it goes: it owns threads."""

    region_asked = Signal(object, str)
    """A `PageRegion` that is to be explained, and the question about it, "" for none."""
    highlight_pointed = Signal(int)
    """The number of the citation whose highlight the pointer is over, 0 over none."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        """Take what `ViewerFrame` takes."""
        super().__init__(*arguments, **more)
        self._connect()
        self._show_nothing()

    # what the window calls

    def show_regions(self, regions: Sequence[PageRegionLike], current: int = 0) -> None:
        """Highlight regions, open the manual of the current one and scroll to it."""
        self._marks.show(regions, current)

    def light_highlight(self, number: int) -> None:
        """Make the highlight of a citation the current one, without going there."""
        self._marks.light(number)

    def clear_highlights(self) -> None:
        """Remove all highlights."""
        self._marks.clear()

    def highlight_rects(self, page: int) -> list[QRectF]:
        """Return where the highlights of a page are drawn, in pixels of the page viewport."""
        return self.view.highlight_rects(page)

    def pending_drawings(self) -> int:
        """Return how many images are still to be drawn."""
        return self._service.pending()

    # moving about

    def _jump(self, page: int) -> None:
        self._travel.leave()
        self.view.go_to_page(page)
        self._moved()

    def _follow(self, page: int, down: float) -> None:
        """Go where a link leads; `down` in points of that page."""
        self._jump(page)
        if down and not self.view.turn:
            top = self.view.page_frame(self.view.page).rect(Box(0.0, down, 0.0, down)).top()
            self.view.scroll_by(0.0, top - _ABOVE_TARGET, self.view.page)

    def _tab_chosen(self, document_id: int) -> None:
        self._travel.leave()
        self._bring(document_id)

    def _close_current(self) -> None:
        if self.view.document is not None:
            self.close_document(self.view.document.id)

    def _page_asked(self, typed: str) -> None:
        document = self.view.document
        if document is None:
            return
        page = document.page_for(typed, self.view.page)
        if page is None:
            self.status_message.emit(
                self.tr("There is no page “{page}” in this manual").format(page=typed.strip())
            )
            return
        self._jump(page)
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _zoomed(self) -> None:
        self.toolbar.show_zoom(self.view.zoom)
        self.thumbnails.show_turned(self.view.turn)
        check_layout(self.actions_by_name, self.view)

    def _show_highlight(self, mark: Highlight) -> None:
        self._travel.leave()

        def reveal() -> None:
            self.view.reveal(mark.page, mark.boxes)
            self._pulse.begin()

        self._bring(mark.document_id, reveal)

    def _ask_about(self, area: PageArea, question: str) -> None:
        document = self.view.document
        if document is not None and document.id == area.document_id:
            name, label = document.record.name, document.label(area.page)
            place = PageRegion(area.document_id, name, area.page, label, (area.box,))
            self.region_asked.emit(place, question)

    # wiring

    def _connect(self) -> None:
        view, actions = self.view, self.actions_by_name
        self._marks.pointed.connect(self.highlight_pointed)
        commands: dict[ActionName, Callable[[], None]] = page_commands(view) | {
            "thumbnails": lambda: self.sidebar.toggle("thumbnails"),
            "outline": lambda: self.sidebar.toggle("outline"),
            "bookmarks": lambda: self.sidebar.toggle("bookmarks"),
            "add_bookmark": self.beside.toggle_bookmark,
            "page_links": self.links.show_menu,
            "mark_region": self.region.begin,
            "copy_region": self.region.copy_picture,
            "copy_region_words": self.region.copy_words,
            "save_region": self.region.save_picture,
            "drop_region": self.region.drop,
            "save_page": self.output.save_page,
            "print": self.output.print_pages,
            "back": self._travel.back,
            "forward": self._travel.forward,
            "heat_map": self.heat.toggle,
            "find": self._find.open,
            "find_next": lambda: self._find.step(1),
            "find_previous": lambda: self._find.step(-1),
            "previous_highlight": lambda: self._marks.step(-1),
            "next_highlight": lambda: self._marks.step(1),
            "clear_highlights": self.clear_highlights,
            "copy": self._selection.copy,
            "copy_citation": self._selection.copy_with_citation,
            "select_page": lambda: self._selection.select_page(view.page),
            "add_note": self.notes.add,
            "close_document": self._close_current,
        }
        connect_commands(actions, commands)
        view.page_changed.connect(self._moved)
        view.zoom_changed.connect(self._zoomed)
        view.looked.connect(self.heat.look)
        self.toolbar.page_field.asked.connect(self._page_asked)
        self.toolbar.zoom_chosen.connect(view.set_zoom)
        self.thumbnails.page_chosen.connect(self._jump)
        self.tabs.chosen.connect(self._tab_chosen)
        self.tabs.close_asked.connect(self.close_document)
        self._marks.wanted.connect(self._show_highlight)
        self._marks.changed.connect(self._update_actions)
        self._find.changed.connect(self._update_actions)
        self._selection.changed.connect(self._update_actions)
        self._selection.copied.connect(lambda _: self.status_message.emit(self.tr("Copied")))
        self._documents.refreshed.connect(self._refreshed)
        self.sidebar.outline.page_chosen.connect(self._jump)
        self.sidebar.bookmarks.page_chosen.connect(self._jump)
        self.beside.changed.connect(self._update_actions)
        self.links.jumped.connect(self._follow)
        self.region.changed.connect(self._update_actions)
        self.region.asked.connect(self._ask_about)
        for part in (self.beside, self.region, self.output):
            part.said.connect(self.status_message)
