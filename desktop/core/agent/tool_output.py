"""What a tool may yield: results, errors that inform the next decision, and events."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.core.events import TokenEvent, ToolEvent
from desktop.core.problems import explain
from desktop.sentences import full, is_sentence, said, together

if TYPE_CHECKING:
    from collections.abc import Mapping


_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class Result:
    """Typed output of a tool.

    objects: plain values, one per item found. metadata: query, counts and the like.
    name: key in the environment. payload_type: a hint for whoever draws it.
    llm_message: what the next decision reads, a sentence or a template of one; placeholders are
    `{num_objects}`, `{name}`, `{page}` (of the first object), `{page_numbers}` and every metadata
    key. told: a sentence for a person, who sees the objects; "" for that message.
    """

    objects: tuple[dict[str, Any], ...]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    name: str = "result"
    payload_type: str = "result"
    llm_message: str = "{num_objects} objects in {name}."
    told: str = ""

    def message(self) -> str:
        """Return `llm_message` with its placeholders filled; unknown ones are left out."""
        labels = (found.get("label") or found.get("page") for found in self.objects)
        pages = [str(label) for label in labels if label is not None]
        values: dict[str, Any] = {
            "num_objects": len(self.objects),
            "name": self.name,
            "page_numbers": ", ".join(dict.fromkeys(pages)),
        }
        if pages:
            values["page"] = pages[0]
        values |= self.metadata
        if is_sentence(self.llm_message):
            return self.llm_message
        named = {name: values.get(name, "") for name in _PLACEHOLDER.findall(self.llm_message)}
        if re.search("[{}]", _PLACEHOLDER.sub("", self.llm_message)):
            return _PLACEHOLDER.sub(lambda match: str(named[match[1]]), self.llm_message)
        return said(self.llm_message, **named)

    def message_for_people(self) -> str:
        """Return what a person reads of it."""
        return self.told or self.message()


@dataclass(frozen=True, slots=True)
class Error:
    """A failure for the next decision to know. recoverable: another try, or tool, may succeed."""

    message: str
    recoverable: bool = True
    suggestion: str = ""

    @classmethod
    def of(cls, error: Exception, otherwise: str = "") -> Error:
        """Return an exception as a person is told of it. otherwise: what else can be done."""
        problem = explain(error)
        advice = together([problem.advice, otherwise]) if otherwise else problem.advice
        return Error(full(problem.title), recoverable=problem.retry, suggestion=advice)

    def feedback(self) -> str:
        """Return what the next decision reads."""
        return together([each for each in (self.message, self.suggestion) if each])


ToolOutput = Result | Error | ToolEvent
ToolStream = AsyncGenerator[ToolOutput, None]


def pieces_of(text: str) -> list[str]:
    """Return a text as words, each with the white space before it."""
    return re.findall(r"\s*\S+|\s+$", text)


async def written(text: str) -> AsyncGenerator[TokenEvent, None]:
    """Yield a text word by word, white space kept; a cancelled answer stops between two words.

    One of our own sentences is one piece.
    """
    for word in [text] if is_sentence(text) else pieces_of(text):
        yield TokenEvent(word)
        await asyncio.sleep(0)
