"""The passes with the real parser process and PDFs made on the spot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pymupdf
import pytest

from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.parsing.process import ParserProcess
from desktop.core.settings.sections import IngestionSettings, ParserSettings
from desktop.core.store.database import Database
from tests.fakes.embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow


@dataclass
class Shelf:
    library: Library
    ingestion: Ingestion

    def take_in(self, *paths: Path) -> None:
        self.ingestion.enqueue(paths)
        list(self.ingestion.run(CancelToken()))


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    folder = tmp_path / "library"
    parser = ParserProcess(ParserSettings(ocr=False))
    try:
        with Database.open(folder) as database:
            library = Library(database, folder)
            yield Shelf(
                library,
                Ingestion(database, library, parser, FakeEmbedder(), IngestionSettings()),
            )
    finally:
        parser.close()


def _pdf(path: Path, texts: list[str], **options: object) -> Path:
    document = pymupdf.open()
    for text in texts:
        page = document.new_page(width=400, height=300)
        page.insert_text((50, 100), text, fontsize=12)
    document.set_toc([[1, "Start", 1]])
    document.set_page_labels([{"startpage": 0, "prefix": "4-", "style": "D", "firstpagenum": 7}])
    document.save(path, **options)
    document.close()
    return path


def test_a_real_manual_is_ready_with_words_where_they_are_printed(shelf: Shelf, tmp_path: Path):
    path = _pdf(tmp_path / "pump.pdf", ["Replace fuse F1 with 5 A slow blow", "Relay K2 closes"])

    shelf.take_in(path)

    (document,) = shelf.library.documents()
    assert (document.state, document.reason, document.done) == ("ready", "", (2, 2, 2))
    pages = shelf.library.pages(document.id)
    assert [(p.label, p.width, p.height) for p in pages] == [("4-7", 400, 300), ("4-8", 400, 300)]
    assert [e.title for e in shelf.library.outline(document.id)] == ["Start"]
    ((page, (box,)),) = shelf.library.find_text(document.id, "FUSE f1")
    with pymupdf.open(path) as printed:
        expected = printed[0].search_for("fuse F1")[0]
    assert page == 0
    assert box.x0 == pytest.approx(expected.x0, abs=1)
    assert box.x1 == pytest.approx(expected.x1, abs=1)
    assert expected.y0 - 3 < box.y0 < box.y1 < expected.y1 + 3


def test_an_encrypted_manual_opens_with_its_password(shelf: Shelf, tmp_path: Path):
    encrypted = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": "knock", "owner_pw": "o"}
    shelf.take_in(_pdf(tmp_path / "secret.pdf", ["Service code 4711"], **encrypted))
    (document,) = shelf.library.documents()
    assert document.state == "needs_password"

    shelf.ingestion.unlock(document.id, "knock")
    list(shelf.ingestion.run(CancelToken()))

    (document,) = shelf.library.documents()
    assert document.state == "ready"
    assert [page for page, _ in shelf.library.find_text(document.id, "4711")] == [0]


def test_files_that_are_no_manuals_end_with_a_reason(shelf: Shelf, tmp_path: Path):
    for name, content in (
        ("zero", b""),
        ("zip", b"PK\x03\x04" * 50),
        ("cut", b"%PDF-1.7\n1 0 obj"),
    ):
        (tmp_path / f"{name}.pdf").write_bytes(content)

    shelf.take_in(*sorted(tmp_path.glob("*.pdf")))

    documents = shelf.library.documents()
    assert len(documents) == 3
    assert all(d.state == "failed" and d.reason for d in documents)
