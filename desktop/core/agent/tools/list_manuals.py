"""What is in the library: "which manuals do I have?"."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from desktop.core.agent.answering.refusals import nothing_to_search
from desktop.core.agent.page_reading import shown_title
from desktop.core.agent.tool import ChosenTool, ToolArguments
from desktop.core.agent.tool_output import Error, Result, written
from desktop.core.errors import LibraryError
from desktop.core.events import ConfidenceEvent
from desktop.core.question.languages import language_of
from desktop.core.structure.sentences import words_in
from desktop.sentences import ENGLISH, counted, in_language, said, template

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.tool import Services
    from desktop.core.agent.tool_output import ToolStream
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord

_MOST_SECTIONS = 12
_MANUALS = frozenset(
    "manuals documents documentation handbooks pdf pdfs library handbücher anleitungen"
    " betriebsanleitungen dokumente unterlagen bibliothek".split()
)
_STATES = {
    "ready": said("ready"),
    "queued": said("waiting to be read"),
    "indexing": said("being read"),
    "needs_password": said("needs its password"),
    "failed": said("could not be read"),
    "cancelled": said("reading was stopped"),
}
_LANGUAGES = {
    "en": said("English"),
    "de": said("German"),
    "fr": said("French"),
    "es": said("Spanish"),
    "it": said("Italian"),
}


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
        wanted = _names_manuals(tree_data.user_prompt) or in_vain or not searchable
        return self._library is not None and wanted

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield the manuals as a `Result`, written out first if they are the answer."""
        arguments = ListArguments.model_validate(inputs)
        assert self._library is not None
        try:
            objects = await asyncio.to_thread(_described, self._library)
        except (LibraryError, OSError) as error:
            yield Error.of(error)
            return
        if arguments.as_answer and _names_manuals(tree_data.user_prompt):
            tree_data.outcome = "answered" if objects else "impossible"
            async for token in written(_sentence(objects, language_of(tree_data.user_prompt))):
                yield token
            yield ConfidenceEvent(1.0, said("the question is about the library itself"))
        yield Result(
            objects=objects,
            metadata={"titles": "; ".join(found["title"] for found in objects)},
            name="manuals",
            payload_type="manuals",
            llm_message=template("The library has {num_objects} manuals: {titles}"),
        )


def _described(library: Library) -> tuple[dict[str, Any], ...]:
    return tuple(_object(library, manual) for manual in library.documents())


def _names_manuals(prompt: str) -> bool:
    return not _MANUALS.isdisjoint(words_in(prompt.casefold()))


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


def _sentence(objects: Sequence[dict[str, Any]], language: str) -> str:
    if not objects:
        return in_language(nothing_to_search((), frozenset()), language)
    head = counted(
        len(objects), "There is 1 manual in this library:", "There are {n} manuals in this library:"
    )
    lines = (f"- {_line(each, language)}" for each in objects)
    return "\n".join([in_language(head, language), *lines])


def _line(values: dict[str, Any], language: str = ENGLISH) -> str:
    pages = counted(values["pages"], "1 page", "{n} pages")
    facts = [
        values["document"],
        *(
            in_language(each, language)
            for each in (pages, values["language"], values["state"])
            if each
        ),
    ]
    line = f"{values['title']} ({', '.join(facts)})"
    if not values["sections"]:
        return line
    more = []
    if "more_sections" in values:
        more = [in_language(said("{n} more", n=values["more_sections"]), language)]
    return f"{line}: {'; '.join([*values['sections'], *more])}"


create_tool = ListManuals
