"""Questions that a manual surely answers, made from its own tables and procedures."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from desktop.core.conversations.suggested_questions import QuestionSuggester
from desktop.core.events import PageRegion

TITLE = "Pump"
TORQUES = f"{TITLE} › 4 Wiring › Table 4-2 Tightening torques › Terminal | Screw | Torque"
DATA = f"{TITLE} › 2 Technical data › Quantity | Value | Remark"
STEPS = f"{TITLE} › 5 Battery › 5.4 Replacing the battery"
PAGES = {
    7: [("row", "Largest head | 72 m | At zero flow", DATA), ("row", "Colour | blue | -", DATA)],
    8: [
        ("row", "X1:1 | PZ 2 | 1.8 Nm", TORQUES),
        ("row", "PE stud | M8 nut | 6 Nm", TORQUES),
    ],
    9: [("item", "1. Open the flap.", STEPS), ("item", "2. Pull plug X9.", STEPS)],
}
ALL = [
    "What is the torque for X1:1?",
    "Replacing the battery: what are the steps?",
    "What is the largest head?",
    "What is the torque for PE stud?",
]


def asks_for_steps(text):
    return "battery" in text.lower()


class Searches:
    """Answers each question with the words it was made from, as likely as it is told."""

    def __init__(self, chance: float = 0.9, **other: Any) -> None:
        self.chance, self.other = chance, other
        self.asked: list[str] = []

    def search(self, query):
        self.asked.append(query.text)
        place, text = next(
            (page, text)
            for page, units in PAGES.items()
            for _, text, _ in units
            if text.split(" |")[0].lower().rstrip(":") in query.text.lower()
            or asks_for_steps(query.text)
            if not (asks_for_steps(query.text) and page != 9)
        )
        found = {"page": place, "text": text, "unnamed": ()} | self.other
        unit = SimpleNamespace(unit=SimpleNamespace(text=found["text"]))
        return [
            SimpleNamespace(
                page=found["page"],
                chance=self.chance,
                unnamed=found["unnamed"],
                units=(unit,),
                asked=None,
                score=1.0,
                passages=(),
            )
        ]


def make(searches, language="en"):
    database: Any = SimpleNamespace(rows=lambda _, key: PAGES.get(key[1], []))
    library: Any = SimpleNamespace(
        language=lambda _: language,
        documents=list,
        document=lambda _: SimpleNamespace(page_count=12),
    )
    return QuestionSuggester(database, library, searches.search)


def suggested(searches, asked="x", page=8, language="en"):
    cited = [PageRegion(1, "a.pdf", page, str(page), ())]
    return list(make(searches, language).after_answer(cited, asked, lambda: False, most=9))


def after(*given, **named):
    return [each.text for each in suggested(*given, **named)]


def test_rows_and_procedures_near_the_cited_page_become_questions():
    assert after(Searches()) == ALL


def test_what_the_reader_hardly_answers_is_not_offered():
    assert after(Searches(chance=0.6)) == ALL
    assert after(Searches(chance=0.4)) == []


def test_a_question_that_other_words_answer_is_not_offered():
    assert after(Searches(text="Something else.")) == []


def test_what_was_just_asked_is_not_offered_again():
    assert "What is the torque for PE stud?" not in after(Searches(), "Torque of the PE stud?")


def test_no_more_are_tried_than_are_wanted():
    searches = Searches()
    found = make(searches).to_begin_with([1], lambda: False, most=1)
    assert len(list(found)) == len(searches.asked) == 1


def test_names_keep_their_capitals_and_words_lose_them_in_a_sentence():
    told = after(Searches())
    assert "What is the torque for X1:1?" in told
    assert "What is the largest head?" in told


@pytest.mark.parametrize(
    "heading", ["Battery", "W<n> Replace the battery", "B Battery", "Battery 2 or 3"]
)
def test_a_heading_of_one_word_or_with_signs_is_not_offered(monkeypatch, heading):
    steps = [(kind, text, f"{TITLE} › 5.4 {heading}") for kind, text, _ in PAGES[9]]
    monkeypatch.setitem(PAGES, 9, steps)
    assert not [each for each in after(Searches()) if asks_for_steps(each)]


def test_a_row_without_an_amount_is_no_question():
    assert not [each for each in after(Searches()) if "colour" in each.casefold()]


def test_a_german_manual_is_asked_in_german():
    told = after(Searches(), language="de")
    assert "Was gibt das Handbuch als Torque für X1:1 an?" in told
    assert not [each for each in told if each.startswith("What")]


def test_bare_numbers_in_a_list_count_steps_and_amounts_do_not(monkeypatch):
    steps = [("item", "1 Open the flap.", STEPS), ("item", "2 Pull plug X9.", STEPS)]
    monkeypatch.setitem(PAGES, 9, steps)
    assert "Replacing the battery: what are the steps?" in after(Searches())
    monkeypatch.setitem(PAGES, 9, [("item", "24 V", STEPS), ("item", "2 A", STEPS)])
    assert not [each for each in after(Searches()) if asks_for_steps(each)]


def test_a_table_of_which_some_rows_were_read_as_items_is_no_procedure(monkeypatch):
    pins = [("item", "1 Setpoint of battery", STEPS), ("item", "2 Output of battery", STEPS)]
    monkeypatch.setitem(PAGES, 9, [*pins, ("row", "3 | Ground", STEPS)])
    assert not [each for each in after(Searches()) if asks_for_steps(each)]
    monkeypatch.setitem(PAGES, 9, [*pins, ("row", "24 V | Ground", STEPS)])
    assert "Replacing the battery: what are the steps?" in after(Searches())


def test_a_list_of_values_needs_no_headings(monkeypatch):
    context = f"{TITLE} › 2 Technical data"
    monkeypatch.setitem(PAGES, 7, [("row", "Largest head: | 72 m", context)])
    assert "What is the largest head?" in after(Searches())


def test_a_bare_heading_is_not_offered(monkeypatch):
    context = f"{TITLE} › 4.2 Fuses and loads"
    texts = ("Fuses protect the loads.", "Another fuse can be added.")
    monkeypatch.setattr(f"{__name__}.PAGES", {8: [("paragraph", text, context) for text in texts]})
    assert after(Searches()) == []


def test_words_of_a_question_that_stand_on_another_page_too_are_its_answer():
    assert [each.page for each in suggested(Searches(page=5))] == [5] * len(ALL)


def test_what_stands_far_from_the_cited_page_is_not_offered():
    assert after(Searches(), page=4) == []
