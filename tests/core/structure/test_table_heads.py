"""Rows of a table are found and quoted with what they are called, over the page too."""

import pytest

from desktop.core.structure.page import understand_page
from desktop.core.structure.units import row_with_headings
from tests.fakes.drawn_page import DrawnPage, style
from tests.fakes.drawn_tables import (
    CODES,
    COLUMNS,
    EDGES,
    FUSE,
    HEADER,
    PINS,
    PUMP,
    grid,
    parted_table,
    rows_of,
    table,
)


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


def test_the_caption_of_a_table_is_part_of_what_its_rows_say():
    page = table(None, FUSE, PUMP).line("Table 7: Fault finding", 72, 180)
    assert [row.context for row in rows_of(page)] == [
        "Table 7: Fault finding › Symptom | Cause | Remedy"
    ] * 2


def test_the_title_and_the_section_stand_before_the_column_headings():
    page = table(DrawnPage().line("Fault finding", 72, 120, size=16, bold=True), FUSE, PUMP)
    fuse, _ = rows_of(page, title="HX-200")
    assert fuse.context == "HX-200 › Fault finding › Symptom | Cause | Remedy"


def test_a_table_that_goes_on_over_the_page_keeps_its_column_headings():
    first = table(None, *CODES[:3])
    second = table(DrawnPage(1), *CODES[4:], header=CODES[3], bold=False)
    head = understand_page(first.raw(), style()).open_table
    rows = [u for u in understand_page(second.raw(), style(), (), head).units if u.kind == "row"]
    assert [row.text for row in rows] == ["E44 | Cause 44 | Part 44", *map(" | ".join, CODES[4:])]
    assert {row.context for row in rows} == {"Symptom | Cause | Remedy"}
    assert all(row.header_boxes == () for row in rows)  # they stand on the other page


def test_codes_in_a_table_that_goes_on_over_the_page_head_nothing():
    rest = table(DrawnPage(1), ("Too hot", "Too cold", "No flow"), header=("E1", "E2", "E3"))
    head = understand_page(table(None, FUSE, PUMP).raw(), style()).open_table
    rows = [u for u in understand_page(rest.raw(), style(), (), head).units if u.kind == "row"]
    assert [row.text for row in rows] == ["E1 | E2 | E3", "Too hot | Too cold | No flow"]
    assert {row.context for row in rows} == {"Symptom | Cause | Remedy"}


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
LOOKED_UP = [
    (f"{n}.0", f"9.{n}", f"{n + 30}.0", f"5.{n}", f"{n + 60}.0", f"1.{n}") for n in range(5)
]
GROUPED = (72.0, 150.0, 230.0, 310.0, 390.0, 470.0)


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


def test_a_page_that_ends_with_text_leaves_no_table_open():
    page = table(None, *CODES[:3]).line("After a remedy press Reset.", 72, 400)
    assert understand_page(page.raw(), style()).open_table is None


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
    page = DrawnPage().row(("Check", "Measured", "Done"), columns, 200, bold=True)
    page.row(("Setpoint", "4.8 bar", "yes"), columns, 220)
    page.row(("Direction", "right"), columns[:2], 240).row(("Current", "7.6 A"), columns[:2], 260)
    page.region("table", (65, 196, 560, 231)).region("table", (65, 236, 560, 276))
    assert [(row.text, row.context.split(" › ")[-1]) for row in rows_of(page)] == [
        ("Setpoint | 4.8 bar | yes", "Check | Measured | Done"),
        ("Direction | right", "Check | Measured"),
        ("Current | 7.6 A", "Check | Measured"),
    ]


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


def test_the_title_of_a_table_and_its_headings_go_with_every_row():
    page = DrawnPage().line("GPIO-3 connector", 140, 184, bold=True)
    page.row(("Pin", "Signal", "Ball"), (72, 150, 250), 200, bold=True)
    for number, cells in enumerate(PINS):
        page.row(cells, (72, 150, 250), 216 + 16 * number)
    rows = rows_of(page.region("table", (70, 180, 400, 280)))

    assert [row.text for row in rows] == [" | ".join(cells) for cells in PINS]
    assert {row.context for row in rows} == {"GPIO-3 connector › Pin | Signal | Ball"}
    assert [box[1] for box in rows[0].header_boxes] == [184, 200]


def test_cells_of_columns_without_headings_have_none_and_no_other_ones():
    columns = (72.0, 180.0, 260.0, 330.0, 430.0)
    page = DrawnPage().row(("Cooler", "", "", "FL1201", "FL1203"), columns, 200, bold=True)
    page.row(("Temperature range of it", "", "C", "-20", "-10"), columns, 216)
    page.row(("", "", "C", "", ""), columns, 232).line("Stability", 72, 232)
    page.line("0.5 of both", 372, 232).line("Current", 84, 248)
    page.row(("", "at 230 V", "A", "7", "12"), columns, 248)
    rows = rows_of(page.region("table", (70, 196, 500, 264)))
    assert [(row.text, row.context) for row in rows] == [
        ("Temperature range of it | C | -20 | -10", "Cooler |  | FL1201 | FL1203"),
        ("Stability | C | 0.5 of both", "Cooler |  | "),
        ("Current | at 230 V | A | 7 | 12", "Cooler |  |  | FL1201 | FL1203"),
    ]


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("Low level at an external voltage of 24 V:", True),
        ("The table tells it for 24 V.", True),
        ("It is shown below, and in the", False),
    ],
)
def test_the_sentence_right_above_a_table_is_part_of_what_its_rows_say(said, is_told):
    page = table(None, FUSE, PUMP).line(f"It depends. {said}", 72, 180)
    page.region("text", (70, 178, 400, 194))
    lead = f"{said} › " if is_told else ""
    assert [row.context for row in rows_of(page)] == [f"{lead}Symptom | Cause | Remedy"] * 2


def test_codes_of_two_kinds_side_by_side_are_rows_of_their_own():
    edges = (70.0, 160.0, 260.0, 350.0, 450.0)
    page = DrawnPage().row(("Fault code", "Warning code"), (140, 330), 204)
    for x in (70.0, 260.0, 450.0):
        page.fence(x, 200, 220)
    lines = (
        ("0x0001", "Bus", "0x01", "Fan"),
        ("0x0002", "Link", "0x02", "String"),
        ("0x0004", "Relay", "0x04", "Clock"),
    )
    for number, cells in enumerate(lines):
        page.row(cells, (72, 162, 262, 352), 224 + 20 * number)
        for x in edges:
            page.fence(x, 220 + 20 * number, 240 + 20 * number)
    for y in range(200, 300, 20):
        page.rule(70, 450, y)
    rows = rows_of(page.region("table", (70, 200, 450, 280)))
    assert [row.text for row in rows] == [
        "0x0001 | Bus", "0x0002 | Link", "0x0004 | Relay",
        "0x01 | Fan", "0x02 | String", "0x04 | Clock",
    ]  # fmt: skip
    assert [row.context for row in rows] == ["Fault code | Fault code"] * 3 + [
        "Warning code | Warning code"
    ] * 3
