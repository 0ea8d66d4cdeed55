"""Answers that quote: over two small manuals, with a text embedder and with words alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop.core.events import SURELY_STATED, PageRegion, WarningBlockEvent
from desktop.core.question.query import Question
from desktop.core.reader.units import LIST
from tests.fakes.bookcase import Sheet
from tests.fakes.manuals import WARNING, fill

ROW = "Noise in pipe | Air in pump | Bleed at valve V3"


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
def test_the_sentence_that_answers_is_quoted_and_set_apart_from_what_stands_around_it(
    manuals, question, quote
):
    told = [each for each in manuals.ask(question).statements if quote in each.quote]
    (answering,) = told
    assert answering.form.answers in ("", quote)


def test_a_row_is_told_with_its_column_headings_and_quoted_as_it_stands(manuals):
    statement = manuals.ask("What is the remedy for noise in the pipe?").statements[0]
    assert statement.quote == ROW
    assert statement.text == (
        "Symptom: Noise in pipe; Cause: Air in pump; Remedy: Bleed at valve V3"
    )


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
    assert [p.page for p in answer.nearest] == [p.page for p in manuals.search(question)[:3]]
    assert answer.confidence == pytest.approx(1 - manuals.search(question)[0].there)
    assert answer.reason


def test_a_manual_deleted_since_the_search_is_not_quoted(bookcase):
    pump = bookcase.add("pump.pdf", [Sheet().text("Fuse F2 is a slow one of 5 A.")])
    found = bookcase.search("Which fuse is F2?")
    bookcase.library.delete(pump)
    answer = bookcase.answer("Which fuse is F2?", found)
    assert not answer.found
    assert answer.statements == ()


def test_a_list_is_said_item_by_item_each_with_its_own_place(bookcase):
    sheet = Sheet().heading("Changing the filter")
    sheet.text("1. Close valve V1.").text("2. Take the filter out.").text("3. Open valve V1.")
    bookcase.add("pump.pdf", [sheet])
    (page,) = bookcase.search("How do I change the filter?")
    procedure = next(unit for unit in page.units if unit.unit.kind == LIST)
    page = replace(page, units=(procedure,))
    statements = bookcase.answer("How do I change the filter?", [page]).statements
    assert [each.quote[:2] for each in statements] == ["1.", "2.", "3."]
    assert len({each.source.regions for each in statements}) == 3


def test_a_page_without_anything_to_quote_is_shown_as_the_nearest(bookcase):
    bookcase.add("pump.pdf", [Sheet().text("Fuse F2 is a slow one of 5 A.")])
    found = bookcase.search("Which fuse is F2?")
    bookcase.database.write(lambda c: c.execute("DELETE FROM page_words"))
    answer = bookcase.answer("Which fuse is F2?", found)
    assert not answer.found
    assert [page.page for page in answer.nearest] == [page.page for page in found]


def test_a_line_of_contents_is_no_answer(bookcase):
    contents = Sheet().text("Power of the motor of the Beta pump ........ 12")
    bookcase.add("beta.pdf", [contents.text("The motor of type B7 has 7 kW.")])
    answer = bookcase.ask("What power has the motor of the Beta pump?")
    assert "The motor of type B7 has 7 kW." in {s.quote for s in answer.statements}
    assert not any("...." in s.quote for s in answer.statements)


def test_a_procedure_is_told_to_its_end_on_the_next_page(bookcase):
    first = ("1. Close the inlet valve V1.", "2. Drain the boiler at V7.", "3. Open the lid.")
    rest = ("4. Lift the filter out.", "5. Rinse the filter.")
    manual = bookcase.add(
        "boiler.pdf",
        [
            Sheet().heading("Cleaning the filter of the boiler").text(*first),
            Sheet().text(*rest).text("Order number of the filter: 4711."),
        ],
    )
    evidence = bookcase.search("How do I clean the filter of the boiler?", manual)
    page = next(each for each in evidence if each.page == 0)
    procedure = next(unit for unit in page.units if unit.unit.kind == LIST)
    answer = bookcase.answer(page.asked.text, [replace(page, units=(procedure,), chance=0.9)])
    assert [statement.quote for statement in answer.statements] == [*first, *rest]
    assert [statement.source.page for statement in answer.statements] == [0, 0, 0, 1, 1]
    for statement in answer.statements:
        source = statement.source
        assert bookcase.words_in(manual, source.page, source.regions) == statement.quote


WINTER = ("- Drain the pump at plug P2.", "- Open valve V1 of the pump.", "- Cover the pump.")


def read_as(bookcase, question, *told, chance=0.3):
    """Answer from the one page found, with these units of it as the reader orders them."""
    (page,) = bookcase.search(question)
    units = {each.unit.text: each for each in page.units}
    read = tuple(replace(units[text], score=score) for text, score in told)
    return bookcase.answer(question, [replace(page, units=read, chance=chance)])


FUSES = ["Fuse F2 is in the door.", "It is a slow fuse of 5 A.", "Fuse F3 is on the rail."]


def test_a_short_section_is_told_whole_and_what_answers_in_it_set_apart(bookcase):
    bookcase.add("pump.pdf", [Sheet().heading("Fuses").text(*FUSES[:2]).text(FUSES[2])])
    answer = read_as(bookcase, "Which fuse is in the door?", (FUSES[0], 5.0))
    assert [each.quote for each in answer.statements] == [" ".join(FUSES[:2]), FUSES[2]]
    assert [each.form.answers for each in answer.statements] == [FUSES[0], ""]


def test_of_a_long_section_the_paragraph_is_told_with_the_list_that_follows_it(bookcase):
    sheet = Sheet().heading("Fuses").text(*["The cabinet is on the wall of the hall."] * 12)
    locks = ["1. Open lock A.", "2. Open lock B.", "3. Open lock C."]
    sheet = sheet.text("Do this before the fuses are changed.").text(*locks)
    bookcase.add("pump.pdf", [sheet])
    lead = "Do this before the fuses are changed."
    answer = read_as(bookcase, "What before the fuses?", (lead, 5.0))
    assert [each.quote for each in answer.statements] == [lead, *locks]


def test_another_place_that_may_answer_is_announced_as_one(bookcase):
    bookcase.add(
        "pump.pdf", [Sheet().heading("Fuses").text(FUSES[0]).heading("Rail").text(FUSES[2])]
    )
    answer = read_as(bookcase, "Which fuse?", (FUSES[2], 5.0), (FUSES[0], 4.9))
    assert [(each.above, each.quote) for each in answer.statements] == [
        ("", FUSES[2]),
        ("Also possible:", FUSES[0]),
    ]


def test_what_two_places_say_word_for_word_is_said_once(bookcase):
    sheet = Sheet().heading("Heat").text(FUSES[0]).heading("Heat and cool").text(FUSES[0])
    bookcase.add("stat.pdf", [sheet])
    (page,) = bookcase.search("Which fuse is in the door?")
    same = [replace(each, score=5.0) for each in page.units if each.unit.text == FUSES[0]]
    assert len(same) == 2
    answer = bookcase.answer("Which fuse is in the door?", [replace(page, units=tuple(same))])
    assert [each.quote for each in answer.statements] == [FUSES[0]]


def test_the_row_of_another_fault_is_announced_as_another_place_and_follows(bookcase):
    rows = [("Fault", "Cause", "Remedy")]
    rows += [("Lamp and fan out", "Overheated", "Let it cool"), ("Lamp out", "Air", "Clean it")]
    bookcase.add("lamp.pdf", [Sheet().heading("Faults").rows(*rows)])
    second, first = (
        (" | ".join(row), score) for row, score in zip(rows[1:], (4.8, 5.0), strict=True)
    )
    answer = read_as(bookcase, "Lamp out?", first, second)
    assert [(each.above, each.form.cells[0]) for each in answer.statements] == [
        ("", "Lamp out"),
        ("Also possible:", "Lamp and fan out"),
    ]


def test_a_list_of_which_two_items_are_told_is_told_whole_and_nothing_less_likely(bookcase):
    start = "Fill the pump before the start."
    sheet = Sheet().heading("Pump in winter").text(*WINTER[:1]).text(*WINTER[1:2]).text(*WINTER[2:])
    bookcase.add("pump.pdf", [sheet.heading("Start of the pump").text(start)])
    told = ((WINTER[2], 5.0), (WINTER[0], 4.8), (start, 3.9))
    answer = read_as(bookcase, "What about the pump in winter?", *told)
    assert [each.quote for each in answer.statements] == list(WINTER)
    assert [each.above for each in answer.statements] == ["", "", ""]


def test_a_point_of_a_list_that_answers_alone_says_which_one_of_how_many_it_is(bookcase):
    others = (f"{n}. Prüfen Sie das Gewinde der Schraube Nummer {n}." for n in range(2, 14))
    steps = ("1. Schließen Sie das Ventil V1.", *others)
    bookcase.add("pumpe.pdf", [Sheet().heading("Wechsel des Filters").text(*steps)])
    answer = read_as(bookcase, "Welches Ventil schließen Sie?", (steps[0], 5.0), chance=0.9)
    (statement,) = answer.statements
    assert (statement.above, statement.quote) == ("Punkt 1 von 13:", steps[0])


def supplies(bookcase):
    """Add a table in which one name stands beside several lines of values."""
    rows = [("Chiller", "Supply", "Breaker")]
    rows += [("M-25", "115 V", "11 A"), ("", "240 V", "8 A")]
    rows += [("M-75", "200 V", "12 A"), ("", "230 V", "10 A"), ("", "400 V", "6 A")]
    bookcase.add("chiller.pdf", [Sheet().heading("Electrical requirements").rows(*rows)])


def rows_told(bookcase, question):
    (page,) = bookcase.search(question)
    return bookcase.answer(question, [replace(page, chance=0.9)]).statements


def test_all_rows_of_the_entry_that_is_asked_for_are_told_in_their_order(bookcase):
    supplies(bookcase)
    rows = rows_told(bookcase, "Which breaker does the M-75 need?")
    assert [row.quote for row in rows] == [
        "M-75 | 200 V | 12 A", "M-75 | 230 V | 10 A", "M-75 | 400 V | 6 A",
    ]  # fmt: skip
    assert not any(row.form.tells_apart for row in rows)  # no cell of one answers for all


def test_one_row_of_an_entry_is_told_where_the_question_has_its_values(bookcase):
    supplies(bookcase)
    (row,) = rows_told(bookcase, "Which breaker does the M-75 need at 230 V?")
    assert row.quote == "M-75 | 230 V | 10 A"
    assert row.form.cells[row.form.asked] == "10 A"


def test_text_that_announces_steps_is_told_with_them_though_a_note_stands_between(bookcase):
    sheet = Sheet().heading("Factory reset")
    sheet.text("The communicator is reset by a hardware jumper. Perform the following steps:")
    sheet.text("NOTE: Pins 4 and 5 of the header take the jumper.")
    sheet.text("1. Remove the front cover.", "2. Fit the jumper.", "3. Wait until the lamps flash.")
    bookcase.add("communicator.pdf", [sheet, Sheet().heading("Lamps").text("The lamp is green.")])
    told = [s.quote for s in bookcase.ask("reset the communicator by hardware jumper").statements]
    assert any("following steps" in quote for quote in told)
    assert [quote for quote in told if quote[:1].isdigit()] == [
        "1. Remove the front cover.", "2. Fit the jumper.", "3. Wait until the lamps flash.",
    ]  # fmt: skip


def test_what_explains_an_amount_without_telling_it_is_told_with_its_section(bookcase, monkeypatch):
    monkeypatch.setattr("desktop.core.answering.extractive.asks_for_amount", lambda *_: 1.0)
    explains = "The time the fan will run after the call for heat has been turned off."
    value = "The default value is 30 seconds."
    sheet = Sheet().heading("Dissipation time").text(explains).text(value)
    bookcase.add("stat.pdf", [sheet, Sheet().text("The lamp is green.")])
    answer = read_as(
        bookcase, "How long will the fan run after a call for heat?", (explains, 5.0), chance=0.8
    )
    assert value in [statement.quote for statement in answer.statements]


def test_a_caption_alone_is_never_surely_stated(bookcase, monkeypatch):
    monkeypatch.setattr("desktop.core.answering.extractive.sure_of", lambda *_: 0.9)
    sheet = Sheet().text("Figure 1: Mounting bracket of the communicator")
    bookcase.add("communicator.pdf", [sheet, Sheet().text("The lamp is green.")])
    answer = bookcase.ask("Figure mounting bracket of the communicator")
    assert answer.statements[0].quote == "Figure 1: Mounting bracket of the communicator"
    assert answer.confidence < SURELY_STATED


@pytest.mark.parametrize(("chance", "found"), [(0.02, False), (0.6, True)])
def test_a_procedure_is_told_only_if_it_is_likely_the_one_asked_for(
    bookcase, monkeypatch, chance, found
):
    monkeypatch.setattr("desktop.core.answering.extractive.asks_for_steps", lambda *_: True)
    steps = ["1. Close the valve.", "2. Drain the tank.", "3. Open the flange."]
    bookcase.add("tank.pdf", [Sheet().heading("Draining the tank").text(*steps)])
    answer = read_as(
        bookcase, "How do I replace the anode of the tank?", (steps[1], 5.0), chance=chance
    )
    assert answer.found is found
    assert bool(answer.nearest) is not found


@pytest.mark.parametrize("steps", [True, False])
def test_where_steps_are_asked_for_their_section_is_told_whole(bookcase, monkeypatch, steps):
    monkeypatch.setattr("desktop.core.answering.extractive.asks_for_steps", lambda *_: steps)
    lock = [
        f"Open the menu of the {n}. panel and enter the new code there twice." for n in "123456"
    ]
    bookcase.add("pump.pdf", [Sheet().heading("Access").text(*lock[:3]).text(*lock[3:])])
    answer = read_as(bookcase, "How do I lock the panel?", (lock[4], 5.0), chance=0.6)
    told = " ".join(each.quote for each in answer.statements)
    assert (told == " ".join(lock)) is steps


def test_of_a_list_that_a_warning_repeats_only_what_answers_is_told_again(bookcase, monkeypatch):
    items = ["1. The gun gets hot.", "2. Unplug the gun.", "3. Replace the filter of the gun."]
    shown = WarningBlockEvent("WARNING", " ".join(items), PageRegion(1, "gun.pdf", 0, "", ()))
    monkeypatch.setattr("desktop.core.answering.extractive.safety_blocks", lambda *_: (shown,))
    bookcase.add("gun.pdf", [Sheet().heading("Care").text(*items)])
    whole = "\n".join(items)
    answer = read_as(bookcase, "The gun hardly sucks", (items[2], 5.0), (whole, 4.9), chance=0.6)
    assert [each.quote for each in answer.statements] == [items[2]]
    assert answer.safety == (shown,)


@pytest.mark.parametrize(("chance", "asked"), [(0.3, -1), (0.6, 1)])
def test_no_cell_of_an_unlikely_row_leads(bookcase, chance, asked):
    rows = [("Fault", "Sign"), ("E06", "Low flow"), ("E07", "No water"), ("E08", "Hot")]
    bookcase.add("pump.pdf", [Sheet().rows(*rows)])
    answer = read_as(bookcase, "What does E06 mean?", ("E06 | Low flow", 5.0), chance=chance)
    assert answer.statements[0].form.asked == asked


def test_a_part_of_a_question_is_answered_from_what_was_read_for_it_in_any_language(bookcase):
    fuse, weight = "Die Sicherung F2 schuetzt den Regler.", "The pump weighs 33 kg."
    bookcase.add("pump.pdf", [Sheet().text(fuse), Sheet().text(weight)])
    question = "Welche Sicherung schuetzt den Regler, und wie schwer ist die Pumpe?"
    pages = {page.page: page for page in bookcase.search("Sicherung Regler pump weighs")}
    read = [
        replace(
            pages[at],
            units=tuple(each for each in pages[at].units if each.unit.text == text),
            language=language,
            chance=0.9,
            there=0.9,
        )
        for at, text, language in ((0, fuse, "de"), (1, weight, "en"))
    ]
    parts = ("Welche Sicherung schuetzt den Regler", "wie schwer ist die Pumpe?")
    of_parts = tuple((part, (page,)) for part, page in zip(parts, read, strict=True))
    whole = replace(read[0], asked=Question.parse(question), term_weights=(), of_parts=of_parts)
    answer = bookcase.answer(question, [whole])
    assert [each.quote for each in answer.statements] == [fuse, weight]
    assert answer.unanswered == ()
