from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.conversations.store import Conversations
from desktop.core.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def conversations(database: Database) -> Conversations:
    return Conversations(database)
