"""One answer of a language model, made in steps: a chunk of the prompt, or a token."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.models.generation import PromptProgress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop.models.adapters.language.mlx_decoding import Decoder
    from desktop.models.adapters.language.mlx_kept_prompts import LivePrompt
    from desktop.models.generation import GenerationPart
    from desktop.models.output.answer_text import AnswerText
    from desktop.models.output.generation_meter import GenerationMeter
    from desktop.models.output.structured import JsonConstraint


@dataclass(slots=True)
class Generation:
    """What one answer needs.

    tokens: of the prompt. live: the cache that has read its beginning. ends: tokens that end
    the output. checkpoints: after how many prompt tokens the cache takes one.
    """

    tokens: Sequence[int]
    live: LivePrompt
    decoder: Decoder
    answer: AnswerText
    ends: frozenset[int]
    meter: GenerationMeter
    cancelled: Callable[[], bool]
    constraint: JsonConstraint | None = None
    checkpoints: set[int] = field(default_factory=set)

    def run(self, chunk: int, most: int) -> Iterator[GenerationPart]:
        """Read the prompt, `chunk` tokens at most in a step, then write at most `most` tokens.

        The meter gets the reason of the end. Closing it leaves the cache fit for the next one.
        """
        yield PromptProgress(len(self.live.tokens), len(self.tokens))
        for end in self._pauses(chunk):
            if self._is_cancelled():
                return
            self.decoder.read(self.tokens[len(self.live.tokens) : end])
            if end in self.checkpoints:
                self.live.checkpoint()
            yield PromptProgress(end, len(self.tokens))
        if not self._is_cancelled():
            yield from self._write(most)

    def _write(self, most: int) -> Iterator[GenerationPart]:
        steps = self.decoder.write(self.tokens[-1], most, self.constraint)
        with contextlib.closing(steps):
            for token in steps:
                self.meter.output_tokens += 1
                if self.meter.output_tokens == 1:
                    yield PromptProgress(len(self.tokens), len(self.tokens))
                if token in self.ends:
                    self.meter.reason = "stop"
                    break
                if self.constraint is not None:
                    self.constraint.accept(token)
                yield from self.answer.push(token)
                if self._is_complete():
                    self.meter.reason = "stop"
                    break
                if self._is_cancelled():
                    return
        yield from self.answer.finish()

    def _pauses(self, chunk: int) -> list[int]:
        """Say after how many prompt tokens a step ends; the last token is left to `_write`."""
        begin, end = len(self.live.tokens), len(self.tokens) - 1
        pauses: list[int] = []
        for stop in sorted({*self.checkpoints, end}):
            if begin < stop <= end:
                pauses += [*range(begin + chunk, stop, chunk), stop]
                begin = stop
        return pauses

    def _is_complete(self) -> bool:
        return self.answer.finished or (self.constraint is not None and self.constraint.finished)

    def _is_cancelled(self) -> bool:
        if self.cancelled():
            self.meter.reason = "cancelled"
            return True
        return False
