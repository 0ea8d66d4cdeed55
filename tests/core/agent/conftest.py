from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes.bookcase import Bookcase, bookcase_at
from tests.fakes.manuals import fill

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def bookcase(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bookcase]:
    """A library of two small manuals, only to be read."""
    with bookcase_at(tmp_path_factory.mktemp("shelf")) as opened:
        fill(opened)
        yield opened
