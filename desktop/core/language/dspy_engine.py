"""The engines through which DSPy asks a `LanguageModel`, and the `dspy.LM` its modules ask.

One is blocking, one for asyncio. What a local model cannot do is refused. DSPy wraps whatever an
engine raises into its own errors, with the original as the cause; `program` takes it out again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing, contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.language.dspy_setup import load_dspy
from desktop.core.language.errors import AnswerCutOff
from desktop.core.language.own_thread import on_own_thread
from desktop.models.errors import ModelError
from desktop.models.generation import (
    GenerationEnd,
    GenerationPart,
    GenerationRequest,
    Message,
    Sampling,
    TextPart,
    never,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator, Iterable, Iterator, Mapping

    from dspy import lm15

    from desktop.models.generation import Cancelled as CancelledCheck
    from desktop.models.generation import Speaker, Usage
    from desktop.models.roles import LanguageModel

SUPPORTED_PARAMS = frozenset(
    {"temperature", "top_p", "max_tokens", "stop", "seed", "response_format", "reasoning_effort"}
)
"""What DSPy may send, in its own words; JSONAdapter sends a schema only if it reads it here."""

_REFUSED_SETTINGS = (
    "tool_choice", "top_k", "frequency_penalty", "presence_penalty", "logprobs", "probabilities",
    "cache", "service_tier", "user_id", "store", "extensions",
)  # fmt: skip
_ANY_OBJECT: Mapping[str, Any] = {"type": "object"}


def generation_request(request: lm15.Request) -> GenerationRequest:
    """Translate a DSPy request into our terms.

    Raises: dspy.lm15.UnsupportedFeatureError, naming what a language model here cannot
        do: tools, pictures and other media, and settings that would silently have no
        effect.
    """
    config = request.config
    if request.tools:
        raise _unsupported("tools", "tools are chosen by a field of the signature")
    for name in _REFUSED_SETTINGS:
        if getattr(config, name) is not None:
            raise _unsupported(name, "it would have no effect")
    asked = GenerationRequest(messages=_messages(request))
    return GenerationRequest(
        messages=asked.messages,
        max_tokens=asked.max_tokens if config.max_tokens is None else config.max_tokens,
        sampling=Sampling(
            temperature=0.0 if config.temperature is None else config.temperature,
            top_p=1.0 if config.top_p is None else config.top_p,
            seed=config.seed,
        ),
        stop=config.stop,
        schema=_schema(config.response_format),
        thinking=config.reasoning is not None and not config.reasoning.is_off,
    )


def reported_usage(usage: Usage) -> lm15.Usage:
    """State what a generation cost in DSPy's terms."""
    from dspy import lm15

    return lm15.Usage(
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.reused_tokens,
    )


def _schema(response_format: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    if response_format is None:
        return None
    if response_format["type"] == "json_object":
        return _ANY_OBJECT
    schema: Mapping[str, Any] = response_format["schema"]
    return schema


def _messages(request: lm15.Request) -> tuple[Message, ...]:
    messages = []
    if isinstance(request.system, str):
        messages.append(Message("system", request.system))
    elif request.system is not None:
        messages.append(Message("system", _text(request.system)))
    for message in request.messages:
        messages.append(Message(_speaker(message.role), _text(message.parts)))
    return tuple(messages)


def _speaker(role: str) -> Speaker:
    match role:
        case "user" | "assistant":
            return role
        case "developer":  # what DSPy makes of a later system message
            return "system"
        case _:
            raise _unsupported(f"messages of the role {role!r}", "there are no tools to call")


def _text(parts: Iterable[Any]) -> str:
    """Join the texts. The thinking before an earlier answer is not repeated."""
    texts = []
    for part in parts:
        if part.type == "text":
            texts.append(part.text)
        elif part.type != "thinking":
            raise _unsupported(f"{part.type} content", "a language model reads text alone")
    return "".join(texts)


def _unsupported(feature: str, reason: str) -> Exception:
    from dspy import lm15

    error: Exception = lm15.UnsupportedFeatureError(
        f"a local language model takes no {feature}: {reason}", feature=feature
    )
    return error


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
        """Close nothing: the model is its owner's."""

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
    """The same for asyncio: waits for the model on a thread of its own.

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
    """An answer as it grows, in DSPy's terms."""

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
        """Add a part, and return the stream event for it, if any."""
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


DEFAULT_MAX_TOKENS = 1024
GREEDY = Sampling()


def make_lm(
    model: LanguageModel,
    cancel: CancelToken | None = None,
    *,
    sampling: Sampling = GREEDY,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    thinking: bool = False,
    on_part: PartListener | None = None,
) -> Any:
    """Make the `dspy.LM` of a language model.

    It never retries, never caches and keeps no history. A `rollout_id` has therefore no
    effect: give a seed.

    cancel: stops a generation between two tokens. thinking: lets the model think aloud,
    except where JSON is forced. on_part: sees every part, on the thread that made it.
    """
    token = cancel or CancelToken()
    engine = LanguageModelEngine(model, lambda: token.cancelled, on_part)
    options: dict[str, Any] = {}
    if sampling.top_p != 1.0:
        options["top_p"] = sampling.top_p
    if sampling.seed is not None:
        options["seed"] = sampling.seed
    if thinking:
        options["reasoning_effort"] = "medium"
    return _local_lm_class()(
        # without a slash, and with a prefix, no name can look like a provider's to DSPy
        f"local:{model.model_id}",
        temperature=sampling.temperature,
        max_tokens=max_tokens,
        cache=False,
        num_retries=0,
        engine=engine,
        async_engine=AsyncLanguageModelEngine(engine),
        **options,
    )


@cache
def _local_lm_class() -> Any:
    dspy = load_dspy()

    class LocalLM(dspy.LM):  # type: ignore[misc,name-defined] # dspy has no types
        def update_history(self, entry: object) -> None:
            """Keep no question: DSPy would hold ten thousand of them for the whole process."""

    return LocalLM
