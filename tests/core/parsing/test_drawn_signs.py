"""Keys, check marks and bullets that are drawn stand where they are; other drawings do not."""

import pymupdf
import pytest

from desktop.core.parsing.drawn_signs import with_drawn_signs
from desktop.core.question.tokens import index_terms
from desktop.core.structure.signs import DRAWN_SIGN
from tests.fakes.drawn_page import DrawnPage, structure_page, style

COLUMNS = (72, 220, 270, 320)


def draw_key(page, x, y):
    """Draw an arrow as large as a letter; x, y: its left end, on the line."""
    shape = page.new_shape()
    shape.draw_polyline([(x + 4, y - 7), (x, y - 3), (x + 4, y + 1)])
    shape.finish(color=None, fill=(0, 0, 0))
    shape.draw_rect((x + 4, y - 4, x + 9, y - 2))
    shape.finish(color=None, fill=(0, 0, 0))
    shape.commit()


@pytest.fixture
def layout(in_process, make_pdf):
    """Return how a page is read that `dress` has written on."""

    def read(dress):
        path = make_pdf(pages=0, change=lambda document: dress(document.new_page()))
        return in_process.read_layout(path, 0)

    return read


def texts(layout):
    return [unit.text for unit in layout.units if unit.kind != "window"]


def test_a_key_drawn_in_a_sentence_has_a_placeholder_that_the_mark_covers(layout):
    def dress(page):
        page.insert_text((60, 100), "Press and hold \xab", fontsize=10)
        draw_key(page, 137, 100)
        page.insert_text((148, 100), "\xbb until the lamp is green.", fontsize=10)

    found = layout(dress)
    assert texts(found) == [f"Press and hold \xab {DRAWN_SIGN} \xbb until the lamp is green."]
    (unit,) = (unit for unit in found.units if unit.kind != "window")
    (box,) = unit.boxes
    assert box[0] < 137
    assert box[2] > 146
    assert index_terms(unit.text) == index_terms("Press and hold until the lamp is green.")


@pytest.mark.parametrize("sign", [(270, 320), (320,), ()])
def test_a_check_mark_drawn_in_a_table_keeps_its_column(sign):
    page = DrawnPage().row(["Part", "Basic", "Plus", "Pro"], COLUMNS, 200, bold=True)
    for number, name in enumerate(["Cover", "Filter", "Cable"]):
        top = 220 + 16 * number
        marks = [x in sign for x in COLUMNS[1:]]
        page.row([name, *("" if mark else "-" for mark in marks)], COLUMNS, top)
        for x in sign:
            page.shade((x + 2, top + 2, x + 10, top + 10))
    page.region("table", (70, 195, 360, 270))
    _, units = structure_page(with_drawn_signs(page.raw()), style())
    cells = [DRAWN_SIGN if x in sign else "-" for x in COLUMNS[1:]]
    rows = [unit.text for unit in units if unit.kind == "row"]
    assert rows == [" | ".join([name, *cells]) for name in ("Cover", "Filter", "Cable")]


def test_the_ground_of_an_empty_cell_in_a_shaded_row_is_no_sign():
    page = DrawnPage().row(["Part", "Unit", "FL12", "FL17"], COLUMNS, 200, bold=True)
    for number, name in enumerate(["Cover", "Filter", "Cable"]):
        top = 220 + 16 * number
        page.row([name, "", "yes", "no"], COLUMNS, top)
        for left, right in ((70, 218), (218, 240), (240, 360)):
            page.shade((left, top - 2, right, top + 12))
    page.region("table", (70, 195, 360, 270))
    _, units = structure_page(with_drawn_signs(page.raw()), style())
    rows = [unit.text for unit in units if unit.kind == "row"]
    assert rows == [f"{name} | yes | no" for name in ("Cover", "Filter", "Cable")]


def test_bullets_drawn_before_lines_open_items(layout):
    def dress(page):
        for number, line in enumerate(["Open the main valve", "Start the feed pump"]):
            y = 100 + 13 * number
            page.draw_rect((60, y - 6, 64, y - 2), fill=(0, 0, 0))
            page.insert_text((72, y), line, fontsize=10)

    assert texts(layout(dress)) == [
        "\N{BULLET} Open the main valve",
        "\N{BULLET} Start the feed pump",
    ]


def underline(page):
    page.draw_line((60, 102), (200, 102))


def frame(page):
    page.draw_rect((58, 90, 82, 104))


def ground(page):
    page.draw_rect((60, 91, 80, 102), fill=(0.9, 0.9, 0.9), overlay=False)


def logo(page):
    page.draw_circle((80, 140), 20, fill=(0, 0, 0))


def symbol_apart(page):
    draw_key(page, 60, 200)


def symbol_in_a_drawing(page):
    page.draw_line((260, 92), (300, 92))
    page.draw_line((270, 92), (270, 120))
    draw_key(page, 261, 100)


@pytest.mark.parametrize(
    "draw", [underline, frame, ground, logo, symbol_apart, symbol_in_a_drawing]
)
def test_lines_frames_and_drawings_are_no_signs(layout, draw):
    def dress(page):
        page.insert_text((60, 100), "Press the upper key until the lamp is green.", fontsize=10)
        draw(page)

    assert texts(layout(dress)) == ["Press the upper key until the lamp is green."]


def test_a_small_picture_in_a_sentence_has_a_placeholder(layout):
    def dress(page):
        page.insert_text((60, 100), "Tap on the sign", fontsize=10)
        pixmap = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 9, 9), False)
        page.insert_image((132, 92, 141, 101), pixmap=pixmap)
        page.insert_text((144, 100), "at the top of the page.", fontsize=10)

    assert texts(layout(dress)) == [f"Tap on the sign {DRAWN_SIGN} at the top of the page."]
