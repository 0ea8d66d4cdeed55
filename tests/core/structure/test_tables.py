"""Rows of a table are found and quoted with what gives them meaning."""

from desktop.core.structure.page import structure_page
from tests.fakes.drawn_page import DrawnPage, style

COLUMNS = (72.0, 250.0, 400.0)
HEADER = ("Symptom", "Cause", "Remedy")
FUSE = ("No display", "Fuse F2 blown", "Replace by 5 A")
PUMP = ("Noise", "Air in pump", "Bleed at valve 3")


def table(page=None, *rows, header=HEADER, step=20.0):
    """Draw a table that the layout model recognised, rows from 200 points down."""
    page = page or DrawnPage()
    y = 200.0
    page.row(header, COLUMNS, y, bold=True)
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
