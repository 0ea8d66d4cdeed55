"""What is in the library: "which manuals do I have?"."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from desktop.core.agent.answering.unanswered import nothing_to_search
from desktop.core.agent.answering.written_words import written
from desktop.core.agent.deciding.manual_choice import shown_title
from desktop.core.agent.deciding.plain_requests import ManualsRequest, plain_request
from desktop.core.agent.result import Error, Result
from desktop.core.agent.tool import ChosenTool, ToolArguments
from desktop.core.errors import LibraryError
from desktop.core.events import ConfidenceEvent
from desktop.core.problems import explain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.tool import ToolStream
    from desktop.core.agent.toolbox import Services
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord

_MOST_SECTIONS = 12
_NAMES_MANUALS = re.compile(
    r"\b(?:manuals|documents|documentation|handbooks|pdfs?|library|handbücher|anleitungen"
    r"|dokumente|unterlagen|bibliothek)\b",
    re.IGNORECASE,
)
_STATES = {
    "ready": "ready",
    "queued": "waiting to be read",
    "indexing": "being read",
    "needs_password": "needs its password",
    "failed": "could not be read",
    "cancelled": "reading was stopped",
}
_LANGUAGES = {"en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian"}


class ListArguments(ToolArguments):
    """Whether the list is all that was asked for."""

    as_answer: bool = Field(
        default=False,
        description="The user asked which manuals there are: write the list, "
        "which ends the question.",
    )


class ListManuals(ChosenTool):
    """Lists the manuals with their pages, state, language and main sections."""

    name: ClassVar[str] = "list_manuals"
    description: ClassVar[str] = (
        "List the manuals of the library: titles, pages, state, language and main sections. "
        "Use it for questions about the library itself, or to choose where to search."
    )
    end: ClassVar[bool] = False
    arguments: ClassVar[type[ToolArguments]] = ListArguments

    def __init__(self, services: Services) -> None:
        self._library = services.library

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        """The manuals are asked about, or searching them has found nothing.

        The Atlas names them already; a small model that may list them answers with the list.
        """
        searchable = bool(tree_data.collection_names)
        in_vain = tree_data.num_iterations > 1 and tree_data.environment.is_empty()
        wanted = _is_about_manuals(tree_data.user_prompt) or in_vain or not searchable
        return self._library is not None and wanted

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield the manuals as a `Result`, written out before if they are the answer."""
        arguments = ListArguments.model_validate(inputs)
        assert self._library is not None
        try:
            objects = await asyncio.to_thread(_described, self._library)
        except (LibraryError, OSError) as error:
            problem = explain(error)
            yield Error(f"{problem.title}.", recoverable=problem.retry, suggestion=problem.advice)
            return
        if arguments.as_answer and _is_about_manuals(tree_data.user_prompt):
            tree_data.outcome = "answered" if objects else "impossible"
            async for token in written(_sentence(objects)):
                yield token
            yield ConfidenceEvent(1.0, "the library itself was asked")
        yield Result(
            objects=objects,
            metadata={"titles": "; ".join(found["title"] for found in objects)},
            name="manuals",
            payload_type="manuals",
            llm_message="The library has {num_objects} manuals: {titles}",
        )


def _is_about_manuals(prompt: str) -> bool:
    """Whether the library itself may be asked for: by its words, whoever decides."""
    plainly = isinstance(plain_request(prompt), ManualsRequest)
    return plainly or _NAMES_MANUALS.search(prompt) is not None


def _described(library: Library) -> tuple[dict[str, Any], ...]:
    return tuple(_object(library, manual) for manual in library.documents())


def _object(library: Library, manual: DocumentRecord) -> dict[str, Any]:
    language = library.language(manual.id)
    sections = library.main_sections(manual.id)
    values: dict[str, Any] = {
        "document_id": manual.id,
        "document": manual.name,
        "title": shown_title(manual),
        "pages": manual.page_count,
        "state": _STATES[manual.state],
        "language": _LANGUAGES.get(language, language),
        "sections": sections[:_MOST_SECTIONS],
    }
    if len(sections) > _MOST_SECTIONS:
        values["more_sections"] = len(sections) - _MOST_SECTIONS
    return values | {"text": _line(values)}


def _sentence(objects: Sequence[dict[str, Any]]) -> str:
    if not objects:
        return nothing_to_search((), frozenset())
    count = "1 manual" if len(objects) == 1 else f"{len(objects)} manuals"
    lines = [f"There is {count}" if len(objects) == 1 else f"There are {count}"]
    return "\n".join([f"{lines[0]} in this library:", *(f"- {each['text']}" for each in objects)])


def _line(values: dict[str, Any]) -> str:
    pages = "1 page" if values["pages"] == 1 else f"{values['pages']} pages"
    facts = [values["document"], pages, *filter(None, [values["language"]]), values["state"]]
    line = f"{values['title']} ({', '.join(facts)})"
    if not values["sections"]:
        return line
    more = [f"{values['more_sections']} more"] if "more_sections" in values else []
    return f"{line}: {'; '.join([*values['sections'], *more])}"


def create_tool(services: Services) -> ListManuals:
    """Make the tool of this module."""
    return ListManuals(services)
