"""Ending a text that arrives in pieces at the first stop word, without ever showing one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.models.output.partial_match import undecided_length

if TYPE_CHECKING:
    from collections.abc import Iterable


class StopWords:
    """Passes text on until a stop word is complete.

    The word that is complete first ends the text; of two complete at once, the longer one.
    What may be the beginning of a stop word is held back until that is decided, so the
    outcome does not depend on how the text was cut into pieces.
    """

    def __init__(self, words: Iterable[str]) -> None:
        """Watch for words; empty ones are ignored."""
        self._words = tuple(word for word in words if word)
        self._held = ""
        self._stopped = False

    @property
    def stopped(self) -> bool:
        """Whether a stop word was complete; nothing is passed on afterwards."""
        return self._stopped

    def push(self, text: str) -> str:
        """Take the next piece; returns what may be shown now."""
        if self._stopped:
            return ""
        text = self._held + text
        start = self._cut(text)
        if start is not None:
            self._stopped, self._held = True, ""
            return text[:start]
        shown = len(text) - undecided_length(text, self._words)
        self._held = text[shown:]
        return text[:shown]

    def finish(self) -> str:
        """The text has ended; returns what was held back."""
        held, self._held = self._held, ""
        return held

    def _cut(self, text: str) -> int | None:
        """Return where the stop word starts that ends the text."""
        found = [(at + len(word), at) for word in self._words if (at := text.find(word)) >= 0]
        return min(found)[1] if found else None
