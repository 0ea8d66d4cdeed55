"""Answers that quote: over two small manuals, with a text embedder and with words alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes.bookcase import Bookcase, Sheet, bookcase_at
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.manuals import WARNING, fill

if TYPE_CHECKING:
    from collections.abc import Iterator

ROW = "Noise in pipe | Air in pump | Bleed at valve V3"


@pytest.fixture(scope="module", params=["words alone", "with vectors"])
def manuals(request, tmp_path_factory) -> Iterator[Bookcase]:
    embedder = FakeEmbedder() if request.param == "with vectors" else None
    with bookcase_at(tmp_path_factory.mktemp("manuals"), embedder) as bookcase:
        fill(bookcase)
        yield bookcase


@pytest.fixture
def bookcase(tmp_path) -> Iterator[Bookcase]:
    with bookcase_at(tmp_path) as opened:
        yield opened


QUESTIONS = [
    "What supply voltage does the pump need?",
    "How much current does the pump draw at most?",
    "How long does the backup battery keep the clock running?",
    "What is the remedy for noise in the pipe?",
    "Which terminal is the RS-485 bus connected to?",
    "What is the order number of the cable?",
    "How often is the brake of the hoist tested?",
    "How do I reset the crane?",
    "terminal",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_quote_stands_on_the_page_it_names_and_its_boxes_hold_exactly_its_words(
    manuals, question
):
    answer = manuals.ask(question)
    assert answer.statements
    for statement in answer.statements:
        source = statement.source
        on_page = " ".join(manuals.library.page_words(source.document_id, source.page).texts)
        quoted = statement.quote.replace(" | ", " ")
        assert quoted in on_page
        seen = manuals.words_in(source.document_id, source.page, source.regions)
        headings = ("", f"{question} ", "Terminals ", "Symptom Cause Remedy ")
        assert seen in [f"{heading}{quoted}" for heading in headings]


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("What supply voltage does the pump need?", "The pump needs a supply voltage of 24 V DC."),
        (
            "How long does the backup battery keep the clock running?",
            "The backup battery keeps the clock running for 30 days.",
        ),
        (
            "Which terminal is the RS-485 bus connected to?",
            "The RS-485 bus is connected to terminal J1C.",
        ),
        ("How often is the brake of the hoist tested?", "Its brake is tested every 6 months."),
    ],
)
def test_the_sentence_that_answers_is_quoted(manuals, question, quote):
    assert manuals.ask(question).statements[0].quote == quote


def test_a_row_is_told_with_its_column_headings_and_quoted_as_it_stands(manuals):
    statement = manuals.ask("What is the remedy for noise in the pipe?").statements[0]
    assert statement.quote == ROW
    assert statement.text == (
        "Symptom: Noise in pipe; Cause: Air in pump; Remedy: Bleed at valve V3"
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How do I reset the crane?", "Press the red button for 5 seconds."),
        ("How do I lower the hook by hand?", "Turn the brass wheel to the left."),
    ],
)
def test_the_answer_of_a_printed_question_is_quoted_and_not_the_question(manuals, question, answer):
    assert [s.quote for s in manuals.ask(question).statements] == [answer]


def test_the_printed_question_is_marked_above_its_answer(manuals):
    (statement,) = manuals.ask("How do I reset the crane?").statements
    source = statement.source
    seen = manuals.words_in(source.document_id, source.page, source.regions)
    assert seen == "How do I reset the crane? Press the red button for 5 seconds."


def test_all_that_is_printed_below_a_question_is_its_answer(bookcase):
    sheet = (
        Sheet()
        .text("Q: Why does the lamp of the oven blink after a power cut?")
        .text("A: The clock is not set. Hold CLOCK until it beeps.")
        .text("Q: Why does the oven smell?")
        .text("A: The first hours burn off oil.")
    )
    bookcase.add("oven.pdf", [sheet])
    quotes = [s.quote for s in bookcase.ask("Why does the lamp of the oven blink?").statements]
    assert quotes == ["A: The clock is not set.", "Hold CLOCK until it beeps."]


def test_steps_are_told_with_the_sentence_that_announces_them(bookcase):
    sheet = Sheet().heading("Filter").text("To change the filter of the pump, proceed like this:")
    sheet.text("1. Close valve V1.").text("2. Take the filter out.").text("3. Open valve V1.")
    bookcase.add("pump.pdf", [sheet])
    quotes = [s.quote for s in bookcase.ask("How do I change the filter?").statements]
    assert quotes[0] == "To change the filter of the pump, proceed like this:"
    assert [quote[:2] for quote in quotes[1:]] == ["1.", "2.", "3."]


def test_what_a_step_says_in_further_sentences_is_told_with_it(bookcase):
    sheet = Sheet().heading("Waking the board")
    sheet.text(
        "1. Look at the lamp of the board, which sits beside the small socket for the power",
        "supply and shines in green as long as the board is awake and in red while it sleeps,",
        "and wait for about one minute. Then hold the button PWR for four seconds.",
    )
    sheet.text("2. Plug the cable in.")
    bookcase.add("board.pdf", [sheet])
    said = " ".join(s.quote for s in bookcase.ask("How do I wake the board?").statements)
    assert said.startswith("1. Look at the lamp")
    assert said.endswith("Then hold the button PWR for four seconds. 2. Plug the cable in.")


def test_a_list_is_told_to_its_end(bookcase):
    parts = [f"• part number {number}" for number in range(1, 9)]
    sheet = Sheet().text("The delivery contains the following parts:").text(*parts)
    bookcase.add("pump.pdf", [sheet.heading("Storage").text("Keep it dry.")])
    quotes = [s.quote for s in bookcase.ask("Which parts does the delivery contain?").statements]
    assert quotes[-1].endswith("part number 8")


def test_a_question_in_two_parts_is_answered_by_two_quotes(manuals):
    question = "What is the supply voltage and how long does the backup battery last?"
    assert {s.quote for s in manuals.ask(question).statements} == {
        "The pump needs a supply voltage of 24 V DC.",
        "The backup battery keeps the clock running for 30 days.",
    }


def test_a_question_about_two_manuals_quotes_both(manuals):
    answer = manuals.ask("Compare the terminal of the pump with the terminal of the crane.")
    assert {s.source.document for s in answer.statements} == {"pump.pdf", "crane.pdf"}


def test_an_answer_from_a_section_with_a_warning_brings_it(manuals):
    (block,) = manuals.ask("What supply voltage does the pump need?").safety
    assert (block.level, block.text) == ("WARNING", WARNING.removeprefix("WARNING: "))
    source = block.source
    assert manuals.words_in(source.document_id, source.page, source.regions) == WARNING
    assert manuals.ask("How do I reset the crane?").safety == ()


def test_only_the_manual_that_was_chosen_is_quoted(manuals):
    crane = manuals.id_of("crane.pdf")
    answer = manuals.ask("Which terminal is the RS-485 bus of the pump connected to?", crane)
    assert {s.source.document for s in answer.statements} <= {"crane.pdf"}


def test_without_any_page_it_is_not_in_the_manuals(manuals):
    answer = manuals.ask("zebra stripes", 4711)
    assert not answer.found
    assert answer.statements == answer.nearest == ()
    assert answer.confidence == 1.0


@pytest.mark.parametrize("question", ["How do I paint zebra stripes on a fridge?", "Who is Bach?"])
def test_what_no_page_tells_is_not_in_the_manuals(bookcase, question):
    fill(bookcase)
    answer = bookcase.ask(question, least_confidence=0.5)
    assert not answer.found
    assert answer.statements == ()


def test_an_answer_is_surer_than_a_page_that_shares_a_word(manuals):
    sure = manuals.ask("Which terminal is the RS-485 bus connected to?").confidence
    unsure = manuals.ask("Which colour is the display of the fridge?").confidence
    assert 0 <= unsure < sure <= 1


def test_a_refusal_shows_the_nearest_pages_and_says_how_sure_it_is(manuals):
    question = "Which colour is the display of the fridge?"
    answer = manuals.ask(question, least_confidence=1.0)
    assert not answer.found
    assert answer.nearest == tuple(manuals.search(question)[:3])
    assert answer.confidence == pytest.approx(1 - manuals.ask(question).confidence)
    assert answer.reason


def test_a_manual_deleted_since_the_search_is_not_quoted(bookcase):
    pump = bookcase.add("pump.pdf", [Sheet().text("Fuse F2 is a slow one of 5 A.")])
    found = bookcase.search("Which fuse is F2?")
    bookcase.library.delete(pump)
    answer = bookcase.answer("Which fuse is F2?", found)
    assert not answer.found
    assert answer.statements == ()


STEPS = (
    Sheet()
    .heading("Changing the filter")
    .text(
        "1. Close valve V1.",
        "2. Loosen the four screws.",
        "3. Take the filter out.",
        "4. Put the new filter in.",
        "5. Tighten the screws.",
        "6. Open valve V1.",
    )
)


def test_a_procedure_is_told_step_by_step(bookcase):
    bookcase.add("pump.pdf", [STEPS])
    quotes = [s.quote for s in bookcase.ask("How do I change the filter?").statements]
    assert [quote[:2] for quote in quotes] == ["1.", "2.", "3.", "4.", "5.", "6."]
    assert quotes[0].endswith("Close valve V1.")


def test_a_heading_is_no_answer_but_is_marked_above_it(bookcase):
    bookcase.add("pump.pdf", [Sheet().heading("Spare filter").text("It is made of brass.")])
    (statement,) = bookcase.ask("spare filter").statements
    assert statement.quote == "It is made of brass."
    source = statement.source
    seen = bookcase.words_in(source.document_id, source.page, source.regions)
    assert seen == "Spare filter It is made of brass."


def test_an_opening_brings_the_list_it_opens(bookcase):
    sheet = Sheet().text("The delivery contains the following parts:")
    sheet.text("• one pump").text("• two hoses").heading("Storage").text("Keep it dry.")
    bookcase.add("pump.pdf", [sheet])
    quotes = [s.quote for s in bookcase.ask("Which parts does the delivery contain?").statements]
    assert quotes[0] == "The delivery contains the following parts:"
    assert [quote.split(" ", 1)[1] for quote in quotes[1:]] == ["one pump", "two hoses"]


def test_a_page_without_anything_to_quote_is_shown_as_the_nearest(bookcase):
    bookcase.add("pump.pdf", [Sheet().text("Fuse F2 is a slow one of 5 A.")])
    found = bookcase.search("Which fuse is F2?")
    bookcase.database.write(lambda c: c.execute("DELETE FROM page_words"))
    answer = bookcase.answer("Which fuse is F2?", found)
    assert not answer.found
    assert answer.nearest == tuple(found)


def test_two_numbered_rows_that_are_asked_for_are_both_told(bookcase):
    sheet = Sheet().heading("Header P9 of the board")
    sheet.rows(
        ["Pin", "Signal", "Level"],
        ["17", "SPI_CS", "3.3 V"],
        ["18", "SPI_D1", "3.3 V"],
        ["19", "I2C_SCL", "3.3 V"],
        ["20", "I2C_SDA", "3.3 V"],
        ["21", "UART_TX", "1.8 V"],
    )
    bookcase.add("board.pdf", [sheet])
    quotes = [s.quote for s in bookcase.ask("What is on header P9, pins 18 and 20?").statements]
    assert any("SPI_D1" in quote for quote in quotes)
    assert any("I2C_SDA" in quote for quote in quotes)
    assert not any("UART_TX" in quote for quote in quotes)


def test_where_something_is_told_is_answered_with_the_heading_above_it(bookcase):
    sheet = Sheet().heading("4.2 Tyre view").text("The tyre pressure is displayed in bar.")
    sheet.heading("4.3 Trip view").text("The way and the time are displayed.")
    bookcase.add("car.pdf", [sheet])
    (told, *_) = bookcase.ask("Where is the tyre pressure displayed?").statements
    assert told.text == "4.2 Tyre view: The tyre pressure is displayed in bar."
    assert told.quote == "The tyre pressure is displayed in bar."
    seen = bookcase.words_in(told.source.document_id, told.source.page, told.source.regions)
    assert "4.2 Tyre view" in seen
    (told, *_) = bookcase.ask("In which unit is the tyre pressure displayed?").statements
    assert told.text == "The tyre pressure is displayed in bar."


def test_the_heading_is_found_that_the_outline_has_without_its_number(bookcase):
    sheet = Sheet().heading("4.2 Tyre view").text("The tyre pressure is displayed in bar.")
    bookcase.add("car.pdf", [sheet])
    bookcase.database.write(
        lambda c: c.execute("UPDATE units SET context = replace(context, '4.2 ', '')")
    )
    (told, *_) = bookcase.ask("Where is the tyre pressure displayed?").statements
    assert told.text == "4.2 Tyre view: The tyre pressure is displayed in bar."


def test_where_something_is_told_needs_no_second_quote(bookcase):
    sheet = Sheet().heading("4.2 Tyre view").text("The tyre pressure is displayed in bar.")
    bookcase.add("car.pdf", [sheet.text("The tyre pressure is displayed in psi.")])
    question = "Where is the tyre pressure displayed?"
    (told,) = bookcase.ask(question).statements
    assert told.text == "4.2 Tyre view: The tyre pressure is displayed in bar."
    assert len(bookcase.ask(question.replace("Where", "How")).statements) == 2


def test_what_is_not_so_is_not_quoted_from_what_is(bookcase):
    table = [("Terminal", "Signal", "Remarks"), ("X3:1", "PTC P1", "Bridged"), ("X3:2", "P2", "-")]
    bookcase.add("pump.pdf", [Sheet().heading("Terminals").rows(*table)])
    assert not bookcase.ask("Which terminals are not bridged?").found
    assert bookcase.ask("Which terminals are bridged?").found


def test_a_line_of_contents_is_no_answer(bookcase):
    contents = Sheet().text("Power of the motor of the Beta pump ........ 12")
    bookcase.add("beta.pdf", [contents.text("The motor of type B7 has 7 kW.")])
    answer = bookcase.ask("What power has the motor of the Beta pump?")
    assert [s.quote for s in answer.statements] == ["The motor of type B7 has 7 kW."]
