"""Every block knows which headings it stands under."""

import pytest

from desktop.core.structure.page import same_title, understand_page
from desktop.core.structure.values import OutlineEntry
from tests.fakes.drawn_page import DrawnPage, structure_page, style

OUTLINE = (
    OutlineEntry(1, "4 Installation", 3),
    OutlineEntry(2, "4.1 Mounting", 3),
    OutlineEntry(2, "4.2 Wiring", 5),
    OutlineEntry(1, "5 Service", 7),
)


def section_of(page, text, *outline, continued=()):
    blocks, _ = structure_page(page.raw(), style(*outline), continued)
    return next(block.section for block in blocks if block.text == text)


def test_a_page_between_two_entries_of_the_outline_belongs_to_the_first():
    page = DrawnPage(6).line("Connect J1C.", 72, 300)
    assert section_of(page, "Connect J1C.", *OUTLINE) == ("4 Installation", "4.2 Wiring")


def test_an_outline_heading_divides_its_page():
    page = DrawnPage(5).line("Tighten the screws.", 72, 150)
    page.line("4.2 Wiring", 72, 250, size=14, bold=True).line("Connect J1C.", 72, 300)
    assert section_of(page, "Tighten the screws.", *OUTLINE) == ("4 Installation", "4.1 Mounting")
    assert section_of(page, "Connect J1C.", *OUTLINE) == ("4 Installation", "4.2 Wiring")


def test_a_heading_that_the_outline_lacks_is_put_under_the_open_entry():
    page = DrawnPage(6).line("Bus cable", 72, 250, size=14, bold=True)
    page.line("Connect J1C.", 72, 300)
    assert section_of(page, "Connect J1C.", *OUTLINE) == (
        "4 Installation",
        "4.2 Wiring",
        "Bus cable",
    )


def test_without_outline_a_smaller_heading_goes_below_a_larger_one():
    page = DrawnPage().line("Installation", 72, 120, size=18, bold=True)
    page.line("Mounting", 72, 170, size=14, bold=True).line("Tighten the screws.", 72, 210)
    page.line("Wiring", 72, 260, size=14, bold=True).line("Connect J1C.", 72, 300)
    assert section_of(page, "Tighten the screws.") == ("Installation", "Mounting")
    assert section_of(page, "Connect J1C.") == ("Installation", "Wiring")


def test_without_outline_a_page_goes_on_with_the_section_of_the_page_before():
    page = DrawnPage(6).line("Connect J1C.", 72, 300)
    assert section_of(page, "Connect J1C.", continued=("Wiring",)) == ("Wiring",)


def test_a_smaller_heading_at_the_top_of_a_page_goes_below_those_of_the_page_before():
    first = DrawnPage(5).line("Wiring", 72, 120, size=18, bold=True)
    first.line("3.9.2 Adjustment by bus", 72, 170, size=14, bold=True)
    first.line("Zero point", 72, 220, size=14, bold=True)  # not larger: of the section
    second = DrawnPage(6).line("End point", 72, 120, size=14, bold=True)
    second.line("Send SC_0002.", 72, 160).line("Bus cable", 72, 220, size=16, bold=True)
    before = understand_page(first.raw(), style()).open_section
    assert [each.title for each in before] == ["3.9.2 Adjustment by bus", "Zero point"]
    found = understand_page(second.raw(), style(), before)
    assert [block.section for block in found.blocks] == [
        ("3.9.2 Adjustment by bus", "End point"),
        ("3.9.2 Adjustment by bus", "End point"),
        ("Bus cable",),
    ]


def test_headings_have_levels_and_other_blocks_none():
    page = DrawnPage().line("Installation", 72, 120, size=18, bold=True)
    page.line("Wiring", 72, 170, size=14, bold=True).line("Connect J1C.", 72, 210)
    blocks, _ = structure_page(page.raw(), style())
    assert [(b.kind, b.level) for b in blocks] == [("heading", 1), ("heading", 2), ("text", 0)]


def test_a_bold_sentence_is_no_heading():
    page = DrawnPage().line("Always switch the mains off first.", 72, 200, bold=True)
    blocks, _ = structure_page(page.raw(), style())
    assert [block.kind for block in blocks] == ["text"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("4.2 Wiring", "Wiring", True),
        ("Wiring", "4.2  WIRING", True),
        ("Chapter 4 Wiring", "Wiring", True),
        ("4.2 Wiring", "4.3 Mounting", False),
        ("", "", False),
    ],
)
def test_numbering_and_case_do_not_part_a_heading_from_its_entry(one, other, same):
    assert same_title(one, other) is same


def test_signs_that_no_font_shows_are_in_no_heading_and_no_block():
    page = DrawnPage().line("\uf0db Wiring", 72, 170, size=14, bold=True)
    page.line("\uf069 Connect J1C.", 72, 210)
    assert section_of(page, "Connect J1C.") == ("Wiring",)


def test_a_paragraph_that_was_seen_as_a_heading_names_no_section():
    said = "the circulator stops and starts again when the bath is cold enough " * 2
    page = DrawnPage().line("Wiring", 72, 120, size=14, bold=True).line(said.strip(), 72, 170)
    page.region("section-header", (70, 165, 590, 190)).line("Connect J1C.", 72, 210)
    assert section_of(page, "Connect J1C.") == ("Wiring",)
