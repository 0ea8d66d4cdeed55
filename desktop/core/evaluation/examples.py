"""Questions with their answers as examples to learn from, from files and from traces."""

from __future__ import annotations

import json
import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from desktop.core.agent.tree_data import TreeData
from desktop.core.errors import LibraryError
from desktop.core.evaluation.gold import first_fault
from desktop.core.events import DecisionEvent, Event, ResultEvent
from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningStage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from desktop.core.trace.reasoning_trace import ReasoningTrace

# In every prompt anyway, or nothing to learn from.
_LEFT_OUT = frozenset(
    "atlas datetime_reference tools available_tools question config signature lm demos".split()
)
_ENVIRONMENT_CHARACTERS = 1_200
_PASSAGE_CHARACTERS = 2_400


def shortened(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return a call of a module as an example; outputs are kept as they are."""
    example = {key: value for key, value in inputs.items() if key not in _LEFT_OUT and value}
    if "environment" in example:
        example["environment"] = _first_objects(str(example["environment"]))
    if "passages" in example:
        cited = {
            int(number) for number in re.findall(r"\[(\d{1,3})\]", str(outputs.get("answer", "")))
        }
        example["passages"] = _cited_passages(str(example["passages"]), cited)
    return {**{key: value for key, value in example.items() if value}, **outputs}


def decision_examples(prompt: str, events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return the decisions of an answered question as examples, in their order."""
    tree_data = TreeData(prompt)
    examples: list[dict[str, Any]] = []
    decision: DecisionEvent | None = None
    last = max((e.step for e in events if isinstance(e, DecisionEvent)), default=0)
    for event in events:
        if isinstance(event, DecisionEvent):
            decision = event
            tree_data.num_iterations = event.step
            done = tree_data.tasks_completed_string()
            example: dict[str, Any] = {
                "user_prompt": prompt,
                "reasoning": event.reasoning,
                "tool_name": event.tool,
                "tool_inputs": event.inputs,
                "should_end": event.step == last,
                "impossible": False,
            }
            examples.append(example | ({"tasks_completed": done} if done else {}))
        elif isinstance(event, ResultEvent) and decision is not None:
            tree_data.update_tasks_completed(
                event.tool, decision.reasoning, decision.inputs, event.message
            )
    return examples


def _first_objects(environment: str) -> str:
    """Keep whole lines from the top, and say how many objects are left out."""
    kept: list[str] = []
    lines = environment.splitlines()
    left = _ENVIRONMENT_CHARACTERS
    for line in lines:
        if len(line) > left:
            continue
        left -= len(line)
        kept.append(line)
    missing = len(lines) - len(kept)
    return "\n".join([*kept, f"({missing} more objects are not shown)"] if missing else kept)


def _cited_passages(passages: str, cited: Iterable[int]) -> str:
    """Keep the passages that the answer cites, each whole, as far as there is room."""
    wanted, kept, left = set(cited), [], _PASSAGE_CHARACTERS
    for found in re.finditer(r"<passage (\d+):.*?</passage \1>", passages, flags=re.DOTALL):
        if int(found.group(1)) in wanted and len(found.group()) <= left:
            kept.append(found.group())
            left -= len(found.group())
    return "\n\n".join(kept)


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


def successful(trace: ReasoningTrace) -> bool:
    """Whether a trace is worth learning from: it succeeded, surely, and without a correction."""
    return (
        trace.outcome is OutcomeStatus.SUCCESS
        and (trace.confidence or 0.0) >= LEAST_CONFIDENCE
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
    """Return the examples of a file, checked. Raises: ExampleFileError; OSError."""
    try:
        return _EXAMPLES.validate_json(path.read_bytes())
    except ValidationError as error:
        raise ExampleFileError(first_fault(path, error)) from error


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
    """Return the examples that come from none of these questions, used for measuring."""
    asked = {_plain(question) for question in questions}
    return [each for each in examples if _plain(each.user_prompt) not in asked]


def in_turns(demos: Sequence[Any], most: int) -> list[Any]:
    """Return at most this many of DSPy's examples, first and later decisions alternating."""
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
