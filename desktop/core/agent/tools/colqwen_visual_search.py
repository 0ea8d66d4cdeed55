"""Search by how pages look: late interaction over the vectors of their pictures."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from desktop.core.agent.gathering import keep_search
from desktop.core.agent.tool import ChosenTool, ToolArguments
from desktop.core.agent.tool_output import Error, Result
from desktop.core.errors import LibraryError
from desktop.core.events import StatusEvent
from desktop.core.question.query import Query
from desktop.models.errors import ModelError
from desktop.sentences import said, template

if TYPE_CHECKING:
    from desktop.core.agent.tool import Services
    from desktop.core.agent.tool_output import ToolStream
    from desktop.core.agent.tree_data import TreeData

PAGES = 3
"""Few, because looking at each of them takes a vision model seconds."""


class VisualSearchArguments(ToolArguments):
    """What to look for."""

    query: str = Field(min_length=1, max_length=4_000, description="What the page shows.")
    limit: int = Field(default=PAGES, ge=1, le=20, description="Pages to return.")


class ColQwenVisualSearch(ChosenTool):
    """Wraps the search over page vectors; results are pages and where they match."""

    name: ClassVar[str] = "colqwen_visual_search"
    description: ClassVar[str] = (
        "Search the pictures of the pages. Use it for diagrams, schematics, charts, drawings and "
        "layouts that words do not describe. Slower than the text search (seconds), but sees what "
        "is drawn."
    )
    end: ClassVar[bool] = False
    arguments: ClassVar[type[ToolArguments]] = VisualSearchArguments

    def __init__(self, services: Services) -> None:
        self._search = services.visual_search
        self._text = services.searcher

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        """There must be vectors of pages, and a model that embeds the question."""
        if self._search is None or not tree_data.collection_names:
            return False
        return await asyncio.to_thread(self._search.has_pages)

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield one `Result`, or an `Error` if nothing was found."""
        arguments = VisualSearchArguments.model_validate(inputs)
        search = self._search
        assert search is not None
        yield StatusEvent(said("Searching the page pictures"))
        stop = threading.Event()
        only, limit = tree_data.document_ids, arguments.limit
        query = Query(arguments.query, only, limit, cancelled=stop.is_set)
        try:
            found = await asyncio.to_thread(
                lambda: keep_search(tree_data, self._text, query, search.search(query))
            )
        except (LibraryError, ModelError, OSError) as error:
            yield Error.of(error, said("Or try fast_vector_search for text content."))
            return
        finally:
            stop.set()  # where nobody waits any more, what still runs ends
        if not found:
            yield Error(
                said("No visual matches for: {query}", query=arguments.query),
                suggestion=said("Try fast_vector_search for text content"),
            )
            return
        yield Result(
            objects=tuple(page.to_object() for page in found),
            metadata={"query": arguments.query, "source": "PDFDocuments"},
            name="visual_pages",
            payload_type="colqwen_pages",
            llm_message=template(
                "Found {num_objects} pages with visual matches. Pages: {page_numbers}."
            ),
        )


create_tool = ColQwenVisualSearch
