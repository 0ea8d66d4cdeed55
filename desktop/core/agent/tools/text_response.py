"""The answer: statements with citations, warnings beside it, or that it is not there."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any, ClassVar

from desktop.core.agent.answer import Answer, Statement
from desktop.core.agent.gathered import kept_evidence
from desktop.core.agent.result import Result
from desktop.core.agent.tool import ToolArguments, ToolOutput
from desktop.core.agent.unanswered import not_in_manuals, nothing_to_search
from desktop.core.events import (
    CitationEvent,
    ConfidenceEvent,
    NearestPageEvent,
    PageRegion,
    StatusEvent,
    TokenEvent,
    WarningBlockEvent,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop.core.agent.tool import ToolStream
    from desktop.core.agent.toolbox import Services
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.retrieval.evidence import Evidence

_WORD = re.compile(r"\s*\S+")
_SNIPPET_CHARACTERS = 240


class ResponseArguments(ToolArguments):
    """It takes no inputs: it answers the prompt from the environment."""


class TextResponse:
    """Writes the answer from the evidence gathered so far and ends the question."""

    name: ClassVar[str] = "text_response"
    description: ClassVar[str] = (
        "Answer the question from the retrieved pages, with a citation for every statement, "
        "or say that the manuals do not have it. Ends the question."
    )
    end: ClassVar[bool] = True
    arguments: ClassVar[type[ToolArguments]] = ResponseArguments

    def __init__(self, services: Services) -> None:
        self._services = services

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        """There must be something to answer from."""
        return not tree_data.environment.is_empty()

    async def run_if_true(self, tree_data: TreeData) -> tuple[bool, dict[str, Any]]:
        """Never runs unasked."""
        return False, {}

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield tokens, citations, warnings and confidence, and a `Result` of the statements."""
        ResponseArguments.model_validate(inputs)
        evidence = kept_evidence(tree_data.environment)
        if evidence and not tree_data.impossible:
            yield StatusEvent(f"Reading {len(evidence)} pages")
            answer = await asyncio.to_thread(
                self._services.answerer.answer, tree_data.user_prompt, evidence
            )
        else:
            answer = Answer(False, (), (), evidence, 0.0, "No page matches the question.")
        writing = self._found(answer) if answer.found else self._not_found(tree_data, answer)
        tree_data.outcome = "answered" if answer.found else "not_found"
        async for output in writing:
            yield output

    async def _found(self, answer: Answer) -> ToolStream:
        numbers: dict[PageRegion, int] = {}
        for index, statement in enumerate(answer.statements):
            for output in _written(statement, numbers, first=index == 0):
                yield output
                await asyncio.sleep(0)  # a cancelled answer stops between two words
        for block in answer.safety:
            yield WarningBlockEvent(block.level, block.text, block.source)
        yield ConfidenceEvent(answer.confidence, answer.reason)
        yield _result(answer.statements, numbers)

    async def _not_found(self, tree_data: TreeData, answer: Answer) -> ToolStream:
        manuals = await asyncio.to_thread(self._services.shelf.documents)
        empty_shelf = nothing_to_search(manuals, tree_data.document_ids)
        if empty_shelf:
            tree_data.outcome = "impossible"
        elif tree_data.withdrawn:
            tree_data.outcome = "failed"
        sentence = (
            empty_shelf
            or " ".join(tree_data.withdrawn.values())
            or not_in_manuals(manuals, tree_data.document_ids)
        )
        for word in _words(sentence):
            yield TokenEvent(word)
            await asyncio.sleep(0)
        for page in answer.nearest[: self._services.agent.nearest_pages]:
            yield NearestPageEvent(page.region(), _snippet(page))
        yield ConfidenceEvent(answer.confidence, answer.reason)


def _written(
    statement: Statement, numbers: dict[PageRegion, int], *, first: bool
) -> Iterator[ToolOutput]:
    """Yield a statement word by word; its citation comes before its mark is written."""
    if not first:
        yield TokenEvent("\n")
    for word in _words(statement.text):
        yield TokenEvent(word)
    known = statement.source in numbers
    number = numbers.setdefault(statement.source, len(numbers) + 1)
    if not known:
        yield CitationEvent(number, statement.source, statement.quote)
    yield TokenEvent(f" [{number}]")


def _words(text: str) -> list[str]:
    """Return the words, each with the white space before it, so that joining gives the text."""
    return _WORD.findall(text.strip())


def _snippet(page: Evidence) -> str:
    text = " ".join(page.passages[0].text.split()) if page.passages else ""
    if len(text) <= _SNIPPET_CHARACTERS:
        return text
    return text[:_SNIPPET_CHARACTERS].rsplit(" ", 1)[0] + " …"


def _result(statements: Iterable[Statement], numbers: dict[PageRegion, int]) -> Result:
    objects = tuple(
        {
            "text": statement.text,
            "citation": numbers[statement.source],
            "document_id": statement.source.document_id,
            "document": statement.source.document,
            "page": statement.source.page,
            "label": statement.source.label,
        }
        for statement in statements
    )
    return Result(
        objects=objects,
        metadata={
            "citations": len(numbers),
            "said": f"{_count(len(objects), 'statement')} with {_count(len(numbers), 'citation')}",
            "pages": "page" if len({found["page"] for found in objects}) == 1 else "pages",
        },
        name="answer",
        payload_type="answer",
        llm_message="Answered in {said}, {pages} {page_numbers}.",
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def create_tool(services: Services) -> TextResponse:
    """Make the tool of this module."""
    return TextResponse(services)
