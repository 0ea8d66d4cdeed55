"""Statements compared: amounts as quantities, the rest by a model, nothing without one."""

from __future__ import annotations

import pytest

from desktop.core.claims.comparison import Comparison, values_missing, with_signs
from tests.fakes.comparer import ScriptedComparer
from tests.fakes.language_model import FakeLanguageModel


@pytest.mark.parametrize(
    ("manual", "said", "told"),
    [
        ("Beeps below 22 V.", "It beeps at 21.8 V.", "It beeps at 21.8 V (<)."),
        ("Current per output [mA] | 300", "0.3 A per output", "0.3 A (=) per output"),
        ("Wait 5 to 10 minutes.", "Wait 600 s.", "Wait 600 s (=>)."),
        ("Use fuse F7.", "Use fuse F8, 2 A.", "Use fuse F8 (?), 2 A (?)."),
        ("Red to B+.", "Red to B+.", "Red to B+."),
    ],
)
def test_a_model_is_told_how_each_amount_stands_to_the_manuals(manual, said, told):
    assert with_signs(manual, said) == told


def test_amounts_and_codes_that_stand_nowhere_are_named():
    assert values_missing("Use 1.8 Nm on X1:3, 5 turns", "X1:3 | 1.8 Nm") == ("5 turns",)
    assert values_missing("It draws 300 mA.", "Current: 0.3 A") == ()


def test_a_name_of_the_manual_may_give_a_code_and_no_amount():
    title = "HX-200 pump, up to 16 bar"
    assert values_missing("The HX-200 stands 16 bar.", "It stands 10 bar.", title) == ("16 bar",)


def test_the_manuals_own_words_agree_and_no_model_is_asked():
    comparer = ScriptedComparer()
    (same,) = Comparison(comparer).compare([("Do not open it.", "do not open it")])
    assert same.agree > 0.9
    assert comparer.asked == []


def test_a_part_of_the_manuals_words_is_not_taken_for_them():
    (part,) = Comparison(None).compare([("Do not open the cabinet.", "open the cabinet")])
    assert part.agree == 0


def test_without_a_model_other_words_are_left_open():
    (left,) = Comparison(None).compare([("Keep it shut.", "It must stay closed.")])
    assert (left.agree, left.contradict) == (0, 0)


def test_a_language_model_is_asked_once_about_the_same_pair():
    model = FakeLanguageModel('{"verdicts": ["agree"]}')
    comparison = Comparison(None, lambda: model)
    assert comparison.agrees("Keep it shut.", "It must stay closed.")
    assert comparison.agrees("Keep it shut.", "It must stay closed.")


@pytest.mark.parametrize("reply", ["no idea", '{"verdicts": ["open"]}', '{"verdicts": []}'])
def test_a_language_model_that_is_not_sure_or_says_nonsense_agrees_with_nothing(reply):
    model = FakeLanguageModel(reply, reply)
    assert not Comparison(None, lambda: model).agrees("Keep it shut.", "It must stay closed.")
