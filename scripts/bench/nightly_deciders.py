"""What a real language model's decisions are worth, at night: rules, dspy and prompt side by side.

The same sample questions are asked three times: decided by rules, by the model through DSPy and by
the model through one prompt. The manuals are quoted in all three, so that decisions alone differ.
Then they are asked with default settings and in Lite: no answer may be worse with a model, and when
a person sees what is told. Needs GROUNDWORK_TEST_LLM=DIR; WORK as for nightly-agent.
"""

from __future__ import annotations

import os
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.app import open_workspace
from desktop.core.evaluation.bench import markdown, run_bench
from desktop.core.evaluation.cited import words_in
from desktop.core.evaluation.figures import Column, Figure
from desktop.core.evaluation.gold import GoldFile
from desktop.core.evaluation.measures import conduct_of
from desktop.core.events import CitationEvent, DecisionEvent, ErrorEvent, StatusEvent
from desktop.core.settings.sections import Settings
from scripts.bench.nightly_agent import night_settings, prepare, sample_questions, say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from desktop.core.evaluation.gold import GoldQuestion
    from desktop.core.events import Event
    from desktop.core.workspace import Workspace

BASELINE = "rules decide, without a language model"
COLUMNS = (Column("rules", "lite"), Column("dspy", "field"), Column("prompt", "field"))
_COMPARED = ("fact_recall", "hit@1", "refused_right")
_SLOWER = 1.2
"""The first sure words may take so much longer with a model than in Lite."""
_NOTICED = 1.0
"""Seconds: a difference below is none."""

Seen = list[tuple[float, "Event"]]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("work", type=Path)
    parser.add_argument("--questions", type=int, default=10)


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Ask in every way."""
    model = os.environ.get("GROUNDWORK_TEST_LLM", "")
    if not model:
        raise SystemExit("GROUNDWORK_TEST_LLM names no model directory")
    options.work.mkdir(parents=True, exist_ok=True)
    library = prepare(options.work, Path(model))
    asked = sample_questions()[: options.questions]
    default = Settings()
    lite = default.model_copy(deep=True)
    lite.models.profile = "lite"
    beside = [answers(library, settings, asked) for settings in (lite, default)]
    found = run_bench(
        lambda settings, read_only: closing(
            open_workspace(library, read_only=read_only, settings=settings)
        ),
        deciding_settings(),
        COLUMNS,
        GoldFile(tuple(asked)),
        None,
        say,
        judged=False,
    )
    figures = [*figures_of(found["columns"]), *beside_lite(*beside)]
    missing = [f"{label}: {why}" for label, why in found["not_measured"].items()]
    return figures, [*missing, *markdown(found["columns"]).splitlines(), *told_by_second(beside[1])]


def deciding_settings() -> Settings:
    """Return settings with which a model decides, however slow it is, and nothing else."""
    settings = night_settings()
    settings.agent.model_does = "decide"
    settings.reasoning_trace.critic = "rules"
    return settings


def figures_of(reports: Sequence[dict[str, Any]]) -> list[Figure]:
    """Return what each decider reaches, beside the rules, which it must not fall behind."""
    rules = next(each["overall"] for each in reports if each["decider"] == "rules")
    figures = []
    for report in reports:
        overall = report["overall"]
        for name in _COMPARED:
            if report["decider"] != "rules" and overall.get(name) is not None:
                known = rules.get(name)
                figures.append(
                    Figure(
                        name=f"{report['decider']}: {name}",
                        value=overall[name],
                        baseline=known,
                        limit=known,
                        more_is_better=True,
                    )
                )
    return figures


def answers(
    library: Path, settings: Settings, asked: Sequence[GoldQuestion]
) -> list[tuple[GoldQuestion, float, Seen]]:
    """Ask one after the other; return with each question its share of right facts, and the events.

    A question without an answer has all facts right if none is told.
    """
    with closing(open_workspace(library, read_only=True, settings=settings)) as workspace:
        region_text = partial(words_in, workspace.library)
        found = []
        for question in asked:
            seen = seen_of(workspace, question.question)
            conduct = conduct_of([event for _, event in seen], region_text)
            right = 100.0 * (not conduct.answered)
            if question.answerable:
                right = conduct.compared(question.answer).score
            found.append((question, right, seen))
        return found


def seen_of(workspace: Workspace, question: str) -> Seen:
    """Ask and return every event with the seconds after which it came."""
    seen: Seen = []
    started = time.monotonic()
    workspace.ask(
        question,
        frozenset(),
        lambda event: seen.append((time.monotonic() - started, event)),
        lambda: None,
    ).wait()
    return seen


def beside_lite(
    lite: Sequence[tuple[GoldQuestion, float, Seen]],
    default: Sequence[tuple[GoldQuestion, float, Seen]],
) -> list[Figure]:
    """Return how default settings with a model stand beside Lite."""
    pairs = list(zip(lite, default, strict=True))
    worse = sum(with_model[1] < without[1] for without, with_model in pairs)
    slow = [
        first_words(with_model[2]) > _SLOWER * first_words(without[2]) + _NOTICED
        for without, with_model in pairs
    ]
    ends = [seen[-1][0] for _, _, seen in default]
    return [
        Figure(name="default settings: answers worse than in Lite", value=worse, limit=0),
        Figure(name="default settings: first words later than in Lite", value=sum(slow), limit=0),
        Figure(name="default settings: longest question", value=max(ends), unit="s"),
    ]


def first_words(seen: Seen) -> float:
    """Return after how many seconds there was something to read: a quote, or the end."""
    return next((at for at, event in seen if isinstance(event, CitationEvent)), seen[-1][0])


def told_by_second(asked: Sequence[tuple[GoldQuestion, float, Seen]]) -> list[str]:
    """Return what a person saw and when, a line each."""
    lines = []
    for question, _, seen in asked:
        lines.append(question.question)
        for at, event in seen:
            match event:
                case StatusEvent(message=said) | ErrorEvent(message=said):
                    lines.append(f"  {at:6.1f} s  {said}")
                case DecisionEvent(tool=tool):
                    lines.append(f"  {at:6.1f} s  chosen: {tool}")
                case CitationEvent(quote=quote):
                    lines.append(f"  {at:6.1f} s  quoted: {quote[:80]}")
                case _:
                    pass
        lines.append(f"  {seen[-1][0]:6.1f} s  the end")
    return lines
