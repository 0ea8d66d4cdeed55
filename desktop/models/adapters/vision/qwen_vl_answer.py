"""One answer of a vision model, made in steps: a look, a chunk of the prompt, or a token."""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.models.generation import PromptProgress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.models.adapters.vision.qwen_vl_reading import PictureFeatures, PromptReading
    from desktop.models.generation import Cancelled, GenerationPart
    from desktop.models.output.answer_text import AnswerText
    from desktop.models.output.generation_meter import GenerationMeter


@dataclass(slots=True)
class VisionAnswer:
    """What one answer needs.

    look: makes or finds the picture's features, asked only if tokens of the picture are to be
    read. choose: makes a token of scores. ends: tokens that end the output.
    """

    reading: PromptReading
    look: Callable[[], PictureFeatures]
    choose: Callable[[Any], Any]
    text: AnswerText
    ends: frozenset[int]
    meter: GenerationMeter
    cancelled: Cancelled

    def run(self, most: int) -> Iterator[GenerationPart]:
        """Read the prompt, then write at most `most` tokens; the meter gets why it ended."""
        if self._is_cancelled():
            return
        for _ in self._read():
            yield PromptProgress(self.reading.done, len(self.reading.prompt.ids))
            if self._is_cancelled():
                return
        yield from self._write(most)

    def _read(self) -> Iterator[None]:
        """Read all of the prompt but its last token."""
        yield
        if self.reading.needs_features:
            self.reading.give(self.look())
            yield
        while not self.reading.complete:
            self.reading.read_chunk()
            yield

    def _write(self, most: int) -> Iterator[GenerationPart]:
        total = len(self.reading.prompt.ids)
        with contextlib.closing(self.reading.tokens(self.choose)) as tokens:
            for token in itertools.islice(tokens, most):
                self.meter.output_tokens += 1
                if self.meter.output_tokens == 1:
                    yield PromptProgress(total, total)
                if token in self.ends:
                    self.meter.reason = "stop"
                    break
                yield from self.text.push(token)
                if self.text.finished:
                    self.meter.reason = "stop"
                    break
                if self._is_cancelled():
                    return
        yield from self.text.finish()

    def _is_cancelled(self) -> bool:
        if self.cancelled():
            self.meter.reason = "cancelled"
            return True
        return False
