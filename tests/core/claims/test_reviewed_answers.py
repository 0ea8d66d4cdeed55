"""The critic at work on answers of the agent, with a real library of two small pages."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from desktop.core.agent.answering.review import ModelCritic, ReviewedWriter
from desktop.core.agent.question_trace import QuestionTrace
from desktop.core.agent.tree_data import TreeData
from desktop.core.answering.answer import Answer, Statement
from desktop.core.claims.cited import CitedPassage, PageQuote
from desktop.core.claims.comparison import Comparison
from desktop.core.events import CitationEvent, PageRegion, RevisedText, RevisionEvent, TokenEvent
from desktop.core.geometry import Box
from desktop.core.trace.reasoning_trace import ReasoningStage
from desktop.core.trace.session_memory import SessionMemory
from tests.fakes.comparer import ScriptedComparer
from tests.fakes.language_model import FakeLanguageModel

if TYPE_CHECKING:
    from collections.abc import Sequence

_LINES = (
    "1. Open the drain valve.",
    "2. Wait 10 min until it is empty.",
    "3. Close the cover and fit the screws.",
    "The battery test lasts 24 hours.",
)


COMPARISON = Comparison(ScriptedComparer({("24 hours", "30 hours"): "contradict"}))


def region(line: int) -> PageRegion:
    return PageRegion(1, "P-200", 4, "5", (Box(0, 10 * line, 100, 10 * line + 9),))


class OnePage:
    """Reads citations of one page: each line is a quote with a box of its own."""

    def passages(self, events: Sequence[Any]) -> tuple[CitedPassage, ...]:
        found = []
        for event in events:
            if not isinstance(event, CitationEvent):
                continue
            quotes = tuple(
                PageQuote(
                    text,
                    "P-200",
                    "item",
                    region(n).regions == event.source.regions,
                    region(n).regions,
                )
                for n, text in enumerate(_LINES)
            )
            cited = " ".join(quote.text for quote in quotes if quote.cited)
            found.append(CitedPassage(event.number, quotes, "P-200", "5", cited, 1, 4))
        return tuple(found)


@dataclass
class Says:
    """A writer that says sentences, each with the line of the page that it cites."""

    sentences: list[tuple[str, int]]

    async def write(self, tree_data: TreeData):
        statements = []
        for number, (text, line) in enumerate(self.sentences, 1):
            yield CitationEvent(number, region(line), _LINES[line])
            yield TokenEvent(f"{text} [{number}]\n")
            statements.append(Statement(text, region(line), _LINES[line]))
        yield Answer(True, tuple(statements), (), (), 0.9, "said")


def review(
    *sentences: tuple[str, int],
    question: str = "How do I drain it?",
    model: Any = None,
    **options: Any,
) -> SimpleNamespace:
    """Run the critic over an answer; returns its text, events, answer and trace."""
    memory = SessionMemory(enable_reasoning_trace=True)
    tree_data = TreeData(question, trace=QuestionTrace(memory, question))
    writer = ReviewedWriter(Says(list(sentences)), OnePage(), COMPARISON, model, **options)  # type: ignore[arg-type]

    async def collect() -> list[Any]:
        return [output async for output in writer.write(tree_data)]

    *events, answer = asyncio.run(collect())
    revisions = [each for each in events if isinstance(each, RevisionEvent)]
    trace = memory.get_trace()
    return SimpleNamespace(
        text=RevisedText(events).text, revisions=revisions, answer=answer, trace=trace
    )


def test_a_right_answer_is_left_alone_and_the_trace_says_that_it_was_looked_at():
    done = review(("The battery test lasts 24 hours.", 3))
    assert done.revisions == []
    assert done.answer.confidence == 0.9
    (entry,) = done.trace.at_stage(ReasoningStage.VERIFICATION)
    assert (entry.outcome, entry.metrics["findings"]) == ("success", 0)


def test_a_wrong_value_is_revised_to_what_the_page_says_and_the_reason_is_told():
    done = review(("The battery test lasts 30 hours.", 3))
    (revision,) = done.revisions
    assert "24 hours" in revision.reason
    assert done.text == "The battery test lasts 24 hours. [1]"
    assert done.answer.statements[0].text == "The battery test lasts 24 hours."
    assert done.answer.confidence < 0.9
    (correction,) = done.trace.at_stage(ReasoningStage.CORRECTION)
    assert "24 hours" in correction.corrections[0]


def test_a_missing_step_is_put_in_its_place_with_a_citation_of_its_own():
    done = review((_LINES[0], 0), (_LINES[2], 2))
    assert done.text.splitlines() == [
        "1. Open the drain valve. [1]",
        "2. Wait 10 min until it is empty. [3]",
        "3. Close the cover and fit the screws. [2]",
    ]
    assert [statement.text for statement in done.answer.statements] == list(_LINES[:3])
    assert done.trace.at_stage(ReasoningStage.VERIFICATION)[0].metrics["left"] == 0


def test_a_sentence_that_no_page_carries_is_withdrawn_and_the_rest_stays():
    done = review(("The battery test lasts 24 hours.", 3), ("The motor is painted blue.", 3))
    assert done.text == "The battery test lasts 24 hours. [1]"
    assert len(done.answer.statements) == 1


def test_an_answer_of_which_nothing_is_left_becomes_no_answer():
    done = review(("The motor is painted blue at the factory.", 3))
    assert not done.answer.found
    assert done.text == ""


NO_PROBLEMS = '{"problems": []}'


def asked(*sentences, question, **options):
    """How often the model is asked about an answer in which it finds nothing."""
    model = FakeLanguageModel(NO_PROBLEMS)
    review(*sentences, question=question, model=ModelCritic(lambda: model, COMPARISON), **options)
    return len(model.requests)


def test_a_plain_answer_in_the_pages_words_costs_no_call_of_the_model():
    lasts = ("The battery test lasts 24 hours.", 3)
    assert asked(lasts, question="How long does the test last?") == 0
    assert asked(lasts, question="How long does the test last?", always=True) == 1


def test_the_model_is_asked_where_something_was_found_or_a_procedure_is_told():
    wrong = ("The battery test lasts 30 hours.", 3)
    assert asked(wrong, question="How long does the test last?") == 1
    assert asked((_LINES[0], 0), question="What comes first?") == 1


PROBLEM = '{"problems": [{"kind": "%s", "sentence": 1, "passage": 1, "says": "%s"}]}'


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("value", "The battery test lasts 24 hours."),
        ("negation", "The battery test lasts 24 hours."),
        ("value", "The battery test lasts 99 hours."),
        ("unsupported", ""),
        ("contradiction", "The battery test lasts 24 hours."),
        ("missing_step", "4. Paint the motor blue."),
    ],
)
def test_what_a_model_blames_and_the_page_does_not_show_changes_nothing(kind, says):
    model = FakeLanguageModel(PROBLEM % (kind, says))
    critic = ModelCritic(lambda: model, COMPARISON)
    done = review(("The battery test lasts 24 hours.", 3), model=critic, always=True)
    assert len(model.requests) == 1
    assert done.revisions == []


def test_a_missing_step_that_a_model_points_at_is_added_if_the_page_has_it():
    model = FakeLanguageModel(PROBLEM % ("missing_step", "2. Wait 10 min until it is empty."))
    done = review(
        (_LINES[0], 0), question="What comes first?", model=ModelCritic(lambda: model, COMPARISON)
    )
    assert "2. Wait 10 min until it is empty. [2]" in done.text


def test_a_model_that_says_nonsense_is_not_believed_and_the_comparison_still_counts():
    model = FakeLanguageModel("I like the answer.", "Still do.")
    done = review(
        ("The battery test lasts 30 hours.", 3), model=ModelCritic(lambda: model, COMPARISON)
    )
    assert done.text == "The battery test lasts 24 hours. [1]"
