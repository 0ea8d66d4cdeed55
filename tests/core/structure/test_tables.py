"""Rows of a table are found and quoted with what gives them meaning."""

from dataclasses import replace
from itertools import pairwise

import pytest

from desktop.core.structure.cut_words import with_cuts
from desktop.core.structure.page import learn_style, understand_page
from desktop.core.structure.raw import page_segments, visual_rows
from desktop.core.structure.tables import fenced_columns
from desktop.core.structure.units import row_with_headings
from tests.fakes.drawn_page import DrawnPage, structure_page, style

COLUMNS = (72.0, 250.0, 400.0)
HEADER = ("Symptom", "Cause", "Remedy")
FUSE = ("No display", "Fuse F2 blown", "Replace by 5 A")
PUMP = ("Noise", "Air in pump", "Bleed at valve 3")


def table(page=None, *rows, header=HEADER, step=20.0, bold=True):
    """Draw a table that the layout model recognised, rows from 200 points down."""
    page = page or DrawnPage()
    y = 200.0
    page.row(header, COLUMNS, y, bold=bold)
    for row in rows:
        y += step
        page.row(row, COLUMNS, y)
    return page.region("table", (70, 195, 560, y + 15))


def rows_of(page, **kinds):
    _, units = structure_page(page.raw(), style(**kinds))
    return [unit for unit in units if unit.kind == "row"]


def test_every_row_is_found_by_its_column_headings_too():
    fuse, pump = rows_of(table(None, FUSE, PUMP))
    assert fuse.text == "No display | Fuse F2 blown | Replace by 5 A"
    assert pump.text == "Noise | Air in pump | Bleed at valve 3"
    assert fuse.context == pump.context == "Symptom | Cause | Remedy"


def test_a_row_brings_the_boxes_of_its_column_headings():
    fuse, _ = rows_of(table(None, FUSE, PUMP))
    ((x0, y0, x1, y1),) = fuse.header_boxes
    assert (x0, y0, y1) == (72, 200, 212)
    assert x1 == 400 + 5 * len("Remedy")


def test_a_row_is_highlighted_from_its_first_to_its_last_word():
    fuse, _ = rows_of(table(None, FUSE, PUMP))
    assert fuse.boxes == ((72, 220, 400 + 5 * len(FUSE[2]), 232),)


def test_a_cell_that_wraps_stays_in_its_row():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True)
    page.row(("No display", "Fuse F2 blown by", "Replace"), COLUMNS, 220)
    page.row(("", "a short circuit", "by 5 A"), COLUMNS, 233)
    page.row(PUMP, COLUMNS, 255).region("table", (70, 195, 560, 270))
    fuse, pump = rows_of(page)
    assert fuse.text == "No display | Fuse F2 blown by a short circuit | Replace by 5 A"
    assert [box[1] for box in fuse.boxes] == [220, 233]
    assert pump.text.startswith("Noise")


def test_a_first_column_that_wraps_stays_in_its_row_when_the_others_are_longer():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True)
    page.row(FUSE, COLUMNS, 220).row(PUMP, COLUMNS, 250).region("table", (70, 195, 560, 270))
    fuse, pump = rows_of(page)
    assert "Noise" not in fuse.text
    assert "Fuse" not in pump.text


def test_a_first_row_of_values_is_no_heading_and_can_be_found():
    page = DrawnPage().row(("Mains", "230 V", "50 Hz"), COLUMNS, 200)
    page.row(("Battery", "24 V", "DC"), COLUMNS, 220).region("table", (70, 195, 560, 240))
    assert [row.text for row in rows_of(page)] == ["Mains | 230 V | 50 Hz", "Battery | 24 V | DC"]


def test_the_caption_of_a_table_is_part_of_what_its_rows_say():
    page = table(None, FUSE, PUMP).line("Table 7: Fault finding", 72, 180)
    assert [row.context for row in rows_of(page)] == [
        "Table 7: Fault finding › Symptom | Cause | Remedy"
    ] * 2


def test_the_title_and_the_section_stand_before_the_column_headings():
    page = table(DrawnPage().line("Fault finding", 72, 120, size=16, bold=True), FUSE, PUMP)
    fuse, _ = rows_of(page, title="HX-200")
    assert fuse.context == "HX-200 › Fault finding › Symptom | Cause | Remedy"


def test_a_table_without_lines_and_without_a_model_is_one_too():
    page = DrawnPage()
    # As MuPDF reads a borderless table: one block whose lines have wide gaps.
    page.paragraph(
        [
            "Model          Voltage        Current",
            "HX-200         24 V           1.5 A",
            "HX-300         48 V           0.8 A",
        ],
        72,
        200,
    )
    assert [row.text for row in rows_of(page)] == ["HX-200 | 24 V | 1.5 A", "HX-300 | 48 V | 0.8 A"]


def test_two_words_far_apart_in_prose_make_no_table():
    page = DrawnPage().paragraph(
        ["Connect the battery to terminal J1C and", "close the cover.          See chapter 4."],
        72,
        200,
    )
    blocks, _ = structure_page(page.raw(), style())
    assert [block.kind for block in blocks] == ["text"]


CODES = [(f"E{number}", f"Cause {number}", f"Part {number}") for number in range(41, 47)]


def test_a_table_that_goes_on_over_the_page_keeps_its_column_headings():
    first = table(None, *CODES[:3])
    second = table(DrawnPage(1), *CODES[4:], header=CODES[3], bold=False)
    head = understand_page(first.raw(), style()).open_table
    rows = [u for u in understand_page(second.raw(), style(), (), head).units if u.kind == "row"]
    assert [row.text for row in rows] == ["E44 | Cause 44 | Part 44", *map(" | ".join, CODES[4:])]
    assert {row.context for row in rows} == {"Symptom | Cause | Remedy"}
    assert all(row.header_boxes == () for row in rows)  # they stand on the other page


def test_a_table_over_three_pages_keeps_them_on_the_third():
    head = understand_page(table(None, *CODES[:3]).raw(), style()).open_table
    middle = table(DrawnPage(1), *CODES[4:], header=CODES[3], bold=False)
    head = understand_page(middle.raw(), style(), (), head).open_table
    assert head is not None
    assert head.text == "Symptom | Cause | Remedy"


def test_a_table_with_other_columns_or_below_a_text_is_another_one():
    head = understand_page(table(None, *CODES[:3]).raw(), style()).open_table
    narrow = DrawnPage(1).row(CODES[0][:2], COLUMNS[:2], 200).row(CODES[1][:2], COLUMNS[:2], 220)
    narrow.region("table", (70, 195, 400, 240))
    below = table(
        DrawnPage(1).line("Spare parts", 72, 120, size=16), *CODES[1:], header=CODES[0], bold=False
    )
    for page in (narrow, below):
        units = understand_page(page.raw(), style(), (), head).units
        assert not [unit for unit in units if "Symptom" in unit.context]


GROUPS = ("T (°C)", "R (ohm)", "T (°C)", "R (ohm)", "T (°C)", "R (ohm)")
GROUPED = (72.0, 150.0, 230.0, 310.0, 390.0, 470.0)
LOOKED_UP = [
    (f"{n}.0", f"9.{n}", f"{n + 30}.0", f"5.{n}", f"{n + 60}.0", f"1.{n}") for n in range(5)
]


def look_up_table(page, rows, header=None):
    y = 200
    if header:
        page.row(header, GROUPED, y, bold=True)
    for cells in rows:
        y += 20
        page.row(cells, GROUPED, y)
    return page.region("table", (70, 195, 560, y + 15))


def test_groups_of_columns_with_the_same_headings_are_rows_of_their_own():
    rows = rows_of(look_up_table(DrawnPage(), LOOKED_UP, GROUPS))
    pairs = [cells[at : at + 2] for at in (0, 2, 4) for cells in LOOKED_UP]
    assert [row.text for row in rows] == [" | ".join(pair) for pair in pairs]
    assert {row.context for row in rows} == {"T (°C) | R (ohm)"}
    middle = rows[5]
    assert middle.boxes == ((230, 220, 325, 232),)
    assert middle.header_boxes == ((230, 200, 345, 212),)


def test_groups_of_columns_stay_apart_where_their_table_goes_on_over_the_page():
    first = look_up_table(DrawnPage(), LOOKED_UP[:3], GROUPS)
    head = understand_page(first.raw(), style()).open_table
    second = look_up_table(DrawnPage(1), [LOOKED_UP[3], (*LOOKED_UP[4][:4], "", "")])
    units = understand_page(second.raw(), style(), (), head).units
    rows = [unit for unit in units if unit.kind == "row"]
    assert [row.text for row in rows] == [
        "3.0 | 9.3", "4.0 | 9.4", "33.0 | 5.3", "34.0 | 5.4", "63.0 | 1.3",
    ]  # fmt: skip
    assert {row.context for row in rows} == {"T (°C) | R (ohm)"}


@pytest.mark.parametrize(
    "headings",
    [
        ("Pump", "Min", "Max", "Min", "Max", "Note"),
        ("", "Min", "Max", "", "Min", "Max"),
        ("Min", "Max", "Mean", "Min", "Max", "Mode"),
    ],
)
def test_columns_are_no_groups_if_a_heading_is_not_repeated_or_names_the_rows_of_all(headings):
    assert len(rows_of(look_up_table(DrawnPage(), LOOKED_UP, headings))) == len(LOOKED_UP)


def test_the_headings_of_groups_of_columns_may_differ_in_numbers():
    headings = ("230 V part", "R (ohm)", "460 V part", "R (ohm)", "575 V part", "R (ohm)")
    rows = rows_of(look_up_table(DrawnPage(), LOOKED_UP, headings))
    assert len(rows) == 3 * len(LOOKED_UP)
    assert rows[0].context == "230 V part | R (ohm)"
    assert rows[-1].context == "575 V part | R (ohm)"


LEGEND = (("1", "Display", "2", "Keys"), ("3", "Foot", "4", "Handle"), ("5", "Pan", "6", "Shield"))


@pytest.mark.parametrize("numbers", [(1, 2, 3, 4, 5, 6), (1, 4, 2, 5, 3, 6)])
def test_a_legend_in_two_columns_has_an_entry_for_each_number(numbers):
    drawn = DrawnPage()
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    for y, (cells, (left, right)) in enumerate(zip(LEGEND, pairs, strict=True)):
        cells = (str(left), cells[1], str(right), cells[3])
        drawn.row(cells, (72, 100, 300, 328), 200 + 20 * y)
    rows = rows_of(drawn.region("table", (70, 195, 420, 255)))
    assert {row.text.partition(" | ")[2] for row in rows} == {
        "Display", "Keys", "Foot", "Handle", "Pan", "Shield",
    }  # fmt: skip


def test_numbers_that_do_not_count_on_are_values_of_one_row():
    drawn = DrawnPage()
    for y, (amperes, volts) in enumerate(((4, 12), (7, 24), (9, 48))):
        drawn.row((str(amperes), "A", str(volts), "V"), (72, 100, 300, 328), 200 + 20 * y)
    rows = rows_of(drawn.region("table", (70, 195, 420, 255)))
    assert [row.text for row in rows] == ["4 | A | 12 | V", "7 | A | 24 | V", "9 | A | 48 | V"]


def test_bold_headings_may_have_a_sign_that_no_bold_font_has():
    drawn = DrawnPage().row(("24 V part", "Resistance"), COLUMNS[:2], 200, bold=True)
    drawn.line("Ω", COLUMNS[1] + 55, 200)
    for y, cells in enumerate((("U09", "65"), ("U18", "45"), ("U29", "30"))):
        drawn.row(cells, COLUMNS[:2], 220 + 20 * y)
    rows = rows_of(drawn.region("table", (70, 195, 420, 275)))
    assert {row.context for row in rows} == {"24 V part | Resistance"}


def test_names_with_colons_have_all_lines_beside_them_though_text_was_seen():
    lines = (
        ("Adapter:", "Primary 230 V, 50 Hz"),
        ("", "Secondary 12 V, 0.84 A with"),
        ("", "overload protection"),
        ("Supply:", "12 V, 0.84 A"),
        ("", "Used up to 2000 m above the sea."),
    )
    drawn = DrawnPage().grid(lines, (72, 200), 200, step=14).region("text", (70, 195, 420, 275))
    assert [row.text for row in rows_of(drawn)] == [
        "Adapter: | Primary 230 V, 50 Hz Secondary 12 V, 0.84 A with overload protection",
        "Supply: | 12 V, 0.84 A Used up to 2000 m above the sea.",
    ]


def test_a_column_of_values_that_was_seen_apart_stays_with_its_lines_of_text():
    states = (
        ("000 M0 = shading is not ready yet,", "no lock by temperature"),
        ("001 M1 = shading is ready now,", "no lock by temperature"),
        ("100 M4 = shading is not ready yet,", "lock by temperature"),
        ("101 M5 = shading is ready now,", "lock by temperature"),
    )
    drawn = DrawnPage().grid(states, (72, 300), 200, step=14)
    drawn.region("text", (70, 195, 260, 260)).region("text", (295, 195, 430, 260))
    assert [row.text for row in rows_of(drawn)] == [" | ".join(state) for state in states]


def test_a_page_that_ends_with_text_leaves_no_table_open():
    page = table(None, *CODES[:3]).line("After a remedy press Reset.", 72, 400)
    assert understand_page(page.raw(), style()).open_table is None


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


def test_headings_that_a_sentence_was_read_into_stay_headings():
    page = DrawnPage().row(("Name", "Type", "Use It opens the valve."), COLUMNS, 200)
    page.row(PUMP, COLUMNS, 220).region("table", (70, 195, 560, 235))
    (row,) = rows_of(page)
    assert row.context == "Name | Type | Use It opens the valve."


def test_rows_that_the_pdf_wrote_one_by_one_are_a_table_without_a_model_too():
    page = DrawnPage()
    page.paragraph(["Code          Cause               Remedy"], 72, 200, bold=True)
    for number in range(3):
        line = f"E4{number}           Fuse F{number} blown       Replace"
        page.paragraph([line], 72, 216 + 16 * number)
    rows = rows_of(page)
    assert [row.text for row in rows] == [f"E4{n} | Fuse F{n} blown | Replace" for n in range(3)]
    assert {row.context for row in rows} == {"Code | Cause | Remedy"}


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


EDGES = (65.0, 245.0, 395.0, 560.0)


def grid(page, *rows, top=200.0, merged=(), edge=EDGES[2], kind="table"):
    """Draw cells with lines all around; rows in `merged` have none at an edge."""
    for number, row in enumerate(rows):
        y = top + 20 * number
        page.row(row, COLUMNS, y)
        for x in EDGES:
            if not (number in merged and x == edge):
                page.fence(x, y - 4, y + 16)
        page.rule(EDGES[0], EDGES[-1], y - 4)
    return page.region(kind, (EDGES[0], top - 4, EDGES[-1], top + 20 * len(rows)))


def test_a_row_with_an_empty_cell_is_told_by_the_headings_of_the_others():
    rows = rows_of(
        grid(DrawnPage(), ("Register", "Name", "Unit"), ("17", "", "0.1 V"), ("18", "Start", ""))
    )
    assert [(row.text, row.context) for row in rows] == [
        ("17 | 0.1 V", "Register | Unit"),
        ("18 | Start", "Register | Name"),
    ]


def test_a_cell_over_several_columns_has_the_headings_of_all_of_them():
    rows = rows_of(
        grid(DrawnPage(), HEADER, ("Output", "common to all", ""), FUSE, PUMP, merged=(1,))
    )
    assert rows[0].text == "Output | common to all"
    assert rows[0].context == "Symptom | Cause Remedy"


def test_two_cells_below_one_heading_have_it_once():
    row = ("Refrigerant charge of an outdoor unit", "", "1.05")
    page = grid(DrawnPage(), HEADER, row, FUSE, PUMP, merged=(1,), edge=EDGES[1])
    found = rows_of(page.line("kg", 300, 220).line("R32", 350, 220))[0]
    assert found.text == "Refrigerant charge of an outdoor unit | kg | R32 | 1.05"
    assert found.context == "Symptom Cause |  |  | Remedy"


WRAPPED = [
    (("Loader arm is stuck in the upper", "Use the release lever in the"), 220),
    (("position when the tube is out.", "hatch behind the flow cell."), 233),
    (("The motor hums but will not even", "Free the blade, then replace"), 256),
    (("start by itself.", "the start capacitor."), 269),
]
LISTED = [
    (("Monday", "6:00 to 22:00"), 220),
    (("Sunday", "7:00 to 23:00"), 233),
    (("Day room", "20 degrees"), 256),
    (("Night room", "16 degrees"), 269),
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


def test_lines_with_room_left_are_rows_of_their_own_between_two_rules():
    assert two_columns(LISTED) == [" | ".join(cells) for cells, _ in LISTED]


def test_a_heading_over_two_columns_names_both():
    columns = (72, 200, 260, 320)
    page = DrawnPage().row(("Material", "Thickness of it"), (72, 200), 200, bold=True)
    page.row(("under 6 mm", "6-12 mm", "12-25 mm"), columns[1:], 212, bold=True)
    page.row(("Plywood", "10 TPI", "8 TPI", "6 TPI"), columns, 232)
    page.row(("Cork", "14 TPI", "6 TPI", "3 TPI"), columns, 252)
    for height in (195, 227, 247, 267):
        page.rule(65, 400, height)
    plywood, _ = rows_of(page.region("table", (65, 195, 400, 270)))
    assert plywood.context == (
        "Material | Thickness of it under 6 mm | Thickness of it 6-12 mm | 12-25 mm"
    )
    assert len(plywood.header_boxes) == 2


def test_as_many_headings_as_columns_go_by_their_order_wherever_they_stand():
    page = DrawnPage().row(("Part", "Type", "Description of it"), (72, 140, 180), 200, bold=True)
    for number, name in enumerate(("CVE-S ECO SE", "CVE-S ECO SP PO"), start=1):
        page.row((f"03-0039{number}", name, "Unit 375"), (72, 140, 240), 200 + 20 * number)
        for x in (65, 135, 235, 400):
            page.fence(x, 196 + 20 * number, 216 + 20 * number)
    rows = rows_of(page.region("table", (65, 195, 400, 255)))
    assert {row.context for row in rows} == {"Part | Type | Description of it"}


def test_a_cell_over_several_columns_has_the_headings_of_all():
    page = DrawnPage().row(("Range", "Low", "High"), COLUMNS, 200, bold=True)
    page.row(("12 V", "10.5 volts", "15.5 volts"), COLUMNS, 220)
    page.row(("24 V", "10.5 volts", "31.5 volts"), COLUMNS, 240)
    page.line("Any", 72, 260).line("the same as the nominal voltage here", 250, 260)
    rows = rows_of(page.region("table", (70, 195, 560, 280)))
    assert [row.context for row in rows] == ["Range | Low | High"] * 2 + ["Range | Low High"]


def models(page, *rows):
    """Draw rows below two order numbers that stand over the columns of values alone."""
    page.row(("185451", "185450"), COLUMNS[1:], 200)
    for number, row in enumerate(rows, start=1):
        page.row(row, COLUMNS, 200 + 20 * number)
    return rows_of(page.region("table", (70, 195, 560, 215 + 20 * len(rows))))


def test_numbers_of_models_above_the_values_are_their_headings():
    rows = models(DrawnPage(), ("Protection", "IP20", "IP21"), ("Height", "100 mm", "215 mm"))
    assert [row.text for row in rows] == ["Protection | IP20 | IP21", "Height | 100 mm | 215 mm"]
    assert {row.context for row in rows} == {" | 185451 | 185450"}


def test_a_first_row_without_a_name_but_with_values_like_the_others_is_a_row():
    rows = models(DrawnPage(), ("Start", "185452", "185453"), ("Stop", "185454", "185455"))
    assert rows[0].text == "185451 | 185450"


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


def test_an_outer_column_without_words_does_not_end_a_table_over_the_page():
    register = ("Register", "Name", "Note")
    first = grid(DrawnPage(), register, ("17", "Start", "saved"), ("18", "Time", ""))
    head = understand_page(first.raw(), style()).open_table
    second = grid(DrawnPage(1), ("19", "Vac low", ""), ("20", "Vac high", ""), ("21", "Fac", ""))
    units = understand_page(second.raw(), style(), (), head).units
    assert [u.context for u in units if u.kind == "row"] == ["Register | Name"] * 3


def test_a_frame_around_a_table_does_not_end_it_over_the_page():
    pages = [
        page.fence(65, 190, 280).fence(565, 190, 280).rule(65, 565, 190)
        for page in (
            table(None, *CODES[:3]),
            table(DrawnPage(1), *CODES[4:], header=CODES[3], bold=False),
        )
    ]
    head = understand_page(pages[0].raw(), style()).open_table
    units = understand_page(pages[1].raw(), style(), (), head).units
    assert {u.context for u in units if u.kind == "row"} == {"Symptom | Cause | Remedy"}


def test_a_key_in_the_margin_stays_in_its_row():
    pages = [DrawnPage(n).line(str(n), 72, 20).raw() for n in range(6)]  # numbers at the top
    learnt = learn_style(pages, style())
    page = DrawnPage(3)
    for number in range(4):
        page.row((f"{54 + number}", "Vac high", "Cycle"), COLUMNS, 30 + 40 * number)
    page.line("12", 72, 8)
    _, units = structure_page(page.region("table", (70, 5, 560, 170)).raw(), learnt)
    rows = [unit.text for unit in units if unit.kind == "row"]
    assert rows[0] == "54 | Vac high | Cycle"
    assert len(rows) == 4


def test_names_and_the_values_beside_them_are_rows_though_seen_as_two_texts():
    page = DrawnPage()
    names = ("Voltage:", "Power:", "Weight:")
    page.paragraph(
        [
            f"{name:<30}{value}"
            for name, value in zip(names, ("230 V", "15 W", "2 kg"), strict=True)
        ],
        72,
        200,
    )
    page.region("text", (70, 195, 130, 245)).region("text", (210, 195, 330, 245))
    rows = rows_of(page)
    assert [row.text for row in rows] == ["Voltage: | 230 V", "Power: | 15 W", "Weight: | 2 kg"]
    assert {row.context for row in rows} == {""}


def test_two_columns_of_prose_stay_two_texts():
    left = "Turn the key to the left and wait."
    page = DrawnPage().paragraph([f"{left:<50}The lamp goes out again."] * 3, 72, 200)
    page.region("text", (70, 195, 270, 245)).region("text", (320, 195, 480, 245))
    blocks, _ = structure_page(page.raw(), style())
    assert [block.kind for block in blocks] == ["text", "text"]


def test_a_bold_row_of_one_cell_is_said_of_the_rows_below_it():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True).row(FUSE, COLUMNS, 220)
    page.row(("Pump", "", ""), COLUMNS, 240, bold=True).row(PUMP, COLUMNS, 260)
    rows = rows_of(page.region("table", (70, 195, 560, 275)))
    assert rows[0].context == "Symptom | Cause | Remedy"
    assert rows[-1].context == "Pump › Symptom | Cause | Remedy"
    assert [box[1] for box in rows[-1].header_boxes] == [200, 240]


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


@pytest.mark.parametrize(("below", "goes_on"), [("* Not in all models.", True), ("Spares", False)])
def test_a_table_goes_on_over_the_page_below_a_note_and_a_few_points_aside(below, goes_on):
    first = grid(DrawnPage(), HEADER, FUSE, PUMP)
    first.line(below, 72, 300, size=10 if goes_on else 16, bold=not goes_on)
    head = understand_page(first.raw(), style()).open_table
    second = DrawnPage(1)
    for number, row in enumerate((("24", "25 A", "3"), ("25", "16 A", "4"))):
        second.row(row, [x + 5 for x in COLUMNS], 200 + 20 * number)
        second.rule(EDGES[0] + 5, EDGES[-1] + 5, 196 + 20 * number)
    for x in EDGES:
        second.fence(x + 5, 196, 236)
    second.region("table", (EDGES[0] + 5, 196, EDGES[-1] + 5, 236))
    units = understand_page(second.raw(), style(), (), head).units
    contexts = {unit.context for unit in units if unit.kind == "row"}
    assert contexts == ({"Symptom | Cause | Remedy"} if goes_on else {""})


def test_words_that_a_narrow_cell_cuts_are_whole_in_a_ruled_table_of_two_rows():
    page = DrawnPage().line("Type ", 68, 204).line("C150 ", 115, 204).line("C190 ", 162, 204)
    page.paragraph(("Rated ", "curr", "ent ", "(amp) "), 68, 224)
    page.paragraph(("0.70~5.8", "7 "), 115, 232).paragraph(("1.35~11.", "09 "), 162, 232)
    for y in (200, 220, 282):
        page.rule(60, 210, y)
    for x in (60, 110, 160, 210):
        page.fence(x, 200, 282)
    raw = page.region("table", (60, 200, 210, 282)).raw()
    raw = replace(raw, words=with_cuts(raw.words, (), raw.spans))
    (row,) = [unit for unit in structure_page(raw, style())[1] if unit.kind == "row"]
    assert row.text == "Rated current (amp) | 0.70~5.87 | 1.35~11.09"
    assert row.context == "Type | C150 | C190"


def test_the_rest_of_a_word_that_the_first_cell_cuts_is_of_its_row():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True)
    page.paragraph(("Fire fighting pro-", "cedures"), COLUMNS[0], 220)
    page.paragraph(("Use water", "or sand"), COLUMNS[1], 220)
    page.row(PUMP, COLUMNS, 255).region("table", (70, 195, 560, 270))
    raw = page.raw()
    raw = replace(raw, words=with_cuts(raw.words, {"procedures"}))
    first, *_ = (unit for unit in structure_page(raw, style())[1] if unit.kind == "row")
    assert first.text == "Fire fighting procedures | Use water or sand"


def spanned(page, rows, *, open_at=(), top=200.0):
    """Draw cells in a grid of lines; `open_at` has the rows, and the columns that nothing parts
    from the row above."""
    gaps = dict(open_at)
    for number, row in enumerate(rows):
        y = top + 20 * number
        page.row(row, COLUMNS, y)
        for x in EDGES:
            page.fence(x, y - 3.5, y + 15.5)
        for column, (left, right) in enumerate(pairwise(EDGES)):
            if column not in gaps.get(number, ()):
                page.rule(left, right, y - 4)
    bottom = top + 20 * len(rows) - 4
    page.rule(EDGES[0], EDGES[-1], bottom)
    return page.region("table", (EDGES[0], top - 4, EDGES[-1], bottom))


def test_a_cell_over_several_rows_names_each_of_them():
    rows = [HEADER, ("", "Fuse blown", "Replace it"), ("", "No mains", "Plug it in"), PUMP]
    page = spanned(DrawnPage(), rows, open_at=[(2, (0,))]).line("No display", 72, 230)
    found = rows_of(page)
    assert [row.text for row in found] == [
        "No display | Fuse blown | Replace it",
        "No display | No mains | Plug it in",
        " | ".join(PUMP),
    ]
    assert {row.context for row in found} == {"Symptom | Cause | Remedy"}


def over_two_rows(remark):
    columns = (72.0, 150.0, 250.0, 400.0)
    page = DrawnPage().row(("Code", "Class", "Cause", "Remedy"), columns, 200, bold=True)
    page.row(("E1", "A", "", "Wait"), columns, 220).row(("E2", "B", "", ""), columns, 240)
    page.row(("E3", "A", "Fuse", "Replace"), columns, 260).paragraph(remark, 250, 217)
    for x in (65, 145, 245, 395, 560):
        page.fence(x, 196, 276)
    for y in (196, 216, 256, 276):
        page.rule(65, 560, y)
    return page.rule(65, 245, 236).region("table", (65, 196, 560, 276))


def test_a_value_over_several_rows_is_told_with_each_of_them():
    first, second, _ = rows_of(over_two_rows(["Heat", "inside"]))
    assert first.text == "E1 | A | Heat inside | Wait"
    assert second.text == "E2 | B | Heat inside | Wait"
    assert second.context == "Code | Class | Cause | Remedy"


def test_an_explanation_over_several_rows_is_of_the_first():
    _, second, _ = rows_of(over_two_rows([" ".join("a" * 14)] * 3))
    assert second.text == "E2 | B | Wait"


def test_a_row_with_one_cell_of_its_own_has_what_stands_beside_it_too():
    rows = [HEADER, ("A+", "", ""), ("A-", "", ""), PUMP]
    page = spanned(DrawnPage(), rows, open_at=[(2, (1, 2))])
    page.line("Motor coil A", 250, 230).line("Green", 400, 230)
    assert [row.text for row in rows_of(page)][:2] == [
        "A+ | Motor coil A | Green",
        "A- | Motor coil A | Green",
    ]


def test_cells_far_apart_are_of_their_rows_though_no_line_parts_them():
    rows = [HEADER, FUSE, PUMP, ("Smell", "Belt slips", "Tighten it")]
    page = spanned(DrawnPage(), rows, open_at=[(2, (2,)), (3, (2,))])
    assert [row.text for row in rows_of(page)] == [" | ".join(row) for row in rows[1:]]


def test_headings_below_a_heading_over_them_stay_one_row():
    page = DrawnPage().line("Model", 72, 200).line("Voltage", 378, 200)
    page.row(("", "Least", "Most"), COLUMNS, 220)
    for number, row in enumerate((("A1", "10 V", "15 V"), ("B2", "20 V", "31 V")), 2):
        page.row(row, COLUMNS, 200 + 20 * number)
    for x in EDGES:
        page.fence(x, 216 if x == EDGES[2] else 196, 276)
    for y in (196, 236, 256, 276):
        page.rule(EDGES[0], EDGES[-1], y)
    page.rule(EDGES[1], EDGES[-1], 216).region("table", (EDGES[0], 196, EDGES[-1], 276))
    rows = rows_of(page)
    assert [row.text for row in rows] == ["A1 | 10 V | 15 V", "B2 | 20 V | 31 V"]
    assert rows[0].context == "Model | Voltage Least | Voltage Most"


@pytest.mark.parametrize("count", [8, 3])
def test_a_picture_with_rows_and_columns_between_lines_is_a_table(count):
    rows = [HEADER, *((f"E{n}", f"Cause {n}", "") for n in range(count))]
    page = grid(DrawnPage(), *rows, kind="picture").rule(EDGES[0], EDGES[-1], 196 + 20 * len(rows))
    blocks, units = structure_page(page.raw(), style())
    assert [block.kind for block in blocks] == ["table" if count == 8 else "figure"]
    contexts = {unit.context for unit in units if unit.kind == "row"}
    assert contexts == ({"Symptom | Cause"} if count == 8 else {""})


def test_white_between_rows_tells_them_where_no_lines_do():
    page = DrawnPage().row(("Quantity", "Low", "High"), COLUMNS, 200, bold=True)
    names = (("Average output", "(W)"), ("Noise", "(dB)"), ("Standard deviation", "(%)"))
    for number, (name, unit) in enumerate(names):
        y = 222 + 34 * number
        page.row((name, f"{number}.1", f"{number}.7"), COLUMNS, y).line(unit, 72, y + 12)
    rows = rows_of(page.region("table", (70, 195, 560, 330)))
    assert [row.text for row in rows] == [
        f"{name} {unit} | {n}.1 | {n}.7" for n, (name, unit) in enumerate(names)
    ]


def test_rows_in_groups_stay_rows_though_white_parts_the_groups():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True)
    tops = [222 + 12 * n + 14 * (n // 3) for n in range(9)]
    for n, y in enumerate(tops):
        page.row((f"E{n}", f"Cause {n}", f"Part {n}"), COLUMNS, y)
    assert len(rows_of(page.region("table", (70, 195, 560, 380)))) == 9


MODELS = (65.0, 165.0, 225.0, 285.0, 345.0, 405.0)
VALUES = (70.0, 180.0, 240.0, 300.0, 360.0)
SPANNING = [
    (("Model", "A4", "A5", "T5", "A8"), MODELS),
    (("Maximum current", "9 A", "11 A", "4 A", "17 A"), MODELS),
    (("Protection", "IP24", "", "", ""), (65.0, 165.0, 405.0)),
    (("Refrigerant", "R32", "", "", ""), (65.0, 165.0, 405.0)),
    (("Cable", "3x2,5", "", "5x2,5", "3x6"), (65.0, 165.0, 285.0, 345.0, 405.0)),
    (("Flow", "4", "5", "", "6"), (65.0, 165.0, 225.0, 345.0, 405.0)),
    (("Sound", "64 dB", "", "68 dB", ""), (65.0, 165.0, 285.0, 405.0)),
]


def test_a_value_over_several_models_is_that_of_each_of_them_and_no_other():
    page = DrawnPage()
    for number, (cells, edges) in enumerate(SPANNING):
        y = 200 + 20 * number
        page.row(cells, VALUES, y).rule(MODELS[0], MODELS[-1], y - 4)
        for x in edges:
            page.fence(x, y - 4, y + 16)
    bottom = 196 + 20 * len(SPANNING)
    page.rule(MODELS[0], MODELS[-1], bottom).region("table", (MODELS[0], 196, MODELS[-1], bottom))
    found = {row.text.partition(" | ")[0]: row for row in rows_of(page)}
    headed = {name: row_with_headings(row.text, row.context) for name, row in found.items()}
    assert headed["Maximum current"] == (
        "Model: Maximum current; A4: 9 A; A5: 11 A; T5: 4 A; A8: 17 A"
    )
    assert headed["Cable"] == "Model: Cable; A4 A5: 3x2,5; T5: 5x2,5; A8: 3x6"
    assert headed["Flow"] == "Model: Flow; A4: 4; A5 T5: 5; A8: 6"
    assert headed["Sound"] == "Model: Sound; A4 A5: 64 dB; T5 A8: 68 dB"


def test_a_label_of_two_columns_is_no_model_though_there_are_as_many_cells_as_headings():
    label, unit, *models = 65.0, 165.0, 225.0, 285.0, 345.0, 405.0
    starts = (70.0, 180.0, 240.0, 300.0, 360.0)
    rows = [
        (("Model", "", "A4", "A5", "T5"), (label, *models)),
        (("Current", "A", "9", "11", "4"), (label, unit, *models)),
        (("Cable", "mm", "2,5", "", "4"), (label, unit, models[0], *models[2:])),
        (("Flow", "l", "4", "5", "6"), (label, unit, *models)),
    ]
    page = DrawnPage()
    for number, (cells, edges) in enumerate(rows):
        y = 200 + 20 * number
        page.row(cells, starts, y).rule(label, models[-1], y - 4)
        for x in edges:
            page.fence(x, y - 4, y + 16)
    _, cable, _ = rows_of(page.rule(label, 405, 276).region("table", (label, 196, 405, 276)))
    assert cable.text == "Cable | mm | 2,5 | 4"
    assert cable.context == "Model |  | A4 A5 | T5"


SUPPLIES = [
    (("M-25", "115 V", "60 Hz", "11 A"), ("", "100 V", "50 Hz", "10 A")),
    (
        ("M-75", "200 V", "60 Hz", "12 A"),
        ("", "230 V", "50 Hz", "10 A"),
        ("", "240 V", "50 Hz", "9 A"),
    ),
    (("M-90", "400 V", "50 Hz", "6 A"), ("", "3/5 W", "60 Hz", "7 A")),
]


@pytest.mark.parametrize("lines", ["between the groups", "between the columns too", "none"])
def test_lines_of_values_below_one_name_are_rows_that_it_names(lines):
    columns, y = (72, 180, 280, 380), 200
    page = DrawnPage().row(("Unit", "Voltage", "Frequency", "Capacity"), columns, y, bold=True)
    for group in SUPPLIES:
        y += 26
        if lines != "none":
            page.rule(65, 460, y - 4)
        for number, cells in enumerate(group):
            y += 14 if number else 0
            page.row(cells, columns, y)
    if lines != "none":
        page.rule(65, 460, y + 16)
    for x in (65, 170, 270, 370, 460) if lines == "between the columns too" else ():
        page.fence(x, 196, y + 16)
    assert [row.text for row in rows_of(page.region("table", (65, 195, 460, y + 16)))] == [
        " | ".join((group[0][0], *cells[1:])) for group in SUPPLIES for cells in group
    ]


@pytest.mark.parametrize("rest", [("", "50 Hz", "60 Hz", "50 Hz"), ("", "(only in", "(not in", "")])
def test_cells_that_go_on_over_a_second_line_are_no_rows_of_their_own(rest):
    columns = (72, 180, 280, 380)
    page = DrawnPage().row(("Unit", "Europe", "Japan", "Asia"), columns, 200, bold=True)
    for number in range(3):
        y = 226 + 34 * number
        page.row((f"M-{number}5", "230 V", "100 V", "240 V"), columns, y).row(rest, columns, y + 14)
        page.rule(65, 460, y - 4)
    rows = rows_of(page.rule(65, 460, 324).region("table", (65, 195, 460, 325)))
    assert len(rows) == 3


def test_a_heading_over_several_columns_is_told_with_the_row_that_parts_it():
    edges = (70.0, 160.0, 220.0, 280.0, 340.0)
    page = DrawnPage().row(("Part", "Model"), (72, 162), 204)
    page.row(("Basic", "Plus", "Pro"), (162, 222, 282), 224)
    for x in (70.0, 160.0, 340.0):
        page.fence(x, 200, 220)
    for number, name in enumerate(("Cover", "Filter", "Cable")):
        page.row((name, "yes", "no", "yes"), (72, 162, 222, 282), 244 + 20 * number)
    for x in edges:
        page.fence(x, 220, 300)
    for y in range(200, 301, 20):
        page.rule(70, 340, y)
    rows = rows_of(page.region("table", (70, 200, 340, 300)))
    assert [row.text for row in rows] == [
        f"{name} | yes | no | yes" for name in ("Cover", "Filter", "Cable")
    ]
    assert {row.context for row in rows} == {"Part | Model Basic | Model Plus | Model Pro"}


def test_a_table_that_is_found_in_two_pieces_has_one_head():
    columns = (72.0, 300.0, 450.0)
    page = DrawnPage().row(("Check", "Measured", "Done"), columns, 200)
    page.row(("Setpoint", "4.8 bar", "yes"), columns, 220)
    page.row(("Direction", "right"), columns[:2], 240).row(("Current", "7.6 A"), columns[:2], 260)
    page.region("table", (65, 196, 560, 231)).region("table", (65, 236, 560, 276))
    assert [(row.text, row.context.split(" › ")[-1]) for row in rows_of(page)] == [
        ("Setpoint | 4.8 bar | yes", "Check | Measured | Done"),
        ("Direction | right", "Check | Measured"),
        ("Current | 7.6 A", "Check | Measured"),
    ]


def parted_table():
    """Draw a table whose accuracy is told in two columns for some rows, headed by a bold one."""
    columns = (72.0, 152.0, 232.0, 322.0, 412.0)
    page = DrawnPage().row(("Function", "Range", "Accuracy", "", "Model"), columns, 200, bold=True)
    page.row(("DC", "6 V", "0.5 %", "", "114"), columns, 220)
    page.row(("", "", "45 Hz", "1 kHz", ""), columns, 240, bold=True)
    page.row(("AC", "6 V", "1.0 %", "2.0 %", "113"), columns, 260)
    page.row(("Low", "60 V", "1.5 %", "2.5 %", "113"), columns, 280)
    page.row(("Ohms", "6 k", "0.9 %", "", "117"), columns, 300)
    page.row(("Farads", "1 n", "1.9 %", "", "117"), columns, 320)
    for x in (66, 146, 226, 406, 500):
        page.fence(x, 196, 336)
    for y in range(196, 337, 20):
        page.rule(66, 500, y)
    return page.fence(316, 236, 296).region("table", (66, 196, 500, 336))


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


def test_a_bold_row_inside_a_table_heads_the_cells_below_it():
    rows = rows_of(parted_table())
    assert rows[2].context == "Function | Range | Accuracy 45 Hz | Accuracy 1 kHz | Model"
    assert rows[0].context == rows[4].context == "Function | Range | Accuracy | Model"


def test_a_bold_row_over_all_columns_but_the_first_heads_them_anew():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True).row(FUSE, COLUMNS, 220)
    page.row(("", "Voltage", "Current"), COLUMNS, 240, bold=True)
    page.row(("Ohms", "2.7 V", "350 uA"), COLUMNS, 260).row(PUMP, COLUMNS, 280)
    for x in (65, 245, 395, 560):
        page.fence(x, 196, 296)
    for y in range(196, 297, 20):
        page.rule(65, 560, y)
    rows = rows_of(page.region("table", (65, 196, 560, 296)))
    assert rows[0].context == "Symptom | Cause | Remedy"
    assert rows[2].context == "Symptom | Voltage | Current"


def named_twice(second):
    """Draw a name of two lines beside two rows that no line parts below it; second: where."""
    page = DrawnPage().row(("Model", "A1", "B1"), COLUMNS, 200, bold=True)
    page.row(("Current", "1 A", "2 A"), COLUMNS, 220).row(("", "3 kW", "4 kW"), COLUMNS, 240)
    page.row(("", "5 HP", "6 HP"), COLUMNS, 260).row(("Mass", "7 kg", "8 kg"), COLUMNS, 280)
    page.line("Compressor", 72, 242).line("power", 72, second)
    for x in (65, 245, 395, 560):
        page.fence(x, 196, 296)
    for y in range(196, 297, 20):
        page.rule(245 if y == 256 else 65, 560, y)
    return rows_of(page.region("table", (65, 196, 560, 296)))


def test_a_name_of_two_lines_far_apart_names_both_of_its_rows():
    assert [row.text for row in named_twice(262.5)][1:3] == [
        "Compressor power | 3 kW | 4 kW",
        "Compressor power | 5 HP | 6 HP",
    ]


def test_the_boxes_of_a_row_leave_out_the_rows_between_its_centred_cells():
    columns = (72.0, 150.0, 250.0, 400.0)
    page = DrawnPage().row(("No.", "Object", "Kind", "Size"), columns, 200, bold=True)
    page.row(("", "Wind m/s", "", "2 byte"), columns, 220)
    page.row(("5", "Wind km/h", "Value", "4 byte"), columns, 240)
    page.row(("", "Wind bft", "", "1 byte"), columns, 260)
    for x in (65, 145, 245, 395, 560):
        page.fence(x, 196, 276)
    for y in (196, 216, 276):
        page.rule(65, 560, y)
    for y in (236, 256):
        page.rule(145, 245, y).rule(395, 560, y)
    last = rows_of(page.region("table", (65, 196, 560, 276)))[2]
    assert last.text == "5 | Wind bft | Value | 1 byte"
    assert not any(x0 < 160 < x1 and y0 < 246 < y1 for x0, y0, x1, y1 in last.boxes)


def test_a_table_goes_on_over_the_page_without_the_columns_of_some_rows():
    first = parted_table().raw()
    columns = (72.0, 152.0, 232.0, 412.0)
    page = DrawnPage(1).row(("Diodes", "2 V", "1 %", "113"), columns, 60)
    page.row(("Hertz", "9 k", "2 %", "113"), columns, 80)
    for x in (66, 146, 226, 406, 500):
        page.fence(x, 56, 96)
    for y in (56, 76, 96):
        page.rule(66, 500, y)
    page.region("table", (66, 56, 500, 96))
    head = understand_page(first, style()).open_table
    rows = [u for u in understand_page(page.raw(), style(), (), head).units if u.kind == "row"]
    assert rows[1].context == "Function | Range | Accuracy | Model"


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


def test_the_rows_below_headings_that_no_lines_part_are_those_between_white():
    groups = (
        (("Upper thread", "1. Not threaded.", "1. Thread it."),
         ("breaks", "2. Tension too tight.", "2. Loosen it."),
         ("", "3. Needle damaged.", "3. Replace it.")),
        (("", "1. Needle damaged.", "1. Replace it."),
         ("Skipped stitches", "2. Wrong needle.", "2. Choose another."),
         ("", "3. Foot is loose.", "3. Attach it.")),
        (("Noise", "1. Lint in the hook.", "1. Clean the hook."),
         ("", "2. Needle damaged.", "2. Replace it.")),
    )  # fmt: skip
    columns = (72.0, 180.0, 360.0)
    page = DrawnPage().row(("Problem", "Cause", "Correction"), columns, 180, bold=True)
    for x, name in zip(columns, ("Problem", "Cause", "Correction"), strict=True):
        page.region("section-header", (x, 180, x + 5 * len(name), 192))
    y = 200.0
    for group in groups:
        page.grid(group, columns, y, step=12)
        for number, (name, *cells) in enumerate(group):
            for x, text in zip(columns, (name, *cells), strict=True):
                if text:
                    top = y + 12 * number
                    page.region("list-item", (x, top, x + 5 * len(text), top + 12))
        y += 12 * len(group) + 12
    rows = rows_of(page)
    assert {row.context for row in rows} == {"Problem | Cause | Correction"}
    assert [row.text for row in rows] == [
        "Upper thread breaks"
        " | 1. Not threaded. 2. Tension too tight. 3. Needle damaged."
        " | 1. Thread it. 2. Loosen it. 3. Replace it.",
        "Skipped stitches | 1. Needle damaged. 2. Wrong needle. 3. Foot is loose."
        " | 1. Replace it. 2. Choose another. 3. Attach it.",
        "Noise | 1. Lint in the hook. 2. Needle damaged. | 1. Clean the hook. 2. Replace it.",
    ]


def test_two_columns_of_prose_below_headings_are_no_table():
    page = DrawnPage()
    for x, name in ((72, "If a fault develops"), (320, "Contact")):
        page.line(name, x, 180, bold=True)
        page.region("section-header", (x, 180, x + 5 * len(name), 192))
        text = ["Call your dealer and tell him what is wrong.", "He knows what is to be done."] * 4
        page.paragraph(text, x, 200).region("text", (x - 2, 198, x + 230, 310))
    assert rows_of(page) == []


def test_text_that_was_seen_over_two_columns_of_a_page_is_cut_between_them():
    page = DrawnPage()
    for x, names in ((72, ("INPUT", "OUTPUT")), (330, ("POWER", "FUSE"))):
        for y, name in zip((180, 230), names, strict=True):
            page.line(name, x, y, bold=True)
            page.region("section-header", (x, y, x + 5 * len(name), y + 12))
    page.row(("Input Impedance", "20k Ohms", "230 V at 50 Hz"), (72, 180, 330), 200)
    page.row(("Output Impedance", "100 Ohms", "T315mA for 115 V"), (72, 180, 330), 250)
    page.region("text", (70, 198, 150, 214)).region("text", (178, 198, 420, 214))
    page.region("text", (70, 248, 420, 264))
    units = understand_page(page.raw(), style()).units
    said = {(unit.context, unit.text) for unit in units if unit.kind != "window"}
    assert ("FUSE", "T315mA for 115 V") in said
    assert not any("Ohms" in text and "V" in text.split() for _, text in said)


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


def test_values_that_were_seen_one_by_one_stay_with_the_names_beside_them():
    lines = (
        ("Supply voltage range (BMV600S and BMV-602S)", "9.5 to 95 V"),
        ("Supply voltage range (BMV-600HS)", "60 to 385 V"),
        ("Input current range (with the supplied shunt)", "-500 to 500 A"),
        ("Operating temperature range", "-20 to 50 °C"),
    )
    page = DrawnPage().grid(lines, (72, 320), 200, step=12)
    page.region("text", (70, 198, 300, 250))
    for number in range(len(lines)):
        y = 200 + 12 * number
        page.region("list-item" if number > 1 else "text", (318, y, 390, y + 12))
    assert [row.text for row in rows_of(page)] == [" | ".join(line) for line in lines]


def test_rows_whose_names_and_values_count_on_are_parted_though_no_rule_does():
    columns = (72.0, 160.0, 230.0, 300.0)
    page = DrawnPage().row(("Gel", "one", "two", "five"), columns, 204)
    page.row(("Thickness", "well", "wells", "wells"), columns, 224)
    page.row(("1.0 mm", "700 ml", "400 ml", "60 ml"), columns, 244)
    page.row(("1.5 mm", "900 ml", "600 ml", "70 ml"), columns, 260)
    for y in (200, 220, 240, 276):
        page.rule(66, 370, y)
    for x in (66, 150, 220, 290, 370):
        page.fence(x, 200, 276)
    rows = rows_of(page.region("table", (66, 200, 370, 276)))
    assert [row.text for row in rows][-2:] == [
        "1.0 mm | 700 ml | 400 ml | 60 ml", "1.5 mm | 900 ml | 600 ml | 70 ml",
    ]  # fmt: skip


def test_a_line_in_the_print_of_a_heading_above_another_table_heads_its_own():
    page = DrawnPage()
    for y, title in ((180, "NIBE SMO S40"), (280, "Heat pump slave 1")):
        page.line(title, 66, y)
        page.row(("Function", "ID", "Unit"), COLUMNS, y + 20, bold=True)
        page.row(("Outdoor temperature", "1", "C"), COLUMNS, y + 40)
        page.row(("Return temperature", "2", "C"), COLUMNS, y + 60)
        page.region("table", (66, y + 16, 560, y + 76))
    page.region("section-header", (64, 178, 130, 194))
    contexts = [row.context for row in rows_of(page)]
    assert contexts[0].startswith("NIBE SMO S40 › ")
    assert contexts[-1].startswith("Heat pump slave 1 › ")
