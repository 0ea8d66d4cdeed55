"""The lines drawn through a table tell its rows where they part rows, not groups of rows."""

import pytest

from tests.fakes.drawn_page import DrawnPage
from tests.fakes.drawn_tables import COLUMNS, EDGES, FUSE, HEADER, PUMP, rows_of


def ruled(*heights, columns=((70, 245), (245, 395), (395, 560))):
    """Draw three rows; the cells of two go on over a second line. Rules as cells have them."""
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True)
    page.row(("No display", "Fuse F2 blown by", "Replace"), COLUMNS, 220)
    page.row(("on panel", "", "by 5 A"), COLUMNS, 233)
    page.row(("Noise when", "Air in pump", "Bleed"), COLUMNS, 246)
    page.row(("it starts", "", "at valve 3"), COLUMNS, 259)
    for y in heights:
        for left, right in columns:
            page.rule(left, right, y)
    return rows_of(page.region("table", (70, 195, 560, 275)))


def test_rules_tell_which_lines_are_one_row():
    fuse, pump = ruled(195, 216, 245.5, 274)
    assert fuse.text == "No display on panel | Fuse F2 blown by | Replace by 5 A"
    assert pump.text == "Noise when it starts | Air in pump | Bleed at valve 3"
    assert fuse.context == pump.context == "Symptom | Cause | Remedy"
    assert [box[1] for box in pump.boxes] == [246, 259]


CENTRED = [
    (("", "The motor is hot or", "Reduce the"), 220),
    (("16", "overloaded.", "load."), 233),
    (("", "", "Check the"), 246),
    (("17", "The belt is torn.", "belt and"), 259),
    (("", "", "the pump."), 272),
    (("22", "A value was not kept.", "Call us."), 293),
]


@pytest.mark.parametrize("kind", ["table", "picture"])
def test_cells_that_are_centred_between_rules_are_of_one_row(kind):
    page = DrawnPage().row(("Fault", "Cause", "Remedy"), COLUMNS, 200, bold=True)
    for cells, y in CENTRED:
        page.row(cells, COLUMNS, y)
    for height in (195, 216, 245.5, 285, 310):
        page.rule(70, 560, height)
    rows = [unit.text for unit in rows_of(page.region(kind, (70, 195, 560, 312)))]
    assert rows[-3:] == [
        "16 | The motor is hot or overloaded. | Reduce the load.",
        "17 | The belt is torn. | Check the belt and the pump.",
        "22 | A value was not kept. | Call us.",
    ]


def test_rules_around_the_headings_alone_part_no_rows():
    assert len(ruled(195, 216, 274)) == len(ruled()) == 4


def test_rules_under_a_part_of_the_table_part_no_rows():
    assert len(ruled(195, 216, 245.5, 274, columns=((70, 245),))) == 4


def test_rules_between_groups_of_rows_part_no_rows():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True)
    for number in range(9):
        page.row(
            (f"Fault {number}", f"Cause {number}", f"Part {number}"), COLUMNS, 220 + 13 * number
        )
    for y in (195, 216, 257.5, 296.5, 336):
        page.rule(70, 560, y)
    assert len(rows_of(page.region("table", (70, 195, 560, 340)))) == 9


WRAPPED = [
    (("Loader arm is stuck in the upper", "Use the release lever in the"), 220),
    (("position when the tube is out.", "hatch behind the flow cell."), 233),
    (("The motor hums but will not even", "Free the blade, then replace"), 256),
    (("start by itself.", "the start capacitor."), 269),
]


def two_columns(lines):
    page = DrawnPage().row(("Problem", "Solution"), (72, 250), 200, bold=True)
    for cells, y in lines:
        page.row(cells, (72, 250), y)
    for height in (195, 216, 251, 285):
        page.rule(65, 400, height)
    for x in (65, 245, 400):
        page.fence(x, 195, 285)
    return [row.text for row in rows_of(page.region("table", (65, 195, 400, 285)))]


def test_cells_that_wrap_side_by_side_are_whole_in_their_ruled_row():
    assert two_columns(WRAPPED) == [
        " | ".join((f"{first[0]} {then[0]}", f"{first[1]} {then[1]}"))
        for (first, _), (then, _) in (WRAPPED[:2], WRAPPED[2:])
    ]


LISTED = [
    (("Monday", "6:00 to 22:00"), 220),
    (("Sunday", "7:00 to 23:00"), 233),
    (("Day room", "20 degrees"), 256),
    (("Night room", "16 degrees"), 269),
]


def test_lines_with_room_left_are_rows_of_their_own_between_two_rules():
    assert two_columns(LISTED) == [" | ".join(cells) for cells, _ in LISTED]


def test_a_cell_whose_lines_are_shaded_one_by_one_is_one_cell():
    columns = (72, 140, 330)
    page = DrawnPage().row(HEADER, columns, 200, bold=True).rule(65, 560, 195).rule(65, 560, 217)
    causes = ("1. Fuse blown", "by a short.", "2. No mains", "voltage.", "3. Broken", "lead.")
    remedies = ("1. Replace it.", "", "2. Plug it in.", "", "", "3. Solder it.")
    for top, code in ((220, "OCS"), (300, "OCA"), (380, "OCD")):
        for number, beside in enumerate(zip(causes, remedies, strict=True)):
            y = top + 13 * number
            page.row((code if number == 3 else "", *beside), columns, y)
            if code != "OCS":
                page.shade((135, y, 325, y + 13)).shade((325, y, 560, y + 13))
        page.rule(65, 560, top + 79)
    cells = f"{' '.join(causes)} | 1. Replace it. 2. Plug it in. 3. Solder it."
    texts = [row.text for row in rows_of(page.region("table", (65, 195, 560, 462)))]
    assert texts == [f"{code} | {cells}" for code in ("OCS", "OCA", "OCD")]


def test_shaded_rows_between_two_lines_are_rows_of_their_own():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True).rule(65, 560, 195).rule(65, 560, 216)
    for number in range(8):
        y = 220 + 14 * number
        page.row((f"E{number}", f"Cause {number}", f"Part {number}"), COLUMNS, y)
        if number % 2:
            page.shade((65, y - 1, 560, y + 13))
        if number != 4:
            page.rule(65, 560, y + 13)
    texts = [row.text for row in rows_of(page.region("table", (65, 195, 560, 335)))]
    assert texts == [f"E{n} | Cause {n} | Part {n}" for n in range(8)]


def shaded_lines(*rows):
    """Draw rows whose lines of text are shaded one by one, in a table that lines part."""
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True)
    y = 224.0
    for lines in rows:
        page.rule(65, 560, y - 4)
        for cells in lines:
            page.row(cells, COLUMNS, y)
            y += 20
            page.shade((65, y - 20, 560, y))
        y += 4
    for x in (65, 245, 395, 560):
        page.fence(x, 196, y - 4)
    page.rule(65, 560, 196).rule(65, 560, y - 4)
    return rows_of(page.region("table", (65, 196, 560, y)))


def test_a_name_whose_lines_are_shaded_one_by_one_is_of_one_row():
    rows = shaded_lines(
        [("Inlet and", "10 mm", "8 mm"), ("outlet", "", "")], [FUSE], [PUMP], [("Off", "0", "1")]
    )
    assert [row.text for row in rows][:2] == ["Inlet and outlet | 10 mm | 8 mm", " | ".join(FUSE)]


def test_rules_part_rows_where_text_begins_anew_below_each_and_goes_on_in_small_letters():
    columns = (72.0, 200.0, 330.0)
    page = DrawnPage().row(("Name", "Values", "Meaning"), columns, 204)
    rows = (
        (("Threshold for", "2000 to 90000", "From which light on the"),
         ("Shading", "Default 20000", "blinds are to be closed.")),
        (("Height when", "0 to 100 %", "The blind goes down"),
         ("Passing it", "Default 10 %", "once when it is passed.")),
        (("Scene when", "1 to 64", "The number of the scene"),
         ("Passing it", "Default 1", "that is sent once then.")),
    )  # fmt: skip
    y = 220.0
    for row in rows:
        page.rule(66, 470, y)
        for cells in row:
            page.row(cells, columns, y + 4)
            y += 16
    page.rule(66, 470, 200).rule(66, 470, y)
    for x in (66, 190, 320, 470):
        page.fence(x, 200, y)
    page.region("table", (66, 200, 470, y))
    assert [row.text for row in rows_of(page)] == [
        "Threshold for Shading | 2000 to 90000 Default 20000"
        " | From which light on the blinds are to be closed.",
        "Height when Passing it | 0 to 100 % Default 10 %"
        " | The blind goes down once when it is passed.",
        "Scene when Passing it | 1 to 64 Default 1"
        " | The number of the scene that is sent once then.",
    ]


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


def test_shaded_rows_of_centred_numbers_with_empty_cells_are_rows():
    columns = (90.0, 182.0, 262.0, 342.0, 422.0, 502.0)
    page = DrawnPage().row(("Size", "", "", "Frame", "", ""), columns, 200, bold=True)
    page.row(("", "90", "98", "132", "160", "180"), columns, 212, bold=True)
    page.row(("10", "65", "80", "99", "", ""), columns, 230)
    page.row(("20", "", "80", "98", "88", ""), columns, 245)
    page.row(("40", "", "", "97", "89", "70"), columns, 260)
    for x in (66, 140, 222, 302, 382, 462, 542):
        page.fence(x, 197, 275)
    for y in (197, 226, 275):
        page.rule(66, 542, y)
    page.shade((66, 242, 542, 258))
    rows = rows_of(page.region("table", (66, 197, 542, 275)))
    assert [row.text.split(" | ")[0] for row in rows][-3:] == ["10", "20", "40"]


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


def test_a_single_row_between_lines_has_its_centred_cells_together():
    page = DrawnPage().row(("The time until it", "From 0 to 9."), (152, 300), 204)
    page.row(("I", "III"), (72, 110), 210.5).row(("charges", "In minutes."), (152, 300), 217)
    for x in (66, 100, 146, 296, 420):
        page.fence(x, 200, 232)
    page.rule(66, 420, 200).rule(66, 420, 232).region("table", (66, 200, 420, 232))
    assert [row.text for row in rows_of(page)] == [
        "I | III | The time until it charges | From 0 to 9. In minutes."
    ]


def test_without_upright_lines_rows_are_known_by_texts_that_begin_anew_below_each_rule():
    page = DrawnPage().row(("Error", "Reason", "What to do"), COLUMNS, 200, bold=True)
    lines = (
        (("At connecting to", "The software is", "Make sure that the"), 220),
        (("a reader nothing", "searching for the", "reader has power."), 233),
        (("is found.", "reader.", ""), 246),
        (("No sensor is", "The signal is", "Check if it rests"), 264),
        (("found for the", "too low there", "in the groove of"), 277),
        (("last value", "by far.", "the reader."), 290),
        (("In the file a", "Light gets to", "Make sure that it"), 308),
        (("code is told", "the reader all", "cannot get to the"), 321),
        (("again.", "day.", "reader."), 334),
    )
    for cells, y in lines:
        page.row(cells, COLUMNS, y)
    for height in (216, 260.5, 304.5, 348):
        page.rule(70, 560, height)
    rows = [unit.text for unit in rows_of(page.region("table", (70, 195, 560, 350)))]
    assert rows == [
        "At connecting to a reader nothing is found. | The software is searching for the reader."
        " | Make sure that the reader has power.",
        "No sensor is found for the last value | The signal is too low there by far."
        " | Check if it rests in the groove of the reader.",
        "In the file a code is told again. | Light gets to the reader all day."
        " | Make sure that it cannot get to the reader.",
    ]


def test_one_row_with_all_cells_does_not_make_rows_of_what_rules_part():
    page = DrawnPage()
    flags = ("Temperature", "Low battery", "Overload", "Ripple", "Invert", "Off")
    for number, flag in enumerate(flags):
        said = "When on: the relay" if flag == "Invert" else ""
        page.row((str(17 + number), flag, said), COLUMNS, 200 + 14 * number)
    for x in (*EDGES[:1], 245, 395, *EDGES[-1:]):
        page.fence(x, 195, 285)
    for y in (195, 268, 285):
        page.rule(EDGES[0], EDGES[-1], y)
    rows = [row.text for row in rows_of(page.region("table", (70, 195, 560, 285)))]
    assert rows[:2] == ["17 | Temperature", "18 | Low battery"]
