"""Quotes found again in the text of an answer, and rows without a table."""

from dataclasses import replace

from desktop.core.answering.quoted_lines import QuotedLines, key_lines, with_rows
from desktop.core.events import CitationEvent, PageRegion, QuotedForm


def test_a_quoted_row_is_told_in_the_order_of_its_columns_apart_from_the_rest():
    form = QuotedForm(
        "row", "Screw: PZ 2; Torque: 1.2 Nm", (), ("Screw", "Torque"), ("PZ 2", "1.2 Nm"), 1
    )
    cited = CitationEvent(2, PageRegion(1, "hx.pdf", 8, "4-1", ()), "PZ 2 | 1.2 Nm", form=form)
    text = "Tighten it. [1]\n- Screw: PZ 2; Torque: 1.2 Nm [2]\nScrew: PZ 2; Torque: 3 Nm [3]"
    apart = "Tighten it. [1]\n\nScrew: PZ 2 [2]\nTorque: 1.2 Nm\n\nScrew: PZ 2; Torque: 3 Nm [3]"
    assert with_rows(text, [cited]) == apart


def test_rows_begin_with_their_key_and_steps_in_a_cell_have_a_line_each():
    headings, section = ("Code", "Failure", "Solution"), ("7 Faults",)
    rows = (
        ("E21", "No flow", "1. Open the valve.\n2. Clean the filter."),
        ("E22", "Too hot", "Let it cool."),
    )
    quotes = [
        CitationEvent(
            at,
            PageRegion(1, "hx.pdf", 8, "4-1", ()),
            " | ".join(cells),
            form=QuotedForm("row", f"Row {at}", section, headings, cells, 2),
        )
        for at, cells in enumerate(rows, 1)
    ]
    assert with_rows("Row 1 [1]\nRow 2 [2]\nMind it.", quotes).split("\n") == [
        "7 Faults",
        "Code: E21 [1]",
        "Failure: No flow",
        "Solution:",
        "1. Open the valve.",
        "2. Clean the filter.",
        "",
        "Code: E22 [2]",
        "Failure: Too hot",
        "Solution: Let it cool.",
        "",
        "Mind it.",
    ]
    assert key_lines(quotes) == {"Code: E21 [1]", "Code: E22 [2]"}
    bare = QuotedForm("row", "Row 1", (), (), rows[0])
    assert with_rows("Row 1 [1]", [replace(quotes[0], form=bare)]).split("\n") == [
        "E21 [1]",
        "No flow",
        "1. Open the valve.",
        "2. Clean the filter.",
    ]


def cited(number, told, kind="row", section=()):
    form = QuotedForm(kind, told, section)
    return CitationEvent(number, PageRegion(1, "hx.pdf", 8, "4-1", ()), told, form=form)


def test_the_steps_of_two_procedures_stand_below_their_headings():
    valve, syringe = ("5 Service", "5.4 Valve"), ("5 Service", "5.3 Syringe")
    steps = ("1 Drain it.", valve), ("2 Pull it.", valve), ("1 Initialize.", syringe)
    quotes = [cited(at, told, "step", section) for at, (told, section) in enumerate(steps, 1)]
    text = "\n".join(f"{each.quote} [{each.number}]" for each in quotes)
    assert with_rows(text, quotes).split("\n") == [
        "5 Service › 5.4 Valve",
        "1 Drain it. [1]",
        "2 Pull it. [2]",
        "5 Service › 5.3 Syringe",
        "1 Initialize. [3]",
    ]


def test_a_quote_is_found_at_the_begin_of_a_line_or_behind_its_bullet():
    row, item = cited(1, "Torque: 1.2 Nm"), cited(12, "- Not when wet", "item")
    quoted = QuotedLines([row, item])
    assert quoted.at("Torque: 1.2 Nm [1] twice") == (row, 18)
    assert quoted.at("- Torque: 1.2 Nm [1]") == (row, 20)
    assert quoted.at("- Not when wet [12]") == (item, 19)
    assert quoted.at("The torque: 1.2 Nm [1]") is None
    assert quoted.row_at("- Not when wet [12]") is None


def test_a_line_that_is_still_written_may_become_a_quote_until_it_differs():
    quoted = QuotedLines([cited(1, "Torque: 1.2 Nm")])
    line = "- Torque: 1.2 Nm [1]"
    assert all(quoted.may_be_at(line[:end]) for end in range(len(line) + 1))
    assert not quoted.may_be_at("- Torque: 1.3")
    assert not quoted.may_be_at("Tor que")
    assert not QuotedLines().may_be_at("")


def test_what_is_told_after_a_list_stands_below_the_heading_of_its_own_section():
    winter, start = ("3.1 Winter",), ("2.3 Start",)
    quotes = [
        cited(1, "• Drain it.", "item", winter),
        cited(2, "Open valve A.", "text", start),
        cited(3, "Keep it dry.", "text"),
    ]
    text = "\n".join(f"{each.quote} [{each.number}]" for each in quotes)
    assert with_rows(text, quotes).split("\n") == [
        "3.1 Winter",
        "• Drain it. [1]",
        "2.3 Start",
        "Open valve A. [2]",
        "",
        "Keep it dry. [3]",
    ]


def test_a_line_that_announces_a_list_stands_below_the_heading_of_both_and_heads_nothing():
    panel, web = ("5 Access", "5.1 Panel"), ("5 Access", "5.2 Web")
    quotes = [
        cited(1, "To add a code:", "text", panel),
        cited(2, "1. Enter a code.", "step", (*panel, "To add a code:")),
        cited(3, "1. Select the tile.", "step", web),
    ]
    text = "To add a code: [1]\n1. Enter a code. [2]\n5.2 Web\n1. Select the tile. [3]"
    assert with_rows(text, quotes).split("\n") == [
        "5 Access › 5.1 Panel",
        "To add a code: [1]",
        "1. Enter a code. [2]",
        "5 Access › 5.2 Web",
        "1. Select the tile. [3]",
    ]
