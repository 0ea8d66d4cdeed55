"""Output tokens of a vision model to text: whole characters, reasoning apart, until a stop word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.models.generation import TextPart
from desktop.models.stop_words import StopWords
from desktop.models.thinking import TagSplitter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.models.adapters.qwen_vl_prompt import Prompt, PromptWriter


class AnswerText:
    """Takes tokens one by one, gives parts; a character split over tokens waits for its end."""

    def __init__(self, writer: PromptWriter, prompt: Prompt, stop: Iterable[str]) -> None:
        """stop: what ends the answer; the reasoning may contain it."""
        from tokenizers.decoders import DecodeStream

        self._tokenizer: Any = writer.tokenizer
        self._silent = writer.silent
        self._characters = DecodeStream(skip_special_tokens=False)
        self._splitter = TagSplitter(inside=prompt.thinks)
        self._stop = StopWords(stop)

    @property
    def stopped(self) -> bool:
        """Whether a stop word has ended the answer."""
        return self._stop.stopped

    def push(self, token: int) -> list[TextPart]:
        """Return the parts that a token decides."""
        if token in self._silent:
            return []
        text = self._characters.step(self._tokenizer, token)
        return self._checked(self._splitter.push(text)) if text else []

    def finish(self) -> list[TextPart]:
        """Return what was held back; nothing after a stop word."""
        parts = self._checked(self._splitter.finish())
        held = self._stop.finish()
        return [*parts, TextPart(held)] if held else parts

    def _checked(self, parts: Iterable[TextPart]) -> list[TextPart]:
        passed = []
        for part in parts:
            if part.reasoning:
                passed.append(part)
            elif text := self._stop.push(part.text):
                passed.append(TextPart(text))
        return passed
