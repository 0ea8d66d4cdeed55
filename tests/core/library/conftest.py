from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.settings.sections import IngestionSettings
from desktop.core.store.database import Database
from desktop.core.store.postings import pages_and_units
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.parser import FakeParser

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import apsw

    from desktop.core.library.values import DocumentRecord, IngestionEvent


@dataclass
class Bench:
    """A library with a scripted parser and embedder."""

    folder: Path
    database: Database
    embedder: FakeEmbedder | None = field(default_factory=FakeEmbedder)
    parser: FakeParser = field(default_factory=FakeParser)
    settings: IngestionSettings = field(default_factory=IngestionSettings)

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Make library and ingestion anew, as the next start of the program does."""
        self.library = Library(self.database, self.folder)
        self.ingestion = Ingestion(
            self.database, self.library, self.parser, self.embedder, self.settings
        )

    def run(self, *paths: Path, cancel: CancelToken | None = None) -> list[IngestionEvent]:
        if paths:
            self.ingestion.enqueue(paths)
        return list(self.ingestion.run(cancel or CancelToken()))

    def only_document(self) -> DocumentRecord:
        (document,) = self.library.documents()
        return document

    def rows(self, sql: str, *values: apsw.SQLiteValue) -> list[tuple]:
        return self.database.read(lambda c: c.execute(sql, values).fetchall())

    def pages_with_term(self, term: str) -> list[int]:
        found = self.database.read(lambda c: pages_and_units(c, term)[0]).ids.tolist()
        return [page for id_, page in self.rows("SELECT id, page FROM pages") if id_ in found]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    folder = tmp_path / "library"
    with Database.open(folder) as database:
        yield Bench(folder, database)
