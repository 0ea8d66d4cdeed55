"""An agent of scripted parts, and a way to run it to its end."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, ClassVar

from desktop.core.agent.orchestrator import AgentOrchestrator
from desktop.core.agent.rule_decider import RuleDecider
from desktop.core.agent.tool import Search, Services, ToolArguments
from desktop.core.agent.tools import create_tools
from desktop.core.settings.sections import AgentSettings, RetrievalSettings
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.searcher import FakeSearcher, page_found
from tests.fakes.shelf import FakeShelf, manual

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.decision import Decider
    from desktop.core.agent.tool import Shelf, Tool
    from desktop.core.agent.tool_output import ToolOutput, ToolStream
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.answering.answer import Answerer
    from desktop.core.jobs import CancelToken


def make_services(
    *,
    searcher: Search | None = None,
    answerer: Answerer | None = None,
    shelf: Shelf | None = None,
    settings: AgentSettings | None = None,
    **more_services: Any,
) -> Services:
    """Return services with one ready manual and one page that answers, unless told otherwise."""
    return Services(
        searcher or FakeSearcher([page_found("The fuse is 5 A.")]),
        answerer or FakeAnswerer(),
        shelf or FakeShelf(manual()),
        settings or AgentSettings(),
        RetrievalSettings(),
        **more_services,
    )


def make_agent(
    *,
    shelf: FakeShelf | None = None,
    decider: Decider | None = None,
    more_tools: Sequence[Tool] = (),
    **services: Any,
) -> AgentOrchestrator:
    """Return an agent with the services of `make_services`."""
    shelf = shelf or FakeShelf(manual())
    made = make_services(shelf=shelf, **services)
    tools = (*create_tools(made), *more_tools)
    return AgentOrchestrator(tools, decider or RuleDecider(), made.agent, shelf.names)


def decision_text(
    tool: str,
    reasoning: str = "because",
    *,
    way: str = "dspy",
    impossible: bool = False,
    **inputs: Any,
) -> str:
    """Return a decision as a language model writes it. way: how it is asked, dspy or prompt."""
    names = ("tool_name", "tool_inputs") if way == "dspy" else ("tool", "inputs")
    if tool == "fast_vector_search":
        inputs.setdefault("limit", None)
    return json.dumps(
        {
            "reasoning": reasoning,
            names[0]: tool,
            names[1]: inputs,
            "should_end": tool == "text_response",
            "impossible": impossible,
        }
    )


def ask(
    agent: AgentOrchestrator,
    prompt: str = "What is the fuse?",
    *,
    document_ids: frozenset[int] = frozenset(),
    cancel: CancelToken | None = None,
) -> list[Any]:
    """Run one question to its end and return every event."""

    async def collect() -> list[Any]:
        stream = agent.run(prompt, document_ids=document_ids, cancel=cancel)
        return [event async for event in stream]

    return asyncio.run(collect())


class EchoTool:
    """Yields what a test gave it."""

    name: ClassVar[str] = "echo"
    description: ClassVar[str] = "Says what it was told."
    end: ClassVar[bool] = False
    arguments: ClassVar[type[ToolArguments]] = ToolArguments

    def __init__(
        self, *outputs: ToolOutput, wants_to_run: bool = False, seconds: float = 0.0
    ) -> None:
        self.outputs = outputs
        self.wants_to_run = wants_to_run
        self.seconds = seconds
        self.closed = False
        self.runs = 0

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        return True

    async def run_if_true(self, tree_data: TreeData) -> tuple[bool, dict[str, Any]]:
        return self.wants_to_run, {}

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        self.runs += 1
        try:
            await asyncio.sleep(self.seconds)
            for output in self.outputs:
                yield output
        finally:
            self.closed = True
