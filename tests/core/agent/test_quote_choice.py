"""How many quotes of a page an answer says."""

from __future__ import annotations

import pytest

from desktop.core.agent.quote_choice import MOST_QUOTES, chosen_quotes
from desktop.core.geometry import Box
from desktop.core.retrieval.evidence import Evidence
from desktop.core.retrieval.grounding import Quote
from desktop.core.retrieval.question import Question
from desktop.core.retrieval.quote_ranking import RankedQuote, covered_groups
from desktop.core.retrieval.tokens import index_term_set

PAGE = Evidence(1, "pump.pdf", "Pump", 0, "1", 1.0, (), ())
ASKED = Question.parse("Which fuse protects the pump?")


def ranked(*scores: float) -> list[RankedQuote]:
    nothing = (False,) * len(ASKED.groups)
    return [
        RankedQuote(Quote(f"Sentence {i}.", "paragraph", "", (), ()), score, nothing, i)
        for i, score in enumerate(scores)
    ]


@pytest.mark.parametrize(
    ("scores", "count"),
    [
        ((1.5, 0.8, 0.7), 1),
        ((1.5, 1.4, 0.7), 2),
        ((1.5, 1.45, 1.4, 0.6), 3),
        ((1.5, 1.49, 1.48, 1.47, 1.46), 3),
    ],
)
def test_a_further_sentence_is_said_only_if_it_may_as_well_be_the_right_one(scores, count):
    said = chosen_quotes(ASKED, PAGE, ranked(*scores)).quotes
    assert [item.position for item in said] == list(range(count))
    assert count <= MOST_QUOTES


def test_a_further_sentence_with_a_value_is_said_from_a_lower_chance_on():
    nothing = (False,) * len(ASKED.groups)
    texts = ("The fuse lies beside the pump.", "Its fuse is F2, 5 A.", "The fuse is glass.")
    quotes = [
        RankedQuote(Quote(text, "paragraph", "", (), ()), score, nothing, i)
        for i, (text, score) in enumerate(zip(texts, (1.5, 1.26, 1.26), strict=True))
    ]
    said = chosen_quotes(ASKED, PAGE, quotes).quotes
    assert [item.quote.text for item in said] == list(texts[:2])


def test_what_must_not_be_done_is_answered_with_what_forbids_it():
    asked = Question.parse("Which terminals must never get 24 V?")
    texts = ("X7 gets 24 V DC.", "Never apply 24 V to X5.", "X4 gets 24 V too.", "Never open it.")
    quotes = [
        RankedQuote(
            Quote(text, "paragraph", "", (), ()),
            score,
            covered_groups(asked, index_term_set(text)),
            i,
        )
        for i, (text, score) in enumerate(zip(texts, (1.5, 1.3, 1.45, 1.4), strict=True))
    ]
    said = chosen_quotes(asked, PAGE, sorted(quotes, key=lambda item: -item.score)).quotes
    assert said[0].quote.text == "Never apply 24 V to X5."
    assert all("never" in item.quote.text.lower() for item in said)
    allowed = Question.parse("Which terminals get 24 V?")
    said = chosen_quotes(allowed, PAGE, sorted(quotes, key=lambda item: -item.score)).quotes
    assert said[0].quote.text == "X7 gets 24 V DC."


def test_of_a_crowd_of_equals_none_is_likelier_than_the_rest():
    assert len(chosen_quotes(ASKED, PAGE, ranked(*[1.0] * 12)).quotes) == 1


def test_an_answer_that_quotes_another_page_too_leaves_room_for_it():
    assert len(chosen_quotes(ASKED, PAGE, ranked(1.5, 1.45, 1.4), 2).quotes) == 2


def test_what_the_manual_says_twice_is_said_once():
    texts = (
        "Fuse F2 protects the pump.",
        "The fuse protects the pump.",
        "Fuse F2 has 5 A.",
        "Fuse F1 does not protect the pump.",
    )
    nothing = (False,) * len(ASKED.groups)
    quotes = [
        RankedQuote(Quote(text, "paragraph", "", (), ()), score, nothing, i)
        for i, (text, score) in enumerate(zip(texts, (1.5, 1.49, 1.48, 1.47), strict=True))
    ]
    said = chosen_quotes(ASKED, PAGE, quotes).quotes
    assert [item.quote.text for item in said] == [texts[0], texts[2], texts[3]]


def test_a_row_said_beside_a_sentence_brings_the_other_row_that_is_asked_for():
    asked = Question.parse("What is on header P9 pins 19 and 20?")
    nothing = (False,) * len(asked.groups)
    quotes = [
        RankedQuote(Quote(text, kind, "Header P9", (), ()), score, nothing, i)
        for i, (text, kind, score) in enumerate(
            [
                ("The EEPROMs are connected to pins 19 and 20.", "paragraph", 1.5),
                ("20 | I2C2_SDA", "row", 1.45),
                ("18 | UART_TX", "row", 1.1),
                ("19 | I2C2_SCL", "row", 1.0),
            ]
        )
    ]
    said = chosen_quotes(asked, PAGE, quotes).quotes
    assert [item.quote.text for item in said] == [quotes[i].quote.text for i in (0, 1, 3)]


def test_a_term_is_told_with_what_explains_it():
    nothing = (False,) * len(ASKED.groups)
    lines = [
        ("-f --force", "item", 1.0),
        ("Overwrite the files that there are.", "paragraph", 0.9),
        ("-k --keep", "item", 1.5),
        ("Keep the files that are read.", "paragraph", 0.8),
    ]
    quotes = [
        RankedQuote(Quote(text, kind, "Options", (), ()), score, nothing, i)
        for i, (text, kind, score) in enumerate(lines)
    ]
    said = chosen_quotes(ASKED, PAGE, sorted(quotes, key=lambda item: -item.score)).quotes
    assert [item.position for item in said] == [2, 3]


def chosen(question: str, *lines: tuple[str, str, float]) -> list[str]:
    """Texts of the quotes chosen among (text, headings, score), which stand in this order."""
    asked = Question.parse(question)
    quotes = [
        RankedQuote(
            Quote(text, "paragraph", context, (), ()),
            score,
            covered_groups(asked, index_term_set(text)),
            i,
        )
        for i, (text, context, score) in enumerate(lines)
    ]
    best_first = sorted(quotes, key=lambda item: -item.score)
    return [item.quote.text for item in chosen_quotes(asked, PAGE, best_first).quotes]


def test_of_two_that_say_the_same_the_one_that_names_what_is_asked_is_told():
    time = "To change the time (Fig. 2), enter the new time."
    date = "To change the date (Fig. 2), enter the new date."
    first, *_ = chosen("How do I enter the date?", (date, "", 1.4), (time, "", 1.5))
    assert first == date


def test_a_twin_that_says_less_of_what_is_asked_is_not_told_for_it():
    heater = "RUN HEATER=heater_bed TARGET=100"
    lines = ((heater, "", 1.5), ("RUN HEATER=extruder TARGET=245", "", 1.4))
    first, *_ = chosen("Which target has the heated bed?", *lines)
    assert first == heater


def test_what_a_heading_names_is_told_beside_what_stands_below_another():
    lines = (
        ("RUN UNTIL=100", "Printer › Tune the bed", 1.5),
        ("It runs for about ten minutes.", "Printer › Tune the bed", 1.1),
        ("RUN UNTIL=245", "Printer › Tune the nozzle", 1.0),
    )
    assert chosen("Until when do I tune the bed and the nozzle?", *lines)[:2] == [
        "RUN UNTIL=100",
        "RUN UNTIL=245",
    ]


def told(
    question: str, *lines: tuple[str, str, float], context: str = "Manual › Section"
) -> list[str]:
    """Texts of the quotes chosen among (text, kind, score), lines below each other."""
    asked = Question.parse(question)
    quotes = [
        RankedQuote(
            Quote(text, kind, context, (text,), (Box(50, 12 * i, 300, 12 * i + 10),)),
            score,
            covered_groups(asked, index_term_set(text)),
            i,
        )
        for i, (text, kind, score) in enumerate(lines)
    ]
    best_first = sorted(quotes, key=lambda item: -item.score)
    return [item.quote.text for item in chosen_quotes(asked, PAGE, best_first).quotes]


FAULTS = (
    ("• Problem: the pump hums and does not turn.", "item", 1.5),
    ("It trips after a minute.", "item", 0.4),
    ("Solution: the capacitor is worn.", "item", 0.6),
    ("Replace it by one of 8 µF.", "item", 0.5),
    ("• Problem: the pump leaks.", "item", 0.3),
    ("Solution: renew the seal.", "item", 0.3),
)


def test_a_known_problem_is_answered_with_its_solution():
    assert told("The pump hums. What now?", *FAULTS) == [FAULTS[2][0], FAULTS[3][0]]


def test_a_solution_is_told_to_its_end():
    solved = [(text, "paragraph", 1.5 if "worn" in text else 0.4) for text, _, _ in FAULTS[:4]]
    said = told("Why does the pump hum?", *solved)
    assert said == [FAULTS[2][0], FAULTS[3][0]]


def test_who_asks_what_helps_is_told_the_workarounds_below_what_is_wrong():
    lines = (
        ("The card may be damaged when the cable is plugged first.", "paragraph", 1.5),
        ("Workaround 1: insert the card first.", "paragraph", 0.6),
        ("Wait 5 seconds.", "paragraph", 0.5),
        ("Workaround 2: solder a diode.", "paragraph", 0.5),
        ("Next section", "heading", 0.1),
        ("Solution: something else.", "paragraph", 0.1),
    )
    assert told("How do I protect the card?", *lines) == [text for text, _, _ in lines[:4]]
    assert told("What happens to the card?", *lines) == [lines[0][0]]


def test_a_sentence_that_announces_a_list_brings_it_without_a_colon():
    lines = (
        ("A couple of things must be set on the drive.", "paragraph", 1.5),
        ("See the manual of the drive.", "paragraph", 0.5),
        ("• P3.00 to 03", "item", 0.6),
        ("• P4.00 to 05", "item", 0.6),
    )
    assert told("What has to be set on the drive?", *lines) == [lines[i][0] for i in (0, 2, 3)]


def test_the_value_of_an_item_is_told_with_its_first_sentence():
    lines = (
        ("• timeout - of the watchdog, in nanoseconds.", "item", 1.5),
        ("The watchdog bites when it is not fed.", "item", 0.4),
        ("It is 5,000,000 after loading.", "item", 0.4),
        ("• period - of the watchdog, 3 by default.", "item", 0.4),
    )
    assert told("What is the default timeout?", *lines) == [lines[0][0], lines[2][0]]


def test_a_procedure_in_prose_is_told_to_the_end_of_its_paragraph():
    lines = (
        ("To bleed it, open valve 3.", "paragraph", 1.5),
        ("Water runs out.", "paragraph", 0.4),
        ("Close it after a minute.", "paragraph", 0.4),
    )
    assert told("How do I bleed it?", *lines) == [text for text, _, _ in lines]
    assert told("When is it bled?", *lines) == [lines[0][0]]


def test_what_a_jumper_does_is_told_in_its_own_row():
    lines = (
        ("NAND_E | open | enables the memory module by default", "row", 1.5),
        ("PB9_H7 | PB9 | chooses the pin", "row", 0.7),
    )
    asked = "What does PB9_H7 enable by default, which memory module?"
    assert told(asked, *lines) == [lines[1][0]]
    assert told("Which memory module is enabled by default?", *lines)[0] == lines[0][0]


def test_a_number_is_told_by_the_line_that_sets_what_the_section_is_called_by():
    lines = (
        ("#define SB_MAX_PIPES 64", "paragraph", 0.7),
        ("The largest number of pipes of the bus.", "paragraph", 1.5),
        ("It must not be 0.", "paragraph", 0.3),
    )
    section = "Manual › SB_MAX_PIPES"
    said = told("How many pipes can the bus have?", *lines, context=section)
    assert said == [lines[1][0], lines[0][0]]
    assert told("What are pipes of the bus?", *lines, context=section) == [lines[1][0]]


def test_what_helps_is_told_to_the_end_of_its_paragraph():
    lines = (
        ("If it hangs it is recommended to remove R17.", "paragraph", 1.5),
        ("This is so since revision B1.", "paragraph", 0.3),
    )
    assert told("It hangs. What is the fix?", *lines) == [text for text, _, _ in lines]
    assert told("When does it hang?", *lines) == [lines[0][0]]
