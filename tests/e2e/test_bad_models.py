"""Models that choose badly, write badly, break or crawl: the manuals still answer.

One table, over the samples and the whole program but the model. What a bad model does costs time,
and never the answer that would have been there without it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from desktop.core.events import (
    CompleteEvent,
    DecisionEvent,
    ErrorEvent,
    RevisedText,
    StatusEvent,
)
from desktop.models.errors import ModelDamaged, ModelOutOfBudget
from desktop.models.manager import ModelManager
from tests.e2e.real_library import ask, opened
from tests.fakes.language_model import FakeLanguageModel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.models.generation import GenerationPart, GenerationRequest

QUESTION = "What is the tightening torque for terminals X2:1 to X2:6?"
RIGHT = "1.2 Nm"


def decided(tool: str, *, impossible: bool = False, reasoning: str = "So.", **inputs: Any) -> str:
    fields = {"reasoning": reasoning, "tool_name": tool, "tool_inputs": inputs}
    return json.dumps(fields | {"should_end": tool == "text_response", "impossible": impossible})


ANSWER = decided("text_response")


@dataclass(frozen=True)
class Bad:
    """decides, writes: what the model says when asked, in turn, the last one again and again.

    error: raised instead. seconds: slept before every part. told: words of what a person is told.
    """

    decides: tuple[str, ...] = (ANSWER,)
    writes: str = f"The torque is {RIGHT} [1]."
    decision_error: Exception | None = None
    writing_error: Exception | None = None
    seconds: float = 0.0
    limit: float = 120.0
    told: str = ""


TABLE = {
    "searches for something else": Bad(
        (decided("fast_vector_search", query="zebra", limit=None), ANSWER)
    ),
    "gives up at once": Bad((decided("text_response", impossible=True),)),
    "says no JSON": Bad(("I would search.",)),
    "names a tool that is not there": Bad((decided("web_search", query="torque"),)),
    "leaves the inputs out": Bad((decided("fast_vector_search"),)),
    "searches for the same again and again": Bad(
        (decided("fast_vector_search", query="screws", limit=None),)
    ),
    "searches for the same with another limit": Bad(
        tuple(decided("fast_vector_search", query="screws", limit=n) for n in (3, 4, 5)),
    ),
    "asks back with the names of tools": Bad(
        (
            decided(
                "ask_clarification",
                question="Which one?",
                options=["fast_vector_search", "text_response"],
            ),
        )
    ),
    "asks the question back": Bad(
        (decided("ask_clarification", question=QUESTION, options=["yes", "no"]),)
    ),
    "writes nothing": Bad(writes=""),
    "refuses": Bad(writes="NOT IN THE PASSAGES"),
    "denies it in its own words": Bad(writes="The manuals do not mention any torque."),
    "writes another number": Bad(writes="The torque is 12 Nm [1]."),
    "writes of something else": Bad(writes="Whales are mammals [1]. Have a nice day."),
    "has no room": Bad(decision_error=ModelOutOfBudget("no room", 2, 1), told="memory"),
    "is damaged": Bad(writing_error=ModelDamaged("weights.bin is damaged"), told="quoted"),
    "breaks unexpectedly while it decides": Bad(decision_error=RuntimeError("metal"), told="wrong"),
    "breaks unexpectedly while it writes": Bad(writing_error=ValueError("metal"), told="quoted"),
    "crawls": Bad(seconds=0.5, limit=2.0, told="longer than 2 seconds"),
}


class Scripted(FakeLanguageModel):
    """Does what a row of the table says."""

    def __init__(self, bad: Bad) -> None:
        super().__init__(context_tokens=16_000)
        self._bad = bad
        self._decisions = list(bad.decides)

    def generate(self, request: GenerationRequest, *cancelled: Any) -> Iterator[GenerationPart]:
        schema = json.dumps(request.schema)
        if request.schema is None:
            error, text = self._bad.writing_error, self._bad.writes
        elif "tool_name" in schema:
            error = self._bad.decision_error
            text = self._decisions.pop(0) if len(self._decisions) > 1 else self._decisions[0]
        elif "verdicts" in schema:
            error, text = None, json.dumps({"verdicts": ["open"]})
        else:
            error, text = None, json.dumps({"problems": []})
        if error is not None:
            raise error
        self.enqueue(text, seconds=self._bad.seconds)
        return super().generate(request, *cancelled)


GOOD = Bad()
REASON = "The manual has tables. The torque is 77 Nm as I know. Terminals X2:1 are asked for."
REASONING = Bad((decided("text_response", reasoning=REASON),))


@pytest.fixture(scope="module")
def asked(sample_library: Path) -> dict[Bad, tuple[list[Any], Scripted]]:
    """What came of the question with each of the models, in one library that stays open."""
    told: dict[Bad, tuple[list[Any], Scripted]] = {}
    at_work: dict[str, Scripted] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ModelManager, "language", lambda *_: at_work["model"])
        with opened(sample_library, read_only=True) as workspace:
            workspace.settings.agent.patience_seconds = 600  # a busy machine is no slow model
            workspace.settings.agent.model_does = "both"  # also what the manuals surely answer
            for bad in (*TABLE.values(), GOOD, REASONING):
                at_work["model"] = model = Scripted(bad)
                workspace.settings.agent.time_limit_seconds = bad.limit
                told[bad] = ask(workspace, QUESTION), model
    return told


@pytest.mark.parametrize("bad", TABLE.values(), ids=TABLE)
def test_a_bad_model_makes_nothing_worse_than_no_model(asked, bad):
    events, _ = asked[bad]
    last = events[-1]
    assert isinstance(last, CompleteEvent)
    assert last.outcome == "answered"
    text = RevisedText(events).text
    assert RIGHT in text
    for wrong in ("12 Nm", "Whales", "nice day", "do not mention"):
        assert wrong not in text
    told = " ".join(f"{e.message} {e.suggestion}" for e in events if isinstance(e, ErrorEvent))
    assert bad.told in told


def test_what_is_known_without_a_model_is_shown_before_it_has_said_anything(asked):
    events, _ = asked[TABLE["crawls"]]
    first_told = next(
        place
        for place, each in enumerate(events)
        if isinstance(each, StatusEvent) and "still at work" in each.message
    )
    assert RIGHT in RevisedText(events[:first_told]).text


def test_every_phase_of_a_model_is_told(asked):
    events, _ = asked[GOOD]
    told = [each.message for each in events if isinstance(each, StatusEvent)]
    assert any(each.startswith("Reading 0 of") for each in told)
    assert "Deciding what to do next" in told
    assert "Writing the answer" in told


def test_the_usual_question_is_one_search_and_one_answer(asked):
    events, model = asked[GOOD]
    assert [e.tool for e in events if isinstance(e, DecisionEvent)] == [
        "fast_vector_search",
        "text_response",
    ]
    assert len(model.requests) <= 3  # the decision, the answer, what the comparison is not sure of


def test_reasons_with_numbers_that_stand_nowhere_are_not_shown(asked):
    events, _ = asked[REASONING]
    (answer,) = (e for e in events if isinstance(e, DecisionEvent) and e.tool == "text_response")
    assert answer.reasoning == "The manual has tables. Terminals X2:1 are asked for."
