"""Technical codes are found however they are written; words are found in all their forms."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.question import tokens
from desktop.core.question.query import Question
from desktop.core.question.tokens import index_terms, query_terms


def matching(question, text, language="en"):
    """The terms of the question that are found in the text."""
    terms = set(index_terms(text, language).split())
    return {term for group in query_terms(question) for term in group} & terms


def finds_code(question, text):
    """Whether a code of letters and digits is found whole, not only in parts."""
    return any(
        re.search(r"\d", term) and re.search(r"[^\W\d_]", term) for term in matching(question, text)
    )


SPELLINGS = [
    ["RS-485", "RS485", "rs-485", "Rs485"],
    ["24 V", "24V", "24 v", "24 V DC", "24 VDC", "24VDC", "24 V="],
    ["1.5 mA", "1.5mA", "1.5 ma"],
    ["S-130", "S130", "s-130"],
    ["J1C", "j1c", "(J1C)", "J1C,"],
    ["Menu 41", "menu 41", "MENU 41."],
    ["2.5 mm²", "2.5 mm2", "2.5mm²"],
    ["10 kΩ", "10 kohm", "10kΩ"],
    ["UL/ULC-S527", "ul/ulc-s527"],
]


@pytest.mark.parametrize(
    ("asked", "written"),
    [(asked, written) for group in SPELLINGS for asked in group for written in group],
)
def test_a_code_is_found_in_each_of_its_spellings(asked, written):
    assert finds_code(f"What is {asked}?", f"The value is {written} here.")


@pytest.mark.parametrize("asked", [group[0] for group in SPELLINGS])
@pytest.mark.parametrize("written", [group[0] for group in SPELLINGS])
def test_a_code_is_not_found_where_another_stands(asked, written):
    assert finds_code(asked, written) is (asked == written)


@pytest.mark.parametrize(
    ("asked", "written", "language"),
    [
        ("configuration", "Configurations", "en"),
        ("relays", "the relay K1", "en"),
        ("Straße", "STRASSE", "de"),
        ("Batterien", "die Batterie G1", "de"),
    ],
)
def test_a_word_is_found_in_its_other_forms(asked, written, language):
    assert matching(asked, written, language)


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("rs 485", "The RS-485 bus"),
        ("485", "The RS-485 bus"),
        ("24 V", "powered by 24 V DC"),
        ("24V", "powered by 24 VDC"),
        ("24VDC", "powered by 24 V"),
        ("menu 41", "see Menu 41 for it"),
        ("S527", "UL/ULC-S527"),
    ],
)
def test_a_code_is_found_by_its_parts_too(asked, written):
    assert matching(asked, written)


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("RS-485", "The RS-232 bus has 8 bit"),
        ("J1C", "terminals J1D and J10"),
        ("1.5 A", "no more than 15 A"),
        ("S-130", "sensor S-13 at 0"),
        ("24 V", "48 V and 2.4 A"),
    ],
)
def test_another_code_is_not_found(asked, written):
    assert not finds_code(asked, written)


code = st.from_regex(r"[A-Z]{1,3}-?[0-9]{1,4}[A-Z]?", fullmatch=True)


@given(code, st.sampled_from(["{}", "({})", "{}.", "{},", "„{}“", "{}:"]))
def test_any_code_is_found_whatever_marks_stand_around_it(name, around):
    joined = name.replace("-", "")
    assert finds_code(name, around.format(name))
    assert finds_code(name.lower(), around.format(name))
    assert finds_code(joined, around.format(name))
    assert finds_code(name, around.format(joined))


@given(st.integers(1, 9999), st.sampled_from(["V", "mA", "Hz", "mm", "kg", "bar", "°C", "min"]))
def test_any_measure_is_found_with_and_without_a_space(value, unit):
    joined, apart = f"{value}{unit}", f"{value} {unit}"
    assert finds_code(joined, f"It takes {apart}.")
    assert finds_code(apart, f"It takes {joined}.")


@given(st.text(max_size=80))
def test_terms_are_such_that_the_index_takes_them_as_they_are(text):
    terms = index_terms(text).split()
    assert all(re.fullmatch(r"\w+", term) for term in terms)
    assert all(re.fullmatch(r"\w+", term) for group in query_terms(text) for term in group)


@given(st.text(max_size=60))
def test_a_page_is_found_by_its_own_words(text):
    terms = {*index_terms(text, "en").split(), *index_terms(text, "de").split()}
    assert all(any(term in terms for term in group) for group in query_terms(text))


def test_words_that_say_nothing_are_left_out_of_a_question():
    assert query_terms("What is the and how do I?") == []
    assert query_terms("Wie ist das und wo?") == []
    assert len(query_terms("How do I reset the panel?")) == 2


def test_a_word_said_twice_is_asked_once():
    assert query_terms("reset reset RESET") == query_terms("reset")


def test_words_beyond_those_that_are_remembered_have_the_same_terms(monkeypatch):
    monkeypatch.setattr(tokens, "_MOST_KNOWN", 8)
    monkeypatch.setattr(tokens, "_KNOWN", {"en": {}, "de": {}})
    texts = [f"Valve HV{n} opens at {n} bar." for n in range(40)]
    before = [index_terms(text) for text in texts]
    assert [index_terms(text) for text in texts] == before
    assert before[7].split() == ["valv", "hv7", "open", "at", "7", "bar", "7bar"]
    assert all(len(known) <= 8 for known in tokens._KNOWN.values())


def test_two_codes_with_a_stroke_between_them_are_looked_for_one_by_one():
    assert query_terms("A7/W35") == [("a7",), ("w35",)]
    assert query_terms("and/or 1/2") == query_terms("1/2")


def test_what_says_nothing_is_left_out_in_the_language_of_the_question_alone():
    def asked(question):
        return [group[0] for group in Question.parse(question).groups]

    assert asked("¿Cómo tenso la correa de la sierra?") == ["tenso", "correa", "sierra"]
    assert asked("Hoe open ik de deur van de kast?") == ["open", "deur", "kast"]
    assert "door" in asked("How do I open the door of the cabinet?")


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("BLN-018TC1", "BLN-018 TC1"),
        ("BLN-018 TC1", "BLN-018TC1"),
    ],
)
def test_the_code_of_a_variant_may_stand_apart_from_that_of_its_series(asked, written):
    assert "bln018tc1" in matching(asked, written)
    assert "bln018tc1" not in matching(asked, "BLN-018 TC3")


def test_the_second_of_two_codes_that_share_their_number_is_found():
    assert "msx200048" in matching("MSX-2000-48", "MS/MSX-2000-48")
    assert matching("X-2000-48", "MS/MSX-2000-48") == set()
