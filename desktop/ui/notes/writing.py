"""Keeps what is written as a note: sorted into fields, kept, undone, loaded and saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFrame

from desktop.sentences import message
from desktop.ui import note_words as words
from desktop.ui import wording
from desktop.ui.bridge import Bridge
from desktop.ui.files import choose_file, choose_place
from desktop.ui.language import told
from desktop.ui.layout_memory import LayoutMemory
from knowledge.errors import KnowledgeRefused
from knowledge.security import check_optional_text

if TYPE_CHECKING:
    from desktop.core.jobs import CancelToken
    from desktop.core.library.places import Place
    from desktop.core.notes.proposal import Kept, Proposal
    from desktop.core.workspace import Workspace
    from desktop.ui.notes.drawer import BusyStrip, NotesDrawer
    from desktop.ui.notes.page_links import PageLinks
    from knowledge.pieces import PageLink


class NoteJobs(QObject):
    """Runs a job while the strip says so; its button cancels it."""

    def __init__(self, strip: BusyStrip) -> None:
        super().__init__(strip)
        self._strip = strip
        self._over: Callable[[BaseException | None], object] = lambda _: None
        self._bridge = Bridge("groundwork-notes", self, over=self._finished)
        strip.cancel_wanted.connect(self._bridge.cancel)

    @property
    def running(self) -> bool:
        """Whether a job is going on."""
        return self._bridge.running

    def run(
        self,
        said: str,
        work: Callable[[CancelToken], Any],
        done: Callable[[Any], object],
        failed: Callable[[BaseException], object],
        cancelled: Callable[[], object] = lambda: None,
    ) -> None:
        """Do `work` unless something else is going on; exactly one of the others is called."""
        if self.running:
            return
        results: list[Any] = []

        def job(cancel: CancelToken) -> Iterator[None]:
            results.append(work(cancel))
            yield from ()

        def over(failure: BaseException | None) -> None:
            if failure is not None:
                failed(failure)
            elif results:
                done(results[0])
            else:
                cancelled()

        self._over = over
        self._strip.begin(said)
        self._bridge.start(job)

    def close(self) -> None:
        """Cancel and join what runs."""
        self._bridge.close()

    def _finished(self, failure: BaseException | None) -> None:
        self._strip.hide()
        # only now: what `done` shows may be clicked at once, and that click may start a job
        self._over(failure)


T = TypeVar("T")
NOTICE_MS = 8_000


class NoteWriting(QObject):
    """kept(piece_id): new notes are kept, this is the first one."""

    kept = Signal(str)

    def __init__(
        self, drawer: NotesDrawer, workspace: Workspace, links: PageLinks, jobs: NoteJobs
    ) -> None:
        super().__init__(drawer)
        self._drawer, self._workspace, self._links, self._jobs = drawer, workspace, links, jobs
        self._desk = workspace.notes
        self._memory = LayoutMemory(workspace.library.folder.root)
        self._undo: tuple[list[str], QFrame] | None = None  # the notes saved last, and their notice
        drawer.compose.text.set_text(self._memory.note_text)
        drawer.compose.save_wanted.connect(self._save)
        drawer.compose.sort_wanted.connect(self._sort)
        drawer.review.keep_wanted.connect(self._keep)
        kinds = {"json": self.tr("Notes as JSON (*.json)")}
        kind = self.tr("Notes as JSON (*.json *.JSON)")
        drawer.import_button.clicked.connect(
            lambda: choose_file(drawer, self.tr("Import notes"), kind, self.load)
        )
        drawer.export_button.clicked.connect(
            lambda: choose_place(drawer, self.tr("Export notes"), "notes.json", kinds, self.write)
        )

    def remember_text(self) -> None:
        """Save the text that was begun for the next start, but no secret."""
        text = self._drawer.compose.text.text
        try:
            check_optional_text(text)
        except KnowledgeRefused:
            text = ""
        if text != self._memory.note_text:
            self._memory.note_text = text

    def _save(self) -> None:
        """Keep the text at once, with the fields as the rules propose them."""
        desk = self._desk
        if self._drawer.compose.text.text.strip():
            self._read_text(
                self.tr("Saving"),
                lambda proposal: (proposal, desk.keep(proposal)),
                self._show_saved,
                by_rules=True,
            )

    def _sort(self, by_rules: bool) -> None:
        links, pages = self._links, self._drawer.compose.pages.links
        self._read_text(
            self.tr("Reading your note"),
            lambda proposal: (proposal, links.names(pages)),
            self._review,
            by_rules=by_rules,
        )

    def _read_text(
        self,
        said: str,
        then: Callable[[Proposal], tuple[Proposal, T]],
        show: Callable[[Proposal, T], object],
        *,
        by_rules: bool,
    ) -> None:
        """Sort the text into fields. then: on the same thread; `show` gets what it returns."""
        compose = self._drawer.compose
        text, pages, place = compose.text.text, compose.pages.links, self._place()
        desk, role = self._desk, self._memory.note_role

        def work(cancel: CancelToken) -> tuple[Proposal, T] | KnowledgeRefused:
            try:
                proposal = desk.structure(
                    text, place, role=role, pages=pages, cancel=cancel, by_rules=by_rules
                )
            except KnowledgeRefused as refusal:
                return refusal
            return then(proposal)

        def done(found: tuple[Proposal, T] | KnowledgeRefused) -> None:
            compose.set_busy(False)
            if isinstance(found, KnowledgeRefused):
                compose.show_fault(message(found))
            else:
                show(*found)

        def cancelled() -> None:
            compose.set_busy(False)
            compose.text.setFocus()
            self._say(self.tr("Stopped. Your text is still here."))

        if not self._jobs.running:
            compose.set_busy(True)
            self._jobs.run(said, work, done, self._failed, cancelled)

    def _review(self, proposal: Proposal, page_names: dict[PageLink, str]) -> None:
        self._drawer.review.show_proposal(proposal, page_names)
        self._drawer.show_page(self._drawer.review)

    def _show_saved(self, proposal: Proposal, kept: Kept) -> None:
        if kept.problems:
            self._review(proposal, {})
        self._show_kept(proposal, kept)

    def _keep(self, proposal: Proposal) -> None:
        if not self._jobs.running:
            self._drawer.review.set_busy(True)
            self._jobs.run(
                self.tr("Saving"),
                lambda _: self._desk.keep(proposal),
                lambda kept: self._show_kept(proposal, kept),
                self._failed,
            )

    def _show_kept(self, proposal: Proposal, kept: Kept) -> None:
        drawer = self._drawer
        drawer.review.set_busy(False)
        faults = {
            number: each.reason
            for each in kept.problems
            if (number := _piece_at(each.position)) is not None
        }
        if kept.notes:
            self._memory.note_role = proposal.notes[0].role
            saved = [note.piece_id for note in kept.notes]
            notice = drawer.notices.say(
                words.saved(len(saved)),
                milliseconds=NOTICE_MS,
                action=self.tr("Undo"),
                on_action=lambda: self._take_back(saved),
            )
            self._undo = saved, notice
        others = [
            f"{each.position}: {told(each.reason)}"
            for each in kept.problems
            if _piece_at(each.position) is None
        ]
        if others:
            drawer.notices.say("\n".join(others), tone="bad")
        if faults:
            drawer.show_page(drawer.review)
            drawer.review.show_problems(faults)
            return
        drawer.compose.clear()
        if kept.notes:
            self.kept.emit(kept.notes[0].piece_id)

    def forget_undo(self, piece_id: str) -> None:
        """Stop offering to take back a note since deleted: "Undo" would mean two things."""
        if self._undo is not None and piece_id in self._undo[0]:
            self._drawer.notices.dismiss(self._undo[1])
            self._undo = None

    def _take_back(self, piece_ids: list[str]) -> None:
        """Delete notes that were saved a moment ago."""

        def work(_: CancelToken) -> None:
            for piece_id in piece_ids:
                self._desk.delete(piece_id)

        self._jobs.run(self.tr("Deleting"), work, lambda _: None, self._failed)

    def load(self, path: Path) -> None:
        """Import a file of notes."""
        self._jobs.run(
            self.tr("Importing {name}").format(name=path.name),
            lambda cancel: self._desk.import_json(path, cancel),
            lambda kept: self._show_loaded(path, kept),
            self._failed,
            lambda: self._say(self.tr("Stopped. Nothing was imported.")),
        )

    def _show_loaded(self, path: Path, kept: Kept) -> None:
        drawer = self._drawer
        if kept.problems:
            drawer.report.show_report(path.name, kept.changed, kept.problems)
            drawer.show_page(drawer.report)
        elif kept.changed:
            said = self.tr("“{name}” imported: {n} items are new or changed.")
            self._say(said.format(name=path.name, n=wording.number(kept.changed)))
        else:
            said = self.tr("“{name}” has nothing new.")
            self._say(said.format(name=path.name))

    def write(self, path: Path) -> None:
        """Write the notes that the filters leave to a file."""
        wanted = self._drawer.filters.wanted
        desk = self._desk
        self._jobs.run(
            self.tr("Exporting to {name}").format(name=path.name),
            lambda _: desk.export_json(path, desk.list(wanted)),
            lambda count: self._say(
                self.tr("{notes} exported to {name}.").format(
                    notes=words.notes(count), name=path.name
                )
            ),
            self._failed,
        )

    def _failed(self, failure: BaseException) -> None:
        for page in (self._drawer.compose, self._drawer.review):
            page.set_busy(False)
        self._drawer.notices.say(words.failure_said(failure), tone="bad")

    def _say(self, text: str) -> None:
        self._drawer.notices.say(text, milliseconds=NOTICE_MS)

    def _place(self) -> Place:
        """Return what the note is about: the place of its manual, else where the person is."""
        records = (self._links.record(link) for link in self._drawer.compose.pages.links)
        places = [each.place for each in records if each is not None and each.place]
        return places[0] if places else self._workspace.place()


def _piece_at(position: str) -> int | None:
    """Return the number in "pieces[3]", None for any other position."""
    number = position.removeprefix("pieces[").removesuffix("]")
    return int(number) if number.isdecimal() else None
