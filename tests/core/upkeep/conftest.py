from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from desktop.core.conversations.store import Conversations
from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.settings.sections import IngestionSettings
from desktop.core.store.database import Database
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.parser import FakeParser, write_manual

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS, PAGES, TURNS = 3, 14, 25
TABLES = ("documents", "pages", "blocks", "units", "page_words", "unit_vectors", "turns")


def read_in(folder: Path, *paths: Path) -> None:
    """Take in files and whatever waits, as the next start of the program does."""
    with Database.open(folder) as database:
        ingestion = Ingestion(
            database,
            Library(database, folder),
            FakeParser(),
            FakeEmbedder(),
            IngestionSettings(free_space_mib=0),
        )
        ingestion.enqueue(paths)
        list(ingestion.run(CancelToken()))


def counts(folder: Path) -> dict[str, object]:
    with Database.open(folder, read_only=True) as database:
        assert database.check(deep=True) == []
        return database.read(
            lambda c: {table: c.execute(f"SELECT count(*) FROM {table}").get for table in TABLES}
        )


@pytest.fixture(scope="session")
def sound_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with manuals and a conversation; only to be copied."""
    folder = tmp_path_factory.mktemp("sound") / "library"
    for number in range(DOCUMENTS):
        texts = [f"manual {number} page {page} torque {page * 7} Nm " * 30 for page in range(PAGES)]
        path = tmp_path_factory.mktemp("manuals") / f"manual-{number}.pdf"
        read_in(folder, write_manual(path, texts))
    with Database.open(folder) as database:
        conversations = Conversations(database)
        conversation = conversations.create("Pump")
        for number in range(TURNS):
            conversations.add_turn(conversation, f"question {number} " * 40, [])
    return folder


@pytest.fixture
def library(sound_library: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may damage."""
    folder = tmp_path / "library"
    shutil.copytree(sound_library, folder)
    return folder
