"""Separating what a model thinks aloud from what it answers, while the text arrives.

Two notations are in use: a pair of tags around the reasoning (`<think>...</think>`), and the
channels of OpenAI's harmony format (https://github.com/openai/harmony). Both splitters take
text cut anywhere, also inside a tag, and give the same parts for every way of cutting it.
"""

from __future__ import annotations

from typing import Literal, Protocol

from desktop.models.generation import TextPart
from desktop.models.output.partial_match import undecided_length

# A header is a role and a channel. What runs on without one is a model that ignores the
# format, and its text is the answer.
_LONGEST_HEADER = 100


class ReasoningSplitter(Protocol):
    """Takes pieces of a model's text, gives parts that know whether they are reasoning."""

    @property
    def finished(self) -> bool:
        """Whether the model has said that its answer is complete."""

    def push(self, text: str) -> list[TextPart]:
        """Take the next piece; returns the parts that are decided by it."""

    def finish(self) -> list[TextPart]:
        """The text has ended; returns what was held back."""


class TagSplitter:
    """Reasoning between an opening and a closing tag.

    White space after a tag belongs to neither side.
    """

    finished = False

    def __init__(
        self, opening: str = "<think>", closing: str = "</think>", *, inside: bool = False
    ) -> None:
        """Begin in the answer, or inside the reasoning when the prompt has opened it."""
        self._opening, self._closing = opening, closing
        self._inside = inside
        self._after_tag = inside
        self._held = ""

    def push(self, text: str) -> list[TextPart]:
        """Take the next piece; returns the parts that are decided by it."""
        parts: list[TextPart] = []
        text = self._held + text
        tags = (self._opening, self._closing)
        while found := _first(text, tags):
            start, tag = found
            self._emit(parts, text[:start])
            self._inside = tag == self._opening
            self._after_tag = True
            text = text[start + len(tag) :]
        shown = len(text) - undecided_length(text, tags)
        self._held = text[shown:]
        self._emit(parts, text[:shown])
        return parts

    def finish(self) -> list[TextPart]:
        """The text has ended; returns what was held back."""
        parts: list[TextPart] = []
        held, self._held = self._held, ""
        self._emit(parts, held)
        return parts

    def _emit(self, parts: list[TextPart], text: str) -> None:
        if self._after_tag:
            text = text.lstrip()
        if text:
            self._after_tag = False
            parts.append(TextPart(text, reasoning=self._inside))


class HarmonySplitter:
    """The channels of gpt-oss: `final` is the answer, every other one is reasoning.

    A message is `<|start|>role<|channel|>name<|message|>text<|end|>`; the prompt has
    written the first `<|start|>assistant`.
    """

    _ENDS = ("<|end|>", "<|return|>", "<|call|>")
    _TAGS = ("<|start|>", "<|channel|>", "<|message|>", "<|constrain|>", *_ENDS)

    def __init__(self, *, answering: bool = False) -> None:
        """Begin before the header, or in the answer when the prompt has opened `final`."""
        self._place: Literal["role", "channel", "message"] = "message" if answering else "role"
        self._channel = ""
        self._header = ""
        self._any_tag = answering
        self._finished = False
        self._held = ""

    @property
    def finished(self) -> bool:
        """Whether the message of the final channel has ended."""
        return self._finished

    def push(self, text: str) -> list[TextPart]:
        """Take the next piece; returns the parts that are decided by it."""
        parts: list[TextPart] = []
        text = self._held + text
        while found := _first(text, self._TAGS):
            start, tag = found
            self._text(parts, text[:start])
            self._tag(tag)
            text = text[start + len(tag) :]
        shown = len(text) - undecided_length(text, self._TAGS)
        self._held = text[shown:]
        self._text(parts, text[:shown])
        return parts

    def finish(self) -> list[TextPart]:
        """The text has ended; returns what was held back."""
        parts: list[TextPart] = []
        held, self._held = self._held, ""
        self._text(parts, held)
        if not self._any_tag and self._header:
            parts.append(TextPart(self._header))
        return parts

    def _text(self, parts: list[TextPart], text: str) -> None:
        if self._finished or not text:
            return
        if self._place != "message":
            self._header += text
            if self._any_tag or len(self._header) <= _LONGEST_HEADER:
                return
            text, self._header, self._place = self._header, "", "message"
        parts.append(TextPart(text, reasoning=not self._answers()))

    def _tag(self, tag: str) -> None:
        self._any_tag = True
        if self._place == "channel":  # such as "commentary to=functions.search"
            self._channel = (self._header.split() or [""])[0]
        if tag == "<|message|>":
            self._place = "message"
        elif tag == "<|channel|>":
            self._place = "channel"
        elif tag == "<|constrain|>":
            self._place = "role"
        else:
            ended = tag in self._ENDS and self._place == "message"
            self._finished = self._finished or (ended and self._answers())
            self._place, self._channel = "role", ""
        self._header = ""

    def _answers(self) -> bool:
        """A message without a channel is an answer as well."""
        return self._channel in ("", "final")


def _first(text: str, tags: tuple[str, ...]) -> tuple[int, str] | None:
    """Find the tag that starts first."""
    found = [(at, tag) for tag in tags if (at := text.find(tag)) >= 0]
    return min(found) if found else None
