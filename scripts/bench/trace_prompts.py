"""Compares answers with and without the reasoning trace in the prompts: success and tokens.

Asks the same sample questions in one conversation for each setting of
`reasoning_trace.in_prompts`, with the language model in GROUNDWORK_TEST_LLM (an MLX directory).
The first question of each conversation begins with a call that failed, so that there is a
correction to tell.
"""

from __future__ import annotations

import os
import threading
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.app import open_workspace
from desktop.core.evaluation.cited import words_in
from desktop.core.evaluation.figures import Figure
from desktop.core.evaluation.measures import conduct_of
from desktop.core.events import DecisionEvent
from scripts.bench.nightly_agent import night_settings, prepare, sample_questions

if TYPE_CHECKING:
    import argparse

    from desktop.core.evaluation.gold import GoldQuestion
    from desktop.core.workspace import Workspace


BASELINE = "no trace in the prompts (off)"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("work", type=Path)
    parser.add_argument("--questions", type=int, default=10)
    parser.add_argument("--settings", default="corrections,all", help="beside off")


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Ask with each setting; off comes first."""
    library = prepare(options.work, Path(os.environ["GROUNDWORK_TEST_LLM"]))
    questions = [each for each in sample_questions() if each.answerable][: options.questions]
    off: dict[str, float] = {}
    figures = []
    for in_prompts in ("off", *options.settings.split(",")):
        settings = night_settings()
        settings.reasoning_trace.in_prompts = in_prompts
        with closing(open_workspace(library, settings=settings)) as workspace:
            found = asked(workspace, questions)
        off = off or found
        if in_prompts != "off":
            figures += [
                Figure(name=f"{in_prompts}: {name}", value=value, baseline=off[name])
                for name, value in found.items()
            ]
    return figures, []


def asked(workspace: Workspace, questions: list[GoldQuestion]) -> dict[str, float]:
    """Ask all questions in one new conversation; returns success, decisions and tokens."""
    tokens = _counting(workspace)
    conversation = workspace.conversations.create()
    _failed_before(workspace, conversation)
    region_text = partial(words_in, workspace.library)
    answered = grounded = decisions = fallen_back = 0
    seconds = 0.0
    for question in questions:
        events: list[Any] = []
        done = threading.Event()
        workspace.ask(question.question, frozenset(), events.append, done.set, conversation)
        done.wait()
        conduct = conduct_of(events, region_text)
        answered += conduct.answered
        grounded += conduct.fully_grounded
        decisions += sum(isinstance(each, DecisionEvent) for each in events)
        fallen_back += conduct.fallen_back
        seconds += conduct.seconds
    return {
        "questions": len(questions),
        "answered": answered,
        "fully grounded": grounded,
        "decisions": decisions,
        "fallen back to rules": fallen_back,
        "prompt tokens per question": round(tokens["read"] / max(1, len(questions))),
        "generations": tokens["generations"],
        "seconds per question": round(seconds / max(1, len(questions)), 1),
    }


def _failed_before(workspace: Workspace, conversation: int) -> None:
    """Give the conversation's session something that was corrected."""
    memory = workspace.sessions.memory(conversation)
    memory.start_reasoning_trace(memory.add_interaction("What is the torque of F-12?"))
    memory.add_reasoning_entry(
        "correction",
        "The search for F-12 found nothing.",
        corrections=["Search for the part by its name, not by its code."],
        outcome="success",
    )
    memory.finish_reasoning_trace("failed")


def _counting(workspace: Workspace) -> dict[str, int]:
    """Count what the language model is given to read, by its own tokenizer."""
    model = workspace.models.language()
    if model is None:
        raise SystemExit("there is no language model: set GROUNDWORK_TEST_LLM")
    count = {"read": 0, "generations": 0}
    kind: Any = type(model)
    generate = kind.generate

    def counted(self: Any, request: Any, *more: Any) -> Any:
        count["generations"] += 1
        count["read"] += sum(self.count_tokens(message.text) for message in request.messages)
        return generate(self, request, *more)

    kind.generate = counted
    workspace.resources.callback(lambda: setattr(kind, "generate", generate))
    return count
