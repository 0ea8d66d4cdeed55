"""A scanned table on its side is read as if it stood upright, and marked where it is."""

import pytest

from tests.fakes.drawn_page import DrawnPage, structure_page, style

ROWS = [
    ("Fault", "Cause", "Remedy"),
    ("Leaking", "Fitting-loose", "Tighten-it"),
    ("Cold-water", "Pump-off", "Switch-it-on"),
    ("Noise", "Air-in-pipe", "Bleed-it-well"),
]
STARTS = (100, 300, 500)


def turned_table(*, upwards):
    page = DrawnPage().line("Faults", 72, 40)
    for number, cells in enumerate(ROWS):
        for text, start in zip(cells, STARTS, strict=True):
            x, y = 100 + 30 * number, 700 - start - 5 * len(text)
            page.turned(text, *((x, y) if upwards else (500 - x, start)))
    return page.scanned()


@pytest.mark.parametrize("upwards", [True, False])
def test_a_table_on_its_side_has_its_rows_and_headings(upwards):
    _, units = structure_page(turned_table(upwards=upwards), style())
    rows = [unit for unit in units if unit.kind == "row"]
    assert [unit.text for unit in rows] == [" | ".join(cells) for cells in ROWS[1:]]
    assert {unit.context for unit in rows} == {"Fault | Cause | Remedy"}
    left = 130 if upwards else 370
    top = (700 - 500 - 50) if upwards else 100
    bottom = 600 if upwards else 550
    assert rows[0].boxes == ((left, top, left + 12, bottom),)


def test_what_stands_upright_on_such_a_page_is_read_as_it_is():
    blocks, _ = structure_page(turned_table(upwards=True), style())
    assert (blocks[0].text, blocks[0].box) == ("Faults", (72, 40, 102, 52))


def test_a_drawing_with_a_few_words_on_their_side_is_not_turned():
    page = DrawnPage().paragraph(["The pump is driven by the motor", "of the heater."], 72, 40)
    for number in range(4):
        page.turned("Pipe", 100 + 30 * number, 200)
    blocks, _ = structure_page(page.scanned(), style())
    assert "The pump is driven by the motor" in blocks[0].text
    assert all(block.kind != "table" for block in blocks)


def test_a_printed_page_on_its_side_is_read_as_if_it_stood_upright():
    page = DrawnPage()
    for number, text in enumerate(("Maintenance", "Switch-it-off.", "Clean-the-fan.", "Close-it.")):
        page.turned(text, 500 - 15 * number, 60, size=14 if number == 0 else 10)
    blocks, units = structure_page(page.raw(), style())
    assert blocks[0].kind == "heading"
    told = [unit for unit in units if unit.kind == "paragraph"]
    assert " ".join(unit.text for unit in told) == "Switch-it-off. Clean-the-fan. Close-it."
    assert told[0].context == "Maintenance"
    assert told[0].boxes[0] == (485, 60, 497, 130)
