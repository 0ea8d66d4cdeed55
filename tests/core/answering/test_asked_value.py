"""The amount of a sentence that leads its answer."""

import pytest

from desktop.core.answering.asked_value import asked_value, asks_for_steps
from desktop.core.question.query import Question
from desktop.models.built_in import load_text_embedder


@pytest.fixture(scope="module")
def embedder():
    return load_text_embedder()


@pytest.mark.parametrize(
    ("question", "sentence", "value"),
    [
        ("What supply voltage is needed?", "The pump needs a supply voltage of 24 V DC.", "24 V"),
        ("How often is the brake tested?", "Its brake is tested every 6 months.", "6 months"),
        ("Welches Drehmoment?", "Ziehen Sie die Klemmschrauben mit 1,2 Nm an.", "1,2 Nm"),
        ("max ambient temp", "It must not be operated above 40 °C.", "40 °C"),
    ],
)
def test_the_amount_that_is_asked_for_is_told(embedder, question, sentence, value):
    assert asked_value(Question.parse(question), sentence, embedder) == value


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How do I replace the fuse?", "Unplug it, wait 5 minutes and open the cover."),
        ("How do I start manual defrosting?", "Press both keys for 5 seconds to start defrosting."),
        ("What happens above 40 °C?", "Above 40 °C the controller switches the fan on."),
        ("What does the green LED mean?", "The pump is ready."),
    ],
)
def test_nothing_leads_where_no_amount_is_asked_for(embedder, question, sentence):
    assert asked_value(Question.parse(question), sentence, embedder) == ""


def test_without_the_text_model_nothing_leads():
    question = Question.parse("What supply voltage is needed?")
    assert asked_value(question, "It needs 24 V.", None) == ""


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("How do I replace the filter?", True),
        ("Wie wechsle ich den Filter?", True),
        ("How much current does the pump draw?", False),
        ("Was bedeutet die grüne LED?", False),
    ],
)
def test_a_question_asks_for_steps_or_for_something_else(embedder, question, steps):
    assert asks_for_steps(Question.parse(question), embedder) is steps
    assert not asks_for_steps(Question.parse(question), None)
