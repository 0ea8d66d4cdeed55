"""Rows and columns of tables that few lines, or lines in some of the columns, are drawn through."""

import pytest

from tests.fakes.drawn_page import DrawnPage, structure_page, style

COLUMNS = (72.0, 250.0, 400.0)
EDGES = (65.0, 245.0, 395.0, 560.0)
HEADER = ("Symptom", "Cause", "Remedy")
FUSE = ("No display", "Fuse F2 blown", "Replace by 5 A")
PUMP = ("Noise", "Air in pump", "Bleed at valve 3")


def rows_of(page):
    _, units = structure_page(page.raw(), style())
    return [unit for unit in units if unit.kind == "row"]


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


def test_a_heading_that_was_written_word_by_word_does_not_make_one_row_of_all_others():
    page = DrawnPage().row(("Type", "of fault", "To 0", "To 1"), (72, 97, 250, 400), 200)
    for y in range(220, 380, 16):
        page.row((f"Fault {y}", "no", "yes"), COLUMNS, y)
        page.fence(245, y - 4, y + 12)
    page.rule(65, 560, 197).rule(65, 560, 215).fence(245, 197, 216)
    rows = rows_of(page.region("table", (65, 196, 560, 380)))
    assert [row.text for row in rows] == [f"Fault {y} | no | yes" for y in range(220, 380, 16)]


def test_a_line_with_all_cells_begins_a_row_though_most_lines_have_some():
    columns = (72.0, 200.0, 300.0, 400.0)
    page = DrawnPage().row(("Gel", "Sample", "Buffer", "Time"), columns, 200, bold=True)
    for y in (220, 266, 312):
        page.row(("Tris", "Add", "Tris", "1 h"), columns, y)
        page.row(("SDS", "Agent", "SDS", ""), columns, y + 13)
        page.row(("PAGE", "to it", "5 l", ""), columns, y + 26)
    for y in (197, 216, 262, 308, 354):
        page.rule(65, 560, y)
    for x in (65, 195, 295, 395, 560):
        page.fence(x, 197, 354)
    rows = rows_of(page.region("table", (65, 197, 560, 354)))
    assert [row.text for row in rows] == [
        "Tris SDS PAGE | Add Agent to it | Tris SDS 5 l | 1 h"
    ] * 3


def test_one_centred_cell_does_not_make_one_row_of_many():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True).rule(65, 560, 197).rule(65, 560, 215)
    for number in range(6):
        page.row((f"Fault {number}", "no", "yes"), COLUMNS, 220 + 16 * number)
    page.row(("Battery charge", "", "in charge"), COLUMNS, 324)
    page.paragraph(["not in", "charge"], COLUMNS[1], 317.5)
    for x in EDGES:
        page.fence(x, 197, 345)
    rows = rows_of(page.region("table", (65, 197, 560, 345)))
    assert [row.text for row in rows][:6] == [f"Fault {n} | no | yes" for n in range(6)]


def test_lines_of_centred_cells_that_reach_into_each_other_are_of_one_row():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True).line("No display", 72, 270)
    for y in (220, 250):
        page.paragraph(["Fuse blown", "on board"], COLUMNS[1], y)
        page.paragraph(["Replace it", "by 5 A"], COLUMNS[2], y)
    for y in (285, 330, 375):
        page.paragraph(["Cable too", "thin or too", "long"], COLUMNS[1], y)
        page.paragraph(["Use a thick", "cable"], COLUMNS[2], y + 6.5)
    for x in EDGES:
        page.fence(x, 196, 420)
    for y in (196, 216, 420):
        page.rule(65, 560, y)
    for y in (247, 281, 326, 371):
        page.rule(245, 560, y)
    fuse = "No display | Fuse blown on board | Replace it by 5 A"
    cable = "No display | Cable too thin or too long | Use a thick cable"
    rows = rows_of(page.region("table", (65, 196, 560, 420)))
    assert [row.text for row in rows] == [fuse, fuse, cable, cable, cable]


@pytest.mark.parametrize(
    ("lower", "over"),
    [
        (("<6 mm", "6-12 mm", ">12 mm"), "Material | {0} <6 mm | {0} 6-12 mm | {0} >12 mm"),
        (("Least", "Most", "Weight"), "Material | {0} Least | {0} Most | Weight"),
    ],
)
def test_a_heading_goes_as_far_as_those_below_it_are_alike(lower, over):
    columns = (72.0, 200.0, 260.0, 330.0)
    page = (
        DrawnPage()
        .line("Material", 72, 200, bold=True)
        .line("Width of the cut", 200, 200, bold=True)
    )
    page.row(("", *lower), columns, 213, bold=True)
    for number, name in enumerate(("Cork", "Leather", "Rubber")):
        page.row((name, "14", "12", "-"), columns, 232 + 19 * number)
    rows = rows_of(page.region("table", (70, 195, 400, 290)))
    assert [row.text for row in rows] == [
        "Cork | 14 | 12 | -",
        "Leather | 14 | 12 | -",
        "Rubber | 14 | 12 | -",
    ]
    assert {row.context for row in rows} == {over.format("Width of the cut")}
