"""Dots between a name and its value part them; those of a table of contents stay."""

import pytest

from desktop.core.geometry import Box
from desktop.core.library.units import Passage
from desktop.core.page_words import PageWords
from desktop.core.reader.units import answer_units

CAPACITY = (("Capacity", "(over bed)", "12 in"), ("", "(between centres)", "37 in"))


@pytest.fixture
def units(in_process, make_pdf):
    """Return kind and text of the units of a page with these lines, names left and values right.

    glued: no white space stands between dots and words.
    """

    def read(lines, glued=False):
        def dress(document):
            page = document.new_page()
            page.insert_text((60, 60), "Specifications", fontsize=16)
            for number, (name, value) in enumerate(lines):
                gap = "" if glued else " "
                dots = "." * (70 - len(name) - len(value))
                text = f"{name}{gap}{dots}{gap}{value}"
                page.insert_text((60, 100 + 14 * number), text, fontsize=10)

        layout = in_process.read_layout(make_pdf(pages=0, change=dress), 0)
        return [(u.kind, u.text) for u in layout.units if u.kind not in ("window", "heading")]

    return read


SPECIFIED = [
    ("Motor", "230 V, 50 Hz"),
    ("No. of speeds", "5"),
    ("Net weight", "18 kg"),
    ("Spindle taper", "B16"),
]


@pytest.mark.parametrize("glued", [False, True])
def test_a_name_and_its_value_are_cells_of_a_row(units, glued):
    rows = [("row", f"{name} | {value}") for name, value in SPECIFIED]

    assert units(SPECIFIED, glued) == rows


def test_a_table_of_contents_keeps_its_dots(units):
    contents = [("Safety", "3"), ("Assembly", "5"), ("Operation", "11"), ("Service", "A-12")]

    assert all("..." in text for _, text in units(contents))


def test_a_legend_is_told_by_its_letters(units):
    legend = [("A", "Saw guard"), ("B", "Mitre gauge"), ("K", "Tilting handle")]

    assert ("row", "K | Tilting handle") in units(legend, glued=True)


def test_dots_of_one_line_are_text(units):
    (only,) = units([("Wait", "then start again.")])

    assert only[0] == "paragraph"


def test_what_stands_left_of_several_names_is_told_with_each(in_process, make_pdf):
    def dress(document):
        page = document.new_page()
        for number, (of, name, value) in enumerate((*CAPACITY, ("Weight", "", "18 kg"))):
            y = 100 + 14 * number
            page.insert_text((60, y), of, fontsize=10)
            page.insert_text((160, y), f"{name} {'.' * 60} {value}", fontsize=10)

    layout = in_process.read_layout(make_pdf(pages=0, change=dress), 0)
    told = [unit.text for unit in layout.units if unit.kind == "row"]

    assert "Capacity | (over bed) | 12 in" in told
    assert any(text.endswith("(between centres) | 37 in") for text in told)


def test_a_value_can_be_quoted_with_its_place(in_process, make_pdf):
    def dress(document):
        page = document.new_page()
        for number, (name, value) in enumerate(SPECIFIED):
            text = f"{name}{'.' * 60}{value}"
            page.insert_text((60, 100 + 14 * number), text, fontsize=10)

    path = make_pdf(pages=0, change=dress)
    (page,) = in_process.read_text(path, 0, 1)
    words = PageWords.from_bytes(page.words)
    layout = in_process.read_layout(path, 0)
    passages = [
        Passage(number, unit.kind, unit.text, unit.context, tuple(Box(*b) for b in unit.boxes), ())
        for number, unit in enumerate(layout.units)
    ]
    quotes = {quote.text: quote for quote in answer_units(passages, words)}
    cells = quotes["Net weight | 18 kg"].cells

    assert [[words.texts[i] for i in cell] for cell in cells] == [["Net", "weight"], ["18", "kg"]]
