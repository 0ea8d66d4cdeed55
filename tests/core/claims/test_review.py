"""What the critic finds in an answer, and what becomes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop.core.claims.cited import (
    CheckedSentence,
    CitedPassage,
    PageQuote,
    answer_sentences,
)
from desktop.core.claims.comparison import Comparison
from desktop.core.claims.review import check_answer, corrections_for
from desktop.core.events import RevisionEvent, TokenEvent
from tests.fakes.comparer import ScriptedComparer

INLET = "The inlet pressure is 2.5 bar."
STEPS = (
    "1. Press and hold RESET for 8 s.\n2. Release the key when the lamp flashes.\n"
    "3. Enter the installer code.\n4. Select menu 41 and confirm with YES."
)


def said(text: str, *cited: int) -> CheckedSentence:
    return CheckedSentence(text, cited or (1,))


def page(text: str, number: int = 1, document: str = "Pump", label: str = "") -> CitedPassage:
    return CitedPassage.of_text(number, text, document, label or str(number))


def comparing(verdicts: dict[tuple[str, str], str | float] | None = None) -> Comparison:
    return Comparison(ScriptedComparer(verdicts))


def kinds(sentences, passages, comparison=None, question="") -> list[str]:
    found = check_answer(sentences, passages, comparison or comparing(), question)
    return [finding.kind for finding in found]


def corrected(sentences, passages, comparison):
    found = check_answer(sentences, passages, comparison)
    return corrections_for(found, sentences, passages, comparison)


def test_quotes_raise_no_alarm_and_no_model_is_asked():
    comparer = ScriptedComparer()
    text = f"{INLET} Never operate the pump without water."
    sentences = [said(INLET), said("Never operate the pump without water.")]
    assert check_answer(sentences, [page(text)], Comparison(comparer)) == ()
    assert comparer.asked == []


def test_a_row_is_quoted_though_it_is_told_without_the_sign_of_an_icon_font_in_it():
    comparer = ScriptedComparer()
    row = PageQuote("Air | \uf0a7 | up to 31 °C", "Data › Name | - | Value", "row")
    assert row.told == "Name: Air; Value: up to 31 °C"
    passage = CitedPassage(1, (row,), "Pump", "1", "Air \uf0a7 up to 31 °C")
    assert check_answer([said(row.told)], [passage], Comparison(comparer)) == ()
    assert comparer.asked == []


def test_other_words_stand_if_the_cited_words_carry_them():
    comparison = comparing({("inlet", "At the inlet"): "agree"})
    assert kinds([said("At the inlet there are 2.5 bar.")], [page(INLET)], comparison) == []


def test_what_the_cited_words_leave_open_is_unsupported():
    assert kinds([said("The motor is green.")], [page(INLET)]) == ["unsupported"]


def test_a_sentence_without_a_citation_is_unsupported_but_an_opening_is_not():
    assert kinds([CheckedSentence("The motor is green.")], []) == ["unsupported"]
    assert kinds([CheckedSentence("Proceed as follows:")], []) == []


def test_a_sentence_against_the_page_becomes_what_the_page_says():
    comparison = comparing({("inlet", "3.5 bar"): "contradict"})
    sentence = said("The inlet pressure is 3.5 bar.")
    assert kinds([sentence], [page(INLET)], comparison) == ["negation"]
    (correction,) = corrected([sentence], [page(INLET)], comparison)
    assert correction.text == INLET


def test_an_amount_that_stands_nowhere_is_marked_and_one_of_the_question_is_not():
    comparison = comparing({("inlet", "pressure"): "agree"})
    sentence = said("The pressure is 2.5 bar up to 40 °C.")
    assert kinds([sentence], [page(INLET)], comparison) == ["value"]
    asked = "What is the inlet pressure at 40 °C?"
    assert kinds([sentence], [page(INLET)], comparison, asked) == []
    (correction,) = corrected([sentence], [page(INLET)], comparison)
    assert (correction.text, correction.unsupported) == (sentence.text, ("40 °C",))


def test_a_sentence_that_another_cited_page_says_gets_that_citation():
    steel, oil = "The housing is made of steel.", "The gearbox holds 1.2 l of oil."
    sentences = [said(steel, 1), said(oil, 2)]
    passages = [page(oil, 1), page(steel, 3), page(oil, 2)]
    (correction,) = corrected(sentences, passages, comparing())
    assert (correction.text, correction.cited) == (steel, (3,))


def test_a_sentence_that_no_page_says_is_withdrawn():
    (correction,) = corrected([said("The motor is green.")], [page(INLET)], comparing())
    assert correction.text == ""


def test_a_missing_step_is_named_where_it_belongs_and_put_there():
    told = [said(line) for index, line in enumerate(STEPS.splitlines()) if index in (0, 3)]
    found = check_answer(told, [page(STEPS)], comparing())
    assert [(each.kind, each.sentence) for each in found] == [("missing_step", 0)] * 2
    (correction,) = corrected(told, [page(STEPS)], comparing())
    assert [each.quote.text for each in correction.additions] == STEPS.splitlines()[1:3]


def test_one_step_alone_is_no_procedure_with_steps_missing():
    assert kinds([said("3. Enter the installer code.")], [page(STEPS)]) == []


def test_a_step_of_another_page_is_no_step_of_this_procedure():
    first, second, *_ = STEPS.splitlines()
    here, elsewhere = page(STEPS), replace(page(second, 2), page=7)
    beside = [said(first, 1), said(second, 2)]
    assert kinds(beside, [here, elsewhere]) == []
    assert kinds(beside, [here, replace(elsewhere, page=here.page)]) == ["missing_step"] * 2


def test_another_procedure_that_begins_alike_has_no_steps_missing():
    first, second, *_ = STEPS.splitlines()
    here = page(STEPS)
    beside = replace(here, quotes=tuple(replace(each, cited=False) for each in here.quotes))
    assert kinds([said(first), said(second)], [here]) == ["missing_step", "missing_step"]
    assert "missing_step" not in kinds([said(first), said(second)], [beside])


def test_two_pages_that_contradict_each_other_are_told_with_both_places():
    one = page("The test pressure is 10 bar.", 1, "Manual", "4")
    other = page("The test pressure is 12 bar.", 2, "Bulletin", "1")
    sentences = [said("The test pressure is 10 bar.", 1), said("The test pressure is 12 bar.", 2)]
    both: dict[tuple[str, str], str | float] = {
        ("10 bar", "12 bar"): "contradict",
        ("12 bar", "10 bar"): "contradict",
    }
    (found,) = check_answer(sentences, [one, other], comparing(both))
    assert found.kind == "contradiction"
    assert "Manual, page 4" in found.message
    assert "Bulletin, page 1" in found.message


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never set the regulator above 75 °C.", "The regulator is never set above 75 °C."),
        ("Set the regulator to 75 °C.", "At 10 bar, set the regulator to 75 °C."),
        ("The valve of the pump must be open.", "The valve of the pump is open."),
    ],
)
def test_places_without_different_amounts_of_one_kind_do_not_contradict_each_other(one, other):
    told = page(one, 1, label="9"), page(other, 2, label="10")
    anything = comparing({("", ""): "contradict"})
    assert kinds([said(one, 1), said(other, 2)], told, anything) == []


def test_two_steps_of_a_procedure_that_goes_over_the_page_do_not_contradict_each_other():
    low, high = "1. Set the test pressure to 10 bar.", "2. Set the test pressure to 12 bar."
    one = replace(page(low, 1, "Manual", "4"), page=3)
    other = replace(page(high, 2, "Manual", "5"), page=4)
    both = comparing({("10 bar", "12 bar"): "contradict", ("12 bar", "10 bar"): "contradict"})
    sentences = [said(low, 1), said(high, 2)]
    assert kinds(sentences, [one, other], both) == ["contradiction"]
    further = replace(other.quotes[0], cited=False, page=4, label="5")
    whole = replace(one, quotes=(*one.quotes, further))
    assert kinds(sentences, [whole, other], both) == []


def test_pages_contradict_each_other_only_if_they_do_both_ways_round():
    one = page("The test pressure is 10 bar.", 1, "Manual", "4")
    other = page("The test pressure is 12 bar.", 2, "Bulletin", "1")
    sentences = [said("The test pressure is 10 bar.", 1), said("The test pressure is 12 bar.", 2)]
    once = comparing({("10 bar", "12 bar"): "contradict"})
    assert kinds(sentences, [one, other], once) == []


def test_statements_are_read_off_the_stream_with_their_place_and_without_what_was_withdrawn():
    text = "It is 5 A. [1] Nobody says this.\n1. Open it. [2][3]\n"
    withdrawn = RevisionEvent(1, text.index("Nobody"), "Nobody says this.", "")
    found = answer_sentences([TokenEvent(text[:20]), TokenEvent(text[20:]), withdrawn])
    assert [(each.checked.text, each.checked.cited) for each in found] == [
        ("It is 5 A.", (1,)),
        ("1. Open it.", (2, 3)),
    ]
    assert [text[each.start :].startswith(each.streamed) for each in found] == [True, True]
