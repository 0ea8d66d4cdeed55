from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.jobs import CancelToken
from desktop.core.paths import sample_manuals
from desktop.core.store.database import Database
from desktop.models.built_in import load_text_embedder
from tests.fakes.bookcase import Bookcase, bookcase_at
from tests.fakes.manuals import fill

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """The file of an empty library."""
    with Database.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def bookcase(tmp_path: Path) -> Iterator[Bookcase]:
    """An empty library that takes in sheets."""
    with bookcase_at(tmp_path) as opened:
        yield opened


@pytest.fixture(scope="session", params=["words alone", "with vectors"])
def manuals(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Bookcase]:
    """A library of two small manuals, only to be read."""
    embedder = load_text_embedder() if request.param == "with vectors" else None
    with bookcase_at(tmp_path_factory.mktemp("manuals"), embedder) as opened:
        fill(opened)
        yield opened


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bookcase]:
    """A library of the manuals that the program brings along, only to be read."""
    with bookcase_at(tmp_path_factory.mktemp("samples")) as opened:
        opened.ingestion.enqueue(sample_manuals())
        list(opened.ingestion.run(CancelToken()))
        yield opened
