"""Columns are told by the white between them, titles and grids by how they stand."""

from tests.fakes.drawn_page import DrawnPage, structure_page, style

PINS = (("1", "+5V", "D4"), ("2", "GND", "C14"), ("3", "RESET_N", "B12"), ("4", "PB9", "A11"))


def rows_of(page):
    _, units = structure_page(page.raw(), style())
    return [unit for unit in units if unit.kind == "row"]


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


def test_the_title_of_a_table_and_its_headings_go_with_every_row():
    page = DrawnPage().line("GPIO-3 connector", 140, 184, bold=True)
    page.row(("Pin", "Signal", "Ball"), (72, 150, 250), 200, bold=True)
    for number, cells in enumerate(PINS):
        page.row(cells, (72, 150, 250), 216 + 16 * number)
    rows = rows_of(page.region("table", (70, 180, 400, 280)))

    assert [row.text for row in rows] == [" | ".join(cells) for cells in PINS]
    assert {row.context for row in rows} == {"GPIO-3 connector › Pin | Signal | Ball"}
    assert [box[1] for box in rows[0].header_boxes] == [184, 200]


def test_a_title_that_no_upright_line_parts_is_not_cut_where_its_words_do():
    page = DrawnPage().line("List of 10 faults of both types", 72, 180)
    page.row(("Fault sign", "Cause"), (72, 129), 200)
    for number in range(4):
        page.row((f"LOW {number}", "The pressure is low."), (72, 129), 216 + 16 * number)
    for x in (68, 126, 235):
        page.fence(x, 196, 290)
    rows = rows_of(page.region("table", (70, 175, 280, 290)))

    assert rows[0].context == "List of 10 faults of both types › Fault sign | Cause"


def test_the_first_line_of_contents_is_no_title():
    page = DrawnPage().line("Overview" + "." * 30 + "5", 72, 200)
    for number, (section, name) in enumerate((("1.1", "Features"), ("1.2", "Family"))):
        page.row((section, name + "." * 20 + "6"), (72, 130), 216 + 16 * number)
    rows = rows_of(page.region("table", (70, 195, 400, 250)))

    assert all("Overview" not in row.context for row in rows)


def test_a_table_that_was_taken_for_a_picture_has_rows_with_headings():
    page = DrawnPage().row(("Pin", "Signal", "Ball"), (72, 150, 250), 200)
    for number in range(9):
        page.row((f"{number}", f"GPIO{number}", f"D{number}"), (72, 150, 250), 216 + 16 * number)
    rows = rows_of(page.region("picture", (70, 195, 400, 360)))

    assert rows[3].text == "3 | GPIO3 | D3"
    assert rows[3].context == "Pin | Signal | Ball"


def test_a_drawing_with_a_few_labels_in_line_stays_a_drawing():
    page = DrawnPage()
    for number in range(3):
        page.row((f"R{number}", "10k", f"C{number}"), (72, 150, 250), 200 + 30 * number)
    page.region("picture", (70, 195, 400, 360))
    blocks, _ = structure_page(page.raw(), style())

    assert [block.kind for block in blocks] == ["figure"]


LEFT = ["TS2 - Inlet set (reducing valve,", "        relief valve)", "TS3 - Tundish for drain"]
RIGHT = ["EX19 - Vessel for all of 210", "        litres", "TS27 - Single control stat"]


def test_a_list_set_in_two_columns_is_no_table_and_its_hanging_lines_are_no_entries():
    page = DrawnPage().paragraph([*LEFT, "TS9 - Heater"], 72, 200)
    page.paragraph([*RIGHT, "T021 - Sensor pocket"], 320, 200).region("text", (70, 198, 480, 254))
    _, units = structure_page(page.raw(), style())
    assert [unit.text for unit in units if unit.kind != "window"] == [
        "TS2 - Inlet set (reducing valve, relief valve)",
        "TS3 - Tundish for drain",
        "TS9 - Heater",
        "EX19 - Vessel for all of 210 litres",
        "TS27 - Single control stat",
        "T021 - Sensor pocket",
    ]


def test_names_in_one_column_and_values_in_another_stay_rows():
    names = ["Supply of the panel", "Fuse of the pump", "Weight of all"]
    page = DrawnPage().paragraph(names, 72, 200)
    page.paragraph(["24 V", "5 A", "20 kg"], 320, 200).region("text", (70, 198, 480, 240))
    _, units = structure_page(page.raw(), style())
    assert [unit.text for unit in units if unit.kind == "row"][-1] == "Weight of all | 20 kg"


def test_a_list_beside_a_drawing_has_no_numbers_of_the_drawing_in_it():
    page = DrawnPage()
    for number, y in enumerate((204, 216, 228), start=1):
        page.line(str(number), 90, y)
    page.paragraph(["• PIN 1 input", "• PIN 2 output", "• PIN 3 ground"], 200, 200)
    _, units = structure_page(page.region("picture", (80, 190, 400, 250)).raw(), style())
    items = [unit.text for unit in units if unit.kind == "item"]
    assert items == ["• PIN 1 input", "• PIN 2 output", "• PIN 3 ground"]
    (drawing,) = (unit for unit in units if unit.kind == "label")
    assert drawing.boxes == ((80, 190, 200, 250),)
