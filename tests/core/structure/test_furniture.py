"""Running headers and footers are left out of the search; the printed page number is read."""

from dataclasses import replace

import pytest

from desktop.core.structure.page import learn_style, margin_label, pattern
from desktop.core.structure.raw import DocumentStyle, page_segments
from tests.fakes.drawn_page import DrawnPage, structure_page, style


def manual_page(number):
    page = DrawnPage(number).line("HX-200 Installation", 72, 30)
    page.line(f"Step {number} of the wiring is done with relay K{number}.", 72, 300)
    return page.line(f"4-{number}", 300, 770)


def label_of(page):
    return margin_label(page_segments(page.raw()), 800)


def test_what_stands_on_every_page_is_neither_searched_nor_quoted():
    learnt = learn_style([manual_page(number).raw() for number in range(6)], DocumentStyle())
    blocks, units = structure_page(manual_page(3).raw(), learnt)
    assert [(b.kind, b.text) for b in blocks] == [
        ("text", "Step 3 of the wiring is done with relay K3."),
        ("header", "HX-200 Installation"),
        ("footer", "4-3"),
    ]
    assert not any("Installation" in unit.text or "4-3" in unit.text for unit in units)


def test_a_line_that_stands_on_every_page_outside_the_margins_stays():
    pages = [DrawnPage(n).line("Wear gloves.", 72, 400) for n in range(6)]
    learnt = learn_style([page.raw() for page in pages], DocumentStyle())
    _, units = structure_page(pages[0].raw(), learnt)
    assert any(unit.text == "Wear gloves." for unit in units)


def test_a_first_line_of_a_single_page_is_no_running_header():
    pages = [manual_page(n) for n in range(5)] + [DrawnPage(5).line("Spare parts", 72, 30)]
    learnt = learn_style([page.raw() for page in pages], DocumentStyle())
    _, units = structure_page(pages[5].raw(), learnt)
    assert any(unit.text == "Spare parts" for unit in units)


@pytest.mark.parametrize(
    ("line", "size", "bold", "y", "nearby", "is_text"),
    [
        ("11.3. List of commands", 14, False, 60, (), True),
        ("sends the version number and", 10, False, 71, (), True),
        ("Remote control", 10, False, 40, (), False),  # too far above the text to be of it
        ("Remote control", 10, True, 40, (), True),  # a heading, over a drawing perhaps
        ("Firmware", 10, True, 40, (), True),  # a line of the text ends with it
        ("Remote control", 10, True, 40, ("remotecontrol",), False),
        ("Remote control", 14, False, 60, ("remotecontrol",), False),
        ("List of things", 14, False, 60, None, False),
        ("Replies", 14, True, 60, (), False),  # names the section that the page has anyway
    ],
)
def test_what_looks_like_a_header_and_stands_beside_the_text_of_one_page_is_text(
    line, size, bold, y, nearby, is_text
):
    page = manual_page(3).line(line, 72, y, size=size, bold=bold)
    page.region("page-header", (70, y - 2, 400, y + size + 4))
    page.line("the date of the firmware.", 72, 83).line("Replies", 72, 200, size=14)
    near = None if nearby is None else frozenset(nearby)
    _, units = structure_page(page.raw(), replace(style(), nearby=near))
    told = [unit for unit in units if unit.kind != "window" and line in unit.text]
    assert len(told) == int(is_text) + int(line == "Replies")


def test_the_number_of_a_step_in_the_margin_is_no_page_number():
    page = manual_page(1).line("4", 72, 745).line("Close the valve.", 100, 745)
    page.region("list-item", (70, 740, 300, 760))
    _, units = structure_page(page.raw(), style(repeated=["#", "4-#"]))
    assert [unit.text for unit in units if unit.kind == "item"] == ["4 Close the valve."]


def test_headings_that_tables_have_on_top_of_many_pages_stay():
    columns = (72, 250, 330)
    page = DrawnPage().row(("Function", "ID", "Unit"), columns, 60, bold=True)
    page.row(("Outdoor temperature", "1", "C"), columns, 80)
    page.row(("Return temperature", "2", "C"), columns, 100).region("table", (66, 56, 400, 115))
    _, units = structure_page(page.raw(), style(repeated=["function", "id", "unit"]))
    assert {unit.context for unit in units if unit.kind == "row"} == {"Function | ID | Unit"}


def test_a_table_seen_where_no_words_are_leaves_the_running_header_out():
    page = manual_page(1).region("table", (60, 400, 540, 500))
    _, units = structure_page(page.raw(), style(repeated=["#-#"]))
    assert not any(unit.text == "4-1" for unit in units)


def test_the_layout_models_header_is_left_out_without_having_seen_other_pages():
    page = manual_page(1).region("page-header", (60, 20, 540, 50))
    _, units = structure_page(page.raw(), style())
    assert not any("Installation" in unit.text for unit in units)


def test_the_body_size_is_that_of_most_text():
    page = DrawnPage().line("Title", 72, 100, size=24)
    page.paragraph(["The panel draws at most 1.5 A."] * 4, 72, 200, size=9)
    assert learn_style([page.raw()], DocumentStyle()).body_size == 9


@pytest.mark.parametrize(
    ("printed", "label"),
    [
        ("4-11", "4-11"),
        ("4–11", "4-11"),
        ("5 - 9", "5-9"),
        ("- 12 -", "12"),
        ("12", "12"),
        ("xiv", "xiv"),
        ("A-3", "A-3"),
        ("Page 12 of 80", "12"),
        ("Seite 7 von 9", "7"),
        ("HX-200 Manual, Rev. B, page 31", "31"),
        ("12/80", "12"),
        ("Página | 4", "4"),
        ("Strona 7 z 20", "7"),
        ("VCC", ""),
        ("XX", "XX"),
    ],
)
def test_the_number_printed_in_the_margin_is_the_pages_label(printed, label):
    assert label_of(DrawnPage().line("Open valve 3.", 72, 400).line(printed, 300, 770)) == label
    assert label_of(DrawnPage().line("Open valve 3.", 72, 400).line(printed, 300, 20)) == label


def test_a_number_in_the_text_is_no_page_label():
    assert label_of(DrawnPage().line("12", 300, 400)) == ""
    assert label_of(DrawnPage().line("HX-200 Installation Manual", 72, 20)) == ""


def test_a_tab_with_the_language_at_the_side_of_every_page_is_no_heading():
    pages = [manual_page(n).line("DE", 580, 270, size=14, bold=True) for n in range(6)]
    learnt = learn_style([page.raw() for page in pages], DocumentStyle())
    blocks, _ = structure_page(pages[2].raw(), learnt)
    assert not any(block.kind == "heading" for block in blocks)


def test_numbers_at_the_side_of_every_page_stay_as_those_of_steps():
    pages = [manual_page(n).line("1.", 5, 270).line("Close it.", 40, 270) for n in range(6)]
    learnt = learn_style([page.raw() for page in pages], DocumentStyle())
    assert any("1." in block.text for block in structure_page(pages[2].raw(), learnt)[0])


def test_a_number_turned_beside_the_text_of_every_page_is_a_running_line():
    pages = [manual_page(n).turned("5851295", 40, 400) for n in range(6)]
    learnt = learn_style([page.raw() for page in pages], DocumentStyle())
    _, units = structure_page(pages[3].raw(), learnt)
    assert not any("5851295" in unit.text for unit in units)


def test_headings_in_several_lines_that_tables_have_on_top_of_many_pages_stay():
    columns = (72, 150, 330, 430)
    page = DrawnPage().row(("Device", "", "", ""), columns, 50)
    page.row(("", "Description", "Updated", "R/W"), columns, 56)
    page.row(("Address", "", "", ""), columns, 62)
    page.row(("D8120", "Type ID", "always", "R"), columns, 82)
    page.row(("D8121", "Version", "at start", "R"), columns, 102)
    page.region("table", (66, 46, 500, 117))
    repeated = ["device", "description", "updated", "r/w", "address"]
    _, units = structure_page(page.raw(), style(repeated=repeated))
    rows = [unit for unit in units if unit.kind == "row"]
    assert [row.text for row in rows] == [
        "D8120 | Type ID | always | R",
        "D8121 | Version | at start | R",
    ]
    assert {row.context for row in rows} == {"Device Address | Description | Updated | R/W"}


def test_a_sentence_in_the_margin_that_no_page_nearby_has_is_text():
    page = DrawnPage(5).line("End the program by closing the window.", 72, 30)
    page.line("Chapter 3: Logger", 72, 120, size=16, bold=True)
    page.region("page-header", (70, 28, 300, 44))
    told = replace(style(), nearby=frozenset({"chapter#:logger"}))
    blocks, _ = structure_page(page.raw(), told)
    assert [block.kind for block in blocks] == ["text", "heading"]


def test_a_watermark_is_no_word_of_the_lines_it_crosses():
    page = DrawnPage(5).paragraph(["The sum is taken of all", "letters of the frame."], 72, 300)
    page.aslant("SAMPLE", (100, 200, 400, 500), size=60).region("text", (70, 290, 300, 330))
    blocks, _ = structure_page(page.raw(), style())
    assert blocks[0].text == "The sum is taken of all letters of the frame."


def blocks_of(page, kind, *patterns):
    """Return the blocks of a page whose margins have lines like these on every page."""
    known = replace(style(), repeated=frozenset(patterns))
    return [block.text for block in structure_page(page.raw(), known)[0] if block.kind == kind]


def test_a_line_in_the_midst_of_text_is_text_although_others_like_it_are_in_the_margins():
    page = DrawnPage(5).line("Command code: 25", 72, 60).line("Red channel: 217", 72, 72)
    page.line("Compatible with MP3", 72, 84).line("The pump runs.", 72, 300)
    texts = blocks_of(page, "text", pattern("Red channel: 217"))
    assert "Red channel: 217" in " ".join(texts)


def test_the_number_on_the_left_of_a_title_on_top_is_the_titles():
    page = DrawnPage(5).line("5.", 72, 40, size=14, bold=True)
    page.line("Installation", 100, 40, size=14, bold=True).line("Take the pump.", 72, 80)
    assert blocks_of(page, "header", "#.") == []
    page = DrawnPage(5).line("5.", 72, 40).line("Installation", 300, 40, size=14, bold=True)
    assert blocks_of(page.line("Take the pump.", 72, 80), "header", "#.") == ["5."]


def test_two_numbers_in_the_first_row_of_a_table_are_no_page_numbers():
    page = DrawnPage(5).line("134", 90, 60).line("100", 148, 60)
    page.line("c", 58, 77).line("A001", 90, 77).line("Run by terminals", 210, 77)
    assert blocks_of(page, "header", "#") == []
    apart = DrawnPage(5).line("27", 30, 20).line("28", 540, 20).line("The pump runs.", 72, 80)
    assert blocks_of(apart, "header", "#") == ["27 28"]
