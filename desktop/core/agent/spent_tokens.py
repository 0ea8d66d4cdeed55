"""What language models read and wrote for the parts of one question, for its trace."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Literal

from desktop.models.generation import GenerationEnd

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.models.generation import GenerationPart, Usage

Work = Literal["plan", "decision", "tool", "critique"]


class SpentTokens:
    """Counts by the work that a model did; models tell from threads of their own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spent: dict[Work, list[Usage]] = {}

    def listener(self, work: Work) -> Callable[[GenerationPart], None]:
        """Return what a `LanguageProgram` tells its parts to; the end of each call is counted."""

        def take(part: GenerationPart) -> None:
            if isinstance(part, GenerationEnd):
                with self._lock:
                    self._spent.setdefault(work, []).append(part.usage)

        return take

    def taken(self, work: Work) -> dict[str, float]:
        """Return the metrics of a trace entry for what was spent since the last time, {} if none.

        tokens_in counts what a model was given, also what it still knew from before.
        """
        with self._lock:
            calls = self._spent.pop(work, [])
        if not calls:
            return {}
        return {
            "tokens_in": sum(usage.prompt_tokens for usage in calls),
            "tokens_out": sum(usage.output_tokens for usage in calls),
        }
