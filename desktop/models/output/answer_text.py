"""From the tokens a model writes to the parts a reader gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from desktop.models.generation import TextPart

if TYPE_CHECKING:
    from desktop.models.output.stop_words import StopWords
    from desktop.models.output.thinking import ReasoningSplitter


class Detokenizer(Protocol):
    """Turns tokens into text as they come; holds back half a character."""

    @property
    def last_segment(self) -> str:
        """The text since this was last asked."""

    def add_token(self, token: int) -> None:
        """Take the next token."""

    def finalize(self) -> None:
        """Let go of what was held back."""


class AnswerText:
    """Joins detokenizer, reasoning and stop words; stop words end the answer only."""

    def __init__(
        self, detokenizer: Detokenizer, splitter: ReasoningSplitter, stop: StopWords
    ) -> None:
        """Begin before the first token; the three belong to this answer alone."""
        self._detokenizer = detokenizer
        self._splitter = splitter
        self._stop = stop

    @property
    def finished(self) -> bool:
        """Whether the answer is complete, by a stop word or by the model's own format."""
        return self._stop.stopped or self._splitter.finished

    def push(self, token: int) -> list[TextPart]:
        """Take the next token; returns what can be shown now, often one part, often none."""
        self._detokenizer.add_token(token)
        return self._stopped(self._splitter.push(self._detokenizer.last_segment))

    def finish(self) -> list[TextPart]:
        """No more tokens come; returns what was held back."""
        self._detokenizer.finalize()
        parts = self._splitter.push(self._detokenizer.last_segment) + self._splitter.finish()
        parts = self._stopped(parts)
        held = self._stop.finish()
        return [*parts, TextPart(held)] if held else parts

    def _stopped(self, parts: list[TextPart]) -> list[TextPart]:
        shown = []
        for part in parts:
            text = part.text if part.reasoning else self._stop.push(part.text)
            if text and not (part.reasoning and self._stop.stopped):
                shown.append(TextPart(text, part.reasoning))
        return shown
