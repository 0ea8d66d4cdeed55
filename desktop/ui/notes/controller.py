"""Notes in the main window: their number, their margins, their own window and the way there."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from desktop.core.notes.note import EVERY_NOTE, NoteFilter
from desktop.ui.errands import Errands
from desktop.ui.notes.words import failure_said

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtWidgets import QWidget

    from desktop.core.events import NoteCitationEvent, PageRegion
    from desktop.core.library.places import Place
    from desktop.core.notes.note import Note
    from desktop.core.workspace import Workspace
    from desktop.ui.centre import Centre
    from desktop.ui.chat.chat_panel import ChatPanel
    from desktop.ui.library.model import LibraryModel
    from desktop.ui.library.panel import LibraryPanel
    from desktop.ui.notes.note_window import NoteWindow
    from desktop.ui.notes.page import NotesPage
    from desktop.ui.notes.page_links import PageLinks
    from desktop.ui.viewer.notes import NotePlace
    from knowledge.pieces import PageLink


MOST_ROWS = 500
"""More rows than that are read by nobody; the filters lead to the rest."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """All notes, the latest first, with what they can be narrowed down by.

    rows: what the list shows. matching: how many notes the filter leaves. pinned: the notes
    that are linked to a manual, by the SHA-256 of its PDF.
    """

    notes: tuple[Note, ...] = ()
    rows: tuple[Note, ...] = ()
    matching: int = 0
    tags: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    roles: tuple[str, ...] = ()
    pinned: Mapping[str, tuple[Note, ...]] = field(default_factory=dict)


def shelf_of(notes: Sequence[Note], wanted: NoteFilter = EVERY_NOTE) -> Shelf:
    """Return the shelf of notes; tags come by how often they are used."""
    used = Counter(tag for note in notes for tag in note.tags)
    matching = [note for note in notes if wanted.shows(note)]
    return Shelf(
        tuple(notes),
        tuple(matching[:MOST_ROWS]),
        len(matching),
        tuple(tag for tag, _ in sorted(used.items(), key=lambda item: (-item[1], item[0]))),
        tuple({note.place.key: note.place for note in notes if note.place}.values()),
        tuple(sorted({note.role for note in notes if note.role})),
        _pinned(notes),
    )


def _pinned(notes: Sequence[Note]) -> dict[str, tuple[Note, ...]]:
    found: dict[str, dict[str, Note]] = {}
    for note in notes:
        for link in note.pages:
            found.setdefault(link.document, {})[note.piece_id] = note
    return {document: tuple(each.values()) for document, each in found.items()}


class NoteController(QObject):
    """Keeps the margins and the count in the library up to date, and opens notes.

    places_wanted(regions): show these pages in the viewer.
    """

    places_wanted = Signal(object)
    _desk_changed = Signal()

    def __init__(
        self,
        window: QWidget,
        panel: LibraryPanel,
        centre: Centre,
        chat: ChatPanel,
        model: LibraryModel,
    ) -> None:
        super().__init__(window)
        self._owner, self._panel, self._centre, self._model = window, panel, centre, model
        self._workspace: Workspace | None = None
        self._links: PageLinks | None = None
        self._window: NoteWindow | None = None
        self._end_subscription: Callable[[], None] = lambda: None
        self._shelf = Shelf()
        self._errands = Errands(self)
        self._errands.failed.connect(self._failed)
        self._desk_changed.connect(self.look, Qt.ConnectionType.QueuedConnection)
        panel.notes_wanted.connect(self.show_page)
        chat.note_wanted.connect(self.open_cited)
        centre.note_wanted.connect(self.begin_at)
        centre.note_opened.connect(self.go_to)
        centre.manual_in_view.connect(lambda _: self._show_margin())

    @property
    def page(self) -> NotesPage | None:
        """The window of the notes, once it was opened."""
        return self._window.page if self._window is not None else None

    def open_workspace(self, workspace: Workspace) -> None:
        """Know the notes of this library."""
        from desktop.ui.notes.page_links import PageLinks

        self._workspace = workspace
        self._links = PageLinks(workspace.library, self._model.records)
        self._end_subscription = workspace.notes.subscribe(self._desk_changed.emit)
        self.look()

    def look(self) -> None:
        """Read the notes again: some changed, or other ones are wanted."""
        if self._workspace is not None:
            desk, page = self._workspace.notes, self.page
            wanted = page.filters.wanted if page is not None else None
            self._errands.run(
                lambda: shelf_of(desk.list(), wanted) if wanted else shelf_of(desk.list()),
                self._show_shelf,
            )

    def show_page(self) -> None:
        """Open the window of the notes, or bring it to the front."""
        if self._raised() is not None:
            self.look()

    def begin(self) -> None:
        """Begin a note; words that are selected in a manual are what it is about."""
        window = self._raised()
        if window is not None:
            window.begin()
            self._link_place(window.link_new, only_words=True)

    def begin_at(self, place: NotePlace) -> None:
        """Begin a note about a place in a manual, or link the one that was begun to it."""
        window = self._raised()
        if window is not None:
            window.begin()
            self._link(place, window.link_new)

    def go_to(self, piece_id: str) -> None:
        """Show a note."""
        window = self._raised()
        if window is not None:
            window.reading.go_to(piece_id)

    def open_cited(self, event: NoteCitationEvent) -> None:
        """Show the note that an answer cites, and the page it is linked to."""
        self.go_to(event.note.piece_id)
        if event.note.page is not None:
            self.places_wanted.emit([event.note.page])

    def close(self) -> None:
        """Keep what was changed and may be kept, and finish what was asked for."""
        if self._window is not None:
            self._window.close()
        self._end_subscription()
        self._errands.close()
        self._workspace = None  # a change that is still on its way is looked at by nobody

    def _raised(self) -> NoteWindow | None:
        """Return the window, opened and in front; None without a library."""
        if self._workspace is None or self._links is None:
            return None
        if self._window is None:
            self._window = self._make_window(self._workspace, self._links)
        page = self._window.page
        page.show()
        page.raise_()
        page.activateWindow()
        return self._window

    def _make_window(self, workspace: Workspace, links: PageLinks) -> NoteWindow:
        # Not above: it is built when somebody wants to see notes.
        from desktop.ui.notes.note_window import NoteWindow

        window = NoteWindow(self._owner, workspace, links, self._errands)
        window.page.filters.changed.connect(self.look)
        window.linked_page_wanted.connect(self._show_linked)
        window.place_wanted.connect(self._link_place)
        window.show_shelf(self._shelf, self._model.records())
        return window

    def _show_shelf(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._panel.show_note_count(len(shelf.notes))
        self._show_margin()
        if self._window is not None:
            self._window.show_shelf(shelf, self._model.records())

    # pages of manuals

    def _link_place(
        self, take: Callable[[PageLink, str], None], *, only_words: bool = False
    ) -> None:
        """Have `take` called with the place in view. only_words: if words are selected there."""

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

    def _show_margin(self) -> None:
        place, links = self._centre.place(), self._links
        if place is not None and links is not None:
            self._centre.show_notes(place[0], links.margin(place[0], self._shelf.pinned))

    def _failed(self, failure: BaseException) -> None:
        page = self.page
        shown = page is not None and page.isVisible()
        notices = page.notices if shown and page is not None else self._panel.notices
        notices.say(failure_said(failure), tone="bad")
