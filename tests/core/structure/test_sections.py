"""Every block knows which headings it stands under."""

import pytest

from desktop.core.structure.page import Heading, same_title, understand_page
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


def carried_on(first, text, *outline):
    """Return the section of the next page's text."""
    open_section = understand_page(first.raw(), style(*outline)).open_section
    page = DrawnPage(first.raw().page + 1).line(text, 72, 300)
    found = understand_page(page.raw(), style(*outline), open_section)
    return next(block.section for block in found.blocks if block.text == text)


def test_a_heading_that_the_outline_lacks_goes_on_over_the_page():
    first = DrawnPage(5).line("4.2 Wiring", 72, 250, size=14, bold=True)
    first.line("Bus cable", 72, 300, size=12, bold=True).line("Strip it.", 72, 330)
    assert carried_on(first, "Connect J1C.", *OUTLINE) == (
        "4 Installation",
        "4.2 Wiring",
        "Bus cable",
    )


def test_the_heading_of_a_table_of_contents_ends_with_it():
    first = DrawnPage(2).line("Contents", 72, 120, size=18, bold=True)
    entries = (
        f"{name} {'.' * 40} {page}" for page, name in enumerate(("Use", "Care", "Data", "Off"))
    )
    first.paragraph(list(entries), 72, 160)
    assert carried_on(first, "Connect J1C.") == ()


def test_contents_without_leaders_end_with_their_page_too():
    first = DrawnPage(2).line("Contents", 72, 120, size=18, bold=True)
    for number, name in enumerate(("Use", "Care", "Data", "Parts", "Index")):
        first.row((name, str(3 * number + 1)), (72, 300), 160 + 20 * number)
    first.region("table", (70, 158, 330, 260))
    assert carried_on(first, "Connect J1C.") == ()


def test_the_large_words_of_a_cover_are_over_no_other_page():
    first = DrawnPage().line("Call us before you return it", 72, 120, size=24, bold=True)
    assert carried_on(first.line("2026 edition", 72, 700), "Connect J1C.") == ()


def test_a_heading_above_a_page_of_text_goes_on_however_large():
    first = DrawnPage().line("Wiring", 72, 120, size=24, bold=True)
    for line in range(20):
        first.line("Connect each of the wires to the terminal of its colour.", 72, 170 + 20 * line)
    assert carried_on(first, "Connect J1C.") == ("Wiring",)


@pytest.mark.parametrize(
    ("mark", "section"), [("U F", ("Wiring",)), ("Fault F1145", ("Wiring", "Fault F1145"))]
)
def test_single_letters_are_no_section(mark, section):
    page = DrawnPage(3).line("Wiring", 72, 120, size=18, bold=True)
    page.line(mark, 72, 160, size=14, bold=True).line("Connect J1C.", 72, 200)
    for top, bottom in ((118, 142), (158, 178)):
        page.region("section-header", (70, top, 200, bottom))
    assert section_of(page, "Connect J1C.") == section


def test_a_heading_that_is_but_the_title_does_not_go_on_over_the_page():
    first = DrawnPage(6).line("HX-200 Booster station", 72, 100, size=20, bold=True)
    first.line("Wiring", 72, 200, size=14, bold=True).line("Use copper wires.", 72, 240)
    told = style(title="HX-200 Booster station, Installation")
    found = understand_page(first.raw(), told)
    assert [heading.title for heading in found.open_section] == ["Wiring"]


def test_headings_that_the_outline_lacks_are_below_each_other_by_their_size():
    page = DrawnPage(6).line("Pump control", 72, 150, size=17, bold=True)
    page.line("Causes", 72, 190, size=12, bold=True).line("The valve is shut.", 72, 230)
    entry = ("4 Installation", "4.2 Wiring")
    assert section_of(page, "The valve is shut.", *OUTLINE) == (*entry, "Pump control", "Causes")


@pytest.mark.parametrize("tab", ["EN", "Danger!"])
def test_a_tab_or_an_outcry_is_over_no_other_heading(tab):
    page = DrawnPage(6).line(tab, 72, 150, size=17, bold=True)
    page.line("More keys", 72, 190, size=11, bold=True).line("Key 1 opens the door.", 72, 230)
    told = section_of(page, "Key 1 opens the door.", *OUTLINE)
    assert told == ("4 Installation", "4.2 Wiring", "More keys")


def test_a_heading_that_the_outline_lacks_is_over_none_of_the_next_page():
    page = DrawnPage(6).line("More keys", 72, 190, size=11, bold=True)
    page.line("Key 1 opens the door.", 72, 230)
    before = (Heading("4 Installation"), Heading("4.2 Wiring"), Heading("Call", 17))
    found = understand_page(page.raw(), style(*OUTLINE), before)
    assert found.blocks[1].section == ("4 Installation", "4.2 Wiring", "More keys")
