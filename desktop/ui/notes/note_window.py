"""The window of the notes with all that works in it: reading, writing, exchanging."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.ui.notes.note_jobs import NoteJobs
from desktop.ui.notes.page import NotesPage
from desktop.ui.notes.reading import NoteReading
from desktop.ui.notes.writing import NoteWriting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QWidget

    from desktop.core.library.values import DocumentRecord
    from desktop.core.workspace import Workspace
    from desktop.ui.errands import Errands
    from desktop.ui.notes.controller import Shelf
    from desktop.ui.notes.page_links import PageLinks
    from knowledge.pieces import PageLink


class NoteWindow(QObject):
    """linked_page_wanted(link): show it. place_wanted(take): call it with the page in view."""

    linked_page_wanted = Signal(object)
    place_wanted = Signal(object)

    def __init__(
        self, owner: QWidget, workspace: Workspace, links: PageLinks, errands: Errands
    ) -> None:
        super().__init__(owner)
        self.page = page = NotesPage(owner)
        self._workspace = workspace
        self._jobs = NoteJobs(self)
        self._jobs.say_in(page.busy)
        self.reading = NoteReading(page, workspace.notes, links, errands)
        self.writing = NoteWriting(page, workspace, links, self._jobs)
        self.writing.kept.connect(self.reading.go_to)
        self.reading.deleted.connect(self.writing.forget_undo)
        page.new_wanted.connect(self.begin)
        page.report.closed.connect(self.reading.go_to_any)
        page.compose.cancelled.connect(self._discard)
        for shows_pages in (page.compose, page.review, page.note):
            shows_pages.page_wanted.connect(self.linked_page_wanted)
        page.compose.pages.link_wanted.connect(lambda: self.place_wanted.emit(self.link_new))
        page.note.form.pages.link_wanted.connect(
            lambda: self.place_wanted.emit(page.note.form.pages.add)
        )
        page.review.link_wanted.connect(self.place_wanted)

    def begin(self) -> None:
        """Show the page for writing a note; a text that was begun is still there."""
        self.reading.leave()
        self.page.compose.set_model(self._workspace.profile != "lite")
        self.page.show_page(self.page.compose)
        self.page.compose.text.setFocus()

    def link_new(self, link: PageLink, name: str) -> None:
        """Link the note that is being written to a page."""
        self.page.compose.pages.add(link, name)

    def show_shelf(self, shelf: Shelf, manuals: Iterable[DocumentRecord]) -> None:
        """Show other notes. manuals: their places are offered."""
        places = {each.place for each in manuals if each.place} | set(shelf.places)
        self.page.note.form.offer(places, shelf.roles)
        self.page.review.offer(places, shelf.roles)
        self.reading.show_shelf(shelf)

    def close(self) -> None:
        """Keep what was changed and may be kept, and stop what runs."""
        self.reading.finish()
        self.writing.remember_text()
        self.page.hide()
        self._jobs.close()

    def _discard(self) -> None:
        self.page.compose.clear()
        self.reading.go_to_any()
