"""Words that lie side by side in a drawing are not read as rows of a table."""

from __future__ import annotations

from desktop.core.geometry import Box
from desktop.core.retrieval.drawing_lines import drawing_lines, with_drawing_first
from desktop.core.retrieval.grounding import Quote
from desktop.core.retrieval.question import Question
from desktop.core.retrieval.quote_ranking import RankedQuote

WALK = Question.parse("Which keys must I press in Menu 41?")


def lying(kind: str, top: float, context: str = "Manual", text: str = "41 | YES") -> Quote:
    box = Box(100, top, 300, top + 10 if kind == "row" else top + 200)
    return Quote(text, kind, context, (text,), (box,))


def test_words_side_by_side_in_a_drawing_are_no_table_row():
    drawing = lying("label", 100)
    assert drawing_lines([drawing, lying("row", 150), lying("row", 400)]) == [False, True, False]


def test_a_numbered_table_that_was_taken_for_a_drawing_keeps_its_rows():
    row = lying("row", 150, "Manual › Table 11. Pins of the header")
    assert drawing_lines([lying("label", 100), row]) == [False, False]


def leading(*quotes: Quote) -> list[RankedQuote]:
    return [RankedQuote(quote, 1.0 - i / 10, (), i) for i, quote in enumerate(quotes)]


def test_the_whole_drawing_is_said_in_place_of_a_line_of_it():
    line, other, drawing, prose = (
        lying("row", 150),
        lying("row", 170),
        lying("label", 100),
        lying("paragraph", 400),
    )
    said = with_drawing_first(WALK, leading(line, other, drawing, prose))
    assert [item.quote for item in said] == [drawing, prose]
    assert said[0].score == 1.0


def test_a_line_of_a_drawing_with_the_value_that_is_asked_for_is_said_alone():
    line, drawing = lying("row", 150, text="Test | 2 min"), lying("label", 100)
    asked = Question.parse("How long does the test last?")
    assert with_drawing_first(asked, leading(line, drawing))[0].quote is line


def test_a_sentence_in_a_drawing_stays_a_sentence():
    line, drawing = lying("row", 150, text="Lamp H1 is lit when set."), lying("label", 100)
    assert with_drawing_first(WALK, leading(line, drawing))[0].quote is line
