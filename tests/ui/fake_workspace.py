"""A workspace that replays scripted events, with the surface the window uses."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass, field, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLabel, QWidget

from desktop.core.events import CompleteEvent, Event
from desktop.core.jobs import CancelToken
from desktop.core.library.places import ActivePlace, Place
from desktop.core.library.values import (
    DocumentChanged,
    DocumentRecord,
    IngestionEvent,
    PassProgress,
)
from desktop.core.notes.desk import NoteDesk
from desktop.core.paths import LibraryFolder
from desktop.core.settings.sections import ReasoningTraceSettings, Settings
from desktop.core.trace.session_memory import Sessions
from desktop.ui.viewer.session import Session
from tests.fakes.conversations import FakeConversations
from tests.fakes.model_manager import FakeManager
from tests.fakes.workspace import FakeDrawing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from desktop.core.library.contents import Heading, LabelledPage, TextPlace
    from desktop.core.library.values import SourceEdit


def manual(id_: int, title: str, state: Any = "ready", pages: int = 40, **more: Any):
    done = pages if state == "ready" else 0
    values: dict[str, Any] = {
        "sha256": f"{id_:064d}",
        "name": f"{title.lower().replace(' ', '-')}.pdf",
        "bytes": 1_000_000,
        "reason": "",
        "added_at": "2026-01-01T10:00:00Z",
        "done": (done, done, done),
        "failed_pages": 0,
    } | more
    return DocumentRecord(id=id_, title=title, state=state, page_count=pages, **values)


class FakeLibrary:
    def __init__(self, root: Path, manuals: Sequence[DocumentRecord] = ()) -> None:
        self.folder = LibraryFolder(root)
        self.manuals = {each.id: each for each in manuals}
        self.deleted: list[int] = []
        self.known_headings: list[Heading] = []
        self.known_labels: list[LabelledPage] = []
        self.known_words: list[TextPlace] = []

    def documents(self) -> list[DocumentRecord]:
        return list(self.manuals.values())

    def document(self, document_id: int) -> DocumentRecord:
        return self.manuals[document_id]

    def original_path(self, document_id: int) -> Path:
        return self.folder.root / f"{document_id}.pdf"

    def password(self, document_id: int) -> str | None:
        return None

    def pages(self, document_id: int) -> list[Any]:
        return [
            SimpleNamespace(page=page, label="", width=200.0, height=100.0) for page in range(100)
        ]

    def rename(self, document_id: int, title: str) -> None:
        self.manuals[document_id] = replace(self.manuals[document_id], title=title)

    def set_place(self, ids: Sequence[int], site: str, asset: str) -> Place:
        for id_ in ids:
            self.manuals[id_] = replace(self.manuals[id_], site=site, asset=asset)
        return Place(site, asset)

    def set_source(self, ids: Sequence[int], edit: SourceEdit) -> None:
        values = {name: value for name, value in asdict(edit).items() if value is not None}
        for id_ in ids:
            self.manuals[id_] = replace(self.manuals[id_], **values)

    def read_sources(self, _settings: Any, again: Sequence[int] = ()) -> None:
        for id_ in again:
            self.manuals[id_] = replace(self.manuals[id_], tier=1, source_type="manual")

    def mark_used(self, document_id: int) -> None:
        used = f"2026-02-01T10:00:{len(self.manuals):02}Z"
        self.manuals[document_id] = replace(self.manuals[document_id], used_at=used)

    def language(self, document_id: int) -> str:
        return "en"

    def headings(self, text: str, limit: int = 50) -> list[Heading]:
        return [each for each in self.known_headings if text.casefold() in each.title.casefold()]

    def words(self, text: str, limit: int = 50) -> list[TextPlace]:
        return [each for each in self.known_words if text.casefold() in each.text.casefold()]

    def pages_labelled(self, label: str, limit: int = 50) -> list[LabelledPage]:
        return [each for each in self.known_labels if each.label.startswith(label)]

    def delete(self, document_id: int) -> None:
        self.deleted.append(document_id)
        self.manuals.pop(document_id, None)


class FakeIngestion:
    """Replays `script`; enqueued paths become manuals unless the script says otherwise."""

    def __init__(self, library: FakeLibrary) -> None:
        self._library = library
        self.enqueued: list[Path] = []
        self.replaced: list[str] = []
        self.script: list[IngestionEvent] = []
        self.calls: list[tuple[str, Any]] = []
        self.hold = threading.Event()
        self.hold.set()
        self.unfinished = False
        self.runs = 0
        self.failure: Exception | None = None
        self.passwords: dict[int, str] = {}
        self.wanted: list[tuple[int, int]] = []

    def want(self, pages: Sequence[tuple[int, int]]) -> None:
        self.wanted += pages

    def enqueue(self, paths: Sequence[Path], *, replaces: str = "") -> None:
        self.enqueued += paths
        self.replaced += [replaces] if replaces else []
        for path in paths:
            id_ = max(self._library.manuals, default=0) + 1
            record = manual(id_, path.stem, "indexing", name=path.name)
            self._library.manuals[id_] = record
            self.script += [DocumentChanged(record), PassProgress(id_, "text", 10, 40, 52.0, 4.0)]
        self.unfinished = True

    def has_work(self) -> bool:
        return self.unfinished

    def run(self, cancel: CancelToken) -> Iterator[IngestionEvent]:
        self.runs += 1
        self.unfinished = False
        while self.script:
            yield self.script.pop(0)
        while not self.hold.wait(0.005):
            cancel.check()
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        for id_, record in list(self._library.manuals.items()):
            if record.state == "indexing":
                done = (record.page_count,) * 3
                ready = replace(record, state="ready", done=done)
                self._library.manuals[id_] = ready
                yield DocumentChanged(ready)

    def cancel_document(self, document_id: int) -> None:
        self.calls.append(("cancel", document_id))
        record = self._library.manuals[document_id]
        if record.state in ("queued", "indexing"):
            self._library.manuals[document_id] = replace(record, state="cancelled")

    def retry(self, document_id: int) -> None:
        self.calls.append(("retry", document_id))

    def read_anew(self, document_id: int) -> None:
        self.calls.append(("anew", document_id))

    def unlock(self, document_id: int, password: str) -> None:
        self.calls.append(("unlock", (document_id, password)))
        right = password == self.passwords.get(document_id)
        record = self._library.manuals[document_id]
        record = replace(record, state="indexing" if right else "needs_password")
        self._library.manuals[document_id] = record
        self.script.append(DocumentChanged(record))
        self.unfinished = True


class FakeRun:
    """Plays events on a thread of its own until cancelled, as the engine does."""

    def __init__(
        self,
        events: Sequence[Event],
        hold: threading.Event,
        on_event: Callable[[Event], None],
        on_done: Callable[[], None],
    ) -> None:
        self._token = CancelToken()
        self._work = (list(events), hold, on_event, on_done)
        self._thread = threading.Thread(target=self._play, name="fake-engine")
        self._thread.start()

    def cancel(self) -> None:
        self._token.cancel()

    def wait(self, timeout: float | None = None) -> bool:
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _play(self) -> None:
        events, hold, on_event, on_done = self._work
        for place, event in enumerate(events):
            while place == len(events) - 1 and not hold.wait(0.005):
                if self._token.cancelled:
                    break
            if self._token.cancelled:
                on_event(CompleteEvent("cancelled", 12.0, 1))
                break
            on_event(event)
        on_done()


@dataclass
class FakeTraces:
    """Traces by the id of the turn that they belong to."""

    stored: dict[int, Any] = field(default_factory=dict)

    def of_turn(self, turn_id: int) -> Any:
        return self.stored.get(turn_id)


@dataclass
class FakeWorkspace:
    library: FakeLibrary
    ingestion: FakeIngestion
    profile: str = "lite"
    notice: str = ""
    parser: Any = field(default_factory=FakeDrawing)
    engine: Any = None
    settings: Any = field(default_factory=Settings)
    place: ActivePlace = field(default_factory=ActivePlace)
    models: Any = field(default_factory=FakeManager)
    conversations: Any = field(default_factory=FakeConversations)
    notes: Any = field(default_factory=NoteDesk)
    team: Any = None
    sessions: Sessions = field(default_factory=lambda: Sessions(ReasoningTraceSettings()))
    traces: Any = field(default_factory=FakeTraces)
    answer: list[Event] = field(default_factory=list)
    hold: threading.Event = field(default_factory=threading.Event)
    asked: list[tuple[str, frozenset[int]]] = field(default_factory=list)
    runs: list[FakeRun] = field(default_factory=list)
    deep_research: Any = None
    suggester: Any = None
    researched: list[tuple[str, str]] = field(default_factory=list)
    closed: int = 0

    def ask(
        self,
        prompt: str,
        document_ids: frozenset[int],
        on_event: Callable[[Event], None],
        on_done: Callable[[], None],
        conversation_id: int | None = None,
        *,
        by_itself: bool = False,
    ) -> FakeRun:
        self.asked.append((prompt, document_ids))
        self.by_itself = by_itself
        said: list[Event] = []

        def done() -> None:
            if conversation_id is not None:
                self.conversations.add_turn(conversation_id, prompt, said, document_ids)
            on_done()

        def take(event: Event) -> None:
            said.append(event)
            on_event(event)

        run = FakeRun(self.answer, self.hold, take, done)
        self.runs.append(run)
        return run

    def research(
        self,
        question: str,
        mode: str,
        document_ids: frozenset[int],
        on_event: Callable[[Event], None],
        on_done: Callable[[], None],
        temporal_context: Any = None,
        conversation_id: int | None = None,
    ) -> FakeRun:
        self.researched.append((question, mode))
        return self.ask(question, document_ids, on_event, on_done, conversation_id)

    def close(self) -> None:
        self.closed += 1


def fake_workspace(root: Path, *manuals: DocumentRecord, hold: bool = False) -> Any:
    """Typed as anything: it stands in for the real workspace."""
    library = FakeLibrary(root, manuals)
    workspace = FakeWorkspace(library, FakeIngestion(library))
    if not hold:
        workspace.hold.set()
    return workspace


class FakePageNotes(QObject):
    """No notes beside any page."""

    wanted = Signal(object)
    opened = Signal(str)

    def show_notes(self, document_id: int, notes: Any) -> None:
        pass

    def find_place(self, then: Callable[[Any], None]) -> None:
        then(None)


class FakeViewer(QLabel):
    """Remembers what it was asked to show."""

    location_changed = Signal(int, int)
    status_message = Signal(str)
    region_asked = Signal(object, str)
    highlight_pointed = Signal(int)
    beside_wanted = Signal(int)
    crowded = Signal()
    room_wanted = 656

    def __init__(self, workspace: Any = None) -> None:
        super().__init__("page")
        self.opened: list[tuple[int, int]] = []
        self.shown: list[tuple[list[Any], int]] = []
        self.closed: list[int] = []
        self.reports: list[QWidget] = []
        self.cleared = 0
        self.was_shut_down = False
        self.actions_by_name: dict[str, Any] = {}
        self.notes = FakePageNotes(self)
        self.heat = SimpleNamespace(ask=lambda question: None)

    def open_document(self, document_id: int, page: int | None = None) -> None:
        self.opened.append((document_id, page or 0))

    @property
    def is_empty(self) -> bool:
        return not (self.opened or self.reports)

    def show_report(self, report: QWidget, title: str) -> None:
        self.reports.append(report)
        report.setParent(self)
        report.resize(self.size())
        report.show()

    def refresh_document(self, document_id: int) -> None:
        pass

    def light_highlight(self, number: int) -> None:
        pass

    def session(self) -> Session:
        return Session()

    def restore(self, left: Session) -> bool:
        return False

    def show_regions(self, regions: Sequence[Any], current: int = 0) -> None:
        self.shown.append((list(regions), current))
        self.opened.append((regions[current].document_id, regions[current].page))

    def clear_highlights(self) -> None:
        self.cleared += 1

    def current_location(self) -> tuple[int, int] | None:
        return self.opened[-1] if self.opened else None

    def close_document(self, document_id: int) -> None:
        self.closed.append(document_id)

    def shutdown(self) -> None:
        self.was_shut_down = True
