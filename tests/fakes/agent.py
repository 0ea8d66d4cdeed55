"""An agent of scripted parts, and a way to run it to its end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from desktop.core.agent.orchestrator import AgentOrchestrator
from desktop.core.agent.rule_decider import RuleDecider
from desktop.core.agent.tool import Search, Services
from desktop.core.agent.tools import create_tools
from desktop.core.settings.sections import AgentSettings, RetrievalSettings
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.searcher import FakeSearcher, page_found
from tests.fakes.shelf import FakeShelf, manual

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.decision import Decider
    from desktop.core.agent.tool import Tool
    from desktop.core.answering.answer import Answerer
    from desktop.core.jobs import CancelToken


def make_agent(
    *,
    searcher: Search | None = None,
    answerer: Answerer | None = None,
    shelf: FakeShelf | None = None,
    decider: Decider | None = None,
    settings: AgentSettings | None = None,
    more_tools: Sequence[Tool] = (),
    **more_services: Any,
) -> AgentOrchestrator:
    """Return an agent with one ready manual and one page that answers, unless told otherwise."""
    shelf = shelf or FakeShelf(manual())
    settings = settings or AgentSettings()
    services = Services(
        searcher or FakeSearcher([page_found("The fuse is 5 A.")]),
        answerer or FakeAnswerer(),
        shelf,
        settings,
        RetrievalSettings(),
        **more_services,
    )
    tools = (*create_tools(services), *more_tools)
    return AgentOrchestrator(tools, decider or RuleDecider(), settings, shelf.names)


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
