"""What a language model is busy with before it writes, as sentences, few of them."""

from __future__ import annotations

from desktop.core.events import StatusEvent
from desktop.core.sentences import said
from desktop.models.generation import ModelLoading, PromptProgress

_STEP = 10
"""Per cent between two sentences."""


class WorkStatus:
    """Turns the progress of one generation into status events, each at most once."""

    def __init__(self, model_id: str) -> None:
        """Keep the model's name. model_id: name and revision, joined by "@"."""
        self._name = model_id.partition("@")[0]
        self._said = ""
        self._step = -1

    def of(self, progress: ModelLoading | PromptProgress) -> StatusEvent | None:
        """Return what to say of the progress, None if that was said."""
        match progress:
            case ModelLoading(fraction):
                return self._once(
                    "loading",
                    fraction,
                    said("Loading {name} {share}", name=self._name, share=f"{fraction:.0%}"),
                )
            case PromptProgress(done, total):
                reading = said(
                    "Reading {done} of {total} tokens", done=f"{done:,}", total=f"{total:,}"
                )
                return self._once("reading", done / total if total else 1.0, reading)

    def _once(self, what: str, fraction: float, sentence: str) -> StatusEvent | None:
        step = int(fraction * 100) // _STEP
        if (what, step) == (self._said, self._step):
            return None
        self._said, self._step = what, step
        return StatusEvent(sentence)
