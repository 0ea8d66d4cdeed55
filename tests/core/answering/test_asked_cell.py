"""Which cell of a row leads the answer."""

import pytest

from desktop.core.answering.asked_cell import asked_cell
from desktop.core.question.query import Question


@pytest.mark.parametrize("code", ["E75", "E 75", "E-75"])
def test_a_code_that_the_question_names_is_not_the_answer(code):
    question = Question.parse("What does error code E75 mean?")
    assert asked_cell(question, (), (code, "Outside temperature sensor")) == 1
