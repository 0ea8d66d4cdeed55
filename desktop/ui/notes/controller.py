"""Notes in the main window: their number, their margins, their drawer and the way there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from desktop.ui.bridge import WindowPart
from desktop.ui.design.dialogs import notices_of
from desktop.ui.language import told as in_window
from desktop.ui.notes.shelf import Shelf, shelf_of

if TYPE_CHECKING:
    from desktop.core.events import NoteCitationEvent, PageRegion
    from desktop.core.notes.note import Conflict
    from desktop.core.notes.shared_folder import FolderExchange, FolderKeeper
    from desktop.core.workspace import Workspace
    from desktop.ui.chat.chat_panel import ChatPanel
    from desktop.ui.library.columns import Columns
    from desktop.ui.library.model import LibraryModel
    from desktop.ui.library.panel import LibraryPanel
    from desktop.ui.notes.drawer import NotesDrawer
    from desktop.ui.notes.page_links import PageLinks
    from desktop.ui.notes.reading import NoteReading
    from desktop.ui.notes.writing import NoteJobs, NoteWriting
    from desktop.ui.viewer.centre import Centre
    from desktop.ui.viewer.links import NotePlace
    from knowledge.pieces import PageLink


@dataclass(frozen=True, slots=True)
class _Parts:
    """The drawer with all that works in it; made when somebody wants to see notes."""

    drawer: NotesDrawer
    jobs: NoteJobs
    reading: NoteReading
    writing: NoteWriting


class NoteController(WindowPart):
    """Keeps the margins and the count in the library up to date, and opens notes in their drawer.

    places_wanted(regions): show these pages in the viewer.
    """

    places_wanted = Signal(object)
    _desk_changed = Signal()
    _team_told = Signal(object)

    def __init__(
        self,
        columns: Columns,
        panel: LibraryPanel,
        centre: Centre,
        chat: ChatPanel,
        model: LibraryModel,
    ) -> None:
        super().__init__(columns, self._failed)
        self._columns, self._panel, self._centre = columns, panel, centre
        self._chat, self._model = chat, model
        self._links: PageLinks | None = None
        self._parts: _Parts | None = None
        self._before: QWidget | None = None
        self._end_subscription: Callable[[], None] = lambda: None
        self._shelf = Shelf()
        self._conflicts: tuple[Conflict, ...] = ()
        self._named: set[str] = set()  # what was told of the team's folder already
        self._desk_changed.connect(self.look, Qt.ConnectionType.QueuedConnection)
        self._team_told.connect(self._hear_team, Qt.ConnectionType.QueuedConnection)
        panel.notes_wanted.connect(self.toggle)
        chat.note_wanted.connect(self.open_cited)
        centre.note_wanted.connect(self.begin_at)
        centre.note_opened.connect(self.go_to)
        centre.turned.connect(self._show_margins)
        columns.uncovered.connect(self.close_drawer)

    @property
    def drawer(self) -> NotesDrawer | None:
        """The drawer of the notes, once it was opened."""
        return self._parts.drawer if self._parts is not None else None

    @property
    def is_open(self) -> bool:
        """Whether the drawer is open."""
        return self._parts is not None and not self._parts.drawer.isHidden()

    def open_workspace(self, workspace: Workspace) -> None:
        """Know the notes of this library."""
        from desktop.ui.notes.page_links import PageLinks

        self._workspace = workspace
        self._links = PageLinks(workspace.library, self._model.records)
        self._end_subscription = workspace.notes.subscribe(self._desk_changed.emit)
        if workspace.team is not None:
            workspace.team.tell(self._team_told.emit)
        if self.memory.notes_open:
            self._open()
        self.look()

    def look(self) -> None:
        """Read the notes again: some have changed, or others are wanted."""
        if self._workspace is not None:
            from desktop.core.notes.note import EVERY_NOTE

            desk, drawer = self._workspace.notes, self.drawer
            wanted = drawer.filters.wanted if drawer is not None else EVERY_NOTE
            self._errands.run(lambda: shelf_of(desk.list(), wanted), self._show_shelf)

    def toggle(self) -> None:
        """Open the drawer as it was left, or close it."""
        if self.is_open:
            self.close_drawer()
        else:
            self._open_and_look()

    def close_drawer(self) -> None:
        """Close the drawer; the keyboard goes back to where it was."""
        drawer = self.drawer
        if drawer is None or drawer.isHidden():
            return
        had_keyboard, before = drawer.has_keyboard, self._before
        drawer.hide()
        self._columns.make_room()
        if had_keyboard:
            back = before is not None and isValid(before) and before.isVisible()
            field = before if back and before is not None else self._chat.composer.field
            field.setFocus(Qt.FocusReason.OtherFocusReason)

    def begin(self) -> None:
        """Begin a note; it is about any words selected in a manual.

        If a note is already being typed, the drawer closes, as its button's key does.
        """
        drawer = self.drawer
        if drawer is not None and drawer.shown is drawer.compose and drawer.has_keyboard:
            self.close_drawer()
        elif parts := self._begin():
            self._link_place(parts.drawer.compose.pages.add, only_words=True)

    def begin_at(self, place: NotePlace) -> None:
        """Begin a note about a place in a manual, or link the one that was begun to it."""
        if parts := self._begin():
            self._link(place, parts.drawer.compose.pages.add)

    def go_to(self, piece_id: str) -> None:
        """Show a note."""
        parts = self._open()
        if parts is not None:
            parts.reading.go_to(piece_id)

    def open_cited(self, event: NoteCitationEvent) -> None:
        """Show the note that an answer cites, and the page it is linked to."""
        self.go_to(event.note.piece_id)
        if event.note.page is not None:
            self.places_wanted.emit([event.note.page])

    def close(self) -> None:
        """Keep what was changed and may be kept, and finish what was asked for."""
        if self._workspace is not None:
            self.memory.notes_open = "yes" if self.is_open else ""
        if self._parts is not None:
            self._parts.reading.finish()
            self._parts.writing.remember_text()
            self._parts.jobs.close()
        self._end_subscription()
        if self._team is not None:
            self._team.tell(lambda _: None)
        super().close()

    def _open(self) -> _Parts | None:
        """Return the drawer with its parts, open and with the keyboard; None without a library."""
        if self._workspace is None or self._links is None:
            return None
        if self._parts is None:
            self._parts = self._make(self._workspace, self._links)
        drawer = self._parts.drawer
        if not drawer.has_keyboard:
            self._before = QApplication.focusWidget()
        if drawer.isHidden():
            self._columns.open_drawer(drawer)
        if not drawer.has_keyboard and drawer.shown is not None:
            drawer.shown.setFocus(Qt.FocusReason.OtherFocusReason)
        return self._parts

    def _make(self, workspace: Workspace, links: PageLinks) -> _Parts:
        # Not above: it is built when somebody wants to see notes.
        from desktop.ui.notes.drawer import NotesDrawer
        from desktop.ui.notes.reading import NoteReading
        from desktop.ui.notes.writing import NoteJobs, NoteWriting

        drawer = NotesDrawer(self._columns.window())
        jobs = NoteJobs(drawer.busy)
        reading = NoteReading(drawer, workspace.notes, links, self._errands)
        writing = NoteWriting(drawer, workspace, links, jobs)
        writing.kept.connect(reading.go_to)
        reading.deleted.connect(writing.forget_undo)
        compose, review, note = drawer.compose, drawer.review, drawer.note
        drawer.filters.changed.connect(self.look)
        drawer.new_wanted.connect(self._begin)
        drawer.close_wanted.connect(self.close_drawer)
        drawer.report.closed.connect(reading.show_list)
        drawer.conflicts.decided.connect(self._decide)
        compose.cancelled.connect(compose.clear)
        compose.cancelled.connect(reading.show_list)
        # without a note there is no list, and what was discarded would seem to stay
        compose.cancelled.connect(lambda: None if reading.has_notes else self.close_drawer())
        for shows_pages in (compose, review, note):
            shows_pages.page_wanted.connect(self._show_linked)
        for pages in (compose.pages, note.form.pages):
            pages.link_wanted.connect(partial(self._link_place, pages.add))
        review.link_wanted.connect(self._link_place)
        parts = _Parts(drawer, jobs, reading, writing)
        self._columns.lay_beside(drawer)
        self._offer(parts)
        return parts

    def _begin(self) -> _Parts | None:
        """Show the page for writing a note, with a text that was begun; None without a library."""
        parts = self._open()
        if parts is None or self._workspace is None:
            return None
        parts.reading.leave()
        compose = parts.drawer.compose
        compose.set_model(self._workspace.profile != "lite")
        parts.drawer.show_page(compose)
        compose.setFocus(Qt.FocusReason.OtherFocusReason)
        return parts

    def _show_shelf(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._panel.show_note_count(len(shelf.notes))
        self._show_margins()
        if self._parts is not None:
            self._offer(self._parts)

    def _offer(self, parts: _Parts) -> None:
        """Show the notes that there are; the places of manuals are offered too."""
        places = {each.place for each in self._model.records() if each.place}
        for form in (parts.drawer.note.form, parts.drawer.review):
            form.offer(places | set(self._shelf.places), self._shelf.roles)
        parts.reading.show_shelf(self._shelf)
        parts.drawer.conflicts.show_conflicts(self._conflicts)

    # the team's folder

    def _hear_team(self, told: FolderExchange | str) -> None:
        """Say what an exchange brought that a person has to know or decide, each thing once."""
        if self._workspace is None:
            return
        if isinstance(told, str):
            self._panel.notices.say(in_window(told))
            return
        for key, name in told.newcomers:
            if self._is_new(key):
                self._panel.notices.say(
                    self.tr(
                        "{name} shares notes. Compare the key with {name} before you trust it: "
                        "{key}"
                    ).format(name=name, key=key),
                    action=self.tr("Trust"),
                    on_action=partial(self._trust, key),
                )
        for each in told.left_out:
            if not each.key and self._is_new(each.file):
                why = self.tr("A note from your team was left out, {file}: {why}")
                self._panel.notices.say(why.format(file=each.file, why=in_window(each.why)))
        fresh = [c for c in told.conflicts if self._is_new(f"{c.piece_id} {c.field}")]
        self._conflicts = told.conflicts
        if self._parts is not None:
            self._parts.drawer.conflicts.show_conflicts(self._conflicts)
        if fresh and not self.is_open:
            self._panel.notices.say(
                self.tr("Two people changed a note separately. Both texts are kept."),
                action=self.tr("Decide"),
                on_action=self._open_and_look,
            )

    def _open_and_look(self) -> None:
        if self._open() is not None:
            self.look()

    def _is_new(self, what: str) -> bool:
        known = what in self._named
        self._named.add(what)
        return not known

    @property
    def _team(self) -> FolderKeeper | None:
        return self._workspace.team if self._workspace is not None else None

    def _trust(self, key: str) -> None:
        team = self._team
        if team is not None:
            self._errands.run(lambda: team.trust(key))

    def _decide(self, conflict: Conflict, value: object) -> None:
        team = self._team
        if team is not None:
            self._named.discard(f"{conflict.piece_id} {conflict.field}")
            self._errands.run(lambda: team.resolve(conflict, value))

    # pages of manuals

    def _link_place(
        self, take: Callable[[PageLink, str], None], *, only_words: bool = False
    ) -> None:
        """Call `take` with the place in view. only_words: only if words are selected there."""

        def found(place: NotePlace | None) -> None:
            if place is not None and (place.quote or not only_words):
                self._link(place, take)

        self._centre.find_note_place(found)

    def _link(self, place: NotePlace, take: Callable[[PageLink, str], None]) -> None:
        links = self._links
        link = links.link(place) if links is not None else None
        if links is not None and link is not None:
            self._errands.run(lambda: links.names([link]), lambda names: take(link, names[link]))

    def _show_linked(self, link: PageLink) -> None:
        links = self._links
        if links is not None:
            self._errands.run(lambda: links.region(link), self._want_place)

    def _want_place(self, region: PageRegion | None) -> None:
        if region is not None:
            self.places_wanted.emit([region])

    def _show_margins(self) -> None:
        links = self._links
        if links is not None:
            for document_id in self._centre.manuals_in_view():
                self._centre.show_notes(document_id, links.margin(document_id, self._shelf.pinned))

    def _failed(self, failure: BaseException) -> None:
        notices = notices_of(self.drawer, self._panel.notices)
        from desktop.ui.note_words import failure_said

        notices.say(failure_said(failure), tone="bad")
