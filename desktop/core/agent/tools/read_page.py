"""One named page of a manual, read whole: "page 4-11 of the operator's manual"."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from desktop.core.agent.gathering import keep_evidence
from desktop.core.agent.page_reading import (
    find_pages,
    read_blocks,
    shown_title,
    to_evidence,
    to_objects,
)
from desktop.core.agent.tool import ChosenTool, ToolArguments
from desktop.core.agent.tool_output import Error, Result, written
from desktop.core.errors import LibraryError
from desktop.core.events import (
    WARNING_LEVELS,
    CitationEvent,
    ClarificationEvent,
    ConfidenceEvent,
    StatusEvent,
    WarningBlockEvent,
)
from desktop.core.geometry import Box
from desktop.core.question.languages import language_of
from desktop.core.structure.safety import without_signal_word
from desktop.core.structure.sentences import words_in
from desktop.sentences import in_language, said, template

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.page_reading import FoundPage
    from desktop.core.agent.tool import Services
    from desktop.core.agent.tool_output import ToolStream
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.library.values import DocumentRecord
    from desktop.core.structure.values import Block

_MOST_OPTIONS = 6
_LONGEST_TITLE = 100
_RUNNING_LINES = ("header", "footer")
_NAMES_A_PAGE = frozenset({"page", "pages", "seite", "seiten"})


class PageArguments(ToolArguments):
    """Which page, and whether it is all that was asked for."""

    page: str = Field(
        min_length=1,
        max_length=40,
        description="The number printed on the page, such as 4-11, or counted from 1.",
    )
    document: str = Field(
        default="", max_length=300, description="Title or file name of the manual, or words of it."
    )
    as_answer: bool = Field(
        default=False,
        description="The user asked to be shown this page: write it out, which ends the question.",
    )


class ReadPage(ChosenTool):
    """Reads all blocks of a page in reading order, each with its section and region."""

    name: ClassVar[str] = "read_page"
    description: ClassVar[str] = (
        "Read one page of a manual whole, by the number printed on it. Use it when the user "
        "names a page, or to read on around a page that was found."
    )
    end: ClassVar[bool] = False
    arguments: ClassVar[type[ToolArguments]] = PageArguments

    def __init__(self, services: Services) -> None:
        self._library = services.library

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        """The user named a page, or pages were found that one may read on from."""
        if self._library is None or not tree_data.collection_names:
            return False
        return _names_a_page(tree_data.user_prompt) or not tree_data.environment.is_empty()

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield the page as a `Result`, written out first if it is the answer."""
        arguments = PageArguments.model_validate(inputs)
        assert self._library is not None
        yield StatusEvent(said("Looking for page {page}", page=arguments.page))
        try:
            pages, manuals = await asyncio.to_thread(
                find_pages,
                self._library,
                arguments.page,
                arguments.document,
                tree_data.document_ids,
            )
            if len(pages) != 1:
                async for output in _not_one(tree_data, arguments, pages, manuals):
                    yield output
                return
            blocks = await asyncio.to_thread(read_blocks, self._library, pages[0])
        except (LibraryError, OSError) as error:
            yield Error.of(error)
            return
        if arguments.as_answer and _names_a_page(tree_data.user_prompt):
            tree_data.outcome = "answered"
            language = language_of(tree_data.user_prompt)
            async for output in _written_out(pages[0], blocks, language):
                yield output
        page = pages[0]
        keep_evidence(tree_data.environment, [to_evidence(page, blocks)])
        yield Result(
            objects=to_objects(page, blocks),
            metadata={"place": page.title, "document": page.manual.name},
            name="page",
            payload_type="page_blocks",
            llm_message=template("Read {place}: {num_objects} blocks in reading order."),
        )


def _names_a_page(prompt: str) -> bool:
    return not _NAMES_A_PAGE.isdisjoint(words_in(prompt.casefold()))


async def _not_one(
    tree_data: TreeData,
    arguments: PageArguments,
    pages: Sequence[FoundPage],
    manuals: Sequence[DocumentRecord],
) -> ToolStream:
    """Say that there is no such page, or ask which of several is meant."""
    if not manuals:
        names = ", ".join(tree_data.collection_names)
        yield Error(
            said("No manual is called '{document}'.", document=arguments.document),
            suggestion=said("Available: {names}.", names=names),
        )
    elif not pages:
        names = ", ".join(shown_title(manual) for manual in manuals)
        yield Error(
            said("There is no page {page} in {names}.", page=arguments.page, names=names),
            suggestion=said("Search for what is needed from it, or name another page."),
        )
    elif arguments.as_answer:
        tree_data.outcome = "clarification"
        language = language_of(tree_data.user_prompt)
        several = said(
            "Several manuals have a page {page}. Which one do you mean?", page=arguments.page
        )
        question = in_language(several, language)
        async for token in written(question):
            yield token
        shown = pages[:_MOST_OPTIONS]
        options = tuple(_request(page, pages, language) for page in shown)
        yield ClarificationEvent(question, options)
    else:
        names = ", ".join(shown_title(page.manual) for page in pages)
        yield Error(
            said("Several manuals have a page {page}.", page=arguments.page),
            suggestion=said("Name the manual as well, one of: {names}.", names=names),
        )


async def _written_out(page: FoundPage, blocks: Sequence[Block], language: str) -> ToolStream:
    """Write the page as it stands in the manual, cited as a whole."""
    texts = [block.text.strip() for block in blocks if block.kind not in _RUNNING_LINES]
    yield CitationEvent(1, page.region(), texts[0] if texts else "")
    title = in_language(page.title, language)
    heading = title[0].upper() + title[1:]
    nothing = in_language(said("There are no words on this page."), language)
    body = "\n".join(text for text in texts if text) or nothing
    async for token in written(f"{heading} [1]\n{body}"):
        yield token
    for block in blocks:
        if block.warning in WARNING_LEVELS:
            message = without_signal_word(block.text)
            yield WarningBlockEvent(block.warning, message, page.region((Box(*block.box),)))
    yield ConfidenceEvent(1.0, said("the page as it appears in the manual"))


def _request(page: FoundPage, pages: Sequence[FoundPage], language: str) -> str:
    """Return the words that ask for exactly this page."""
    title = shown_title(page.manual)
    alone = sum(shown_title(other.manual).casefold() == title.casefold() for other in pages) == 1
    name = title if alone and len(title) <= _LONGEST_TITLE else page.manual.name
    request = said("Show page {label} of {manual}", label=page.label, manual=name)
    return in_language(request, language)


create_tool = ReadPage
