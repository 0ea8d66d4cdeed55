"""Tables that nothing but the places of their words tells."""

from tests.fakes.drawn_page import DrawnPage, structure_page, style
from tests.fakes.drawn_tables import rows_of


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


def test_two_columns_of_prose_below_headings_are_no_table():
    page = DrawnPage()
    for x, name in ((72, "If a fault develops"), (320, "Contact")):
        page.line(name, x, 180, bold=True)
        page.region("section-header", (x, 180, x + 5 * len(name), 192))
        text = ["Call your dealer and tell him what is wrong.", "He knows what is to be done."] * 4
        page.paragraph(text, x, 200).region("text", (x - 2, 198, x + 230, 310))
    assert rows_of(page) == []


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
