"""Word, Excel, web pages, text, EPUB and pictures become manuals; what cannot says why."""

from __future__ import annotations

import socket
import threading
import zipfile
from contextlib import closing

import openpyxl
import pymupdf
import pytest
from PIL import Image

from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.library.values import DocumentChanged, DuplicateFound, FileRefused
from desktop.core.parsing.process import ParserProcess
from desktop.core.parsing.service import InProcessParser
from desktop.core.settings.sections import IngestionSettings, ParserSettings
from desktop.core.store.database import Database

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


class Shelf:
    def __init__(self, folder, parser):
        self.database = Database.open(folder)
        self.library = Library(self.database, folder)
        settings = IngestionSettings(free_space_mib=0)
        self.ingestion = Ingestion(self.database, self.library, parser, None, settings)

    def take(self, *paths):
        self.ingestion.enqueue(list(paths))
        return list(self.ingestion.run(CancelToken()))

    def words(self, document_id=1):
        pages = range(self.library.document(document_id).page_count)
        return " ".join(" ".join(self.library.page_words(document_id, p).texts) for p in pages)

    def units(self, kind):
        return [
            row[0]
            for row in self.database.read(
                lambda c: list(
                    c.execute("SELECT text FROM units WHERE kind = ? ORDER BY id", (kind,))
                )
            )
        ]


@pytest.fixture(scope="module")
def parser():
    """Tables are seen by the layout model, which is loaded once."""
    with closing(InProcessParser(ParserSettings(ocr=False))) as parser:
        yield parser


@pytest.fixture
def shelf(tmp_path, parser):
    shelf = Shelf(tmp_path / "library", parser)
    with closing(shelf.database):
        yield shelf


def word_file(path, body, extra=()):
    """Write a Word file by hand. body: the inside of w:body."""
    content = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType='
            '"application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{content}"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{relations}"><Relationship Id="r1" Type="{kind}" '
            'Target="word/document.xml"/></Relationships>',
        )
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>',
        )
        for name, data in extra:
            archive.writestr(name, data)
    return path


def paragraph(text):
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def table(*rows):
    told = "".join(
        "<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) + "</w:tr>"
        for row in rows
    )
    return f"<w:tbl>{told}</w:tbl>"


def workbook(path, rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_a_word_file_becomes_a_manual_with_its_table(shelf, tmp_path):
    rows = (("Part", "Torque", "Tool"), ("Housing lid", "1.2 Nm", "PZ 2"), ("Foot", "6 Nm", "SW 8"))
    text = "Tighten all screws before you close the housing."
    path = word_file(tmp_path / "pump.docx", paragraph(text) + table(*rows))
    shelf.take(path)
    record = shelf.library.document(1)
    assert (record.state, record.name, record.made_from) == ("ready", "pump.docx", "pump.docx")
    assert text in shelf.words()
    assert record.title == "pump"
    assert "Housing lid | 1.2 Nm | PZ 2" in shelf.units("row")
    with pymupdf.open(shelf.library.original_path(1)) as made:  # the file itself is kept with it
        assert made.embfile_get("pump.docx") == path.read_bytes()


def test_the_same_file_twice_is_one_document(shelf, tmp_path):
    path = word_file(tmp_path / "pump.docx", paragraph("Close the valve."))
    shelf.take(path)
    again = tmp_path / "copy.docx"
    again.write_bytes(path.read_bytes())
    events = shelf.take(again)
    assert [each for each in events if isinstance(each, DuplicateFound)]
    assert len(shelf.library.documents()) == 1


def test_a_sheet_keeps_its_rows(shelf, tmp_path):
    rows = [("Terminal", "Screw", "Torque"), *((f"X{n}:1", "M4", f"{n} Nm") for n in range(90))]
    shelf.take(workbook(tmp_path / "torques.xlsx", rows))
    found = shelf.units("row")
    assert [f"X{n}:1 | M4 | {n} Nm" in found for n in range(90)] == [True] * 90


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", "Druck prüfen: 4.5 bar", "Druck prüfen: 4.5 bar"),
        ("a.md", "# Boiler\n\nClean the **burner**.", "Clean the burner."),
        ("a.html", "<p>Turn the <b>cover</b>.</p>", "Turn the cover."),
    ],
)
def test_texts_become_manuals(shelf, tmp_path, name, content, words):
    (tmp_path / name).write_text(content, "utf-8")
    shelf.take(tmp_path / name)
    assert words in shelf.words()


def test_a_book_and_pictures_of_pages_become_manuals(shelf, tmp_path):
    with zipfile.ZipFile(tmp_path / "book.epub", "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr(
            "META-INF/container.xml",
            '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
            '<rootfiles><rootfile full-path="c.opf" '
            'media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        book.writestr(
            "c.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="i">'
            '<metadata/><manifest><item id="a" href="a.xhtml" '
            'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine>'
            "</package>",
        )
        page = "<body><p>Oil level between the marks.</p></body>"
        book.writestr("a.xhtml", f'<html xmlns="http://www.w3.org/1999/xhtml">{page}</html>')
    picture = Image.new("RGB", (1240, 1754), "white")
    for name in ("page.png", "page.jpg"):
        picture.save(tmp_path / name)
    picture.save(tmp_path / "pages.tiff", save_all=True, append_images=[picture])
    names = ("book.epub", "page.png", "page.jpg", "pages.tiff")
    shelf.take(*(tmp_path / name for name in names))
    pages = {each.name: each.page_count for each in shelf.library.documents()}
    assert pages == {"book.epub": 1, "page.png": 1, "page.jpg": 1, "pages.tiff": 2}
    book = next(each for each in shelf.library.documents() if each.name == "book.epub")
    assert "Oil level between the marks." in shelf.words(book.id)


def test_a_web_page_loads_nothing_and_runs_nothing(shelf, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret words")
    asked = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.5)
        port = server.getsockname()[1]
        page = (
            f'<link rel="stylesheet" href="http://127.0.0.1:{port}/a.css">'
            f'<script src="http://127.0.0.1:{port}/a.js">alert("ran")</script>'
            f'<img src="http://127.0.0.1:{port}/a.png"><img src="secret.txt">'
            f'<iframe src="file://{secret}"></iframe><p>Only this.</p>'
        )
        (tmp_path / "page.html").write_text(page)
        shelf.take(tmp_path / "page.html")
        try:
            server.accept()
            asked.set()
        except TimeoutError:
            pass
    assert not asked.is_set()
    assert "Only this." in shelf.words()
    assert "secret words" not in shelf.words()
    assert "ran" not in shelf.words().split()


def hostile(folder):
    """Yield files that must be refused, each with what its sentence says."""
    empty = folder / "empty.docx"
    empty.write_bytes(b"")
    yield empty, "it is empty"
    broken = folder / "broken.docx"
    broken.write_bytes(b"PK\x03\x04 this is no zip file")
    yield broken, "damaged, or not what its name says"
    locked = folder / "locked.xlsx"
    locked.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    yield locked, "locked with a password"
    bomb = [("word/bomb.bin", bytes(401 << 20))]
    yield word_file(folder / "bomb.docx", paragraph("Boom."), bomb), "too large"
    huge = folder / "huge.png"
    Image.new("1", (13_000, 12_000)).save(huge)
    yield huge, "megapixels"
    blank = folder / "blank.txt"
    blank.write_text(" \n ")
    yield blank, "it is empty"
    data = folder / "data.txt"
    data.write_bytes(bytes(range(256)) * 9)
    yield data, "it is not text"


def test_what_cannot_become_a_manual_says_why_and_leaves_nothing(shelf, tmp_path):
    for path, sentence in hostile(tmp_path):
        (event,) = (each for each in shelf.take(path) if isinstance(each, FileRefused))
        assert sentence in event.reason, path.name
    assert shelf.library.documents() == []
    assert list(shelf.library.folder.originals.iterdir()) == []


def test_other_kinds_are_named_and_macros_do_nothing(shelf, tmp_path):
    (tmp_path / "drawing.dwg").write_bytes(b"AC1032")
    (event,) = shelf.take(tmp_path / "drawing.dwg")
    for kind in ("Word", "Excel", "EPUB", "Markdown", "PNG"):
        assert kind in event.reason
    macros = [("word/vbaProject.bin", b"Auto_Open")]
    shelf.take(word_file(tmp_path / "macro.docx", paragraph("Plain words."), macros))
    assert shelf.words() == "Plain words."


def test_a_folder_gives_its_documents_and_not_its_texts(shelf, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    word_file(folder / "pump.docx", paragraph("Close the valve."))
    (folder / "readme.txt").write_text("Nothing for engineers.")
    (folder / "~$pump.docx").write_bytes(b"a lock of Word")
    shelf.take(folder)
    assert [each.name for each in shelf.library.documents()] == ["pump.docx"]


@pytest.mark.slow
def test_the_parser_process_makes_it_and_gives_up_in_time(tmp_path):
    settings = ParserSettings(ocr=False, layout_model=False)
    path = word_file(tmp_path / "pump.docx", paragraph("Close the valve."))
    with closing(ParserProcess(settings)) as parser:
        shelf = Shelf(tmp_path / "library", parser)
        with closing(shelf.database):
            events = shelf.take(path)
            assert any(isinstance(each, DocumentChanged) for each in events)
            assert "Close the valve." in shelf.words()
    hurried = settings.model_copy(update={"document_seconds": 0.02})
    rows = [[f"r{n}c{c}" for c in range(20)] for n in range(2_000)]
    large = workbook(tmp_path / "large.xlsx", rows)
    with closing(ParserProcess(hurried)) as parser:
        shelf = Shelf(tmp_path / "other", parser)
        with closing(shelf.database):
            (event,) = (e for e in shelf.take(large) if isinstance(e, FileRefused))
            assert "took longer" in event.reason
            assert list(shelf.library.folder.originals.iterdir()) == []
