"""A workspace of scripted parts, with the surface that the commands use."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from desktop.core.engine import Engine
from desktop.core.page_words import PageWords
from desktop.core.settings.sections import Settings
from desktop.core.structure.values import PageImage
from desktop.core.workspace import Workspace
from tests.fakes.agent import make_agent
from tests.fakes.shelf import FakeShelf, manual

if TYPE_CHECKING:
    from desktop.core.library.values import DocumentRecord


class FakeLibrary(FakeShelf):
    def __init__(self, *manuals: DocumentRecord) -> None:
        super().__init__(*manuals)
        self.passwords: dict[int, str] = {}

    def document(self, document_id: int) -> DocumentRecord:
        return next(each for each in self.manuals if each.id == document_id)

    def put(self, document: DocumentRecord) -> None:
        self.manuals = [each for each in self.manuals if each.id != document.id] + [document]

    def original_path(self, document_id: int) -> Path:
        return Path(f"/originals/{document_id}.pdf")

    def password(self, document_id: int) -> str | None:
        return self.passwords.get(document_id)

    def remember_password(self, document_id: int, password: str) -> None:
        self.passwords[document_id] = password

    def page_words(self, document_id: int, page: int) -> PageWords:
        return PageWords.empty()

    def blocks(self, document_id: int, page: int) -> list[Any]:
        return []

    def pages(self, document_id: int) -> list[Any]:
        return [SimpleNamespace(page=page, width=200.0, height=100.0) for page in range(10)]


class FakeDrawing:
    """Draws white pages of 200 x 100 points."""

    def __init__(self) -> None:
        self.drawn: list[tuple[int, float, str | None]] = []

    def draw(self, path, page, scale, clip=None, password=None):
        self.drawn.append((page, scale, password))
        width, height = int(200 * scale), int(100 * scale)
        return PageImage(width, height, b"\xff" * (width * height * 3))


class FakeIngestion:
    """Replays events; a document with a password gets ready when that is given."""

    def __init__(self, library: FakeLibrary, events=(), password: str = "") -> None:
        self.library = library
        self.events = list(events)
        self.password = password
        self.paths: list[Path] = []
        self.given: list[str] = []
        self.place: Any = None

    def enqueue(self, paths, place=None) -> None:
        self.paths += paths
        self.place = place

    def has_work(self) -> bool:
        return bool(self.events)

    def run(self, cancel):
        from desktop.core.library.values import DocumentChanged

        while self.events:
            event = self.events.pop(0)
            if isinstance(event, DocumentChanged):
                self.library.put(event.document)
            yield event

    def unlock(self, document_id: int, password: str) -> None:
        from desktop.core.library.values import DocumentChanged

        self.given.append(password)
        if password == self.password:
            ready = replace(self.library.document(document_id), state="ready")
            self.events.append(DocumentChanged(ready))


def make_workspace(*, library=None, events=(), password="", **agent: Any) -> Any:
    """Return a workspace with one ready manual, whose agent is made with `agent`."""
    library = library or FakeLibrary(manual())
    resources = ExitStack()
    engine = Engine()
    resources.callback(engine.close)
    fakes: Any = {
        "database": None,
        "library": library,
        "ingestion": FakeIngestion(library, events, password),
        "parser": FakeDrawing(),
        "models": SimpleNamespace(language=lambda: None, answering_profile=lambda: "lite"),
        "domains": SimpleNamespace(),
    }
    return Workspace(
        **fakes,
        engine=engine,
        settings=Settings(),
        orchestrator=make_agent(shelf=library, **agent),
        resources=resources,
    )
