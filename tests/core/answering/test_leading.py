"""Which values may stand large above the statement that they are quoted from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop.core.answering.answer import Statement
from desktop.core.answering.leading import without_doubtful_value
from desktop.core.events import QuotedForm
from desktop.core.question.query import Question
from desktop.models.built_in import load_text_embedder
from tests.fakes.searcher import page_found

DRAWN = "What current does the pump draw?"


@pytest.fixture(scope="module")
def embedder():
    return load_text_embedder()


def told(value: str, text: str) -> Statement:
    form = QuotedForm("text", text, value=value)
    return Statement(text, page_found(text).region(), text, form=form)


def value_may_lead(statement, asked, embedder):
    return without_doubtful_value(statement, asked, embedder) is statement


def row(*cells: str, asked: int, headings: tuple[str, ...] = ()) -> Statement:
    text = " | ".join(cells)
    form = QuotedForm("row", text, headings=headings, cells=cells, asked=asked)
    return Statement(text, page_found(text).region(), text, form=form)


def page(question: str, *, absent: tuple[str, ...] = ()):
    asked = Question.parse(question)
    unknown = frozenset(group for word in absent for group in Question.parse(word).groups)
    weights = (1.0,) * len(asked.groups)
    return replace(page_found("Specifications"), asked=asked, term_weights=weights, absent=unknown)


def test_the_amount_of_a_sentence_that_speaks_of_what_is_asked_leads(embedder):
    draws = told("1.5 A", "The pump can draw a current of 1.5 A.")
    assert value_may_lead(draws, page(DRAWN), embedder)


def test_that_of_one_without_the_words_that_its_manual_has_elsewhere_does_not(embedder):
    idle = told("10 %", "In idle mode it is less than 10 %.")
    assert not value_may_lead(idle, page(DRAWN), embedder)
    # the manual is in other words, or in another language
    assert value_may_lead(idle, page(DRAWN, absent=("current", "draw")), embedder)


def test_a_bare_number_does_not_lead_where_an_amount_is_surely_asked_for(embedder):
    question = page("How many kg of refrigerant does the outdoor unit hold?")
    for name, value, leads in (
        ("R32", "40", False),
        ("R32", "1 kg", True),
        ("R32 (kg)", "1", True),
    ):
        held = row(name, value, asked=1, headings=("Refrigerant of the outdoor unit", "Holds"))
        assert value_may_lead(held, question, embedder) is leads


@pytest.mark.parametrize(
    ("cell", "leads"),
    [("2.3 3.8 5.2", False), ("75 x 45 x 21 mm", True), ("6.9 kg (15.2 lb)", True)],
)
def test_amounts_of_several_columns_do_not_lead_and_one_said_twice_does(cell, leads):
    assert value_may_lead(row("Size", cell, asked=1), page("size?"), None) is leads


def test_what_may_not_lead_is_quoted_without_a_value_told_apart():
    cells = row("Size", "2.3 3.8 5.2", asked=1)
    quoted = without_doubtful_value(cells, page("size?"), None)
    assert quoted.form is not None
    assert cells.form is not None
    assert (quoted.text, quoted.form.cells) == (cells.text, cells.form.cells)
    assert (quoted.form.asked, quoted.form.value) == (-1, "")
