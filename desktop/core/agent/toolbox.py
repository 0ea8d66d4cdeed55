"""Finds the tools: every module of `agent/tools` makes one out of the services it needs."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from desktop.core.agent import tools

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.answer import Answerer
    from desktop.core.agent.tool import Tool
    from desktop.core.library.values import DocumentRecord
    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.query import Query
    from desktop.core.settings.sections import AgentSettings, RetrievalSettings


class Search(Protocol):
    """Finds pages; blocking, callable from any thread."""

    def search(self, query: Query) -> list[Evidence]:
        """Return the pages for `query`, best first."""


class Shelf(Protocol):
    """Knows which manuals there are; blocking, callable from any thread."""

    def documents(self) -> Sequence[DocumentRecord]:
        """Return every manual in its present state."""


@dataclass(frozen=True, slots=True)
class Services:
    """What tools may use. A later tool adds the service it needs here."""

    searcher: Search
    answerer: Answerer
    shelf: Shelf
    agent: AgentSettings
    retrieval: RetrievalSettings


def create_tools(services: Services) -> tuple[Tool, ...]:
    """Return one tool per module of `agent/tools`, by module name.

    Raises: TypeError, if two modules give their tools the same name.
    """
    found: dict[str, Tool] = {}
    for module_info in pkgutil.iter_modules(tools.__path__):
        module = importlib.import_module(f"{tools.__name__}.{module_info.name}")
        tool: Tool = module.create_tool(services)
        if tool.name in found:
            raise TypeError(f"two tools are called {tool.name}")
        found[tool.name] = tool
    return tuple(found.values())
