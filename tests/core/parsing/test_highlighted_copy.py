"""A copy of a PDF with highlights that other readers show; the original stays as it is."""

from __future__ import annotations

import hashlib
import os

import pymupdf
import pytest

from desktop.core.errors import PdfNeedsPassword, UnreadablePdf
from desktop.core.page_words import PageWords
from desktop.core.structure.values import PageHighlight
from tests.core.parsing.conftest import WORDS

GREEN = (0.6, 0.9, 0.6)


def box_of(parser, path, word="battery", password=None):
    """Where a word stands on the first page as displayed."""
    words = parser_words(parser, path, password)
    return words.box(words.texts.index(word)).as_tuple()


def parser_words(parser, path, password=None):
    (text,) = parser.read_text(path, 0, 1, password)
    return PageWords.from_bytes(text.words)


def is_green(image, x, y):
    at = 3 * (round(y) * image.width + round(x))
    red, green, blue = image.rgb[at : at + 3]
    return green > red + 40 and green > blue + 40


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_highlight_lies_on_the_words_however_the_page_is_turned(
    in_process, make_pdf, tmp_path, rotation
):
    path = make_pdf(change=lambda pdf: pdf[0].set_rotation(rotation))
    before = hashlib.sha256(path.read_bytes()).digest()
    box = box_of(in_process, path)
    copy = tmp_path / "copy.pdf"
    in_process.write_highlights(path, copy, [PageHighlight(0, (box,), GREEN, "seized: 30 Nm")])
    assert hashlib.sha256(path.read_bytes()).digest() == before
    image = in_process.draw(copy, 0, 1.0)
    x0, y0, x1, y1 = box
    inside = [(x, y) for x in range(int(x0) + 1, int(x1)) for y in range(int(y0) + 1, int(y1))]
    green = sum(is_green(image, *point) for point in inside)
    assert green > len(inside) / 3  # the rest is ink
    assert not is_green(image, image.width / 2, image.height - 20)
    with pymupdf.open(copy) as pdf:
        page = pdf[0]  # an annotation without its page is lost
        (mark,) = page.annots()
        assert mark.type[1] == "Highlight"
        assert mark.info["content"] == "seized: 30 Nm"
        assert WORDS in pdf[0].get_text()
        assert not list(pdf[1].annots())


def test_a_copy_of_an_encrypted_file_asks_for_the_same_password(in_process, make_pdf, tmp_path):
    path = make_pdf(
        encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="site", owner_pw="owner", pages=1
    )
    copy = tmp_path / "copy.pdf"
    mark = PageHighlight(0, (box_of(in_process, path, password="site"),), GREEN)
    in_process.write_highlights(path, copy, [mark], "site")
    with pytest.raises(PdfNeedsPassword):
        in_process.open(copy)
    assert in_process.open(copy, "site").page_count == 1


def test_the_original_is_never_written_over_and_a_failed_copy_leaves_nothing(
    in_process, make_pdf, tmp_path
):
    path = make_pdf()
    with pytest.raises(UnreadablePdf, match="original"):
        in_process.write_highlights(path, path, [])
    folder = tmp_path / "there"
    folder.mkdir()
    (folder / "copy.pdf").write_bytes(b"an older copy")
    beyond = PageHighlight(99, ((0, 0, 9, 9),), GREEN)
    with pytest.raises(UnreadablePdf):
        in_process.write_highlights(path, folder / "copy.pdf", [beyond])
    assert os.listdir(folder) == ["copy.pdf"]
    assert (folder / "copy.pdf").read_bytes() == b"an older copy"
    with pytest.raises(UnreadablePdf):
        in_process.write_highlights(path, tmp_path / "missing" / "copy.pdf", [])


def test_the_parser_process_writes_it_too(process, make_pdf, tmp_path):
    path, copy = make_pdf(), tmp_path / "copy.pdf"
    mark = PageHighlight(2, ((50, 90, 120, 104), (50, 106, 90, 118)), GREEN, "two lines")
    process.write_highlights(path, copy, [mark])
    with pymupdf.open(copy) as pdf:
        page = pdf[2]
        (found,) = page.annots()
        assert found.info["content"] == "two lines"
        assert len(found.vertices) == 8
