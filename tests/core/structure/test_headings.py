"""Which lines and blocks of a page are headings."""

from tests.fakes.drawn_page import DrawnPage, structure_page, style
from tests.fakes.drawn_tables import COLUMNS, rows_of


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


def test_a_bold_sentence_is_no_heading():
    page = DrawnPage().line("Always switch the mains off first.", 72, 200, bold=True)
    blocks, _ = structure_page(page.raw(), style())
    assert [block.kind for block in blocks] == ["text"]


def test_a_lone_sign_is_no_heading():
    page = DrawnPage().line("0", 72, 200, size=14, bold=True)
    page.region("section-header", (70, 198, 90, 220)).line("Reset the detector.", 72, 240)
    blocks, _ = structure_page(page.raw(), style())

    assert "heading" not in [b.kind for b in blocks]
