"""Quotes found again in the text of an answer, and rows without a table."""

from desktop.core.answering.quoted_lines import QuotedLines, with_rows
from desktop.core.events import CitationEvent, PageRegion, QuotedForm


def test_a_quoted_row_stands_below_what_leads_it():
    form = QuotedForm(
        "row", "Screw: PZ 2; Torque: 1.2 Nm", (), ("Screw", "Torque"), ("PZ 2", "1.2 Nm"), 1
    )
    cited = CitationEvent(2, PageRegion(1, "hx.pdf", 8, "4-1", ()), "PZ 2 | 1.2 Nm", form=form)
    text = "Tighten it. [1]\n- Screw: PZ 2; Torque: 1.2 Nm [2]\nScrew: PZ 2; Torque: 3 Nm [3]"
    told = "Tighten it. [1]\n{}\nScrew: PZ 2; Torque: 3 Nm [3]"
    once = told.format("Torque: 1.2 Nm [2]\nScrew: PZ 2")
    assert with_rows(text, [cited]) == once, "the cell that leads is not told again"
    table = told.format("1.2 Nm [2]\n| Screw | Torque |\n| PZ 2 | 1.2 Nm |")
    assert with_rows(text, [cited], tables=True) == table


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
