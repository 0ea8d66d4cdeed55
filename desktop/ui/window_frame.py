"""The window's panels and what works behind them, made and put in their places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QMainWindow

from desktop.ui.centre import Centre
from desktop.ui.chat.asking import Asking
from desktop.ui.chat.chat_panel import ChatPanel
from desktop.ui.chat.wrong_answer import WrongAnswerController
from desktop.ui.columns import WIDTHS, Columns
from desktop.ui.conversations.controller import ConversationController
from desktop.ui.diagnostics.controller import DiagnosticsController
from desktop.ui.domains.controller import DomainController
from desktop.ui.laptop.controller import LaptopController
from desktop.ui.library.catalogue import CatalogueController
from desktop.ui.library.model import LibraryModel
from desktop.ui.library.panel import LibraryPanel
from desktop.ui.library.titles import cited_title
from desktop.ui.models.controller import ModelsController
from desktop.ui.notes.controller import NoteController
from desktop.ui.places.controller import PlaceController
from desktop.ui.report_controller import ReportController
from desktop.ui.settings.controller import SettingsController
from desktop.ui.status_line import StatusLine
from desktop.ui.trace.trace_panel import TracePanel
from desktop.ui.window_memory import WindowMemory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.core.events import PageRegion
    from desktop.core.workspace import Workspace
    from desktop.ui.indexing import Indexing
    from desktop.ui.library.controller import LibraryController
    from desktop.ui.window_part import WindowPart

ROWS = (450, 330)
HEIGHT = 900


class WindowFrame(QMainWindow):
    """An empty window: everything a person sees and every part, before there is a library."""

    def __init__(
        self,
        viewer_factory: Callable[[Workspace], Any] | None = None,
        folder: Path | None = None,
    ) -> None:
        """folder: the library's, for the diagnostic bundle of one that cannot be opened."""
        super().__init__()
        self.setWindowTitle("Groundwork")
        self.setMinimumSize(860, 560)
        self.resize(QSize(sum(WIDTHS), HEIGHT).boundedTo(self.screen().availableSize()))
        self._controller: LibraryController | None = None
        self._make_panels(viewer_factory)
        self._make_parts(folder)

    def lay_out_anew(self) -> None:
        """Give the panels the sizes they have at first."""
        self._columns.lay_out_anew()
        self.chat.split.setSizes(list(ROWS))

    def _make_panels(self, viewer_factory: Callable[[Workspace], Any] | None) -> None:
        self._model = LibraryModel(self)
        self.library_panel = LibraryPanel(self._model)
        self.centre = Centre(viewer_factory)
        self.chat = ChatPanel(self._title_of)
        self.trace = TracePanel()
        self.chat.insert_below(self.trace)
        self.status = StatusLine(self._model)
        self.setStatusBar(self.status)
        self._columns = Columns(self.library_panel, self.centre, self.chat)
        self.setCentralWidget(self._columns)
        self._memory = WindowMemory(
            self,
            {"columns": self._columns, "answers": self.chat.split},
            {
                "library": self.library_panel,
                "manual": self.centre,
                "answers": self.chat,
            },
        )
        self.lay_out_anew()

    def _make_parts(self, folder: Path | None) -> None:
        self.conversations = ConversationController(self.chat, self)
        self._asking = Asking(self.chat, self.trace, self.conversations, self)
        self.reports = ReportController(self.chat, self.library_panel.notices, self)
        self.wrong_answers = WrongAnswerController(
            self.chat, self.centre.place, self.library_panel.notices, self
        )
        self.settings = SettingsController(self, self.library_panel.notices)
        self.models = ModelsController(self, self.status, self.library_panel.notices)
        for shows_profile in (self.chat, self.status):
            self.models.profile_changed.connect(shows_profile.set_profile)
        self.places = PlaceController(self.chat.composer, self.library_panel, self._model, self)
        self.domains = DomainController(self, self.library_panel.notices)
        self.notes = NoteController(self, self.library_panel, self.centre, self.chat, self._model)
        self.laptop = LaptopController(self._running_indexing, self.settings, self.status, self)
        self.catalogue = CatalogueController(self.library_panel, self._model, self.centre, self)
        self.diagnostics = DiagnosticsController(
            self, self.library_panel.notices, self.settings, folder
        )
        self.parts: tuple[WindowPart, ...] = (
            self.catalogue,
            self._asking,
            self.conversations,
            self.reports,
            self.wrong_answers,
            self.places,
            self.domains,
            self.notes,
            self.models,
            self.laptop,
            self.diagnostics,
            self.settings,
        )

    def _running_indexing(self) -> Indexing | None:
        return self._controller.indexing if self._controller is not None else None

    def _title_of(self, place: PageRegion) -> str:
        return cited_title(self._model, place)
