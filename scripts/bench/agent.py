"""Measures what the agent costs beside its models and searches.

- step: milliseconds of a step of the orchestrator with all real tools, around a decision and a
  search that take no time; each step brings ten pages into the environment.
- step with a prompt by DSPy: the same with a language model that answers at once: what the
  signature, its prompt and reading the decision back cost.
- environment: milliseconds to write 200 retrieved objects for a prompt.
- tasks: milliseconds to write a train of thought of 200 steps.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from typing import TYPE_CHECKING, Any

from desktop.core.agent.decision import Decider, Decision
from desktop.core.agent.model_decider import DSPyAsking, ModelDecider
from desktop.core.agent.orchestrator import AgentOrchestrator
from desktop.core.agent.tool import Services
from desktop.core.agent.tool_output import Result
from desktop.core.agent.tools import create_tools
from desktop.core.agent.tree_data import TreeData
from desktop.core.answering.answer import Answer, Statement
from desktop.core.evaluation.figures import Figure
from desktop.core.events import CompleteEvent
from desktop.core.geometry import Box
from desktop.core.library.units import Passage
from desktop.core.reader.evidence import Evidence
from desktop.core.settings.sections import AgentSettings, RetrievalSettings
from desktop.models.generation import GenerationEnd, TextPart, Usage, never

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from desktop.core.agent.tool import Tool
    from desktop.core.question.query import Query
    from desktop.models.generation import Cancelled, GenerationPart, GenerationRequest
    from desktop.models.speed import Speed

BASELINE = "the same search without an agent, and the same objects as plain JSON"
STEPS = 6
PAGES = 10
OBJECTS = 200
STEP_MILLISECONDS = 5.0
TEXT_MILLISECONDS = 10.0
_TEXT = "Torque the terminal X4:1 to 1.2 Nm and check the 24 V supply before closing. " * 12


class Searching:
    """Finds other pages at every search, at once."""

    def __init__(self) -> None:
        self._next = 0

    def search(self, _query: Query | None) -> list[Evidence]:
        """Return ten pages nobody has seen."""
        self._next += PAGES
        return [page(self._next + place) for place in range(PAGES)]

    def together(self, _query: Query, found: Sequence[Evidence]) -> list[Evidence]:
        """Return what was found, in its order."""
        return list(found)


class Answering:
    """Quotes the first page."""

    def answer(self, _question: str, evidence: Sequence[Evidence]) -> Answer:
        """Return one statement."""
        first = evidence[0]
        return Answer(True, (Statement("1.2 Nm", first.region(), "1.2 Nm"),), (), (), 0.9, "")


class Shelf:
    """Has no manuals; nothing asks for them here."""

    def documents(self) -> list[Any]:
        """Return nothing."""
        return []


class SearchingDecider:
    """Searches in other words until the last step, then answers; decides at once."""

    async def decide(self, tree_data: TreeData, available: Sequence[Tool]) -> Decision:
        """Choose."""
        step = tree_data.num_iterations
        if step == STEPS:
            return Decision(tool="text_response", should_end=True)
        return Decision(tool="fast_vector_search", inputs={"query": f"torque {step}"})


class InstantModel:
    """A language model that decides as `SearchingDecider` does, in no time."""

    model_id = "instant"
    context_tokens = 32_768
    speed: Speed | None = None

    def __init__(self) -> None:
        self._step = 0

    def count_tokens(self, text: str) -> int:
        """Return about a quarter of the characters."""
        return len(text) // 4

    def generate(
        self, request: GenerationRequest, cancelled: Cancelled = never
    ) -> Iterator[GenerationPart]:
        """Say the next decision."""
        self._step = self._step % STEPS + 1
        ends = self._step == STEPS
        yield TextPart(
            json.dumps(
                {
                    "reasoning": "The words matter.",
                    "tool_name": "text_response" if ends else "fast_vector_search",
                    "tool_inputs": {} if ends else {"query": f"torque {self._step}", "limit": None},
                    "should_end": ends,
                    "impossible": False,
                }
            )
        )
        yield GenerationEnd("stop", Usage())


def page(number: int) -> Evidence:
    """Return a page with ten passages."""
    passages = tuple(
        Passage(number, "paragraph", f"{number}.{place} {_TEXT}", "Wiring", (BOX,), (), 1.0)
        for place in range(10)
    )
    return Evidence(1, "manual.pdf", "Manual", number, str(number), 1.0, ("lexical",), passages)


BOX = Box(10, 20, 110, 32)


def steps(what: str, decider: Decider, questions: int) -> Figure:
    """Measure whole questions, divided by their steps."""
    settings = AgentSettings(max_iterations=STEPS)
    found = []
    for _ in range(questions):
        tools = create_tools(services(settings))
        agent = AgentOrchestrator(tools, decider, settings, lambda: ["manual.pdf"])
        found.append(asyncio.run(_milliseconds(agent)) / STEPS)
    bare = _timed(lambda: Searching().search(None), questions)
    return _figure(what, found[1:], bare, STEP_MILLISECONDS)  # the first one imports


def services(settings: AgentSettings) -> Services:
    """Return what the tools need."""
    return Services(Searching(), Answering(), Shelf(), settings, RetrievalSettings())


async def _milliseconds(agent: AgentOrchestrator) -> float:
    last: Any = None
    async for event in agent.run("What is the torque of X4:1?"):
        last = event
    assert isinstance(last, CompleteEvent)
    assert (last.outcome, last.steps) == ("answered", STEPS), last
    return last.milliseconds


def environment(rounds: int) -> Figure:
    """Measure `to_llm_context` with everything fitting in."""
    tree_data = filled()
    return _figure(
        f"to_llm_context of {OBJECTS} objects",
        _timed(lambda: tree_data.environment.to_llm_context(10_000_000), rounds),
        _timed(lambda: json.dumps([_object(number) for number in range(OBJECTS)]), rounds),
        TEXT_MILLISECONDS,
    )


def tasks(rounds: int) -> Figure:
    """Measure `tasks_completed_string`."""
    steps_taken = [{"tool": "fast_vector_search", "query": str(n)} for n in range(OBJECTS)]
    return _figure(
        f"tasks_completed_string of {OBJECTS} steps",
        _timed(filled().tasks_completed_string, rounds),
        _timed(lambda: json.dumps(steps_taken), rounds),
        TEXT_MILLISECONDS,
    )


def _object(number: int) -> dict[str, Any]:
    return {"page": number, "content": f"{number} {_TEXT}"}


def filled() -> TreeData:
    """Return a state with 200 objects and as many steps."""
    tree_data = TreeData("What is the torque of X4:1?")
    for number in range(OBJECTS // PAGES):
        objects = tuple(
            {"page": number * PAGES + place, "content": f"{number}.{place} {_TEXT}"}
            for place in range(PAGES)
        )
        tree_data.environment.add("fast_vector_search", Result(objects, {"query": str(number)}))
    for number in range(OBJECTS):
        tree_data.num_iterations = number
        tree_data.update_tasks_completed(
            "fast_vector_search", "The words matter.", {"query": str(number)}, "Found 10 pages."
        )
    return tree_data


def _timed(work: Callable[[], object], rounds: int) -> list[float]:
    """Return the milliseconds of each round."""
    found = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        found.append((time.perf_counter() - began) * 1000)
    return found


def _figure(what: str, found: Sequence[float], bare: Sequence[float], limit: float) -> Figure:
    return Figure(
        name=what,
        value=statistics.median(found),
        unit="ms",
        baseline=statistics.median(bare),
        limit=limit,
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("--questions", type=int, default=30)


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Measure all four."""
    model = InstantModel()
    asking = DSPyAsking((), tools=create_tools(services(AgentSettings())))
    through_dspy = ModelDecider(lambda: model, asking, SearchingDecider())
    return [
        steps("a step of the orchestrator", SearchingDecider(), options.questions),
        steps("a step with a prompt by DSPy", through_dspy, options.questions),
        environment(options.questions),
        tasks(options.questions),
    ], []
