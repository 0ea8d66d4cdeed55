from __future__ import annotations

import copy
import json
import pickle

from desktop.core.agent.answering.refusals import SENTENCES, not_in_manuals
from desktop.core.spoken import recognised
from desktop.sentences import said, together


def test_a_sentence_is_plain_english_for_whoever_does_not_translate_it():
    sentence = said("Searching {n} manuals", n=3)
    assert sentence == "Searching 3 manuals"
    assert json.loads(json.dumps(sentence)) == "Searching 3 manuals"
    assert sentence.template == "Searching {n} manuals"


def test_braces_in_a_sentence_without_values_stay():
    assert said("Replace {part}") == "Replace {part}"


def test_a_stored_text_is_recognised_with_its_values():
    text = str(
        together(
            [
                said("I did not find the answer in your manuals."),
                said(SENTENCES[7], names="X9 or K2"),
            ]
        )
    )
    found = recognised(text, SENTENCES)
    assert found == text
    assert found is not None
    assert found.values["s1"].values == {"names": "X9 or K2"}  # type: ignore[attr-defined]


def test_a_text_that_says_anything_else_is_not_recognised():
    assert (
        recognised("I did not find the answer in your manuals. The seal lasts 3 months.", SENTENCES)
        is None
    )
    assert recognised("", SENTENCES) is None


def test_what_is_said_of_a_missing_answer_is_always_recognised():
    for selected in (frozenset(), frozenset({1})):
        text = str(not_in_manuals([], selected, ("S-130",)))
        assert recognised(text, SENTENCES) == text


def test_a_copied_sentence_can_still_be_translated():
    sentence = said("Searching {n} manuals", n=3)
    for copied in (copy.deepcopy(sentence), pickle.loads(pickle.dumps(sentence))):
        assert copied == sentence
        assert (copied.template, copied.values) == (sentence.template, sentence.values)
