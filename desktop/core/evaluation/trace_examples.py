"""Traces of questions that went well, as examples that a DSPy optimiser can start from.

The form is that of `examples.decision_examples`: one example a decision, with what was done
before it, the fields of `DecisionSignature`.
"""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from desktop.core.errors import LibraryError
from desktop.core.evaluation.examples import decision_examples
from desktop.core.events import DecisionEvent, Event, ResultEvent
from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningStage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from desktop.core.trace.reasoning_trace import ReasoningTrace

LEAST_CONFIDENCE = 0.7


class ExampleFileError(LibraryError):
    """A file of examples is damaged or of another form."""


class DecisionExample(BaseModel):
    """One right decision. tasks_completed: what was done before it, "" for the first."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    user_prompt: str = Field(min_length=1)
    tasks_completed: str = ""
    reasoning: str
    tool_name: str = Field(min_length=1)
    tool_inputs: dict[str, Any]
    should_end: bool
    impossible: bool


_EXAMPLES = TypeAdapter(tuple[DecisionExample, ...])


def successful(trace: ReasoningTrace, least_confidence: float = LEAST_CONFIDENCE) -> bool:
    """Whether a trace is worth learning from: it succeeded, surely, and without a correction."""
    return (
        trace.outcome is OutcomeStatus.SUCCESS
        and (trace.confidence or 0.0) >= least_confidence
        and not trace.corrections
    )


def examples_of(traces: Iterable[ReasoningTrace]) -> list[DecisionExample]:
    """Return the decisions of successful traces as examples, in their order."""
    return [
        DecisionExample.model_validate(example)
        for trace in traces
        if successful(trace)
        for example in decision_examples(trace.user_request, _events(trace))
    ]


def write_examples(traces: Iterable[ReasoningTrace], path: Path) -> int:
    """Write the examples of successful traces as JSON; returns how many. Raises: OSError."""
    examples = examples_of(traces)
    values = [each.model_dump() for each in examples]
    path.write_text(json.dumps(values, ensure_ascii=False, indent=1), "utf-8")
    return len(examples)


def read_examples(path: Path) -> tuple[DecisionExample, ...]:
    """Return the examples of a file, checked.

    Raises: ExampleFileError; OSError.
    """
    try:
        return _EXAMPLES.validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the start"
        raise ExampleFileError(f"{path.name}, at {place}: {first['msg']}") from error


def demos_of(examples: Iterable[DecisionExample]) -> list[Any]:
    """Return examples as DSPy's, for a part's `demos` or a trainset."""
    from desktop.core.language.dspy_setup import load_dspy

    dspy = load_dspy()
    inputs = ("user_prompt", "tasks_completed")
    return [
        dspy.Example(**{k: v for k, v in each.model_dump().items() if v != ""}).with_inputs(*inputs)
        for each in examples
    ]


def of_other_questions(
    examples: Iterable[DecisionExample], questions: Iterable[str]
) -> list[DecisionExample]:
    """Return the examples of none of these questions, which somebody measures with."""
    asked = {_plain(question) for question in questions}
    return [each for each in examples if _plain(each.user_prompt) not in asked]


def in_turns(demos: Sequence[Any], most: int) -> list[Any]:
    """Return at most so many of DSPy's examples, first and later decisions in turns."""
    first = [each for each in demos if not each.get("tasks_completed")]
    later = [each for each in demos if each.get("tasks_completed")]
    turns = [each for pair in zip_longest(first, later) for each in pair if each is not None]
    return turns[:most]


def _plain(question: str) -> str:
    return "".join(character for character in question.casefold() if character.isalnum())


def _events(trace: ReasoningTrace) -> list[Event]:
    """Return the decisions and results of a trace as the events that they were."""
    events: list[Event] = []
    step = 0
    for entry in trace.entries:
        if entry.action is None or entry.outcome is not OutcomeStatus.SUCCESS:
            continue
        if entry.stage is ReasoningStage.PLANNING:
            step += 1
            events.append(DecisionEvent(entry.action, entry.thought, entry.parameters, step))
        elif entry.stage is ReasoningStage.EXECUTION:
            message = " ".join(entry.evidence)
            events.append(ResultEvent(entry.action, entry.action, "", (), {}, message))
    return events
