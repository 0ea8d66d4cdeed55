"""A vision model's words about a picture of a page, awaited without blocking the loop."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from desktop.core.events import StatusEvent
from desktop.core.language.own_thread import on_own_thread
from desktop.core.sentences import said
from desktop.models.generation import GenerationEnd, ModelLoading, TextPart, VisionRequest

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.core.agent.reading.page_looks import Look
    from desktop.core.page_drawing import PixelArea
    from desktop.models.roles import VisionLanguageModel

MOST_TOKENS = 400
_CUT_OFF = " …"


async def read_picture(
    vision: VisionLanguageModel, look: Look, area: PixelArea | None, question: str
) -> AsyncGenerator[StatusEvent | str, None]:
    """Read a page, or the part of it in `area`; what was read is the last item.

    Closing the iterator stops the model.

    Raises: ModelError.
    """
    instructions, asked = await asyncio.to_thread(_prompt, question, _place(look, area))
    request = VisionRequest(
        asked,
        look.drawn.pixels(),
        region=area,
        image_key=look.image_key,
        instructions=instructions,
        max_tokens=MOST_TOKENS,
    )
    words: list[str] = []
    shown = cut_off = ""
    async with aclosing(
        on_own_thread(lambda abandoned: vision.read(request, abandoned), "groundwork-looking")
    ) as parts:
        async for part in parts:
            match part:
                case ModelLoading(fraction):
                    share = int(fraction * 4) * 25
                    status = said("Loading the vision model: {share} %", share=share)
                    if status != shown:
                        shown = status
                        yield StatusEvent(status)
                case TextPart(text, reasoning=False):
                    words.append(text)
                case GenerationEnd("length", _):
                    cut_off = _CUT_OFF
                case _:
                    pass
    text = "".join(words).strip()
    yield text + cut_off if text else ""


def _prompt(question: str, place: str) -> tuple[str, str]:
    """Return the instructions of the signature, and its inputs as the question."""
    from desktop.core.agent.signatures import VisualInterpretationSignature as Signature

    values = {"user_prompt": question, "place": place}
    lines = [
        f"{field.json_schema_extra['desc']}\n{values[name]}"
        for name, field in Signature.input_fields.items()
    ]
    return Signature.instructions, "\n\n".join(lines)


def _place(look: Look, area: PixelArea | None) -> str:
    page = look.evidence
    part = "a part of" if area else "the whole of"
    return f"{part} page {page.label} of {page.title or page.document}"
