from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.store.database import Database
from tests.fakes.bookcase import Bookcase, bookcase_at

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
