"""An answer's text made from a model's tokens, without its thinking, and what it cost."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from desktop.models.generation import GenerationEnd, PromptProgress, TextPart, Usage

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from desktop.models.generation import Cancelled, EndReason, GenerationPart
    from desktop.models.structured import JsonConstraint

T = TypeVar("T")


class GenerationMeter:
    """Counts tokens, and the seconds of work; the time between two steps is not counted.

    The step that writes the first token belongs to the prompt.
    """

    def __init__(self, prompt_tokens: int, reused_tokens: int) -> None:
        self.reason: EndReason = "length"
        self.output_tokens = 0
        self._prompt_tokens = prompt_tokens
        self._reused_tokens = reused_tokens
        self._prompt_seconds = 0.0
        self._output_seconds = 0.0

    def timed(self, items: Iterator[T]) -> Generator[T, None, None]:
        """Pass items on, counting the time it takes to make them."""
        while True:
            reading = self.output_tokens == 0
            started = time.perf_counter()
            try:
                item = next(items)
            except StopIteration:
                return
            finally:
                seconds = time.perf_counter() - started
                if reading:
                    self._prompt_seconds += seconds
                else:
                    self._output_seconds += seconds
            yield item

    def end(self) -> GenerationEnd:
        """Return the last part of the generation."""
        usage = Usage(
            self._prompt_tokens,
            self._reused_tokens,
            self.output_tokens,
            self._prompt_seconds,
            self._output_seconds,
        )
        return GenerationEnd(self.reason, usage)


@dataclass(slots=True)
class Writing:
    """An answer that is being written, token by token.

    ends: tokens that end the output. constraint: of JSON, None for free text.
    """

    answer: AnswerText
    ends: frozenset[int]
    meter: GenerationMeter
    cancelled: Cancelled
    constraint: JsonConstraint | None = None

    def parts(self, tokens: Iterable[int], prompt_tokens: int) -> Iterator[GenerationPart]:
        """Yield what can be shown of tokens as they come; the meter is told why they ended."""
        for token in tokens:
            self.meter.output_tokens += 1
            if self.meter.output_tokens == 1:
                yield PromptProgress(prompt_tokens, prompt_tokens)
            if token in self.ends:
                self.meter.reason = "stop"
                break
            if self.constraint is not None:
                self.constraint.accept(token)
            yield from self.answer.push(token)
            if self.answer.finished or (self.constraint and self.constraint.finished):
                self.meter.reason = "stop"
                break
            if self.is_cancelled():
                return
        yield from self.answer.finish()

    def is_cancelled(self) -> bool:
        """Whether it shall end now; the meter is told."""
        if self.cancelled():
            self.meter.reason = "cancelled"
            return True
        return False


class Detokenizer(Protocol):
    """Turns tokens into text as they come; holds back incomplete characters."""

    @property
    def last_segment(self) -> str:
        """The text since this was last read."""

    def add_token(self, token: int) -> None:
        """Take the next token."""

    def finalize(self) -> None:
        """Release what was held back."""


@dataclass(eq=False)
class AnswerText:
    """Joins detokenizer, reasoning and stop words; stop words end the answer only."""

    detokenizer: Detokenizer
    splitter: ReasoningSplitter
    stop: StopWords

    @property
    def finished(self) -> bool:
        """Whether the answer is complete, by a stop word or by the model's own format."""
        return self.stop.stopped or self.splitter.finished

    def push(self, token: int) -> list[TextPart]:
        """Take the next token; returns what can be shown now, often one part, often none."""
        self.detokenizer.add_token(token)
        return self._stopped(self.splitter.push(self.detokenizer.last_segment))

    def finish(self) -> list[TextPart]:
        """No more tokens come; returns what was held back."""
        self.detokenizer.finalize()
        parts = self.splitter.push(self.detokenizer.last_segment) + self.splitter.finish()
        parts = self._stopped(parts)
        held = self.stop.finish()
        return [*parts, TextPart(held)] if held else parts

    def _stopped(self, parts: list[TextPart]) -> list[TextPart]:
        shown = []
        for part in parts:
            text = part.text if part.reasoning else self.stop.push(part.text)
            if text and not (part.reasoning and self.stop.stopped):
                shown.append(TextPart(text, part.reasoning))
        return shown


def undecided_length(text: str, words: Iterable[str]) -> int:
    """Count the most last characters of a text that begin a word without completing it."""
    longest = 0
    for word in words:
        for length in range(min(len(text), len(word) - 1), longest, -1):
            if text.endswith(word[:length]):
                longest = length
                break
    return longest


class StopWords:
    """Passes text on until a stop word is complete.

    The word that is complete first ends the text; of two complete at once, the longer
    one. Text that may begin a stop word is held back until that is decided, so the
    outcome does not depend on how the text was cut into pieces.

    stopped: whether a stop word was complete; nothing is passed on afterwards.
    """

    def __init__(self, words: Iterable[str]) -> None:
        """Watch for words; empty ones are ignored."""
        self._words = tuple(word for word in words if word)
        self._held = ""
        self.stopped = False

    def push(self, text: str) -> str:
        """Take the next piece; returns what may be shown now."""
        if self.stopped:
            return ""
        text = self._held + text
        if found := [(at + len(word), at) for word in self._words if (at := text.find(word)) >= 0]:
            self.stopped, self._held = True, ""
            return text[: min(found)[1]]
        shown = len(text) - undecided_length(text, self._words)
        self._held = text[shown:]
        return text[:shown]

    def finish(self) -> str:
        """The text has ended; returns what was held back."""
        held, self._held = self._held, ""
        return held


# A header is a role and a channel. What runs on without one is a model that ignores the
# format, and its text is the answer.
_LONGEST_HEADER = 100


class ReasoningSplitter(Protocol):
    """Takes pieces of a model's text, gives parts that know whether they are reasoning."""

    finished: bool
    """Whether the model has said that its answer is complete."""

    def push(self, text: str) -> list[TextPart]:
        """Take the next piece; returns the parts that are decided by it."""

    def finish(self) -> list[TextPart]:
        """The text has ended; returns what was held back."""


class TagSplitter:
    """Reasoning between two tags; white space after a tag belongs to neither side."""

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
        pieces, self._held = _cut_at_tags(self._held + text, (self._opening, self._closing))
        for before, tag in pieces:
            self._emit(parts, before)
            if tag:
                self._inside = tag == self._opening
                self._after_tag = True
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
        self.finished = False  # once the message of the final channel has ended
        self._held = ""

    def push(self, text: str) -> list[TextPart]:
        """Take the next piece; returns the parts that are decided by it."""
        parts: list[TextPart] = []
        pieces, self._held = _cut_at_tags(self._held + text, self._TAGS)
        for before, tag in pieces:
            self._text(parts, before)
            if tag:
                self._tag(tag)
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
        if self.finished or not text:
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
            self.finished = self.finished or (ended and self._answers())
            self._place, self._channel = "role", ""
        self._header = ""

    def _answers(self) -> bool:
        """A message without a channel is an answer as well."""
        return self._channel in ("", "final")


def _cut_at_tags(text: str, tags: tuple[str, ...]) -> tuple[list[tuple[str, str]], str]:
    """Return each stretch of text with the tag that ends it, "" for the last, and what is held.

    The end of the text is held back while it may be the beginning of a tag.
    """
    pieces = []
    while found := [(at, tag) for tag in tags if (at := text.find(tag)) >= 0]:
        start, tag = min(found)
        pieces.append((text[:start], tag))
        text = text[start + len(tag) :]
    shown = len(text) - undecided_length(text, tags)
    return [*pieces, (text[:shown], "")], text[shown:]
