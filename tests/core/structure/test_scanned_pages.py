"""A scanned page has words and nothing else; it is structured by where they stand."""

import pytest

from tests.fakes.drawn_page import DrawnPage, structure_page, style

SAID = ["Open the valve and wait for ten minutes until", "the tank is empty. Then close the valve."]


def structured(page):
    return structure_page(page.scanned(), style())


def test_lines_close_below_each_other_are_a_paragraph_and_others_are_not():
    page = DrawnPage().paragraph(["Open the valve and wait for", "ten minutes."], 72, 200)
    blocks, _ = structured(page.line("Close it.", 72, 300))
    assert [b.text for b in blocks] == ["Open the valve and wait for ten minutes.", "Close it."]


def test_a_line_in_larger_letters_is_a_heading():
    page = DrawnPage().line("Service and care", 72, 120, size=18)
    blocks, _ = structured(page.paragraph(SAID, 72, 160))
    assert [(b.kind, b.section) for b in blocks] == [
        ("heading", ("Service and care",)),
        ("text", ("Service and care",)),
    ]


def test_a_warning_is_recognised():
    page = DrawnPage().line("WARNUNG", 72, 200).line("Netz trennen.", 72, 216)
    blocks, _ = structured(page)
    assert [(b.warning, b.text) for b in blocks] == [("WARNING", "WARNUNG Netz trennen.")]


def test_a_recognised_table_keeps_its_header():
    page = DrawnPage().row(("Symptom", "Remedy"), (72, 300), 200)
    page.row(("No display", "Replace fuse F2"), (72, 300), 220)
    page.row(("Noise", "Bleed at valve"), (72, 300), 240).region("table", (70, 195, 560, 260))
    _, units = structured(page)
    rows = [unit for unit in units if unit.kind == "row"]
    assert [row.text for row in rows] == ["No display | Replace fuse F2", "Noise | Bleed at valve"]
    assert {row.context for row in rows} == {"Symptom | Remedy"}


BOOT = (("USB", "0", "1"), ("3.3V NAND", "1", "0"), ("SD card", "1", "1"))


def spacious(page, header, top=200, step=26):
    for number, cells in enumerate((header, *BOOT)):
        page.row(
            [cell for cell in cells if cell], (90, 300, 360)[: len(cells)], top + step * number
        )
    return page


def rows_of(page):
    _, units = structured(page)
    return [unit for unit in units if unit.kind == "row"]


def test_the_rows_of_a_spacious_table_keep_their_headings_though_nobody_says_where_it_is():
    rows = rows_of(spacious(DrawnPage(), ("BOOT MODE", "D01", "D00")))

    assert [row.text for row in rows] == ["USB | 0 | 1", "3.3V NAND | 1 | 0", "SD card | 1 | 1"]
    assert {row.context for row in rows} == {"BOOT MODE | D01 | D00"}


def test_headings_that_were_read_as_one_line_are_told_apart_by_the_columns_below():
    page = DrawnPage().line("Name Signal", 90, 180)  # letters 5 wide: ends at 145
    for number, cells in enumerate((("1", "AA"), ("2", "BB"), ("3", "CC"), ("4", "DD"))):
        page.row(cells, (90, 122), 204 + 24 * number)
    rows = rows_of(page)

    assert rows[0].text == "1 | AA"
    assert rows[0].context == "Name | Signal"


def test_text_in_two_columns_is_no_table():
    page = DrawnPage()
    for number in range(6):
        page.line("the pump runs until the tank is empty.", 50, 200 + 13 * number)
        page.line("and stops when the float falls below it", 320, 200 + 13 * number)

    blocks, _ = structured(page)

    assert [b.kind for b in blocks] == ["text", "text"]
    assert blocks[0].text.startswith("the pump runs until the tank is empty. the pump runs")


def test_a_numbered_line_close_above_its_text_is_a_heading():
    page = DrawnPage().line("6.9 Boot mode positions", 72, 200)
    page.paragraph(["The board starts from different places.", "SD is the default."], 72, 214)
    blocks, _ = structured(page)

    assert [(b.kind, b.text[:10], b.section) for b in blocks] == [
        ("heading", "6.9 Boot m", ("6.9 Boot mode positions",)),
        ("text", "The board ", ("6.9 Boot mode positions",)),
    ]


@pytest.mark.parametrize("text", ["3.3 V at 2 A", "2.4 bar", "2.4 GHz band", "1.5 Ohm"])
def test_a_measure_is_no_heading(text):
    blocks, _ = structured(DrawnPage().paragraph(["Supply the unit with", text], 72, 200))

    assert [(b.kind, b.text) for b in blocks] == [("text", f"Supply the unit with {text}")]
