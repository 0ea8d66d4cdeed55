"""Measuring what a generation costs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from desktop.models.generation import GenerationEnd, Usage

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from desktop.models.generation import EndReason

T = TypeVar("T")


class GenerationMeter:
    """Counts tokens, and the seconds of work; the time between two steps is not counted.

    The step that writes the first token belongs to the prompt.
    """

    def __init__(self, prompt_tokens: int, reused_tokens: int) -> None:
        """Begin before the prompt is read."""
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
