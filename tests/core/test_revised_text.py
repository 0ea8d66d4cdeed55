"""An answer's text after its revisions."""

from __future__ import annotations

from desktop.core.events import RevisionEvent, StatusEvent, TokenEvent
from desktop.core.revised_text import RevisedText, TextPiece

TOKENS = [TokenEvent("One is 1."), TokenEvent(" Two is 3."), TokenEvent("\nOne is 1.")]


def test_without_revisions_the_text_is_what_was_streamed():
    assert RevisedText(TOKENS).text == "One is 1. Two is 3.\nOne is 1."


def test_a_withdrawn_sentence_is_a_piece_and_no_part_of_the_text():
    revised = RevisedText([*TOKENS, RevisionEvent(1, 10, "Two is 3.", "", ("3",))])
    assert revised.text == "One is 1.\nOne is 1."
    assert TextPiece("Two is 3.", ("3",), withdrawn=True) in revised.pieces
    assert "".join(piece.text for piece in revised.pieces) == "One is 1. Two is 3.\nOne is 1."


def test_of_two_equal_sentences_the_one_that_was_meant_is_revised():
    revised = RevisedText([*TOKENS, RevisionEvent(2, 20, "One is 1.", "")])
    assert revised.text == "One is 1. Two is 3."
    revised = RevisedText([*TOKENS, RevisionEvent(0, 0, "One is 1.", "")])
    assert revised.text == "Two is 3.\nOne is 1."


def test_the_last_revision_of_a_sentence_counts_and_a_corrected_one_is_in_the_text():
    mark = RevisionEvent(1, 10, "Two is 3.", "Two is 3.", ("3",))
    revised = RevisedText([*TOKENS, mark, RevisionEvent(1, 10, "Two is 3.", "Two is 2.")])
    assert revised.text == "One is 1. Two is 2.\nOne is 1."


def test_a_revision_of_text_that_came_after_others_text_is_found_all_the_same():
    revised = RevisedText(
        [TokenEvent("Page 4. "), TokenEvent("Bad."), RevisionEvent(0, 0, "Bad.", "")]
    )
    assert revised.text == "Page 4."


def test_what_changes_nothing_says_so():
    revised = RevisedText(TOKENS)
    assert not revised.take(StatusEvent("Reading"))
    assert not revised.take(RevisionEvent(0, 0, "never said", ""))
    assert revised.take(TokenEvent(" More."))
