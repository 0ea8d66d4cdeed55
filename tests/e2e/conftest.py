from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from desktop.models.text_model import is_there
from tests.e2e.real_library import groundwork
from tests.fakes.manuals import TERMINALS, excerpt

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session", autouse=True)
def text_model():
    """Everything here is about the whole program: without its model it would be another."""
    if not is_there():
        pytest.skip("the text model is not installed; `make setup` fetches it")


@pytest.fixture(scope="session")
def short_manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two pages, one of them with a table of terminals."""
    return excerpt(tmp_path_factory.mktemp("short") / "short.pdf", TERMINALS, 2)


@pytest.fixture(scope="session")
def ingested_by_command(
    short_manual: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    """A library of the short manual, made by the command, and what that said; to be copied."""
    place = tmp_path_factory.mktemp("by-command")
    ended = groundwork(place / "home", "ingest", short_manual, "--library", place / "library")
    assert ended.returncode == 0, ended.stderr
    return place / "library", ended.stderr


@pytest.fixture
def short_library(ingested_by_command: tuple[Path, str], tmp_path: Path) -> Path:
    """A copy of it."""
    library: Path = shutil.copytree(ingested_by_command[0], tmp_path / "library")
    return library


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home folder of a user who never ran Groundwork."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder
