from __future__ import annotations

from typing import TYPE_CHECKING

import pymupdf
import pytest

from desktop.core.paths import sample_manuals
from desktop.models.built_in import status

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session", autouse=True)
def text_model():
    """Everything here is about the whole program: without its model it would be another."""
    if not status().installed:
        pytest.skip("the text model is not installed; `make setup` fetches it")


@pytest.fixture
def short_manual(tmp_path: Path) -> Path:
    """Pages 9 and 17 of the installation manual: a table of terminals, and a scan."""
    path = tmp_path / "short.pdf"
    installation = next(p for p in sample_manuals() if "installation" in p.name)
    with pymupdf.open(installation) as whole, pymupdf.open() as short:
        for page in (8, 16):
            short.insert_pdf(whole, from_page=page, to_page=page)
        short.save(path)
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home folder of a user who never ran Groundwork."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder
