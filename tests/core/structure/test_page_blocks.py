"""Of what kind a block is, whatever the layout model took it for."""

import pytest

from tests.fakes.drawn_page import DrawnPage, structure_page, style
from tests.fakes.drawn_tables import EDGES, HEADER, grid, rows_of


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


@pytest.mark.parametrize("count", [8, 3])
def test_a_picture_with_rows_and_columns_between_lines_is_a_table(count):
    rows = [HEADER, *((f"E{n}", f"Cause {n}", "") for n in range(count))]
    page = grid(DrawnPage(), *rows, kind="picture").rule(EDGES[0], EDGES[-1], 196 + 20 * len(rows))
    blocks, units = structure_page(page.raw(), style())
    assert [block.kind for block in blocks] == ["table" if count == 8 else "figure"]
    contexts = {unit.context for unit in units if unit.kind == "row"}
    assert contexts == ({"Symptom | Cause"} if count == 8 else {""})


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


def test_a_frame_around_the_page_leaves_its_columns_their_order():
    page = DrawnPage().shade((40, 80, 560, 720))
    for number in range(3):
        page.paragraph(["Left, how the cabinet is mounted", "on a wall."], 60, 200 + 40 * number)
        page.paragraph(["Right, how the cabinet is wired", "to the bus."], 320, 216 + 40 * number)
    blocks, _ = structure_page(page.raw(), style())
    told = [block.text.split(",")[0] for block in blocks if block.text]
    assert told == ["Left"] * 3 + ["Right"] * 3
    assert blocks[-1].kind == "figure"


def test_lines_of_a_paragraph_that_are_blocks_each_are_one_text():
    lines = ("The lamp is locked after five failed", "attempts. It stays so for 60 minutes.")
    page = DrawnPage().line(lines[0], 72, 200).line(lines[1], 72, 213)
    page.line("Ask the administrator to unlock it before that.", 72, 250)
    _, units = structure_page(page.raw(), style())
    assert [unit.text for unit in units if unit.kind == "paragraph"] == [
        " ".join(lines),
        "Ask the administrator to unlock it before that.",
    ]


def test_a_step_that_was_seen_as_a_caption_is_told_as_text():
    step = "Step 2: The name and the password are both admin, then the prompt is shown."
    page = DrawnPage().line(step, 72, 200).region("caption", (70, 198, 460, 214))
    blocks, _ = structure_page(page.raw(), style())
    assert [block.kind for block in blocks] == ["text"]


def test_two_printed_pages_on_one_are_read_one_after_the_other():
    page = DrawnPage(width=900, height=600)
    page.line("Menu ALARM", 60, 60, bold=True).line("Return: button 3.", 60, 300)
    page.line("Standby", 520, 64, bold=True).line("Press button 0.", 520, 90)
    blocks, _ = structure_page(page.raw(), style())
    assert [b.text for b in blocks] == [
        "Menu ALARM",
        "Return: button 3.",
        "Standby",
        "Press button 0.",
    ]
