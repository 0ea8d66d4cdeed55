"""What the reader observes; every number must follow what it is named after."""

import math
from dataclasses import replace

import numpy as np
import pytest

from desktop.core.geometry import Box
from desktop.core.question.query import Question
from desktop.core.reader.observations import (
    OBSERVATIONS,
    UnitOnPage,
    observe_vectors,
    observe_words,
    of_sibling,
    read_text,
)
from desktop.core.reader.quotes import Quote


def unit(text, context="Manual", kind="paragraph", page=0, score=1.0):
    quote = Quote(text, kind, context, (text,), (Box(0, 0, 10, 10),), (0,))
    return UnitOnPage(quote, page, score, 0.5, 0.2, 0.0)


def observed(question, *units):
    asked = Question.parse(question)
    rows = observe_words(asked, [(1.0,) * len(asked.groups)] * len(units), units)
    return [dict(zip(OBSERVATIONS, row, strict=True)) for row in rows.tolist()]


def test_the_share_of_the_questions_words_counts_headings_apart():
    own, headed = observed(
        "torque of the terminal screws",
        unit("Terminal screws: torque 1.2 Nm"),
        unit("1.2 Nm", "Manual › Torque › Terminal screws"),
    )
    assert own["words"] == pytest.approx(1.0)
    assert (headed["words"], headed["words_heading"]) == (0.0, pytest.approx(1.0))


def test_words_of_the_unit_before_are_seen_only_on_the_same_page():
    first, second, elsewhere = observed(
        "the pump", unit("The pump is old."), unit("It weighs 12 kg."), unit("It is dry.", page=1)
    )
    assert first["words_beside"] == 0
    assert second["words_beside"] == pytest.approx(1.0)
    assert elsewhere["words_beside"] == 0


def test_a_code_that_the_unit_lacks_is_seen():
    right, other = observed("what is E25?", unit("E25 | Fan stands still"), unit("E24 | No flow"))
    assert right["codes"] == 1.0 == right["has_codes"]
    assert other["codes"] == 0.0


def test_a_word_that_stands_nowhere_is_seen_of_every_unit():
    rows = observed("torque of the flange", unit("Use oil."), unit("The torque is 1 Nm."))
    assert [row["words_absent"] for row in rows] == pytest.approx([0.5, 0.5])


def test_a_unit_without_a_vector_yet_is_as_near_as_it_has_the_words():
    near, far = replace(unit("Old."), window=0.6), replace(unit("Dry."), window=0.4)
    unread = [replace(unit(text), window=math.nan) for text in ("Fan E25", "A fan.", "A lid.")]
    rows = observed("fan E25?", near, far, *unread)
    assert [row["window"] for row in rows[2:]] == pytest.approx([0.6, 0.5, 0.4])


def test_the_text_model_reads_headings_before_the_unit_and_knows_their_length():
    text, heading = read_text(unit("1.2 Nm", "Manual › Torque").unit)
    assert text == "Torque: 1.2 Nm"
    assert text[heading:] == "1.2 Nm"


def test_late_interaction_is_told_apart_for_the_units_own_words_and_its_headings():
    asked = np.eye(3, dtype=np.float32)[:2]
    tokens = np.eye(3, dtype=np.float32)
    rows = np.zeros((2, len(OBSERVATIONS)), np.float32)
    own = np.array([False, True, True])
    observe_vectors(rows, asked, [(tokens, own), (tokens[2:], np.array([True]))], [0, 0])
    first, second = (dict(zip(OBSERVATIONS, row, strict=True)) for row in rows.tolist())
    assert first["late"] == pytest.approx(1.0)
    assert first["late_own"] == pytest.approx(0.5)
    assert first["late_heading"] == pytest.approx(0.5)
    assert second["late"] == 0.0
    assert first["lacks_most"] == 0.0
    assert second["lacks_most"] == pytest.approx(1.0)
    assert second["late_below_best"] == pytest.approx(-1.0)
    assert second["late_of_page"] == pytest.approx(1.0)


def test_a_question_without_meaningful_words_is_observed():
    (row,) = observed("?", unit("Use oil."))
    assert row["words"] == 0.0


def test_a_number_in_a_cell_keeps_its_sign():
    below, above, item = observed(
        "resistance at 20 °C",
        unit("– 20 °C | 1367 Ω", kind="row"),
        unit("20 °C | 1922 Ω", kind="row"),
        unit("- 20 °C is the resistance"),
    )
    assert below["words"] < above["words"]
    assert item["words"] > below["words"]
    (asked,) = observed("resistance at -20 °C", unit("– 20 °C | 1367 Ω", kind="row"))
    assert asked["words"] == pytest.approx(above["words"])


def test_a_sign_before_a_number_tells_two_operating_points_apart():
    cold, warm = unit("COP | 2.7", "A-7 / W35"), unit("COP | 4.9", "A7 / W35")
    for question, right, wrong in (
        ("COP at A7/W35", 1, 0),
        ("COP at A-7/W35", 0, 1),
    ):
        rows = observed(question, cold, warm)
        said = [row["words"] + row["words_heading"] for row in rows]
        assert said[right] == pytest.approx(1.0)
        assert said[wrong] == pytest.approx(2 / 3)
    (alone,) = observed("COP at A7/W35", cold)  # where only that is written it may be meant
    assert alone["words"] + alone["words_heading"] == pytest.approx(1.0)


def test_a_code_is_found_however_it_is_spelled():
    rows = observed("fault E05", unit("E-05 | No flow"), unit("E05: see below"))
    assert [row["codes"] for row in rows] == [1.0, 1.0]


def test_the_row_of_another_variant_is_told_from_that_of_the_one_asked_for():
    rows = [
        unit("Fuse | 17 | 17", "Size | BLN-012 TC3 | BLN-018 TC3", kind="row"),
        unit("Fuse | 17 | 36", "Size | BLN-012 TC1 | BLN-018 TC1", kind="row"),
        unit("The BLN-018 TC3 needs a fuse."),
    ]
    asked = Question.parse("fuse of the BLN-018TC1")
    assert of_sibling(asked, rows).tolist() == [True, False, False]
    assert not of_sibling(asked, rows[:1]).any()  # nothing else is known here
