"""Measures what the agent costs beside its models and searches.

- step: milliseconds of a step of the orchestrator with all real tools, around a decision and a
  search that take no time; each step brings ten pages into the environment.
- step with a prompt by DSPy: the same with a language model that answers at once: what the
  signature, its prompt and reading the decision back cost.
- environment: milliseconds to write 200 retrieved objects for a prompt.
- tasks: milliseconds to write a train of thought of 200 steps.

    python -m scripts.bench_agent [--questions 30] [--json]

Ends with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.core.agent.deciding.model_decider import DSPyAsking, ModelDecider
from desktop.core.agent.decision import Decider, Decision
from desktop.core.agent.orchestrator import AgentOrchestrator
from desktop.core.agent.tool import Result
from desktop.core.agent.toolbox import Services, create_tools
from desktop.core.agent.tree_data import TreeData
from desktop.core.answering.answer import Answer, Statement
from desktop.core.events import CompleteEvent
from desktop.core.geometry import Box
from desktop.core.retrieval.evidence import Evidence, Passage
from desktop.core.settings.sections import AgentSettings, RetrievalSettings
from desktop.models.generation import GenerationEnd, TextPart, Usage, never

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop.core.agent.tool import Tool
    from desktop.core.retrieval.query import Query
    from desktop.models.generation import Cancelled, GenerationPart, GenerationRequest
    from desktop.models.speed import Speed

STEPS = 6
PAGES = 10
OBJECTS = 200
STEP_MILLISECONDS = 5.0
TEXT_MILLISECONDS = 10.0
_TEXT = "Torque the terminal X4:1 to 1.2 Nm and check the 24 V supply before closing. " * 12


@dataclass(frozen=True)
class Measured:
    """milliseconds: the median. worst: the slowest."""

    what: str
    milliseconds: float
    worst: float
    target: float

    @property
    def met(self) -> bool:
        """Whether the median meets the target."""
        return self.milliseconds <= self.target


class Searching:
    """Finds other pages at every search, at once."""

    def __init__(self) -> None:
        self._next = 0

    def search(self, _query: Query) -> list[Evidence]:
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


def steps(what: str, decider: Decider, questions: int) -> Measured:
    """Measure whole questions, divided by their steps."""
    settings = AgentSettings(max_iterations=STEPS)
    found = []
    for _ in range(questions):
        tools = create_tools(services(settings))
        agent = AgentOrchestrator(tools, decider, settings, lambda: ["manual.pdf"])
        found.append(asyncio.run(_milliseconds(agent)) / STEPS)
    return _measured(what, found[1:], STEP_MILLISECONDS)  # the first one imports


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


def environment(rounds: int) -> Measured:
    """Measure `to_llm_context` with everything fitting in."""
    tree_data = filled()
    return _timed(
        f"to_llm_context of {OBJECTS} objects",
        lambda: tree_data.environment.to_llm_context(10_000_000),
        rounds,
    )


def tasks(rounds: int) -> Measured:
    """Measure `tasks_completed_string`."""
    return _timed(
        f"tasks_completed_string of {OBJECTS} steps", filled().tasks_completed_string, rounds
    )


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


def _timed(what: str, work: Callable[[], str], rounds: int) -> Measured:
    found = []
    for _ in range(rounds):
        begin = time.perf_counter()
        assert len(work()) > OBJECTS
        found.append((time.perf_counter() - begin) * 1000)
    return _measured(what, found, TEXT_MILLISECONDS)


def _measured(what: str, found: Sequence[float], target: float) -> Measured:
    return Measured(what, statistics.median(found), max(found), target)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--json", action="store_true", dest="as_json")
    given = parser.parse_args()
    model = InstantModel()
    asking = DSPyAsking((), tools=create_tools(services(AgentSettings())))
    through_dspy = ModelDecider(lambda: model, asking, SearchingDecider())
    found = [
        steps("a step of the orchestrator", SearchingDecider(), given.questions),
        steps("a step with a prompt by DSPy", through_dspy, given.questions),
        environment(given.questions),
        tasks(given.questions),
    ]
    for each in found:
        line = {
            "what": each.what,
            "median_ms": round(each.milliseconds, 2),
            "worst_ms": round(each.worst, 2),
            "target_ms": each.target,
            "met": each.met,
        }
        sys.stdout.write(
            json.dumps(line) + "\n"
            if given.as_json
            else f"{each.what}: {each.milliseconds:.2f} ms (worst {each.worst:.2f}), "
            f"at most {each.target:g} ms: {'met' if each.met else 'MISSED'}\n"
        )
    return 0 if all(each.met for each in found) else 1


if __name__ == "__main__":
    sys.exit(main())
