"""A text ends at its first stop word, however it was cut into pieces."""

from hypothesis import given
from hypothesis import strategies as st

from desktop.models.answer_text import StopWords

# few letters, so that words meet, overlap and almost match all the time
letters = st.text("ab\n", max_size=4)


def shown(pieces, words):
    stop = StopWords(words)
    text = ""
    for piece in pieces:
        text += stop.push(piece)
    return text + stop.finish(), stop.stopped


def test_a_stop_word_split_over_pieces_is_never_shown():
    assert shown(["Yes.", "\nUs", "er: what"], ["\nUser:"]) == ("Yes.", True)


def test_an_almost_stop_word_is_shown_once_it_is_decided():
    stop = StopWords(["END"])
    assert stop.push("the E") == "the "
    assert stop.push("N") == ""
    assert stop.push("Z") == "ENZ"


def test_what_was_held_back_at_the_end_is_shown():
    assert shown(["the EN"], ["END"]) == ("the EN", False)


def test_nothing_is_shown_after_a_stop_word():
    stop = StopWords(["."])
    assert stop.push("One. Two") == "One"
    assert stop.push("Three") == ""
    assert stop.finish() == ""


def test_empty_stop_words_are_ignored():
    assert shown(["text"], ["", "x!"]) == ("text", False)


@given(st.lists(letters), st.lists(letters, max_size=3))
def test_the_cut_does_not_depend_on_the_pieces(pieces, words):
    whole = "".join(pieces)
    assert shown(pieces, words) == shown([whole], words) == shown(list(whole), words)


@given(st.lists(letters), st.lists(letters, max_size=3))
def test_the_shown_text_is_a_beginning_without_any_stop_word(pieces, words):
    text, stopped = shown(pieces, words)
    whole = "".join(pieces)
    assert whole.startswith(text)
    assert not any(word in text for word in words if word)
    assert stopped == any(word in whole for word in words if word)
