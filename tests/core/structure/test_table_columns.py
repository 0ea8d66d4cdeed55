"""Columns of a table are told by upright lines and by the white between words."""

import pytest

from desktop.core.structure.raw import page_segments, visual_rows
from desktop.core.structure.table_columns import cut_at_fences, fenced_columns
from tests.fakes.drawn_page import DrawnPage
from tests.fakes.drawn_tables import (
    COLUMNS,
    EDGES,
    FUSE,
    HEADER,
    PINS,
    PUMP,
    parted_table,
    rows_of,
)


def test_an_upright_line_parts_words_that_stand_close():
    page = DrawnPage()
    for number, text in enumerate(
        ("Access W 0-100", "Ranges R 1-200", "Levels W 3-400", "Naming R 5-600")
    ):
        page.line(text, 72, 200 + 20 * number)
        page.rule(65, 200, 196 + 20 * number)
    for x in (65, 105, 200):
        page.fence(x, 190, 280)
    rows = rows_of(page.region("table", (65, 195, 200, 280)))
    assert rows[0].text == "Access | W 0-100"


def test_a_line_that_parts_some_rows_alone_parts_their_cells():
    rows = rows_of(parted_table())
    assert rows[2].text == "AC | 6 V | 1.0 % | 2.0 % | 113"
    assert rows[4].text == "Ohms | 6 k | 0.9 % | 117"


@pytest.mark.parametrize(("below", "columns"), [("no load", 3), ("continuously-unloaded", 2)])
def test_a_stroke_through_the_words_of_a_table_parts_no_cells(below, columns):
    page = DrawnPage().row(("Range", "1 to 2", "ohms"), (72, 232, 300), 200)
    page.row(("Range", "2 to 3", "ohms"), (72, 232, 300), 220)
    page.row(("Limit", below), (72, 232), 240)
    fences = [(66, 196, 356), (226, 196, 356), (285, 205, 250), (500, 196, 356)]
    lines = visual_rows(page_segments(page.raw()))
    assert len(fenced_columns((66, 196, 500, 356), fences, lines)) == columns


STATUS = (99.0, 293.0, 363.0, 422.0, 487.0)
STATUSES = [
    ("Load protected", "no", "yes", "40", "0"),
    ("UPS class", "001: off line or both", "", "41", "1 to 3"),
    ("Mains 1 fuse fault", "no", "yes", "44", "9"),
    ("Battery charge", "no", "yes", "49", "1 & 3"),
    ("Chopper fault", "absent", "present", "4A", "1"),
    ("Wiring fault", "absent", "present", "4A", "2"),
]


def statuses():
    """Draw a table with rules around its headings alone, and one upright line for each row."""
    page = DrawnPage().row(("Description", "To 0", "To 1", "Word", "Bit"), STATUS, 200, bold=True)
    page.rule(94, 560, 197).rule(94, 560, 215)
    y = 220.0
    for number, cells in enumerate(STATUSES):
        page.row(cells, STATUS, y)
        top, y = y - 4, y + 18
        if cells[0] == "UPS class":
            page.line("011: on line", STATUS[1], y)
            y += 18
        page.fence(288 + 0.3 * (number % 2), top, y - 4)
    page.fence(288, 197, 216)
    return page.region("table", (94, 197, 560, y))


def test_words_in_line_are_columns_beside_those_that_a_line_parts():
    rows = rows_of(statuses())
    assert [row.text for row in rows] == [
        "Load protected | no | yes | 40 | 0",
        "UPS class | 001: off line or both 011: on line | 41 | 1 to 3",
        "Mains 1 fuse fault | no | yes | 44 | 9",
        "Battery charge | no | yes | 49 | 1 & 3",
        "Chopper fault | absent | present | 4A | 1",
        "Wiring fault | absent | present | 4A | 2",
    ]
    assert rows[0].context == "Description | To 0 | To 1 | Word | Bit"
    assert rows[1].context == "Description | To 0 To 1 | Word | Bit"


def test_words_side_by_side_in_a_few_lines_of_a_cell_are_no_columns():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True)
    page.row(FUSE, COLUMNS, 220).row(PUMP, COLUMNS, 240).row(FUSE, COLUMNS, 260)
    page.line("or      5.1 A", 400, 233)
    for x in EDGES:
        page.fence(x, 196, 280)
    page.rule(65, 560, 196).rule(65, 560, 216).rule(65, 560, 280)
    rows = rows_of(page.region("table", (65, 196, 560, 280)))
    assert {row.context for row in rows} == {"Symptom | Cause | Remedy"}


def close_table(page, top=200.0):
    """Pins with their names only ten points beside them, one text block a line."""
    for number, (pin, name, ball) in enumerate(PINS):
        page.paragraph([pin], 72, top + 16 * number).line(name, 87, top + 16 * number)
        page.line(ball, 250, top + 16 * number)
    return page


def test_columns_closer_than_usual_are_cells_of_their_own():
    page = close_table(DrawnPage()).region("table", (70, 195, 400, 262))
    assert [row.text for row in rows_of(page)] == [
        "1 | +5V | D4",
        "2 | GND | C14",
        "3 | RESET_N | B12",
        "4 | PB9 | A11",
    ]


def test_words_that_stand_below_each_other_by_chance_are_not_cut():
    page = DrawnPage()
    for number in range(5):
        page.row((f"E4{number}", f"Fuse F{number} blown"), (72, 200), 200 + 16 * number)
    page.region("table", (70, 195, 400, 280))
    assert rows_of(page)[0].text == "E40 | Fuse F0 blown"


def test_a_title_that_no_upright_line_parts_is_not_cut_where_its_words_do():
    page = DrawnPage().line("List of 10 faults of both types", 72, 180)
    page.row(("Fault sign", "Cause"), (72, 129), 200)
    for number in range(4):
        page.row((f"LOW {number}", "The pressure is low."), (72, 129), 216 + 16 * number)
    for x in (68, 126, 235):
        page.fence(x, 196, 290)
    rows = rows_of(page.region("table", (70, 175, 280, 290)))

    assert rows[0].context == "List of 10 faults of both types › Fault sign | Cause"


def test_a_word_that_touches_the_line_on_its_left_stays_with_its_cell():
    raw = DrawnPage().line("0 - 100", 199.7, 204).raw()
    (segment,) = page_segments(raw)
    assert cut_at_fences([segment], [(200.0, 200.0, 220.0)], raw.words) == [segment]
