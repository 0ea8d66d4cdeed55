"""How fast language models are on this machine: measured while they work, kept across starts."""

from __future__ import annotations

import json
import logging
import os
import threading
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Final

from desktop.models.generation import GenerationEnd, PromptProgress, TextPart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from desktop.models.generation import GenerationPart

logger = logging.getLogger(__name__)

FILE: Final = "speeds.json"
FEW_TOKENS: Final = 48
"""Of a prompt: fewer say more about the start of a generation than about the machine."""
FEW_WRITTEN: Final = 8
_LONG: Final = 2.0
"""Seconds of reading without an end that tell something: the step that ran is guessed at."""
_NEW: Final = 0.5
"""Share of what was measured last: a laptop on battery is another machine than one on mains."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens a second: reading a prompt, writing an answer; 0 while that is not known."""

    reading: float = 0.0
    writing: float = 0.0

    def seconds(self, prompt_tokens: int, output_tokens: int) -> float | None:
        """Return how long a generation takes, or at least takes; None while nothing is known."""
        if not self.reading and not self.writing:
            return None
        reading = prompt_tokens / self.reading if self.reading else 0.0
        return reading + (output_tokens / self.writing if self.writing else 0.0)


class Speeds:
    """The speeds of this machine's models by id; thread-safe.

    A file that cannot be read or written costs a measurement, never an answer.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Read the known speeds. file: None to remember them while the program runs."""
        self._file = file
        self._lock = threading.Lock()
        self._known = _read(file)

    def of(self, model_id: str) -> Speed | None:
        """Return how fast a model is, None if it never ran here."""
        with self._lock:
            return self._known.get(model_id)

    def measured(self, model_id: str, reading: float, writing: float) -> None:
        """Take a measurement, tokens a second; 0 for what it does not tell."""
        with self._lock:
            before = self._known.get(model_id, Speed())
            now = Speed(_mixed(before.reading, reading), _mixed(before.writing, writing))
            if now == before:
                return
            self._known[model_id] = now
            text = json.dumps({each: asdict(speed) for each, speed in self._known.items()})
            try:
                _write(self._file, text)
            except OSError as error:
                logger.info("speeds are not kept: %s", type(error).__name__)


def timed(
    parts: Iterator[GenerationPart],
    measured: Callable[[float, float], None],
    clock: Callable[[], float] = perf_counter,
) -> Iterator[GenerationPart]:
    """Pass a generation on; at its end, broken off or not, tell `measured` its speeds or 0."""
    watch, told = _Watch(clock), False
    try:
        for part in parts:
            watch.take(part)
            if (reading := watch.slow_reading()) and not told:
                told = True  # who gives it up asks the next question before this one has ended
                measured(reading, 0.0)
            yield part
    finally:
        reading, writing = watch.speeds()
        if reading or writing:
            measured(reading, writing)


class _Watch:
    """Times the parts of one generation. Reused parts of a prompt were not read."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._prompt: list[tuple[float, int]] = []  # when so many tokens had been read
        self._waiting = 0  # tokens of the prompt that are not read yet
        self._words: list[float] = []
        self._end: GenerationEnd | None = None

    def take(self, part: GenerationPart) -> None:
        match part:
            case PromptProgress(done, total):
                self._prompt.append((self._clock(), done))
                self._waiting = total - done
            case TextPart():
                self._words.append(self._clock())
            case GenerationEnd():
                self._end = part
            case _:
                pass

    def slow_reading(self) -> float:
        """Return how fast the prompt is read, if that takes long enough to tell; else 0."""
        if len(self._prompt) < 2 or self._prompt[-1][0] - self._prompt[0][0] < _LONG:
            return 0.0
        return self._reading()

    def speeds(self) -> tuple[float, float]:
        usage = self._end.usage if self._end is not None else None
        if usage is not None and usage.output_seconds > 0:
            read = usage.prompt_tokens - usage.reused_tokens
            return (
                usage.prompt_tokens_per_second if read >= FEW_TOKENS else 0.0,
                usage.output_tokens_per_second if usage.output_tokens >= FEW_WRITTEN else 0.0,
            )
        return self._reading(), self._writing()

    def _reading(self) -> float:
        if not self._prompt:
            return 0.0
        (first, begun), (last, done) = self._prompt[0], self._prompt[-1]
        now = self._clock()
        if self._waiting and not self._words and now - first >= _LONG:  # broken off while it read
            last, done = now, done + min(self._waiting, FEW_TOKENS)
        read = done - begun
        return read / (last - first) if read >= FEW_TOKENS and last > first else 0.0

    def _writing(self) -> float:
        words = len(self._words) - 1
        if words < FEW_WRITTEN or self._words[-1] <= self._words[0]:
            return 0.0
        return words / (self._words[-1] - self._words[0])


def _mixed(before: float, now: float) -> float:
    if not now or not before:
        return round(now or before, 2)
    return round(_NEW * now + (1 - _NEW) * before, 2)


def _read(file: Path | None) -> dict[str, Speed]:
    if file is None:
        return {}
    try:
        stored = json.loads(file.read_text("utf-8"))
        return {
            str(each): Speed(max(0.0, float(kept["reading"])), max(0.0, float(kept["writing"])))
            for each, kept in stored.items()
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        logger.info("the file of speeds is not readable: they are measured again")
        return {}


def _write(file: Path | None, text: str) -> None:
    if file is None:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".new")
    fresh.write_text(text, "utf-8")
    os.replace(fresh, file)
