"""The viewer's widgets and what works behind them, made and put in their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from desktop.ui.viewer.actions import make_actions
from desktop.ui.viewer.bars.document_tabs import DocumentTabs
from desktop.ui.viewer.bars.layout import fill_column, pages_beside
from desktop.ui.viewer.bars.message_page import MessagePage
from desktop.ui.viewer.bars.toolbar import Toolbar
from desktop.ui.viewer.drawing.render_service import RenderService
from desktop.ui.viewer.find.find_bar import FindBar
from desktop.ui.viewer.find.find_controller import FindController
from desktop.ui.viewer.heat.heat_bar import HeatBar
from desktop.ui.viewer.heat.heat_controller import HeatController
from desktop.ui.viewer.highlight.highlight_bar import HighlightBar
from desktop.ui.viewer.highlight.highlight_controller import HighlightController
from desktop.ui.viewer.highlight.pulse import Pulse
from desktop.ui.viewer.links.link_store import LinkStore
from desktop.ui.viewer.links.link_tool import LinkTool
from desktop.ui.viewer.manuals.open_documents import OpenDocuments
from desktop.ui.viewer.manuals.task_thread import TaskThread
from desktop.ui.viewer.notes.page_notes import PageNotes
from desktop.ui.viewer.output.page_output import PageOutput
from desktop.ui.viewer.pages.gestures import ZoomGestures
from desktop.ui.viewer.pages.keyboard import PageKeys
from desktop.ui.viewer.pages.mouse_buttons import MouseButtons
from desktop.ui.viewer.pages.page_view import PageView
from desktop.ui.viewer.region.region_bar import RegionBar
from desktop.ui.viewer.region.region_controller import RegionController
from desktop.ui.viewer.sidebar.sidebar import Sidebar
from desktop.ui.viewer.sidebar.sidebar_controller import SidebarController
from desktop.ui.viewer.sidebar.thumbnails import ThumbnailList
from desktop.ui.viewer.text.selection_tool import SelectionTool
from desktop.ui.viewer.text.words import WordStore

if TYPE_CHECKING:
    from desktop.ui.viewer.heat.heat_controller import HeatSource
    from desktop.ui.viewer.manuals.source import (
        BookmarkShelf,
        ManualSource,
        OutlineSource,
        PageDrawer,
    )


class ViewerFrame(QWidget):
    """Owns threads: `shutdown` joins them before the widget goes."""

    def __init__(
        self,
        library: ManualSource,
        parser: PageDrawer,
        parent: QWidget | None = None,
        heat: HeatSource | None = None,
        outlines: OutlineSource | None = None,
        bookmarks: BookmarkShelf | None = None,
    ) -> None:
        """heat: tells where pages look like a question, where there is a model for it."""
        super().__init__(parent)
        self.setAccessibleName(self.tr("Viewer"))
        self._closed = False
        self.actions_by_name = actions = make_actions(self)
        self._service = RenderService(parser, self)
        self._tasks = TaskThread("viewer-library", self)
        self._words = WordStore(library, self._tasks, self)
        self._links = LinkStore(parser, self)
        self._documents = OpenDocuments(library, self._tasks, self._service, self._words, self)
        self._make_widgets()
        view = self.view
        self.notes = PageNotes(view, self._words)
        self._marks = HighlightController(view, self.highlight_bar)
        self._pulse = Pulse(view)
        self.heat = HeatController(heat, view, self.heat_bar, actions["heat_map"])
        self._find = FindController(library, view, self._words, self.find_bar)
        self.beside = SidebarController(view, self.sidebar, self._tasks, outlines, bookmarks)
        self.output = PageOutput(view, parser)
        # of several that watch the mouse the last one made is asked first
        self._selection = SelectionTool(view, self._words, actions)
        ZoomGestures(view)
        PageKeys(view, actions)
        MouseButtons(view, actions)
        self.links = LinkTool(view, self._links, self._words)
        self.region = RegionController(
            view, self._words, self.region_bar, self.output, actions["mark_region"]
        )
        application = QApplication.instance()
        if application is not None:
            # a window that forgets must not leave threads behind
            application.aboutToQuit.connect(self.shutdown)

    def shutdown(self) -> None:
        """Stop all work and join every thread; returns when the page being drawn is done."""
        if self._closed:
            return
        self._closed = True
        self._pulse.stop()
        self._documents.stop()
        self._find.shutdown()
        self.heat.shutdown()
        self.output.shutdown()
        self._links.shutdown()
        self._tasks.shutdown()
        self._service.shutdown()

    def _make_widgets(self) -> None:
        actions = self.actions_by_name
        self.tabs = DocumentTabs()
        self.toolbar = Toolbar(actions)
        self.highlight_bar = HighlightBar(actions)
        self.heat_bar = HeatBar()
        self.region_bar = RegionBar(actions)
        self.find_bar = FindBar(actions)
        self.view = PageView(self._service, self._words)
        self.thumbnails = ThumbnailList(self._service)
        self.sidebar = Sidebar(self.thumbnails, actions)
        self.message = MessagePage()
        self._pages = pages_beside(self.sidebar, self.view)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.message)
        self._stack.addWidget(self._pages)
        self.bars = (self.highlight_bar, self.heat_bar, self.region_bar, self.find_bar)
        fill_column(self, self.tabs, self.toolbar, *self.bars, self._stack)
