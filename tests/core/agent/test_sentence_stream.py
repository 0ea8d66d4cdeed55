"""Sentences and citation marks in a text that arrives in pieces of any size."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.agent.answering.written_draft import (
    SentenceEnd,
    SentenceStream,
    Words,
    cited_numbers,
)


def read(*parts: str):
    stream = SentenceStream()
    return [piece for part in parts for piece in stream.feed(part)] + stream.finish()


def sentences(*parts: str):
    return [(p.text, p.cited) for p in read(*parts) if isinstance(p, SentenceEnd)]


def shown(*parts: str):
    return "".join(piece.text for piece in read(*parts) if isinstance(piece, Words))


def test_words_are_passed_on_before_the_sentence_ends():
    stream = SentenceStream()
    assert stream.feed("The fuse is") == [Words("The fuse is")]
    assert stream.feed(" 5 A.") == [Words(" 5 A.")]


@pytest.mark.parametrize(
    "parts",
    [
        ("The fuse is 5 A [1]. The cable is long [2][3].",),
        ("The fuse is 5 A. [1] The cable is long. [2] [3]",),
        ("The fuse is 5 A [", "1", "].", " The cable is long [2, 3]", "."),
        ("The fuse is 5 A 【1†L3】. The cable is long [Passages 2 and 3].",),
        ("The fuse is 5 A [1, page 4-2]. The cable is long [2-3].",),
        ("**The fuse** is 5 A [1].\nThe cable is long [2] [3].",),
    ],
)
def test_a_mark_belongs_to_its_sentence_however_it_is_written_or_split(parts):
    assert sentences(*parts) == [("The fuse is 5 A.", (1,)), ("The cable is long.", (2, 3))]


@pytest.mark.parametrize("text", ["[see table]", "[A1]", "[]", "[", "[1 of many]", "a [b\nc]"])
def test_brackets_that_cite_nothing_stay_in_the_text(text):
    assert "".join(shown(text).split()) == "".join(text.split())


def test_steps_are_sentences_of_their_own_and_keep_their_numbers():
    assert sentences("Proceed as follows:\n\n1. Open the flap [2]\n2. Press S1 [2]\n- done") == [
        ("Proceed as follows:", ()),
        ("1. Open the flap", (2,)),
        ("2. Press S1", (2,)),
        ("- done", ()),
    ]


def test_abbreviations_and_decimals_end_no_sentence():
    text = "Use approx. 1.5 Nm, e.g. with a torque wrench."
    assert sentences(text) == [(text, ())]


def test_headings_and_emphasis_lose_their_signs():
    assert shown("## Steps\n**Open** the `flap` * now") == "Steps\nOpen the `flap` * now"


def test_a_mark_before_the_first_word_belongs_to_the_sentence_after_it():
    assert sentences("[4] It is red.") == [("It is red.", (4,))]


@pytest.mark.parametrize(
    ("mark", "numbers"),
    [
        ("[7]", (7,)),
        ("[1, 3]", (1, 3)),
        ("[2–4]", (2, 3, 4)),
        ("[1-900]", (1, 900)),
        ("[passage 2]", (2,)),
        ("[5 A]", ()),
        ("[1234]", ()),
    ],
)
def test_what_a_mark_cites(mark, numbers):
    assert cited_numbers(mark) == numbers


ANSWER = "1. The fuse [1] is 5 A. It (F2) is *fast* [see 3] 【2】.\n\n## Two: [3, 4]\n- x [9"


@given(st.lists(st.integers(0, len(ANSWER)), max_size=12))
def test_how_the_text_was_split_changes_nothing(cuts):
    places = [0, *sorted(cuts), len(ANSWER)]
    parts = [ANSWER[a:b] for a, b in pairwise(places)]
    assert sentences(*parts) == sentences(ANSWER)
    assert shown(*parts) == shown(ANSWER)
