"""The middle of the window: one viewer or two, or why the library cannot be opened."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QSplitter, QStackedWidget, QWidget

from desktop.ui.design.notices import ProblemPage, explain
from desktop.ui.design.tokens import Size

if TYPE_CHECKING:
    from desktop.core.events import PageRegion
    from desktop.core.workspace import Workspace
    from desktop.ui.viewer.links import MarginNote, NotePlace


def load_viewer() -> None:
    """Import the viewer and QtPdf with it, in any thread."""
    import desktop.ui.viewer.panel  # noqa: F401 - for its effect: it is loaded then


def make_viewer(workspace: Workspace) -> Any:
    """Make the real viewer; imported here because QtPdf must not delay the first paint."""
    from desktop.core.library.annotations import Annotations, Bookmarks
    from desktop.core.library.contents import Outlines
    from desktop.ui.viewer.panel import ViewerPanel

    return ViewerPanel(
        workspace.library,
        workspace.parser,
        workspace.visual_search,
        Outlines(workspace.database),
        Bookmarks(workspace.database),
        Annotations(workspace.database),
    )


class Centre(QStackedWidget):
    """Forwards to the viewer once it exists; earlier requests are carried out then.

    note_wanted(place): write a note about it. note_opened(piece_id): read the one in
    the margin. region_asked(place, question): explain this `PageRegion`, which a person
    framed.
    """

    said = Signal(str)
    manual_in_view = Signal(int)
    page_in_view = Signal(int, int)
    note_wanted = Signal(object)
    note_opened = Signal(str)
    region_asked = Signal(object, str)
    left_above = Signal()
    highlight_pointed = Signal(int)
    crowded = Signal()
    """Something came beside the pages, or left: `room_wanted` is another."""
    turned = Signal()
    """Another page or manual is in view, in any of the panes."""

    def __init__(self, factory: Callable[[Workspace], Any] | None = None) -> None:
        super().__init__()
        self._factory = factory or make_viewer
        self._viewer: Any = None
        self.beside: Any = None
        """The viewer of the second pane, None while there is one pane."""
        self._workspace: Workspace | None = None
        self._keys_of_window: list[QAction] = []
        self._panes = QSplitter(Qt.Orientation.Horizontal)
        self._panes.setHandleWidth(1)
        self._panes.setChildrenCollapsible(False)
        self._waiting: Callable[[], None] | None = None
        self._question = ""
        self._seen = (0, 0)
        """The manual that was in view before, and the one that is; 0 for none."""
        self._above: QWidget | None = None
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_keyboard)
        self._start = QWidget()
        self.addWidget(self._start)

    def show_start(self) -> None:
        """Leave a problem page."""
        self.setCurrentWidget(self._above or (self._panes if self._viewer else self._start))

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
        self.close_beside()
        if self._viewer is not None:  # of a library that was open before
            self._viewer.hide()
            self._viewer.shutdown()
            self._viewer.deleteLater()
        self._workspace = workspace
        self._viewer = self._factory(workspace)
        self._viewer.location_changed.connect(self._see)
        self._viewer.beside_wanted.connect(self.open_beside)
        self._listen_to(self._viewer)
        self._panes.addWidget(self._viewer)
        self.addWidget(self._panes)
        self.set_question(self._question)
        self.show_start()
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting()
        return self.actions_of_viewer

    @property
    def actions_of_viewer(self) -> Mapping[str, QAction]:
        """The viewer's actions by name; empty before there is a viewer."""
        return {} if self._viewer is None else dict(self._viewer.actions_by_name)

    def open_document(self, document_id: int, page: int | None = None) -> None:
        """Show a manual, and the panel with it, at a page; without one, where it was left."""
        self.show()
        self.leave_above()
        self._do(lambda: self._viewer.open_document(document_id, page))

    def open_beside(self, document_id: int, *, chosen: bool = False) -> None:
        """Show a manual in a second pane, in the first one where that is empty.

        chosen: in the list of manuals, which opened it: it goes beside what was in view before.
        """
        if self._viewer is None or self._viewer.is_empty:
            self.open_document(document_id)
            return
        self.show()
        self.leave_above()
        before, now = self._seen
        if chosen and before and now == document_id:
            self._viewer.open_document(before)
        self._second().open_document(document_id)

    def _see(self, document_id: int, page: int) -> None:
        if document_id != self._seen[1]:
            self._seen = (self._seen[1], document_id)
        self.manual_in_view.emit(document_id)
        self.page_in_view.emit(document_id, page)

    def open_pair(
        self, left: int, right: int, places: Sequence[PageRegion | None] = (None, None)
    ) -> None:
        """Show two manuals side by side. places: what to mark in each, None for nothing."""

        def show() -> None:
            for viewer, manual, place in zip(
                (self._viewer, self._second()), (left, right), places, strict=True
            ):
                if place is not None:
                    viewer.show_regions([place], 0)
                    continue
                viewer.clear_highlights()
                shown = viewer.current_location()
                if shown is None or shown[0] != manual:
                    viewer.open_document(manual)

        self.leave_above()
        self._do(show)

    def show_report(self, report: QWidget, title: str) -> None:
        """Show a research report in a tab; the viewer owns it from now on."""
        self.leave_above()
        self._do(lambda: self._viewer.show_report(report, title))

    def close_beside(self) -> None:
        """Take away the second pane along with its manuals."""
        beside, self.beside = self.beside, None
        if beside is None:
            return
        had_keyboard = beside.isAncestorOf(QApplication.focusWidget() or self)
        beside.hide()
        beside.shutdown()
        beside.setParent(None)  # or it would have a share of the room until it is gone
        beside.deleteLater()
        self._give_keys_to_window(True)
        if had_keyboard:
            self._viewer.view.setFocus(Qt.FocusReason.OtherFocusReason)
        self.crowded.emit()

    def change_pane(self) -> None:
        """Move the keyboard focus to the pages that do not have it."""
        if self.beside is not None:
            there = self.beside.isAncestorOf(QApplication.focusWidget() or self)
            pane = self._viewer if there else self.beside
            pane.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _second(self) -> Any:
        if self.beside is None:
            assert self._workspace is not None
            self.beside = self._factory(self._workspace)
            self.beside.setAccessibleName(self.tr("Second viewer"))
            self._listen_to(self.beside)
            # of the other pane this one is the one beside
            self.beside.beside_wanted.connect(self.open_document)
            self.beside.emptied.connect(self.close_beside, Qt.ConnectionType.QueuedConnection)
            for one, other in ((self._viewer, self.beside), (self.beside, self._viewer)):
                one.annotations.kept.connect(other.annotations.read_again)
            self._panes.addWidget(self.beside)
            for pane in (0, 1):
                self._panes.setStretchFactor(pane, 1)
            self.crowded.emit()
            self._panes.setSizes([10_000, 10_000])  # half each, whatever there is
            window = Qt.ShortcutContext.WindowShortcut
            self._keys_of_window = [
                action
                for action in self.actions_of_viewer.values()
                if action.shortcutContext() == window
            ]
        return self.beside

    def _listen_to(self, viewer: Any) -> None:
        viewer.location_changed.connect(lambda *_: self.turned.emit())
        viewer.crowded.connect(self.crowded)
        viewer.status_message.connect(self.said)
        viewer.region_asked.connect(self.region_asked)
        viewer.highlight_pointed.connect(self.highlight_pointed)
        viewer.notes.wanted.connect(self.note_wanted)
        viewer.notes.opened.connect(self.note_opened)

    def _follow_keyboard(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Let a key do its work in the pane that has the keyboard."""
        self._give_keys_to_window(
            self.beside is None or now is None or not self.beside.isAncestorOf(now)
        )

    def _give_keys_to_window(self, whole: bool) -> None:
        contexts = Qt.ShortcutContext
        context = contexts.WindowShortcut if whole else contexts.WidgetWithChildrenShortcut
        for action in self._keys_of_window:
            action.setShortcutContext(context)

    def show_regions(self, places: Sequence[PageRegion], current: int) -> None:
        """Mark places and go to the current one, in the pane that shows its manual.

        Without places, what was marked is marked no more.
        """
        if not places:
            self.clear_regions()
            return
        self.leave_above()
        if self._belongs_beside(places[current].document_id):
            self._viewer.clear_highlights()
            self.beside.show_regions(places, current)
            return
        if self.beside is not None:
            self.beside.clear_highlights()
        self._do(lambda: self._viewer.show_regions(places, current))

    def _belongs_beside(self, document_id: int) -> bool:
        """Whether the second pane alone shows a manual, or the first one shows a report."""
        shown = None if self.beside is None else self.beside.current_location()
        here = self.place()
        if shown is None or here is None:
            return shown is not None and (shown[0] == document_id or not self._viewer.is_empty)
        return bool(shown[0] == document_id != here[0])

    def light_highlight(self, number: int) -> None:
        """Make the highlight of a citation the current one, if a manual shows it."""
        for viewer in self._viewers():
            viewer.light_highlight(number)

    def set_question(self, question: str) -> None:
        """Tell the viewer which question's answer is in view, once there is a viewer."""
        self._question = question
        if self._viewer is not None:
            self._viewer.heat.ask(question)

    def clear_regions(self) -> None:
        """Remove what an earlier answer marked."""
        for viewer in self._viewers():
            viewer.clear_highlights()

    def forget_document(self, document_id: int) -> None:
        self._seen = (0, 0) if document_id in self._seen else self._seen
        if self.beside is not None:
            self.beside.close_document(document_id)
        self._do(lambda: self._viewer.close_document(document_id))

    def refresh_document(self, document_id: int) -> None:
        for viewer in self._viewers():
            viewer.refresh_document(document_id)

    def _viewers(self) -> list[Any]:
        return [each for each in (self._viewer, self.beside) if each is not None]

    @property
    def room_wanted(self) -> int:
        """Pixels in which every pane can be read."""
        return sum(viewer.room_wanted for viewer in self._viewers()) or Size.PAGE

    def place(self) -> tuple[int, int] | None:
        """Document id and zero-based page in view."""
        if self._viewer is None:
            return None
        place: tuple[int, int] | None = self._viewer.current_location()
        return place

    def session(self) -> str:
        """The current state of the panes as text, to be restored at the next start."""
        if self._viewer is None:
            return ""
        left = self._viewer.session()
        if self.beside is not None:
            left = left.model_copy(update={"beside": self.beside.session()})
        return str(left.model_dump_json())

    def restore_session(self, session: str, known: Collection[int]) -> bool:
        """Open manuals as they were left; return whether any was. known: ids that exist."""
        if self._viewer is None:
            return False
        from desktop.ui.viewer.session import read_session  # with QtPdf, which is there by now

        left = read_session(session).only(known)
        there = bool(self._viewer.restore(left))
        if there and left.beside is not None and left.beside.front is not None:
            self._second().restore(left.beside)
        return there

    def marks(self, page: int) -> int:
        """How many regions are marked on a page of the manual in view."""
        return 0 if self._viewer is None else len(self._viewer.highlight_rects(page))

    def manuals_in_view(self) -> set[int]:
        """Return the ids of the manuals that the panes show."""
        places = (viewer.current_location() for viewer in self._viewers())
        return {place[0] for place in places if place is not None}

    def show_notes(self, document_id: int, notes: Sequence[MarginNote]) -> None:
        """Show the notes of a manual in its margins, in every pane that shows it."""
        for viewer in self._viewers():
            place = viewer.current_location()
            if place is not None and place[0] == document_id:
                viewer.notes.show_notes(document_id, notes)

    def find_note_place(self, then: Callable[[NotePlace | None], None]) -> None:
        """Call `then` with the place in view that a note would be about, None without one."""
        if self._viewer is None:
            then(None)
        else:
            self._viewer.notes.find_place(then)

    def shutdown(self) -> None:
        """Join the viewers' threads."""
        for viewer in self._viewers():
            viewer.shutdown()

    def _do(self, work: Callable[[], None]) -> None:
        if self._viewer is None:
            self._waiting = work
        else:
            work()
