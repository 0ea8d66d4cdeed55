"""Reasoning and answer are told apart, however the text was cut into pieces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.models.answer_text import HarmonySplitter, TagSplitter


def split(splitter, pieces):
    """Return (reasoning, answer)."""
    parts = [part for piece in pieces for part in splitter.push(piece)] + splitter.finish()
    return (
        "".join(part.text for part in parts if part.reasoning),
        "".join(part.text for part in parts if not part.reasoning),
    )


THOUGHT = "<think>\nWhich pump?\n</think>\n\nThe P-200 < P-300."
HARMONY = (
    "<|channel|>analysis<|message|>Which pump?<|end|><|start|>assistant<|channel|>commentary"
    " to=functions.search <|constrain|>json<|message|>{}<|end|>"
    "<|start|>assistant<|channel|>final<|message|>The P-200 < P-300.<|return|>"
)


def test_text_between_the_tags_is_reasoning():
    assert split(TagSplitter(), [THOUGHT]) == ("Which pump?\n", "The P-200 < P-300.")


def test_a_prompt_that_opened_the_tag_leaves_only_the_closing_one():
    splitter = TagSplitter(inside=True)
    assert split(splitter, ["\nWhich pump?</thi", "nk>\nThe P-200"]) == ("Which pump?", "The P-200")


def test_a_stray_closing_tag_is_not_shown():
    assert split(TagSplitter(), ["Hm.</think>\nYes"]) == ("", "Hm.Yes")


def test_text_without_tags_is_the_answer():
    assert split(TagSplitter(), ["a < b and <thin", " air>"]) == ("", "a < b and <thin air>")


def test_reasoning_that_never_ends_is_no_answer():
    assert split(TagSplitter(), ["<think>on and on </thi"]) == ("on and on </thi", "")


def test_other_models_have_other_tags():
    splitter = TagSplitter("<|think:start|>", "<|think:end|>")
    assert split(splitter, ["<|think:start|>a<|think:end|>b"]) == ("a", "b")


def test_only_the_final_channel_is_the_answer():
    splitter = HarmonySplitter()
    assert split(splitter, [HARMONY]) == ("Which pump?{}", "The P-200 < P-300.")
    assert splitter.finished


def test_a_prompt_that_opened_the_final_channel_begins_with_the_answer():
    splitter = HarmonySplitter(answering=True)
    assert split(splitter, ['{"a"', ":1}", "<|return|>", "more"]) == ("", '{"a":1}')
    assert splitter.finished


def test_a_model_that_ignores_the_channels_is_still_heard():
    assert split(HarmonySplitter(), ["The P-200."]) == ("", "The P-200.")
    long = "The P-200 is the pump. " * 20
    assert split(HarmonySplitter(), list(long)) == ("", long)


def test_a_message_without_a_channel_is_the_answer():
    assert split(HarmonySplitter(), ["<|message|>Yes<|end|>"]) == ("", "Yes")


def test_reasoning_alone_does_not_finish_the_answer():
    splitter = HarmonySplitter()
    assert split(splitter, ["<|channel|>analysis<|message|>Hm<|end|>"]) == ("Hm", "")
    assert not splitter.finished


_pieces = {
    TagSplitter: ("<think>", "</think>", "<", "think>", "</", "word", " ", "\n"),
    HarmonySplitter: (
        "<|start|>", "<|channel|>", "<|message|>", "<|end|>", "<|", "|>", "final", "analysis", " x",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", _pieces)
@given(data=st.data())
def test_the_parts_do_not_depend_on_how_the_text_was_cut(kind, data):
    pieces = data.draw(st.lists(st.sampled_from(_pieces[kind])))
    whole = "".join(pieces)
    expected = split(kind(), [whole])
    assert split(kind(), pieces) == expected
    assert split(kind(), list(whole)) == expected


@given(st.text("ab <>/", max_size=60))
def test_an_answer_without_tags_arrives_unchanged(text):
    assert split(TagSplitter(), list(text)) == ("", text)
