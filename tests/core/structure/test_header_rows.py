"""The rows of a table that are no values: headings of columns, titles, names of other rows."""

import pytest

from tests.fakes.drawn_page import DrawnPage
from tests.fakes.drawn_tables import CODES, COLUMNS, FUSE, HEADER, PUMP, grid, rows_of


def test_a_first_row_of_values_is_no_heading_and_can_be_found():
    page = DrawnPage().row(("Mains", "230 V", "50 Hz"), COLUMNS, 200)
    page.row(("Battery", "24 V", "DC"), COLUMNS, 220).region("table", (70, 195, 560, 240))
    assert [row.text for row in rows_of(page)] == ["Mains | 230 V | 50 Hz", "Battery | 24 V | DC"]


def test_bold_headings_may_have_a_sign_that_no_bold_font_has():
    drawn = DrawnPage().row(("24 V part", "Resistance"), COLUMNS[:2], 200, bold=True)
    drawn.line("Ω", COLUMNS[1] + 55, 200)
    for y, cells in enumerate((("U09", "65"), ("U18", "45"), ("U29", "30"))):
        drawn.row(cells, COLUMNS[:2], 220 + 20 * y)
    rows = rows_of(drawn.region("table", (70, 195, 420, 275)))
    assert {row.context for row in rows} == {"24 V part | Resistance"}


def test_a_first_row_with_codes_like_those_below_it_is_no_heading():
    page = DrawnPage()
    for number, cells in enumerate(CODES):
        page.row(cells, COLUMNS, 200 + 20 * number)
    rows = rows_of(page.region("table", (70, 195, 560, 330)))
    assert [row.text for row in rows] == [" | ".join(cells) for cells in CODES]
    assert {row.context for row in rows} == {""}


def test_a_first_row_that_says_a_whole_sentence_is_no_heading():
    page = DrawnPage().row(("No display", "F2 blown", "Fit a fuse of 5 A."), COLUMNS, 200)
    page.row(PUMP, COLUMNS, 220).region("table", (70, 195, 560, 235))
    first, second = rows_of(page)
    assert first.text == "No display | F2 blown | Fit a fuse of 5 A."
    assert "Fit a fuse" not in second.context


def test_a_bold_row_of_one_cell_is_said_of_the_rows_below_it():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True).row(FUSE, COLUMNS, 220)
    page.row(("Pump", "", ""), COLUMNS, 240, bold=True).row(PUMP, COLUMNS, 260)
    rows = rows_of(page.region("table", (70, 195, 560, 275)))
    assert rows[0].context == "Symptom | Cause | Remedy"
    assert rows[-1].context == "Pump › Symptom | Cause | Remedy"
    assert [box[1] for box in rows[-1].header_boxes] == [200, 240]


def test_a_first_row_that_begins_with_a_code_like_the_others_is_no_heading():
    page = DrawnPage().row(("FA1", "Fuse, 10 A"), COLUMNS[:2], 200)
    page.row(("X1", "Terminals"), COLUMNS[:2], 220).row(("AA5-X2", "Sensors"), COLUMNS[:2], 240)
    page.row(("AA5-S2", "Switch"), COLUMNS[:2], 260).region("table", (70, 195, 400, 275))
    assert rows_of(page)[0].text == "FA1 | Fuse, 10 A"


def test_codes_above_the_only_row_are_told_one_by_one():
    page = DrawnPage().line("Table 3: Alarms", 72, 180)
    page.row(("E1", "E2", "E3"), COLUMNS, 200).row(("Too hot", "Too cold", "No flow"), COLUMNS, 220)
    rows = rows_of(page.region("table", (70, 195, 560, 235)))
    assert [row.text for row in rows] == ["E1 | Too hot", "E2 | Too cold", "E3 | No flow"]
    assert {row.context for row in rows} == {"Table 3: Alarms"}


def test_a_bold_code_is_over_the_codes_of_its_parts():
    page = DrawnPage().row(("EB100", "Heat pump"), COLUMNS[:2], 200, bold=True)
    page.row(("BT1", "Sensor"), COLUMNS[:2], 220).row(("CM1", "Vessel"), COLUMNS[:2], 240)
    page.row(("EM1", "Boiler"), COLUMNS[:2], 260, bold=True)
    page.row(("KA1", "Relay"), COLUMNS[:2], 280).row(("QN11", "Valve"), COLUMNS[:2], 300)
    rows = rows_of(page.region("table", (70, 195, 400, 315)))
    assert [row.context for row in rows if row.text.startswith(("BT1", "KA1"))] == [
        "EB100 Heat pump",
        "EM1 Boiler",
    ]


def test_rows_that_stand_further_right_are_below_the_one_that_names_them():
    lines = (
        ("Supply voltage", 72, "60 to 385 V"),
        ("Supply current", 72, ""),
        ("BMV-600", 92, ""),
        ("At 24 V", 112, "3 mA"),
        ("BMV-700", 92, ""),
        ("At 144 V", 112, "4 mA"),
        ("Temperature range", 72, "-20 to 50 °C"),
        ("Front panel", 92, "69 mm"),
    )
    page = DrawnPage()
    for number, (name, x, value) in enumerate(lines):
        page.row((name, value), (x, 300), 200 + 14 * number)
    contexts = {row.text: row.context for row in rows_of(page.region("table", (70, 195, 400, 320)))}
    assert contexts["Supply voltage | 60 to 385 V"] == ""
    assert contexts["At 24 V | 3 mA"] == "Supply current › BMV-600"
    assert contexts["At 144 V | 4 mA"] == "Supply current › BMV-700"
    assert contexts["Temperature range | -20 to 50 °C"] == ""


def test_the_first_line_of_contents_is_no_title():
    page = DrawnPage().line("Overview" + "." * 30 + "5", 72, 200)
    for number, (section, name) in enumerate((("1.1", "Features"), ("1.2", "Family"))):
        page.row((section, name + "." * 20 + "6"), (72, 130), 216 + 16 * number)
    rows = rows_of(page.region("table", (70, 195, 400, 250)))

    assert all("Overview" not in row.context for row in rows)


@pytest.mark.parametrize(
    ("rows", "headed"),
    [
        ([("Material", "all metal"), ("Weight", "5 kg"), ("Colour", "red or grey")], False),
        ([("pH value", "7.5 to 9.0"), ("Hardness", "max 11")], False),
        ([("IN", "Water inlet"), ("OUT", "Water outlet")], False),
        ([("Cold water inlet", "left side"), ("Cold water outlet", "right side")], False),
        (
            [("Source", "Internal only"), ("Waveform", "Sine, ramp or noise"), ("Rate", "1 MHz")],
            False,
        ),
        ([("Pin", "Function"), ("1", "Ground"), ("2", "Data")], True),
    ],
)
def test_the_first_of_names_with_a_value_each_is_no_heading(rows, headed):
    page = DrawnPage()
    for number, cells in enumerate(rows):
        page.row(cells, COLUMNS[:2], 200 + 20 * number)
    found = rows_of(page.region("table", (70, 195, 560, 200 + 20 * len(rows))))
    told = [" | ".join(cells) for cells in rows]
    assert [row.text for row in found] == told[headed:]
    assert {row.context for row in found} == {told[0] if headed else ""}


def test_between_lines_rows_with_a_first_cell_alone_name_those_below():
    drawn = [
        HEADER,
        ("X1 Mains", "", ""),
        ("X1:1", "L1", "brown"),
        ("X1:2", "L2", "black"),
        ("X2 Motors", "", ""),
        ("X2:1", "U", "grey"),
        ("X2:2", "V", "blue"),
    ]
    rows = rows_of(grid(DrawnPage(), *drawn))
    over = [row.context.rpartition(" › ")[0] for row in rows]
    assert over == ["", "X1 Mains", "X1 Mains", "", "X2 Motors", "X2 Motors"]


def test_between_lines_rows_without_a_first_cell_have_the_name_above_them():
    drawn = [
        HEADER,
        ("1300B", "Air", "-40 °C"),
        ("", "Liquid", "-55 °C"),
        ("2048B", "Air", "-45 °C"),
        ("", "", "-50 °C"),
    ]
    rows = [row.text for row in rows_of(grid(DrawnPage(), *drawn))]
    assert rows[1:] == ["1300B | Liquid | -55 °C", "2048B | Air | -45 °C", "-50 °C"]


def test_a_letter_between_lines_names_no_further_row():
    drawn = [HEADER, ("T", "Reserved", "0"), ("", "Reserved", "52")]
    rows = [row.text for row in rows_of(grid(DrawnPage(), *drawn))]
    assert rows == ["T | Reserved | 0", "Reserved | 52"]


def test_a_bold_name_ends_where_a_row_begins_in_bold_though_most_rows_do():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True)
    lines = (
        ("Power", "W", "200", True),
        ("Lamp lifetime", "", "", True),
        ("Level 4", "h", "1500", False),
        ("Level 5", "h", "150", False),
        ("Weight", "kg", "5", True),
        ("Lamp power", "W", "150", True),
        ("Class", "-", "II", True),
    )
    for number, (*cells, bold) in enumerate(lines, start=1):
        page.row(cells[:1], COLUMNS[:1], 200 + 20 * number, bold=bold)
        page.row(cells[1:], COLUMNS[1:], 200 + 20 * number)
    contexts = {r.text: r.context for r in rows_of(page.region("table", (70, 195, 560, 355)))}
    assert contexts["Level 4 | h | 1500"] == "Lamp lifetime › Symptom | Cause | Remedy"
    assert contexts["Level 5 | h | 150"] == "Lamp lifetime › Symptom | Cause | Remedy"
    assert contexts["Weight | kg | 5"] == "Symptom | Cause | Remedy"


def test_a_cell_may_have_an_upright_line_among_its_words():
    page = DrawnPage().row(("Code", "Use"), COLUMNS[:2], 200)
    for number, cells in enumerate((("E1 | E2", "1 | 2"), ("E3", "3"), ("E4", "4")), start=1):
        page.row(cells, COLUMNS[:2], 200 + 20 * number)
    rows = rows_of(page.region("table", (70, 195, 420, 275)))
    assert [row.text for row in rows] == ["E1 | E2 | 1 | 2", "E3 | 3", "E4 | 4"]


def test_bands_between_lines_name_the_rows_below_them_and_none_names_the_table():
    bands = ("Device", "Power supply code 963GE020000071 of the shop (optional)", "Conditions")
    page, y = DrawnPage(), 200
    for band in bands:
        for cells in ((band,), ("Voltage", "24 V"), ("Long name of a current", "from 2 A to 4 A")):
            page.row(cells, (72, 340)[: len(cells)], y)
            page.rule(65, 460, y - 4)
            y += 20
    rows = rows_of(page.rule(65, 460, y - 4).region("table", (65, 196, 460, y - 4)))
    assert [row.context for row in rows if row.text == "Voltage | 24 V"] == list(bands)
    assert [row.context for row in rows if row.text in bands] == ["", "", ""]
