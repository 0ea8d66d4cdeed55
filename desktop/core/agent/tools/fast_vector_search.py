"""Search over words and meaning of every passage: milliseconds, no language model."""

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
from desktop.sentences import counted, joined, said, template

if TYPE_CHECKING:
    from desktop.core.agent.tool import Services
    from desktop.core.agent.tool_output import ToolStream
    from desktop.core.agent.tree_data import TreeData


_FOUND = template(
    "Found {num_objects} pages in {documents} manuals for '{query}'. "
    "Best: page {page}. All: {page_numbers}."
)
_FOUND_BY_TEXT = template(
    "Found {num_objects} pages in {documents} manuals for '{query}'. "
    "Best: page {page}. All: {page_numbers}. {left_out}"
)


class SearchArguments(ToolArguments):
    """What to look for."""

    query: str = Field(min_length=1, max_length=4_000, description="Words to search for.")
    limit: int | None = Field(default=None, ge=1, le=50, description="Pages to return.")


class FastVectorSearch(ChosenTool):
    """Wraps the searcher; results are pages with their best passage and its regions."""

    name: ClassVar[str] = "fast_vector_search"
    description: ClassVar[str] = (
        "Search the text of the manuals by words and by meaning. Use it for facts, "
        "definitions, procedures, tables and part codes. Takes milliseconds."
    )
    end: ClassVar[bool] = False
    arguments: ClassVar[type[ToolArguments]] = SearchArguments

    def __init__(self, services: Services) -> None:
        self._services = services

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        """There must be a manual whose text has been read."""
        return bool(tree_data.collection_names)

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield one `Result`, or an `Error` if nothing was found."""
        arguments = SearchArguments.model_validate(inputs)
        count = len(tree_data.document_ids) or len(tree_data.collection_names)
        yield StatusEvent(counted(count, "Searching 1 manual", "Searching {n} manuals"))
        limit = arguments.limit or self._services.retrieval.pages_per_search
        searcher, stop = self._services.searcher, threading.Event()
        query = Query(
            arguments.query,
            tree_data.document_ids,
            limit,
            before=tree_data.words_before(arguments.query),
            cancelled=stop.is_set,
        )
        try:
            found = await asyncio.to_thread(
                lambda: keep_search(tree_data, searcher, query, searcher.search(query))
            )
        except (LibraryError, ModelError, OSError) as error:
            yield Error.of(error)
            return
        finally:
            stop.set()  # where nobody waits any more, what still runs ends
        if not found:
            yield Error(
                said("No page in the manuals matches."), suggestion=said("Try different words.")
            )
            return
        left_out = found[0].left_out
        documents = len({page.document_id for page in found})
        counts = {
            "pages": counted(len(found), "1 page", "{n} pages"),
            "manuals": counted(documents, "1 manual", "{n} manuals"),
        }
        told = said("Found {pages} in {manuals}.", **counts)
        yield Result(
            objects=tuple(page.to_object() for page in found),
            metadata={"query": arguments.query, "documents": documents}
            | ({"left_out": left_out} if left_out else {}),
            name="pages",
            payload_type="pages",
            llm_message=_FOUND_BY_TEXT if left_out else _FOUND,
            told=joined([told, left_out], " ") if left_out else told,
        )


create_tool = FastVectorSearch
