"""What a vision model sees on the pages that were found: drawings, charts, tables."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from desktop.core.agent.page_reading import look_at, pages_to_look_at, read_picture
from desktop.core.agent.tool import ChosenTool, ToolArguments
from desktop.core.agent.tool_output import Error, Result
from desktop.core.conversations.values import shortened
from desktop.core.errors import LibraryError
from desktop.core.events import StatusEvent
from desktop.models.errors import ModelError
from desktop.sentences import said, template

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from desktop.core.agent.page_reading import Look
    from desktop.core.agent.tool import Services
    from desktop.core.agent.tool_output import ToolStream
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.reader.evidence import Evidence
    from desktop.models.roles import VisionLanguageModel

_SUMMARY_CHARACTERS = 300
READ_FROM = "a picture of the page, by a vision model: check it on the page"
"""Goes with every interpretation: what a model sees is material, not truth."""


class InterpretationArguments(ToolArguments):
    """What to look for."""

    question: str = Field(
        default="",
        max_length=1_000,
        description="What to look for in the pictures; empty: the user's question.",
    )


class VisualInterpretation(ChosenTool):
    """Reads the best pages, and the best region of each, with the vision model."""

    name: ClassVar[str] = "visual_interpretation"
    description: ClassVar[str] = (
        "Look at the pictures of the best pages found so far with a vision model. Use it for "
        "what drawings, wiring diagrams, charts and tables show. Takes seconds per page."
    )
    end: ClassVar[bool] = False
    arguments: ClassVar[type[ToolArguments]] = InterpretationArguments

    def __init__(self, services: Services) -> None:
        self._models = services.models
        self._library = services.library
        self._drawer = services.drawer

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        """There must be a vision model, and a page that was found and has something to see."""
        if self._library is None or self._drawer is None or self._vision() is None:
            return False
        return bool(await asyncio.to_thread(pages_to_look_at, tree_data.environment, self._library))

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield what is being looked at, then one `Result`, or an `Error` if nothing was seen."""
        arguments = InterpretationArguments.model_validate(inputs)
        vision = self._vision()
        assert self._library is not None
        pages = await asyncio.to_thread(pages_to_look_at, tree_data.environment, self._library)
        if vision is None or not pages:
            yield Error(said("No visual pages to interpret"), recoverable=False)
            return
        question = arguments.question.strip() or tree_data.user_prompt
        objects: list[dict[str, Any]] = []
        failure: Error | None = None
        for page in pages:
            try:
                async with aclosing(self._read(vision, page, question)) as reading:
                    async for output in reading:
                        if isinstance(output, StatusEvent):
                            yield output
                        else:
                            objects.append(output)
            except (LibraryError, ModelError, OSError) as error:
                failure = Error.of(error, said("Or answer from the text that was found."))
                if isinstance(error, ModelError):
                    break  # the next page needs the same model
        if objects:
            yield _result(objects, vision.model_id, failure)
        else:
            yield failure or Error(
                said("The vision model had nothing to say about these pages."),
                suggestion=said("Answer from the text that was found, or search for other pages."),
            )

    async def _read(
        self, vision: VisionLanguageModel, page: Evidence, question: str
    ) -> AsyncGenerator[StatusEvent | dict[str, Any], None]:
        """Read the page as a whole and then the part that matters most."""
        assert self._library is not None
        assert self._drawer is not None
        yield StatusEvent(
            said(
                "Looking at page {page} of {manual}",
                page=page.label,
                manual=page.title or page.document,
            )
        )
        look = await asyncio.to_thread(look_at, page, self._drawer, self._library)
        seen: list[str] = []
        for area in [None] if look.area is None else [None, look.area]:
            if area is not None:
                yield StatusEvent(
                    said("Looking more closely at part of page {page}", page=page.label)
                )
            async with aclosing(read_picture(vision, look, area, question)) as reading:
                async for part in reading:
                    if isinstance(part, StatusEvent):
                        yield part
                    elif part:
                        seen.append(part)
        if seen:
            yield _object(look, seen)

    def _vision(self) -> VisionLanguageModel | None:
        return None if self._models is None else self._models.vision()


def _object(look: Look, seen: Sequence[str]) -> dict[str, Any]:
    page = look.evidence
    region = (look.region or look.page_box).as_tuple()
    return {
        "document_id": page.document_id,
        "document": page.document,
        "page": page.page,
        "label": page.label,
        "region": list(region),
        "regions": [list(region)] if look.region else [],
        "interpretation": "\n".join(seen),
        "read_from": READ_FROM,
    }


def _result(objects: Sequence[dict[str, Any]], model_id: str, failure: Error | None) -> Result:
    text = " ".join(" ".join(found["interpretation"].split()) for found in objects)
    metadata = {"source": model_id, "summary": shortened(text, _SUMMARY_CHARACTERS)}
    message = template("VLM analyzed {num_objects} pages. Summary: {summary}")
    if failure is not None:
        metadata["failed"] = failure.feedback()
        message = template(
            "VLM analyzed {num_objects} pages. Summary: {summary} Not all pages: {failed}"
        )
    return Result(
        objects=tuple(objects),
        metadata=metadata,
        name="visual_interpretations",
        payload_type="interpretations",
        llm_message=message,
    )


create_tool = VisualInterpretation
