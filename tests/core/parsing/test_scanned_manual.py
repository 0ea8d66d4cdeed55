"""A manual of scanned pages: what OCR sees on one page helps to understand the next."""

import pymupdf
import pytest

from desktop.core.parsing.service import InProcessParser
from tests.core.parsing.reading import PlacedRecognizer, at

BODY = ("Open the valve.", "Close the valve.", "Drain the tank.", "Fill the tank.")


@pytest.fixture
def layouts(settings, make_pdf):
    def dress(document):
        for _ in BODY:
            page = document.new_page(width=400, height=600)
            pixels = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 60, 120), False)
            pixels.clear_with(200)
            page.insert_image(page.rect, pixmap=pixels, keep_proportion=False)

    pages = [
        [
            at(f"PUMP P-200{' ' * (number % 2)} manual", 40, 20, 110),
            at(body, 40, 200, 90),
            at(f"Page {number + 11} of 14", 180, 570, 60),
        ]
        for number, body in enumerate(BODY)
    ]
    recognizer = PlacedRecognizer(*pages)
    parser = InProcessParser(settings.model_copy(update={"ocr": True}), lambda: recognizer)
    path = make_pdf("scan.pdf", pages=0, change=dress)
    yield [parser.read_layout(path, number) for number in range(len(BODY))]
    parser.close()


def test_lines_that_return_in_the_margins_are_kept_out_of_what_is_quoted(layouts):
    last = layouts[-1]

    assert {unit.text for unit in last.units} == {"Fill the tank."}
    assert [block.kind for block in last.blocks] == ["text", "header", "footer"]


def test_the_page_number_in_the_margin_is_still_the_label(layouts):
    assert [layout.margin_label for layout in layouts] == ["11", "12", "13", "14"]
