"""The viewer: open manuals, their pages, and everything one does with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from desktop.core.events import PageRegion
from desktop.core.geometry import Box
from desktop.core.page_words import PageWords
from desktop.ui.bridge import Errands
from desktop.ui.design.controls import Keys, fill, in_column
from desktop.ui.design.tokens import Size
from desktop.ui.viewer.actions import (
    PageKeys,
    PagePointer,
    enable_actions,
    make_actions,
    page_commands,
)
from desktop.ui.viewer.annotations import AnnotationController, UndoBar
from desktop.ui.viewer.document import OpenDocument, OpenDocuments, WordStore
from desktop.ui.viewer.find import FindBar, FindController, HighlightBar, HighlightController, Pulse
from desktop.ui.viewer.heat import HeatBar, HeatController
from desktop.ui.viewer.links import Links, LinkStore, LinkTool, PageNotes
from desktop.ui.viewer.output import PageOutput
from desktop.ui.viewer.page_view import PageView
from desktop.ui.viewer.region import RegionBar, RegionController
from desktop.ui.viewer.render_service import RenderService
from desktop.ui.viewer.selection import SelectionTool
from desktop.ui.viewer.session import History, Location, Mark, Session, Tab
from desktop.ui.viewer.sidebar import Sidebar, SidebarController
from desktop.ui.viewer.thumbnails import ThumbnailList
from desktop.ui.viewer.toolbar import (
    SIDE,
    DocumentTabs,
    MessagePage,
    PagePill,
    PagesArea,
    Toolbar,
    message_for,
    pages_beside,
)

if TYPE_CHECKING:
    from desktop.core.library.annotations import Annotations, Bookmarks
    from desktop.core.library.contents import Outlines
    from desktop.core.library.library import Library
    from desktop.core.parsing.parser import Parser
    from desktop.core.retrieval.visual_search import VisualSearcher
    from desktop.ui.viewer.overlays import Highlight, PageArea


_ABOVE_TARGET = 12.0
"""Pixels above the place that a link leads to."""


def _read_links(library: Library, parser: Parser, document_id: int, page: int) -> Links:
    path, password = library.original_path(document_id), library.password(document_id)
    return parser.read_links(path, page, password)


class ViewerPanel(QWidget):
    """Shows manuals of a library. Call `shutdown` before it is destroyed: it owns threads."""

    location_changed = Signal(int, int)
    """Document id and zero-based page that is in view now."""
    status_message = Signal(str)
    region_asked = Signal(object, str)
    """A `PageRegion` that is to be explained, and the question about it, "" for none."""
    beside_wanted = Signal(int)
    """A document that is to be shown beside this viewer."""
    crowded = Signal()
    """Something came beside the pages, or left."""
    emptied = Signal()
    """The last manual was closed."""
    highlight_pointed = Signal(int)
    """The number of the citation whose highlight the pointer is over, 0 over none."""

    def __init__(
        self,
        library: Library,
        parser: Parser,
        heat: VisualSearcher | None,
        outlines: Outlines,
        bookmarks: Bookmarks,
        annotations: Annotations,
    ) -> None:
        """heat: tells where pages resemble a question. All are used on worker threads only."""
        super().__init__()
        self.setAccessibleName(self.tr("Viewer"))
        self._closed = False
        self.actions_by_name = actions = make_actions(self)
        self._service = RenderService(parser, self)
        self._tasks = Errands(self, name="viewer-library", resumes=True)
        self._words = WordStore(library.page_words, PageWords.empty(), self._tasks, self)
        # a parser takes its time, and nobody waits for links
        self._link_tasks = Errands(self, name="viewer-links", resumes=True)
        links = LinkStore(partial(_read_links, library, parser), (), self._link_tasks, self)
        stores = (self._words, links)
        self._documents = OpenDocuments(
            library, self._tasks, self._service.forget_document, stores, self
        )
        self._make_widgets()
        view = self.view
        self.notes = PageNotes(view, self._words)
        self._marks = HighlightController(view, self.highlight_bar)
        self._pulse = Pulse(view)
        self.heat = HeatController(heat, view, self.heat_bar, actions["heat_map"], self._tasks)
        self._find = FindController(library, view, self._words, self.find_bar)
        self.beside = SidebarController(view, self.sidebar, self._tasks, outlines, bookmarks)
        self.output = PageOutput(view, parser)
        # of several that watch the mouse the last one made is asked first
        self._selection = SelectionTool(view, self._words, actions)
        self.annotations = AnnotationController(
            view,
            self._words,
            self._selection,
            self.sidebar.annotations,
            self.undo_bar,
            self._tasks,
            annotations,
            self.output,
        )
        PagePointer(view, actions)
        PageKeys(view, actions)
        self.links = LinkTool(view, links, self._words)
        self.region = RegionController(
            view, self._words, self.region_bar, self.output, actions["mark_region"]
        )
        self._has_heat = False
        self._wanted: int | None = None
        self._reports: dict[int, QWidget] = {}
        self._history = History()
        self._connect()
        self._show_nothing()
        application = QApplication.instance()
        if application is not None:
            # a window that forgets must not leave threads behind
            application.aboutToQuit.connect(self.shutdown)

    def shutdown(self) -> None:
        """Stop all work and join every thread; returns when the page being drawn is done."""
        if self._closed:
            return
        self._closed = True
        self.annotations.close()
        self._pulse.stop()
        self._documents.stop()
        self._find.shutdown()
        self.heat.shutdown()
        self.output.shutdown()
        self._link_tasks.close()
        self._tasks.close()
        self._service.shutdown()

    def _make_widgets(self) -> None:
        actions = self.actions_by_name
        self.tabs = DocumentTabs()
        self.pill = PagePill(actions)
        self.toolbar = Toolbar(actions, self.tabs, self.pill.given_up)
        self.highlight_bar = HighlightBar(actions)
        self.heat_bar = HeatBar()
        self.region_bar = RegionBar(actions)
        self.find_bar = FindBar(actions)
        self.undo_bar = UndoBar()
        self.view = PageView(self._service, self._words)
        self.thumbnails = ThumbnailList(self._service)
        self.sidebar = Sidebar(self.thumbnails, actions)
        self.message = MessagePage()
        self.bars = (self.find_bar, self.heat_bar, self.region_bar, self.undo_bar)
        self._pages = pages_beside(
            self.sidebar, PagesArea(self.view, self.bars, self.pill, self.highlight_bar)
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self.message)
        self._stack.addWidget(self._pages)
        fill(in_column(self), self.toolbar, (self._stack, 1))

    # manuals

    def open_document(self, document_id: int, page: int | None = None) -> None:
        """Show a document at a page; without one, where it was left."""
        self._leave()
        self._bring(document_id, lambda: None if page is None else self.view.go_to_page(page))

    def current_location(self) -> tuple[int, int] | None:
        """Return document id and zero-based page in view, None when nothing is open."""
        document = self.view.document
        return None if document is None else (document.id, self.view.page)

    def refresh_document(self, document_id: int) -> None:
        """Take newer records of a document, if it is open."""
        self._documents.refresh(document_id)

    def close_document(self, document_id: int) -> None:
        """Close a document's tab, for example because it was deleted."""
        if self._wanted == document_id:
            self._wanted = None
        self._history.forget_document(document_id)
        self._marks.forget_document(document_id)
        self._close_tab(document_id)
        self._documents.close(document_id)

    @property
    def is_empty(self) -> bool:
        """Whether no manual and no report is open."""
        return not self.tabs.count()

    def show_report(self, report: QWidget, title: str) -> None:
        """Show a research report in a tab of its own, in place of pages; Esc in it goes back."""
        id_ = next((id_ for id_, each in self._reports.items() if each is report), 0)
        if not id_:
            id_ = min(self._reports, default=0) - 1
            self._reports[id_] = report
            self._stack.addWidget(report)
            Keys(report, {(Qt.Key.Key_Escape,): self.actions_by_name["back"].trigger})
        self.tabs.bring(id_, title)
        self._choose(id_)

    def _choose(self, id_: int) -> None:
        """Put the manual or the report of a tab in front."""
        report = self._reports.get(id_)
        if report is None:
            self.open_document(id_)
            return
        self._leave()
        self._put_pages_away()
        self._stack.setCurrentWidget(report)
        self.toolbar.show()
        self._update_actions()

    def _close(self, id_: int) -> None:
        """Close the tab of a manual or a report."""
        report = self._reports.pop(id_, None)
        if report is None:
            self.close_document(id_)
            return
        self._close_tab(id_)
        self._stack.removeWidget(report)
        report.deleteLater()

    def _close_tab(self, id_: int) -> None:
        """Take a tab away; the one before it comes to the front instead."""
        was_in_front = self.tabs.current_id() == id_
        self.tabs.drop(id_)
        if not was_in_front:
            return
        self._put_pages_away()
        following = self.tabs.current_id()
        if following is None:
            self._show_nothing()
            self.emptied.emit()
        else:
            self._choose(following)

    def _close_front(self) -> None:
        front = self.tabs.current_id()
        if front is not None:
            self._close(front)

    def session(self) -> Session:
        """Return open manuals, where each was left, and what is marked."""
        tabs = [
            Tab.of(id_, self.tabs.title_of(id_), self._documents.state(id_))
            for id_ in self.tabs.document_ids()
        ]
        highlights = self._marks.highlights
        marks = [
            Mark(
                number=mark.number,
                document=mark.document_id,
                page=mark.page,
                boxes=tuple(box.as_tuple() for box in mark.boxes),
            )
            for mark in highlights
        ]
        return Session(
            tabs=tuple(tabs),
            front=self.tabs.current_id(),
            marks=tuple(marks),
            current=highlights.number - 1,
        )

    def restore(self, left: Session) -> bool:
        """Open manuals of the library as they were left; returns whether any was.

        Only the manual in front is read; the others are when their tab is chosen.
        """
        if left.front is None:
            return False
        for tab in left.tabs:
            self._documents.put_state(tab.document, tab.state())
            self.tabs.bring(tab.document, tab.title)
        self._marks.put(left.highlights())
        self._bring(left.front)
        return True

    def _bring(self, document_id: int, then: Callable[[], None] | None = None) -> None:
        """Put a document in front, reading it first if it is not open; then do `then`."""
        self._wanted = document_id
        document = self._documents.get(document_id)
        if document is not None:
            self._show(document, then)
            return

        def opened(document: OpenDocument) -> None:
            if self._wanted == document_id:
                self._show(document, then)

        def failed(error: Exception) -> None:
            self.status_message.emit(
                self.tr("This manual cannot be opened: {why}").format(why=error)
            )

        self._documents.open(document_id, opened, failed)

    def _show(self, document: OpenDocument, then: Callable[[], None] | None) -> None:
        self.tabs.bring(document.id, document.record.title or document.record.name)
        self._show_stack(document)
        self.pill.fit_pages(document)
        if self.view.document is None or self.view.document.id != document.id:
            self.annotations.close()
            self._selection.select(None)
            self.find_bar.close_bar()
            self.region.drop()
            self.view.show_document(document, self._documents.state(document.id))
            self.thumbnails.show_document(document)
            self.beside.show_document(document)
            self.annotations.show_document(document)
        if then is not None:
            then()
        self._moved()

    def _show_stack(self, document: OpenDocument) -> None:
        instead = message_for(document)
        if instead is None:
            self._stack.setCurrentWidget(self._pages)
        else:
            self._say(*instead)
        self.toolbar.show()
        layout = self.layout()
        if layout is not None:
            # now, or the pages would be drawn once for the size they had before
            layout.activate()

    def _put_pages_away(self) -> None:
        """Have no manual in view."""
        self._wanted = None
        self.annotations.close()
        self._selection.select(None)
        self.region.drop()
        self.view.show_document(None)
        self.thumbnails.show_document(None)
        self.beside.show_document(None)
        self.annotations.show_document(None)

    def _show_nothing(self) -> None:
        self._put_pages_away()
        open_one = self.tr("Open a manual from the library, or drop PDFs anywhere")
        self._say("book-open", open_one, "")
        for widget in (self.toolbar, self.highlight_bar, *self.bars):
            widget.hide()
        self._update_actions()

    def _say(self, icon_name: str, title: str, detail: str) -> None:
        self.message.say(icon_name, title, detail)
        self._stack.setCurrentWidget(self.message)

    def _refreshed(self, document_id: int) -> None:
        document = self._documents.get(document_id)
        if document is None or self.view.document is None:
            return
        if self.view.document.id == document_id:
            self.view.update_document(document)
            self.pill.fit_pages(document)
            self.thumbnails.show_document(document)
            self.beside.refresh(document)
            self._show_stack(document)
            self._moved()

    def _moved(self, _page: int = 0) -> None:
        document = self.view.document
        if document is not None and document.pages:
            page = self.view.page
            self.pill.page_field.show_page(document.shown_page(page))
            where = self.tr("Page {page}").format(page=document.shown_page(page))
            if document.record.made_from:
                where = self.tr("Page {page} of the PDF made from {name}").format(
                    page=page + 1, name=document.record.made_from
                )
                self.status_message.emit(where)
            self.pill.page_field.show_origin(where if document.record.made_from else "")
            self.view.setAccessibleDescription(where)
            self.thumbnails.show_page(page)
            self.sidebar.outline.show_page(page)
            self.location_changed.emit(document.id, page)
        self._marks.show_bar()
        self._update_actions()

    def _update_actions(self) -> None:
        enable_actions(
            self.actions_by_name,
            self.view,
            can_go_back=self._history.can_go_back,
            can_go_forward=self._history.can_go_forward,
            can_close=not self.is_empty,
            bookmarked=self.beside.is_marked(self.view.page),
            has_heat=self._has_heat,
        )

    def _offer_heat(self, there: bool) -> None:
        self._has_heat = there
        self.toolbar.show_tool("heat_map", there)
        self._update_actions()

    @property
    def room_wanted(self) -> int:
        """Pixels in which its pages can be read, beside what is open there."""
        return Size.PAGE + (0 if self.sidebar.isHidden() else SIDE[0])

    def _toggle_side(self, name: str) -> None:
        self.sidebar.toggle(name)
        self.crowded.emit()
        side = max(SIDE[0], min(SIDE[1], self._pages.width() - Size.PAGE))
        self._pages.setSizes([side, self._pages.width() - side])

    # what the window calls

    def show_regions(self, regions: Sequence[PageRegion | Highlight], current: int = 0) -> None:
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

    def undo(self) -> None:
        """Take back what was last done to a highlight; the Edit menu asks for it."""
        self.annotations.undo()

    def pending_drawings(self) -> int:
        """Return how many images are still to be drawn."""
        return self._service.pending()

    # moving about

    def _here(self) -> Location | None:
        document = self.view.document
        return None if document is None else Location(document.id, self.view.place())

    def _leave(self) -> None:
        """Remember the place in view, because another one follows."""
        here = self._here()
        if here is not None:
            self._history.leave(here)

    def _return_to(self, location: Location | None) -> None:
        if location is not None:
            self._bring(location.document_id, lambda: self.view.go_to(location.point))

    def _jump(self, page: int) -> None:
        self._leave()
        self.view.go_to_page(page)
        self._moved()

    def _follow(self, page: int, down: float) -> None:
        """Go where a link leads; `down` in points of that page."""
        self._jump(page)
        if down and not self.view.turn:
            top = self.view.page_frame(self.view.page).rect(Box(0.0, down, 0.0, down)).top()
            self.view.scroll_by(0.0, top - _ABOVE_TARGET, self.view.page)

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
        self.pill.show_zoom(self.view.zoom)
        self.thumbnails.show_turned(self.view.turn)
        self.actions_by_name["two_up"].setChecked(self.view.across == 2)

    def _show_highlight(self, mark: Highlight) -> None:
        self._leave()

        def reveal() -> None:
            self.view.reveal(mark.page, mark.boxes, arrived=self._pulse.begin)

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
        commands: dict[str, Callable[[], None]] = page_commands(view) | {
            "thumbnails": lambda: self._toggle_side("thumbnails"),
            "outline": lambda: self._toggle_side("outline"),
            "bookmarks": lambda: self._toggle_side("bookmarks"),
            "annotations": lambda: self._toggle_side("annotations"),
            "highlight": self.annotations.highlight,
            "comment": self.annotations.comment,
            "save_highlighted": self.annotations.save_copy,
            "add_bookmark": self.beside.toggle_bookmark,
            "page_links": self.links.show_menu,
            "mark_region": self.region.begin,
            "copy_region": self.region.copy_picture,
            "copy_region_words": self.region.copy_words,
            "save_region": self.region.save_picture,
            "drop_region": self.region.drop,
            "save_page": self.output.save_page,
            "print": self.output.print_pages,
            "back": lambda: self._return_to(self._history.back(self._here())),
            "forward": lambda: self._return_to(self._history.forward(self._here())),
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
            "close_document": self._close_front,
        }
        for name, command in commands.items():
            # a C++ signal would hand its "checked" to the command
            actions[name].triggered.connect(lambda _=False, call=command: call())
        view.page_changed.connect(self._moved)
        view.zoom_changed.connect(self._zoomed)
        view.looked.connect(self.heat.look)
        self.heat.usable.connect(self._offer_heat)
        self.heat.look_for_model()
        self.pill.page_field.asked.connect(self._page_asked)
        self.pill.zoom_chosen.connect(view.set_zoom)
        self.thumbnails.page_chosen.connect(self._jump)
        self.tabs.chosen.connect(self._choose)
        self.tabs.close_asked.connect(self._close)
        self.tabs.beside_asked.connect(self.beside_wanted)
        self._marks.wanted.connect(self._show_highlight)
        self._marks.changed.connect(self._update_actions)
        self._find.changed.connect(self._update_actions)
        self._selection.changed.connect(self._update_actions)
        self._selection.copied.connect(lambda _: self.status_message.emit(self.tr("Copied")))
        self._documents.refreshed.connect(self._refreshed)
        self.sidebar.outline.page_chosen.connect(self._jump)
        self.sidebar.bookmarks.chosen.connect(self._jump)
        self.beside.changed.connect(self._update_actions)
        self.links.jumped.connect(self._follow)
        self.region.changed.connect(self._update_actions)
        self.region.asked.connect(self._ask_about)
        self.annotations.changed.connect(self._update_actions)
        for part in (self.beside, self.annotations, self.region, self.output):
            part.said.connect(self.status_message)
