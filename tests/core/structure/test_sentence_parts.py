import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.structure.sentences import sentence_parts


def parts(text):
    words = text.split()
    return [" ".join(words[first:last]) for first, last in sentence_parts(words)]


@given(st.lists(st.text("a1B)(•Q:", min_size=1, max_size=4), max_size=30))
def test_no_word_is_lost_and_none_is_said_twice(words):
    spans = sentence_parts(words)
    assert [word for first, last in spans for word in words[first:last]] == words


def test_the_points_of_a_list_that_was_flattened_are_told_apart():
    text = "The fault comes when both are true: 1)The lid is open 2)The tank is empty"
    assert parts(text) == [
        "The fault comes when both are true:",
        "1)The lid is open",
        "2)The tank is empty",
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Q: Why is it dark A: The lamp is off", 2),
        ("Take with you • one pump • two hoses", 3),
        ("Choose either a) the large valve b) the small valve", 3),
    ],
)
def test_bullets_letters_and_speakers_begin_a_part(text, count):
    assert len(parts(text)) == count


@pytest.mark.parametrize(
    "text",
    [
        "Terminal 2) is free and carries no voltage at all",
        "Close the valve (see 3) and open the lid",
        "The pump A:1 needs oil",
    ],
)
def test_what_only_looks_like_a_list_stays_whole(text):
    assert parts(text) == [text]


def test_a_capital_after_a_wide_gap_begins_a_part_and_a_small_letter_goes_on():
    words = "The connector was moved Important note for owners".split()
    assert sentence_parts(words, {4}) == [(0, 4), (4, 8)]
    assert sentence_parts([word.lower() for word in words], {4}) == [(0, 8)]
