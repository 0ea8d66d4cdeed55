from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.models import text_model
from tests.attacks.corpus import Attack, write_corpus
from tests.e2e.real_library import ingest, opened

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Attack]]:
    """A library with every hostile manual, read by the real parser; only to be read."""
    if not text_model.is_there():
        pytest.skip("the text model is not installed; `make setup` fetches it")
    place = tmp_path_factory.mktemp("attacked")
    attacks = write_corpus(place / "manuals")
    with opened(place / "library") as workspace:
        ingest(workspace, [attack.path for attack in attacks])
        states = {document.state for document in workspace.library.documents()}
    assert states == {"ready"}
    return place / "library", attacks
