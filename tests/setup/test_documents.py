"""Files move; the documents that say which one to open must move with them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_NAMED = re.compile(r"`([\w.]+/[\w./]*\w)`|\]\(([\w./]+)\)")


@pytest.mark.parametrize(
    "document",
    [
        "CONTRIBUTING.md",
        "README.md",
        "docs/ARCHITECTURE.md",
        "docs/glossary.md",
        "docs/figures.md",
        "docs/window.md",
    ],
)
def test_every_file_that_a_document_names_is_there(document):
    path = ROOT / document
    named = [first or second for first, second in _NAMED.findall(path.read_text("utf-8"))]
    places = (path.parent, ROOT, ROOT / "desktop", ROOT / "desktop" / "core")

    missing = [
        each
        for each in named
        if "_xx." not in each and not any((place / each).exists() for place in places)
    ]
    assert named
    assert missing == []
