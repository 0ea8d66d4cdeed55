"""A way through menus is told by the chart of the menus."""

from __future__ import annotations

from desktop.core.geometry import Box
from desktop.core.retrieval.drawn_procedures import with_drawn_procedure
from desktop.core.retrieval.evidence import Evidence
from desktop.core.retrieval.grounding import Quote
from desktop.core.retrieval.question import Question
from desktop.core.retrieval.quote_ranking import RankedQuote, covered_groups
from desktop.core.retrieval.tokens import index_term_set

PAGE = Evidence(1, "panel.pdf", "Panel", 0, "1", 1.0, (), ())
KEYS = Question.parse("Which keys must I press to reach the lamp test from the start menu?")
PROSE = ("paragraph", "The lamp test is started by pressing a key of the start menu.", "Panel")
CHART = ("label", "START MENU? YES LAMP TEST? YES RUNNING STOP", "Panel › Fig. 2 Lamp test")
OTHER = ("label", "FUSE F1 FUSE F2 MAINS INLET GROUND", "Panel › Fig. 3 Fuses")
CAPTION = ("caption", "Fig. 2 Lamp test", "Panel")


def ranked(question: Question, *quotes: tuple[str, str, str]) -> list[RankedQuote]:
    items = []
    for place, (kind, text, context) in enumerate(quotes):
        box = Box(50, 50 + 20 * place, 200, 60 + 20 * place)
        quote = Quote(text, kind, context, (text,), (box,), tuple(range(len(text.split()))))
        covered = covered_groups(question, index_term_set(text))
        items.append(RankedQuote(quote, 1.0 - place / 10, covered, place))
    return items


def first(question: Question, *quotes: tuple[str, str, str]) -> str:
    found = with_drawn_procedure(question, PAGE, ranked(question, *quotes))
    assert len(found) == len(quotes)
    return found[0].quote.text


def test_a_way_through_menus_is_told_by_the_chart_that_names_it():
    assert first(KEYS, PROSE, OTHER, CHART) == CHART[1]


def test_a_drawing_of_something_else_stays_behind_the_sentence():
    assert first(KEYS, PROSE, OTHER) == PROSE[1]


def test_a_question_about_a_value_is_not_answered_with_a_chart():
    question = Question.parse("How bright is the lamp of the start menu?")
    assert first(question, PROSE, CHART) == PROSE[1]


def test_what_a_caption_announces_is_its_drawing():
    question = Question.parse("How is the lamp test done?")
    assert first(question, CAPTION, OTHER, CHART) == CHART[1]
    assert first(question, CAPTION, OTHER) == CAPTION[1]
