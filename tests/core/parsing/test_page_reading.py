"""Words, OCR and what a bad page does to its neighbours."""

import numpy as np
import pymupdf
import pytest

from desktop.core.page_words import PageWords
from desktop.core.parsing import service
from desktop.core.parsing.documents import page_labels
from desktop.core.parsing.raw_page import read_text_layer
from desktop.core.parsing.service import InProcessParser
from desktop.models.errors import ModelNotInstalled
from desktop.models.roles import RecognizedLine
from tests.core.parsing.conftest import WORDS


class ScriptedRecognizer:
    """Recognises what it was told to, and keeps the images it was shown."""

    def __init__(self, *lines):
        self.lines = list(lines)
        self.images = []

    def recognize(self, image):
        self.images.append(image)
        return self.lines


@pytest.fixture
def make_reader(settings):
    parsers = []

    def make(load_recognizer):
        parser = InProcessParser(settings.model_copy(update={"ocr": True}), load_recognizer)
        parsers.append(parser)
        return parser

    yield make
    for parser in parsers:
        parser.close()


@pytest.fixture
def make_scan(make_pdf):
    """A page that is one image, with some words of text over it."""

    def make(stamp="", rotation=0):
        def dress(document):
            page = document.new_page(width=300, height=600)
            pixels = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 60, 120), False)
            pixels.clear_with(200)
            page.insert_image(page.rect, pixmap=pixels)
            page.insert_text((20, 20), stamp)
            page.set_rotation(rotation)

        return make_pdf("scan.pdf", pages=0, change=dress)

    return make


def words_of(page):
    return PageWords.from_bytes(page.words)


def test_words_come_in_lines_and_reading_order(in_process, make_pdf):
    def add(document):
        document[0].insert_text((50, 150), ["Menu 41 opens.", "RS-485 closes."])

    (page,) = in_process.read_text(make_pdf(change=add), 0, 1)

    assert words_of(page).text == f"{WORDS}, page 0.\nMenu 41 opens.\nRS-485 closes."


def test_ligatures_are_taken_apart_so_that_words_are_found(in_process, make_pdf):
    def add(document):
        page = document.new_page()
        page.insert_font("droid", fontbuffer=pymupdf.Font("cjk").buffer)  # PyMuPDF brings it
        page.insert_text((50, 50), "con\ufb01guration \ufb02ow", fontname="droid")

    (page,) = in_process.read_text(make_pdf(pages=0, change=add), 0, 1)

    assert words_of(page).texts == ("configuration", "flow")


def test_a_space_without_width_after_a_ligature_parts_no_word(in_process, make_pdf):
    def add(document):
        page, font = document.new_page(), pymupdf.Font("cjk")
        page.insert_font("droid", fontbuffer=font.buffer)
        page.insert_text((50, 50), "Luft\ufb01 ", fontname="droid")
        page.insert_text((50 + font.text_length("Luft\ufb01", 11), 50), "lter", fontname="droid")
        page.insert_text((50, 80), "of\ufb02 mode", fontname="droid")

    (page,) = in_process.read_text(make_pdf(pages=0, change=add), 0, 1)

    assert words_of(page).texts == ("Luftfilter", "offl", "mode")


def test_one_bad_page_does_not_stop_the_document(in_process, make_pdf, monkeypatch):
    read = read_text_layer

    def fail_on_page_1(page, textpage, rows):
        if page.number == 1:
            raise RuntimeError("code=7: syntax error in content stream")
        return read(page, textpage, rows)

    monkeypatch.setattr(service, "read_text_layer", fail_on_page_1)
    path = make_pdf(pages=3)

    pages = list(in_process.read_text(path, 0, 3))

    assert [page.error for page in pages] == ["", "syntax error in content stream", ""]
    assert (pages[1].width, pages[1].height) == (400, 600)
    assert in_process.read_layout(path, 1).error
    assert not in_process.read_layout(path, 2).error


def test_a_scanned_page_is_read_by_ocr_with_one_box_a_word(make_reader, make_scan):
    pixels = 150 / 72
    line = RecognizedLine(
        "close valve V3", (100 * pixels, 50 * pixels, 240 * pixels, 70 * pixels), 0.9
    )
    recognizer = ScriptedRecognizer(line, RecognizedLine("smudge", (0, 0, 9, 9), 0.2))
    parser = make_reader(lambda: recognizer)

    layout = parser.read_layout(make_scan(), 0)

    words = words_of(layout)
    assert layout.ocr
    assert words.from_ocr
    assert words.texts == ("close", "valve", "V3")
    expected = [(100, 50, 150, 70), (160, 50, 210, 70), (220, 50, 240, 70)]
    np.testing.assert_allclose(words.boxes, expected, atol=0.5)
    assert recognizer.images[0].shape == (1250, 625, 3)


def test_a_turned_scan_is_shown_to_ocr_as_a_person_sees_it(make_reader, make_scan):
    recognizer = ScriptedRecognizer(RecognizedLine("wide", (0, 0, 1250, 625), 0.9))
    layout = make_reader(lambda: recognizer).read_layout(make_scan(rotation=90), 0)

    assert recognizer.images[0].shape == (625, 1250, 3)
    np.testing.assert_allclose(words_of(layout).boxes, [(0, 0, 600, 300)], atol=0.5)


def test_a_stamped_scan_is_read_by_ocr_too(make_reader, make_scan):
    recognizer = ScriptedRecognizer(RecognizedLine("turn the pump off first", (0, 0, 500, 50), 0.9))
    layout = make_reader(lambda: recognizer).read_layout(make_scan(stamp="COPY 7"), 0)

    assert layout.ocr
    assert "pump" in words_of(layout).texts


def test_pages_with_text_and_blank_pages_are_not_read_by_ocr(make_reader, make_pdf):
    recognizer = ScriptedRecognizer()
    parser = make_reader(lambda: recognizer)
    path = make_pdf(pages=1, change=lambda document: document.new_page())

    assert not parser.read_layout(path, 0).ocr
    assert not parser.read_layout(path, 1).error
    assert recognizer.images == []


def test_a_scan_says_why_it_was_not_read_when_ocr_is_missing(make_reader, make_scan):
    def not_there():
        raise ModelNotInstalled("text recognition is not installed")

    layout = make_reader(not_there).read_layout(make_scan(), 0)

    assert "not installed" in layout.error


@pytest.mark.parametrize(
    ("style", "labels"),
    [("D", "P-8 P-9"), ("R", "P-VIII P-IX"), ("a", "P-h P-i"), ("", "P- P-")],
)
def test_labels_follow_the_styles_of_the_pdf_standard(style, labels):
    rules = [{"startpage": 1, "prefix": "P-", "style": style, "firstpagenum": 8}]

    assert page_labels(rules, 3) == ("", *labels.split())


def test_absurd_label_rules_stay_short():
    rules = [{"startpage": 0, "style": "a", "firstpagenum": 10**9}]

    assert page_labels(rules, 1) == ("1000000000",)
