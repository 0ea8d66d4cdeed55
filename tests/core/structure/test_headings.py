"""Which lines and blocks of a page are headings."""

from dataclasses import replace

import pytest

from desktop.core.structure.values import OutlineEntry
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


@pytest.mark.parametrize(
    ("title", "is_heading"),
    [
        ("Airspeed Mode", True),
        ("[Normal]", False),
        ("(1) Data sent (by the inverter)", True),
        ("CH6=0, CH7=255", False),
        ("A5 AA 01 16 81 00 0D", False),
        ("Send command: A5 AA 01 16 81 00 0D 00 00 01 06 08", False),
        ("H 22 - Switching capacity DC1 - Type 22.32", True),
        ("10. Diagnostic (0x0E00 - 0x0EFF)", True),
        ("/* returns the checksum", False),
        ("Manual: https://example.org/manual", False),
        (
            "Set the hardness so that the indicator for salt shines when it has to be refilled.",
            False,
        ),
    ],
)
def test_brackets_values_and_codes_are_no_titles_whatever_the_layout_model_says(title, is_heading):
    page = DrawnPage().line(title, 72, 200, bold=True).line("The pump runs.", 72, 240)
    page.region("section-header", (70, 198, 560, 214))
    blocks, _ = structure_page(page.raw(), style())
    assert (blocks[0].kind == "heading") is is_heading


def test_what_the_outline_calls_a_section_is_a_heading_whatever_its_words():
    page = DrawnPage().line("[Normal]", 72, 200, bold=True).line("The pump runs.", 72, 240)
    page.region("section-header", (70, 198, 560, 214))
    outlined = replace(style(), outline=(OutlineEntry(1, "[Normal]", 0),))
    assert structure_page(page.raw(), outlined)[0][0].kind == "heading"


def numbered(*lines):
    """Draw lines below each other, those in the size of headings with "!" before them."""
    page = DrawnPage()
    for n, line in enumerate(lines):
        text = line.lstrip("!")
        page.line(text, 72, 200 + 30 * n)
        if text != line:
            page.region("section-header", (70, 198 + 30 * n, 300, 214 + 30 * n))
    blocks, _ = structure_page(page.raw(), style())
    return [block.text for block in blocks if block.kind == "heading"]


def test_a_section_numbered_after_a_heading_in_the_same_print_is_one_as_well():
    assert numbered("!6.4.3 Reset", "6.4.4 Flame sensor", "6.4.5 Tilt sensor") == [
        "6.4.3 Reset",
        "6.4.4 Flame sensor",
        "6.4.5 Tilt sensor",
    ]
    assert numbered("!1. Limits", "2. Ramps", "!3. Brake") == ["1. Limits", "2. Ramps", "3. Brake"]


def test_an_item_after_a_heading_is_none_if_no_heading_follows():
    assert numbered("!1. Limits", "2. Ramps") == ["1. Limits"]


def test_captions_and_addresses_of_an_outline_are_no_sections():
    outline = (
        OutlineEntry(1, "3 Operation", 0),
        OutlineEntry(2, "Figure 3-2: Data page", 0),
        OutlineEntry(2, "download: https://example.org", 0),
    )
    page = DrawnPage(1).line("The pump runs.", 72, 240)
    blocks, _ = structure_page(page.raw(), replace(style(), outline=outline))
    assert blocks[0].section == ("3 Operation",)
