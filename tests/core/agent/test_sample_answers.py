"""Answers from the sample manuals that ship with the application."""

from __future__ import annotations

from collections import Counter

import pytest

from desktop.core.evaluation.gold import read_gold
from desktop.core.paths import SAMPLE_QUESTION, resources_folder

GOLD = read_gold(resources_folder() / "samples" / "questions.json").questions
QUESTIONS = [question for question in GOLD if question.answerable][::3]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_what_is_quoted_stands_there_and_what_is_highlighted_is_of_the_quote(samples, question):
    answer = samples.ask(question.question)
    assert answer.statements
    for statement in answer.statements:
        source = statement.source
        quoted = statement.quote.replace(" | ", " ")
        highlighted = samples.words_in(source.document_id, source.page, source.regions)
        assert highlighted
        beside = Counter(highlighted.split()) - Counter(quoted.split())
        headings = [
            Counter(block.text.split())
            for block in samples.library.blocks(source.document_id, source.page)
            if block.kind == "heading"
        ]
        columns = Counter(statement.text.replace(":", " ").replace(";", " ").split())
        assert any(beside <= heading for heading in [Counter(), columns, *headings]), beside


def test_a_row_is_highlighted_with_the_headings_of_its_columns(samples):
    told, *_ = samples.ask("What is the tightening torque for terminals X2:1 to X2:6?").statements
    source = told.source
    heads, row = (
        samples.words_in(source.document_id, source.page, boxes)
        for boxes in (source.regions[1:], source.regions[:1])
    )
    assert heads == "Terminal Screw Torque Strip length"
    assert row == "X2:1 to X2:6 PZ 2 1.2 Nm 10 mm"


def test_the_question_of_the_demo_is_answered(samples):
    answer = samples.ask(SAMPLE_QUESTION)
    assert "1.8 Nm" in answer.statements[0].quote
