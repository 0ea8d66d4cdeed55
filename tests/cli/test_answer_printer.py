"""What a terminal shows of an answer that is revised while it streams."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO

import pytest

from desktop.cli.answer_output import AnswerPrinter
from desktop.core.agent.answering.refusals import UNSURE_OF_ALL
from desktop.core.events import (
    LIKELY,
    CitationEvent,
    CompleteEvent,
    ConfidenceEvent,
    ErrorEvent,
    Event,
    NearestPageEvent,
    NoteCitationEvent,
    NoteSource,
    PageRegion,
    QuotedForm,
    RevisionEvent,
    TokenEvent,
    WarningBlockEvent,
)

SAID = "The fuse is 5 A and blows after 35 ms."


def printed(*events: Event) -> tuple[str, str]:
    output, notes = StringIO(), StringIO()
    printer = AnswerPrinter(output, notes)
    for event in (*events, CompleteEvent("answered", 1.0, 1)):
        printer.show(event)
    return output.getvalue(), notes.getvalue()


def test_what_the_manuals_do_not_say_is_named_behind_its_sentence():
    output, _ = printed(
        TokenEvent(SAID), RevisionEvent(0, 0, SAID, SAID, ("35 ms",)), TokenEvent(" [1]")
    )
    assert output == f"{SAID} (not in the manuals: 35 ms) [1]\n"


def test_the_question_before_that_an_answer_was_read_with_is_named():
    sure = ConfidenceEvent(0.9, "found by words", read_with="What is\nerror 10?")
    output, _ = printed(TokenEvent("It is 5 A."), sure)
    assert output == "It is 5 A.\n\nRead with your previous question: What is error 10?\n"


def test_what_the_critic_adds_follows_with_the_sentence_it_belongs_to():
    step = "3 Close the valve."
    added = RevisionEvent(
        0, 0, step, f"{step} [1]\n4 Start the pump. [2]", (), "Step 4 is missing."
    )
    output, _ = printed(TokenEvent(step), TokenEvent(" [1]"), added)
    assert output == "3 Close the valve. [1]\nAfter “3 Close the valve.”:\n4 Start the pump. [2]\n"


def test_a_withdrawn_sentence_is_called_so_behind_it():
    output, _ = printed(
        TokenEvent("It is red."), RevisionEvent(0, 0, "It is red.", ""), TokenEvent(" It is 5 A.")
    )
    assert output == "It is red. (withdrawn: the manuals do not say this) It is 5 A.\n"


def test_a_sentence_that_is_withdrawn_later_is_quoted():
    output, _ = printed(
        TokenEvent("It is red. It is"), RevisionEvent(0, 0, "It is red.", ""), TokenEvent("\nNo.")
    )
    assert '("It is red.": withdrawn' in output


def test_nothing_is_called_stated_where_all_that_was_quoted_is_withdrawn():
    output, source = StringIO(), PageRegion(1, "pump.pdf", 6, "7", ())
    printer = AnswerPrinter(output, StringIO())
    for event in (
        TokenEvent("It is red. [1]"),
        CitationEvent(1, source, "It is red."),
        RevisionEvent(0, 0, "It is red. [1]", ""),
        ConfidenceEvent(1.0, "none of the answer is on the pages"),
        CompleteEvent("not_found", 1.0, 1),
    ):
        printer.show(event)
    assert "Stated" not in output.getvalue()


def test_a_warning_is_headed_in_the_language_of_the_answer():
    output = StringIO()
    source = PageRegion(1, "saw.pdf", 6, "7", ())
    printer = AnswerPrinter(output, StringIO(), "de")
    printer.show(WarningBlockEvent("CAUTION", "Netzstecker ziehen.", source))
    printer.show(CompleteEvent("answered", 1.0, 1))
    assert output.getvalue().strip().startswith("VORSICHT: Netzstecker ziehen.")


def quoted(chance: float) -> list[Event]:
    source = PageRegion(1, "saw.pdf", 6, "7", ())
    form = QuotedForm("text", SAID, ("5 Fuses",))
    return [
        CitationEvent(1, source, SAID, form=form),
        TokenEvent(f"{SAID} [1]\n"),
        ConfidenceEvent(chance, "found by words"),
    ]


@pytest.mark.parametrize(
    ("chance", "first", "last"),
    [
        (0.3, "Check the page: this may not be the answer.", "[1] saw.pdf, page 7: 5 Fuses"),
        (0.6, SAID, "Likely: confirm on the page."),
    ],
)
def test_a_doubt_stands_above_what_is_quoted_and_what_is_likely_below(chance, first, last):
    output, _ = printed(*quoted(chance))
    assert output.startswith(first)
    assert last in output
    assert output.count("Check the page") == (chance < LIKELY)


def test_what_a_model_writes_is_shown_as_it_comes(monkeypatch):
    monkeypatch.setattr("desktop.cli.answer_output._LONGEST_WAIT", 0.0)
    output = StringIO()
    printer = AnswerPrinter(output, StringIO())
    printer.show(TokenEvent("The fuse "))
    assert output.getvalue() == "The fuse "
    for event in (*quoted(0.3), CompleteEvent("answered", 1.0, 1)):
        printer.show(event)
    assert output.getvalue().count("Check the page") == 1


def test_what_the_agent_does_instead_is_said_and_a_step_that_failed_is_not():
    _, notes = printed(
        ErrorEvent("A model is damaged.", True, "The manuals are quoted instead."),
        ErrorEvent("No page matches.", True, "Try different words.", "fast_vector_search"),
    )
    assert notes == "A model is damaged. The manuals are quoted instead.\n"


def test_a_note_is_listed_as_a_note_with_its_tier_and_never_as_a_manual():
    note = NoteSource("p", "Ours", "fitter", "2020-03-12", "asset P-200", tier=5)
    output, _ = printed(TokenEvent("12 Nm [1]"), NoteCitationEvent(1, note, "Ours takes\n12 Nm."))
    place = "unverified note, 12 March 2020, by fitter (asset P-200)"
    assert output.endswith(f'\n[1] {place}: "Ours takes 12 Nm."\n')


def test_a_quoted_row_is_shown_with_a_line_for_each_heading_and_the_cell_that_answers_first():
    form = QuotedForm(
        "row",
        "Terminal: X2:1; Screw: PZ 2; Torque: 1.2 Nm",
        ("4.3 Torques",),
        ("Terminal", "Screw", "Torque"),
        ("X2:1", "PZ 2", "1.2 Nm"),
        2,
    )
    cited = CitationEvent(1, PageRegion(1, "hx.pdf", 8, "4-1", ()), "X2:1 | PZ 2", form=form)
    words = f"{form.told} [1] Tighten twice.\n- {form.told} [1]\n- Then stop."
    output, _ = printed(cited, *(TokenEvent(word) for word in re.split(r"(?<= )", words)))
    row = "1.2 Nm [1]\n    Terminal  X2:1\n    Screw     PZ 2\n    Torque    1.2 Nm"
    assert output.startswith(f"{row} Tighten twice.\n{row}\n- Then stop.\n")


def printed_rows(forms):
    """Return what is printed of rows told one after the other."""
    page = PageRegion(1, "washer.pdf", 8, "4-1", ())
    cited = [CitationEvent(n, page, form.told, form=form) for n, form in enumerate(forms, 1)]
    words = "\n".join(f"{form.told} [{n}]" for n, form in enumerate(forms, 1))
    output, _ = printed(*cited, TokenEvent(words))
    return output


def test_of_rows_that_one_name_is_for_the_name_is_told_once():
    headings = ("Problem", "Cause", "Remedy")
    causes = [("Leaks", "Not level", "Adjust feet"), ("Leaks", "Seal worn", "Replace it")]
    forms = [QuotedForm("row", "; ".join(cells), ("Faults",), headings, cells) for cells in causes]
    output = printed_rows(forms)
    first = "Faults [1]\n    Problem  Leaks\n    Cause    Not level\n    Remedy   Adjust feet\n"
    assert output.startswith(f"{first}Seal worn [2]\n    Remedy  Replace it\n")


def test_of_rows_of_one_table_the_caption_is_told_once():
    pins = [("VCC", "3V3"), ("SCL", "D1")]
    forms = [
        QuotedForm("row", " ".join(cells), ("Display",), ("Display pin", "Board pin"), cells)
        for cells in pins
    ]
    output = printed_rows(forms)
    first = "Display [1]\n    Display pin  VCC\n    Board pin    3V3\n"
    assert output.startswith(f"{first}SCL [2]\n    Board pin  D1\n")


def test_each_place_is_listed_with_the_heading_above_it():
    page = PageRegion(1, "saw.pdf", 20, "21", ())
    forms = [
        QuotedForm("item", "Mitre right.", section=("Crown mouldings", name))
        for name in ("Inside corner", "Outside corner", "Outside corner")
    ]
    cited = [CitationEvent(n, page, "Mitre right.", form=form) for n, form in enumerate(forms, 1)]
    output, _ = printed(*cited, TokenEvent("Mitre right. [1]"))
    assert "[1] saw.pdf, page 21: Inside corner\n" in output
    assert "[2][3] saw.pdf, page 21: Outside corner\n" in output


def test_how_sure_an_answer_is_stands_in_the_language_of_the_answer():
    output = StringIO()
    printer = AnswerPrinter(output, StringIO(), "de")
    cited = CitationEvent(1, PageRegion(1, "hx.pdf", 8, "4-1", ()), "Ventil schließen.")
    told = TokenEvent("Ventil schließen. [1]")
    for event in (cited, told, ConfidenceEvent(0.9, ""), CompleteEvent("answered", 1.0, 1)):
        printer.show(event)
    assert "\nSteht im Handbuch.\n" in output.getvalue()


def test_a_refusal_is_told_in_the_language_of_the_question():
    output = StringIO()
    printer = AnswerPrinter(output, StringIO(), "de")
    near = NearestPageEvent(PageRegion(1, "hx.pdf", 8, "4-1", ()), "Ventil schließen.")
    for event in (TokenEvent(UNSURE_OF_ALL), near, CompleteEvent("not_found", 1.0, 1)):
        printer.show(event)
    told = output.getvalue()
    assert told.startswith("Nicht sicher, ob Ihre Handbücher das beantworten.\n")
    assert "\nDie nächstliegenden Stellen:\n  hx.pdf" in told


def test_a_row_below_no_heading_is_led_by_its_name_and_told_once():
    headings, cells = ("Failure", "Cause", "Remedy"), ("Flow alarm", "Level is low", "Add water")
    form = QuotedForm("row", "Failure: Flow alarm; Cause: Level is low; Remedy: Add water")
    form = replace(form, headings=headings, cells=cells)
    cited = CitationEvent(1, PageRegion(1, "hx.pdf", 8, "4-1", ()), "Flow alarm", form=form)
    output, _ = printed(cited, TokenEvent(f"{form.told} [1]"))
    assert output.startswith("Flow alarm [1]\n    Cause   Level is low\n    Remedy  Add water\n")


def test_the_name_of_a_row_that_answers_is_told_once():
    headings, cells = ("Part", "Order no."), ("Fuse T 4 A", "153 103")
    form = QuotedForm("row", "Part: Fuse T 4 A; Order no.: 153 103", (), headings, cells, 0)
    cited = CitationEvent(1, PageRegion(1, "kl.pdf", 8, "9", ()), "Fuse T 4 A", form=form)
    output, _ = printed(cited, TokenEvent(f"{form.told} [1]"))
    assert output.startswith("Fuse T 4 A [1]\n    Order no.  153 103\n")


def test_a_long_cell_that_answers_is_told_once():
    says = "It is lit in yellow while some of its ports are connected and others are not."
    for headings, below in ((("Lamp", "Meaning"), "    Lamp  Status"), ((), "    Status")):
        form = QuotedForm("row", f"Status; {says}", (), headings, ("Status", says), 1)
        cited = CitationEvent(1, PageRegion(1, "rl.pdf", 5, "6", ()), says, form=form)
        output, _ = printed(cited, TokenEvent(f"{form.told} [1]"))
        assert output.startswith(f"{says} [1]\n{below}\n")
