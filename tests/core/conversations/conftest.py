from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.conversations.store import Conversations

if TYPE_CHECKING:
    from desktop.core.store.database import Database


@pytest.fixture
def conversations(database: Database) -> Conversations:
    return Conversations(database)
