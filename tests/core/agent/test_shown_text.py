"""What a person reads of a quote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.agent.shown_text import shown_text
from desktop.core.retrieval.evidence import Passage
from desktop.core.retrieval.grounding import Quote, quotes_of
from desktop.core.retrieval.question import Question
from tests.fakes.parser import words_of

if TYPE_CHECKING:
    from desktop.core.page_words import PageWords


def quoted(text: str, kind: str, context: str = "Service") -> tuple[Quote, PageWords]:
    words = words_of(text.replace(" | ", " "))
    boxes = words.line_boxes(0, len(words) - 1)
    plain = " ".join(text.split())
    (quote,) = quotes_of(Passage(1, kind, plain, context, boxes, (), 1.0), words)
    return quote, words


def shown(question: str, quote: Quote, words: PageWords) -> tuple[str, str]:
    return shown_text(quote, Question.parse(question), (), words)


def test_of_a_row_with_very_many_cells_those_around_the_answer_are_said():
    sheets = "cover,power,processor,memory,network,display,sound,camera,keys,lamps,fans,relays"
    cells = [f"Sheet of the {name} unit number {i}" for i, name in enumerate(sheets.split(","))]
    quote, words = quoted(" | ".join(cells), "row")
    text, verbatim = shown("On which sheet is the camera unit?", quote, words)
    assert "Sheet of the camera unit number 7" in text
    assert "relays" not in text
    assert text.endswith(" …")
    assert verbatim in quote.text
    assert len(text.split()) <= 60


def test_a_unit_that_only_the_caption_gives_is_said_with_the_row():
    above = "Modem › Table 4. Power (mA@5V) › Mode | USB | DC"
    quote, words = quoted("Idle | 350 | 90", "row", above)
    assert shown("Idle?", quote, words)[0] == "Mode: Idle; USB: 350; DC: 90 (mA@5V)"
    quote, words = quoted("Idle | 350", "row", "Modem › Power (mA@5V) › Mode | Current (A)")
    assert shown("Idle?", quote, words)[0] == "Mode: Idle; Current (A): 350"


def test_a_sentence_without_end_is_cut_at_a_clause_and_the_answer_stays():
    filler = "and the lamp shines on the wall of the room, "
    quote, words = quoted(
        f"When the lid is shut {filler * 7} but the vessel needs 3.1 bar before filling, "
        f"{filler * 4} so it goes on.",
        "paragraph",
    )
    text, verbatim = shown("What pre-charge does the vessel need?", quote, words)
    assert "the vessel needs 3.1 bar" in text
    assert text.startswith("… ")
    assert text.endswith(" …")
    assert verbatim in " ".join(words.texts)


def test_a_usual_sentence_is_said_whole():
    quote, words = quoted("Close the valve, and then open the lid.", "paragraph")
    assert shown("lid", quote, words) == (quote.text, quote.text)


def test_a_step_is_never_cut():
    quote, words = quoted("1. " + "Close the valve, " * 30, "item")
    assert shown("valve", quote, words) == (quote.text, quote.text)


def test_empty_cells_are_not_said():
    row = Quote(" | \ue123 | 5 A", "row", "Fuses › No. | Name | Rating", (), ())
    assert shown("Which rating?", row, words_of("5 A"))[0] == "Rating: 5 A"
