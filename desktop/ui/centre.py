"""The middle of the window: nothing yet, the viewer, or why the library cannot be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop.core.library.annotations import Annotations
from desktop.core.library.bookmarks import Bookmarks
from desktop.core.library.contents import Outlines
from desktop.ui.problem_page import ProblemPage
from desktop.ui.problems import explain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from PySide6.QtGui import QAction

    from desktop.core.events import PageRegion
    from desktop.core.workspace import Workspace
    from desktop.ui.viewer.notes import MarginNote, NotePlace


def load_viewer() -> None:
    """Import the viewer and QtPdf with it, in any thread."""
    import desktop.ui.viewer.panel  # noqa: F401 - for its effect: it is loaded then


def make_viewer(workspace: Workspace) -> Any:
    """Make the real viewer; imported here because QtPdf must not delay the first paint."""
    from desktop.ui.viewer.panel import ViewerPanel

    return ViewerPanel(
        workspace.library,
        workspace.parser,
        heat=workspace.visual_search,
        outlines=Outlines(workspace.database),
        bookmarks=Bookmarks(workspace.database),
        annotations=Annotations(workspace.database),
    )


class Centre(QStackedWidget):
    """Forwards to the viewer once it exists; what came before is done when it does.

    note_wanted(place): write a note about it. note_opened(piece_id): read the one in the margin.
    region_asked(place, question): explain this `PageRegion`, which a person framed.
    """

    said = Signal(str)
    manual_in_view = Signal(int)
    note_wanted = Signal(object)
    note_opened = Signal(str)
    region_asked = Signal(object, str)
    left_above = Signal()
    highlight_pointed = Signal(int)

    def __init__(self, factory: Callable[[Workspace], Any] | None = None) -> None:
        super().__init__()
        self._factory = factory or make_viewer
        self._viewer: Any = None
        self._waiting: Callable[[], None] | None = None
        self._question = ""
        self._above: QWidget | None = None
        self._start = QWidget()
        self.addWidget(self._start)

    def show_start(self) -> None:
        """Leave a problem page."""
        self.setCurrentWidget(self._above or self._viewer or self._start)

    def show_above(self, page: QWidget) -> None:
        """Show a page instead of the manuals, until a manual is opened or it is left."""
        self._above = page
        self.addWidget(page)
        self.setCurrentWidget(page)

    def leave_above(self) -> None:
        """Take that page away."""
        page, self._above = self._above, None
        if page is not None:
            self.show_start()
            self.removeWidget(page)
            page.deleteLater()
            self.left_above.emit()

    def show_problem(
        self, error: BaseException, newest_backup: datetime | None = None
    ) -> ProblemPage:
        """Show why the library cannot be opened, instead of the manuals."""
        page = ProblemPage(explain(error), newest_backup=newest_backup)
        old = self.currentWidget()
        self.addWidget(page)
        self.setCurrentWidget(page)
        if isinstance(old, ProblemPage):
            self.removeWidget(old)
            old.deleteLater()
        return page

    def open_viewer(self, workspace: Workspace) -> Mapping[str, QAction]:
        """Make the viewer and return its actions for the menus."""
        self._viewer = self._factory(workspace)
        self._viewer.status_message.connect(self.said)
        self._viewer.location_changed.connect(lambda id_, _page: self.manual_in_view.emit(id_))
        if hasattr(self._viewer, "region_asked"):
            self._viewer.region_asked.connect(self.region_asked)
        if hasattr(self._viewer, "highlight_pointed"):
            self._viewer.highlight_pointed.connect(self.highlight_pointed)
        if hasattr(self._viewer, "notes"):
            self._viewer.notes.wanted.connect(self.note_wanted)
            self._viewer.notes.opened.connect(self.note_opened)
        self.addWidget(self._viewer)
        self.set_question(self._question)
        self.show_start()
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting()
        return self.actions_of_viewer

    @property
    def actions_of_viewer(self) -> Mapping[str, QAction]:
        """The viewer's actions by name, none before it is there."""
        actions: Mapping[str, QAction] = getattr(self._viewer, "actions_by_name", {})
        return actions

    def open_document(self, document_id: int, page: int | None = None) -> None:
        self.leave_above()
        if page is None:
            self._do(lambda: self._viewer.open_document(document_id))
        else:
            self._do(lambda: self._viewer.open_document(document_id, page))

    def show_regions(self, places: Sequence[PageRegion], current: int) -> None:
        self.leave_above()
        self._do(lambda: self._viewer.show_regions(places, current))

    def light_highlight(self, number: int) -> None:
        """Make the highlight of a citation the current one, if a manual shows it."""
        if hasattr(self._viewer, "light_highlight"):
            self._viewer.light_highlight(number)

    def set_question(self, question: str) -> None:
        """Tell the viewer whose answer is looked at, as soon as there is one."""
        self._question = question
        if hasattr(self._viewer, "heat"):
            self._viewer.heat.ask(question)

    def clear_regions(self) -> None:
        """Take away what an earlier answer marked."""
        if self._viewer is not None:
            self._viewer.clear_highlights()

    def forget_document(self, document_id: int) -> None:
        self._do(lambda: self._viewer.close_document(document_id))

    def refresh_document(self, document_id: int) -> None:
        if hasattr(self._viewer, "refresh_document"):
            self._viewer.refresh_document(document_id)

    def place(self) -> tuple[int, int] | None:
        """Document id and zero-based page in view."""
        if self._viewer is None:
            return None
        place: tuple[int, int] | None = self._viewer.current_location()
        return place

    def session(self) -> str:
        """How the viewer is now, to be restored at the next start."""
        return str(self._viewer.session()) if hasattr(self._viewer, "session") else ""

    def restore_session(self, session: str, known: Collection[int]) -> bool:
        """Open manuals as they were left; returns whether any was. known: ids that are there."""
        return hasattr(self._viewer, "restore") and bool(self._viewer.restore(session, known))

    def marks(self, page: int) -> int:
        """How many regions are marked on a page of the manual in view."""
        return 0 if self._viewer is None else len(self._viewer.highlight_rects(page))

    def show_notes(self, document_id: int, notes: Iterable[MarginNote]) -> None:
        """Show the notes of a manual in its margins."""
        if hasattr(self._viewer, "notes"):
            self._viewer.notes.margin.show_notes(document_id, notes)

    def find_note_place(self, then: Callable[[NotePlace | None], None]) -> None:
        """Call `then` with the place in view that a note would be about, None without one."""
        if hasattr(self._viewer, "notes"):
            self._viewer.notes.find_place(then)
        else:
            then(None)

    def shutdown(self) -> None:
        """Join the viewer's threads."""
        if hasattr(self._viewer, "shutdown"):
            self._viewer.shutdown()

    def _do(self, work: Callable[[], None]) -> None:
        if self._viewer is None:
            self._waiting = work
        else:
            work()
