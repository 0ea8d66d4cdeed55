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
