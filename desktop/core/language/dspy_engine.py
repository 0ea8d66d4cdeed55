"""The engines through which DSPy asks a `LanguageModel`, one blocking and one for asyncio.

DSPy wraps whatever an engine raises into its own errors, with the original as the cause;
`program` takes it out again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing, contextmanager
from typing import TYPE_CHECKING, TypeAlias

from desktop.core.jobs import Cancelled
from desktop.core.language.dspy_conversion import (
    SUPPORTED_PARAMS,
    generation_request,
    reported_usage,
)
from desktop.core.language.errors import AnswerCutOff
from desktop.core.language.own_thread import on_own_thread
from desktop.models.errors import ModelError
from desktop.models.generation import GenerationEnd, GenerationPart, TextPart, never

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator, Iterator

    from dspy import lm15

    from desktop.models.generation import Cancelled as CancelledCheck
    from desktop.models.generation import GenerationRequest
    from desktop.models.roles import LanguageModel

PartListener: TypeAlias = Callable[[GenerationPart], None]
"""Called with every part of a generation, on the thread that made it."""


class LanguageModelEngine:
    """What `dspy.LM(engine=...)` wants: one attempt at one request, blocking.

    cancelled: asked by the model between tokens; a generation it ends raises `Cancelled`.
    on_part: sees every part as it is made, on the thread that made it.
    """

    supports_response_schema = True
    supports_function_calling = False
    supports_reasoning = False  # DSPy would take the reasoning field out of forced JSON
    supported_params = SUPPORTED_PARAMS

    def __init__(
        self,
        model: LanguageModel,
        cancelled: CancelledCheck = never,
        on_part: PartListener | None = None,
    ) -> None:
        self._model = model
        self._cancelled = cancelled
        self._on_part = on_part

    def complete(self, request: lm15.Request) -> lm15.Response:
        """Write the whole answer.

        Raises: Cancelled; ModelError; AnswerCutOff, if forced JSON ran out of tokens;
            lm15.UnsupportedFeatureError.
        """
        answer = _Answer(request)
        for part in self.parts(generation_request(request)):
            answer.add(part)
        return answer.response()

    def stream(self, request: lm15.Request) -> Generator[lm15.StreamEvent, None, None]:
        """Write the answer event by event; closing the iterator stops the model.

        Raises: as `complete`.
        """
        answer = _Answer(request)
        yield answer.start()
        for part in self.parts(generation_request(request)):
            if (event := answer.event(part)) is not None:
                yield event
        yield answer.end()

    def close(self) -> None:
        """Nothing to close: the model is its owner's."""

    def parts(
        self, request: GenerationRequest, abandoned: CancelledCheck = never
    ) -> Generator[GenerationPart, None, None]:
        """Ask the model and pass its parts on; `abandoned` stops it like `cancelled` does."""

        def cancelled() -> bool:
            return self._cancelled() or abandoned()

        if cancelled():
            raise Cancelled
        with _closing(self._model.generate(request, cancelled)) as parts:
            for part in parts:
                if self._on_part is not None:
                    self._on_part(part)
                if isinstance(part, GenerationEnd) and part.reason == "cancelled":
                    raise Cancelled
                yield part


class AsyncLanguageModelEngine:
    """The same for asyncio: the model is waited for on a thread of its own.

    Cancelling the task stops the model after its step; the task does not wait for that.
    """

    def __init__(self, engine: LanguageModelEngine) -> None:
        self._engine = engine

    async def complete(self, request: lm15.Request) -> lm15.Response:
        """As `LanguageModelEngine.complete`."""
        answer = _Answer(request)
        async with aclosing(self._parts(request)) as parts:
            async for part in parts:
                answer.add(part)
        return answer.response()

    async def stream(self, request: lm15.Request) -> AsyncGenerator[lm15.StreamEvent, None]:
        """As `LanguageModelEngine.stream`."""
        answer = _Answer(request)
        yield answer.start()
        async with aclosing(self._parts(request)) as parts:
            async for part in parts:
                if (event := answer.event(part)) is not None:
                    yield event
        yield answer.end()

    async def aclose(self) -> None:
        """Nothing to close."""

    def _parts(self, request: lm15.Request) -> AsyncGenerator[GenerationPart, None]:
        ours = generation_request(request)
        return on_own_thread(lambda abandoned: self._engine.parts(ours, abandoned))


class _Answer:
    """An answer as it grows, in DSPy's words."""

    def __init__(self, request: lm15.Request) -> None:
        self._request = request
        self._thoughts: list[str] = []
        self._texts: list[str] = []
        self._end: GenerationEnd | None = None

    def add(self, part: GenerationPart) -> None:
        if isinstance(part, TextPart):
            (self._thoughts if part.reasoning else self._texts).append(part.text)
        elif isinstance(part, GenerationEnd):
            self._end = part

    def event(self, part: GenerationPart) -> lm15.StreamEvent | None:
        """Add a part, and return what a stream says of it, if anything."""
        from dspy import lm15

        self.add(part)
        if not isinstance(part, TextPart) or not part.text:
            return None
        # parts of a message are numbered: the thinking comes before the text
        if part.reasoning:
            return lm15.StreamDeltaEvent(lm15.ThinkingDelta(part.text, part_index=0))
        index = 1 if self._thoughts else 0
        return lm15.StreamDeltaEvent(lm15.TextDelta(part.text, part_index=index))

    def response(self) -> lm15.Response:
        from dspy import lm15

        end = self._checked_end()
        thoughts, text = "".join(self._thoughts), "".join(self._texts)
        said = (*([lm15.ThinkingPart(thoughts)] if thoughts else []), lm15.TextPart(text))
        return lm15.Response(
            id=None,
            model=self._request.model,
            message=lm15.Message.assistant(said),
            finish_reason="length" if end.reason == "length" else "stop",
            usage=reported_usage(end.usage),
        )

    def start(self) -> lm15.StreamEvent:
        from dspy import lm15

        return lm15.StreamStartEvent(model=self._request.model)

    def end(self) -> lm15.StreamEvent:
        from dspy import lm15

        end = self._checked_end()
        reason = "length" if end.reason == "length" else "stop"
        return lm15.StreamEndEvent(finish_reason=reason, usage=reported_usage(end.usage))

    def _checked_end(self) -> GenerationEnd:
        if self._end is None:
            raise ModelError("the model ended without saying why")
        if self._end.reason == "length" and self._request.config.response_format is not None:
            # DSPy would repair the broken JSON and take a half sentence for the whole
            raise AnswerCutOff("the tokens ran out before the form was filled in", self._text)
        return self._end

    @property
    def _text(self) -> str:
        return "".join(self._texts)


@contextmanager
def _closing(parts: Iterator[GenerationPart]) -> Generator[Iterator[GenerationPart], None, None]:
    try:
        yield parts
    finally:
        close = getattr(parts, "close", None)
        if close is not None:
            close()
