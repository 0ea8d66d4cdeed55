"""Examples for a prompt: short enough for a small model, and without what every prompt has.

A decision's prompt holds the Atlas, the schemas of all tools and everything retrieved; an
example of it is told by its question, what was done and what was decided.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from desktop.core.agent.tree_data import TreeData
from desktop.core.events import DecisionEvent, ResultEvent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from desktop.core.events import Event

# In every prompt anyway, or nothing to learn from.
_LEFT_OUT = frozenset(
    "atlas datetime_reference tools available_tools question config signature lm demos".split()
)
_ENVIRONMENT_CHARACTERS = 1_200
_PASSAGE_CHARACTERS = 2_400
_PASSAGE = re.compile(r"<passage (\d+):.*?</passage \1>", re.DOTALL)
_MARK = re.compile(r"\[(\d{1,3})\]")


def shortened(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return a call of a module as an example; outputs are kept as they are."""
    example = {key: value for key, value in inputs.items() if key not in _LEFT_OUT and value}
    if "environment" in example:
        example["environment"] = _first_objects(str(example["environment"]))
    if "passages" in example:
        cited = {int(number) for number in _MARK.findall(str(outputs.get("answer", "")))}
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
            example: dict[str, Any] = {"user_prompt": prompt}
            if done:
                example["tasks_completed"] = done
            examples.append(example | _decided(event, last))
        elif isinstance(event, ResultEvent) and decision is not None:
            tree_data.update_tasks_completed(
                event.tool, decision.reasoning, decision.inputs, event.message
            )
    return examples


def _decided(event: DecisionEvent, last_step: int) -> dict[str, Any]:
    return {
        "reasoning": event.reasoning,
        "tool_name": event.tool,
        "tool_inputs": event.inputs,
        "should_end": event.step == last_step,
        "impossible": False,
    }


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
    for found in _PASSAGE.finditer(passages):
        if int(found.group(1)) in wanted and len(found.group()) <= left:
            kept.append(found.group())
            left -= len(found.group())
    return "\n\n".join(kept)
