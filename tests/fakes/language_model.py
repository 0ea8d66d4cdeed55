"""A scripted language model: says what a test enqueued, and keeps what it was asked."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.models.generation import (
    GenerationEnd,
    GenerationPart,
    GenerationRequest,
    PromptProgress,
    TextPart,
    Usage,
    never,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.models.generation import Cancelled, EndReason
    from desktop.models.speed import Speed


@dataclass(frozen=True)
class Script:
    """One generation. before: parts that come ahead of the words, such as ModelLoading.

    error: raised after the words. seconds: slept before every part.
    """

    parts: tuple[GenerationPart, ...]
    error: BaseException | None = None
    reason: EndReason = "stop"
    seconds: float = 0.0


class FakeLanguageModel:
    """Says one enqueued script per request.

    requests: every request, in order. said: the parts that were yielded, all requests
    together. ended: how each generation ended, "closed" if its iterator was closed, "raised"
    if it raised. threads: the names of the threads that advanced a generation.
    """

    def __init__(self, *texts: str, model_id: str = "fake@1", context_tokens: int = 8_192) -> None:
        self.model_id = model_id
        self.context_tokens = context_tokens
        self.speed: Speed | None = None
        self.requests: list[GenerationRequest] = []
        self.said: list[GenerationPart] = []
        self.ended: list[str] = []
        self.threads: list[str] = []
        self._scripts: list[Script] = []
        self._idle = threading.Event()
        self._idle.set()
        for text in texts:
            self.enqueue(text)

    def forget(self) -> None:
        """Say nothing of what was enqueued so far."""
        self._scripts.clear()

    def enqueue(
        self,
        text: str = "",
        *,
        reasoning: str = "",
        before: Sequence[GenerationPart] = (),
        parts: Sequence[str] | None = None,
        error: BaseException | None = None,
        reason: EndReason = "stop",
        seconds: float = 0.0,
    ) -> None:
        """Lay out the next answer.

        It is said word by word, or in exactly these `parts`. `reasoning` is thought first.
        """
        thoughts = [TextPart(piece, reasoning=True) for piece in _words(reasoning)]
        words = [TextPart(piece) for piece in (_words(text) if parts is None else parts)]
        self._scripts.append(Script((*before, *thoughts, *words), error, reason, seconds))

    def count_tokens(self, text: str) -> int:
        return len(_words(text))

    def generate(
        self, request: GenerationRequest, cancelled: Cancelled = never
    ) -> Iterator[GenerationPart]:
        self.requests.append(request)
        assert self._scripts, "the fake language model was asked more than was enqueued"
        return self._say(request, self._scripts.pop(0), cancelled)

    def wait_idle(self, seconds: float = 3.0) -> bool:
        """Wait until no generation runs; False if one still does."""
        return self._idle.wait(seconds)

    def _say(
        self, request: GenerationRequest, script: Script, cancelled: Cancelled
    ) -> Iterator[GenerationPart]:
        self._idle.clear()
        self.threads.append(threading.current_thread().name)
        ended = "closed"
        output = 0
        prompt = sum(self.count_tokens(message.text) for message in request.messages)
        try:
            for part in (PromptProgress(0, prompt), PromptProgress(prompt, prompt), *script.parts):
                time.sleep(script.seconds)
                if cancelled():
                    ended = "cancelled"
                    yield GenerationEnd("cancelled", Usage(prompt, 0, output))
                    return
                output += isinstance(part, TextPart)
                self.said.append(part)
                yield part
            if script.error is not None:
                ended = "raised"
                raise script.error
            ended = script.reason
            yield GenerationEnd(script.reason, Usage(prompt, 0, output))
        finally:
            self.ended.append(ended)
            self._idle.set()


def _words(text: str) -> list[str]:
    """Split so that the pieces together are the text again."""
    return re.findall(r"\s*\S+|\s+$", text)
