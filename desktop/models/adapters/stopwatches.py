"""Measuring what a generation costs: only the work itself, not the time until it is continued."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from desktop.models.generation import GenerationEnd, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.models.generation import EndReason

T = TypeVar("T")


class Stopwatches:
    """Counts the tokens and seconds of one generation."""

    def __init__(self, prompt_tokens: int, reused_tokens: int) -> None:
        self._prompt_tokens, self._reused_tokens = prompt_tokens, reused_tokens
        self._output_tokens = 0
        self._prompt_seconds = self._output_seconds = 0.0

    def prompt(self, steps: Iterator[T]) -> Iterator[T]:
        """Pass on the steps in which the prompt is read."""
        while True:
            start = time.perf_counter()
            try:
                step = next(steps)
            except StopIteration:
                return
            finally:
                self._prompt_seconds += time.perf_counter() - start
            yield step

    def output(self, tokens: Iterator[T]) -> Iterator[T]:
        """Pass on the tokens of the answer."""
        while True:
            start = time.perf_counter()
            try:
                token = next(tokens)
            except StopIteration:
                return
            finally:
                self._output_seconds += time.perf_counter() - start
            self._output_tokens += 1
            yield token

    def end(self, reason: EndReason) -> GenerationEnd:
        """Make the last part."""
        usage = Usage(
            self._prompt_tokens,
            self._reused_tokens,
            self._output_tokens,
            self._prompt_seconds,
            self._output_seconds,
        )
        return GenerationEnd(reason, usage)
