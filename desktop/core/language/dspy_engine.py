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
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

    from dspy import lm15

    from desktop.models.generation import Cancelled as CancelledCheck
    from desktop.models.generation import Speaker
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


def _schema(response_format: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    if response_format is None:
        return None
    if response_format["type"] == "json_object":
        return _ANY_OBJECT
    schema: Mapping[str, Any] = response_format["schema"]
    return schema


def _messages(request: lm15.Request) -> tuple[Message, ...]:
    system = request.system
    if system is not None and not isinstance(system, str):
        system = _text(system)
    first = [] if system is None else [Message("system", system)]
    rest = (Message(_speaker(each.role), _text(each.parts)) for each in request.messages)
    return (*first, *rest)


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
        return _response(request, list(self.parts(generation_request(request))))

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
        ours = generation_request(request)
        writing = on_own_thread(lambda abandoned: self._engine.parts(ours, abandoned))
        async with aclosing(writing) as parts:
            return _response(request, [part async for part in parts])

    async def aclose(self) -> None:
        """Nothing to close."""


def _response(request: lm15.Request, parts: Sequence[GenerationPart]) -> lm15.Response:
    """Return what a model wrote in DSPy's terms.

    Raises: ModelError, if there is no end; AnswerCutOff.
    """
    from dspy import lm15

    written = [part for part in parts if isinstance(part, TextPart)]
    thoughts = "".join(part.text for part in written if part.reasoning)
    text = "".join(part.text for part in written if not part.reasoning)
    end = next((part for part in parts if isinstance(part, GenerationEnd)), None)
    if end is None:
        raise ModelError("the model ended without saying why")
    if end.reason == "length" and request.config.response_format is not None:
        # DSPy would repair the broken JSON and take a half sentence for the whole
        raise AnswerCutOff("the tokens ran out before the form was filled in", text)
    said = (*([lm15.ThinkingPart(thoughts)] if thoughts else []), lm15.TextPart(text))
    return lm15.Response(
        id=None,
        model=request.model,
        message=lm15.Message.assistant(said),
        finish_reason="length" if end.reason == "length" else "stop",
        usage=lm15.Usage(
            input_tokens=end.usage.prompt_tokens,
            output_tokens=end.usage.output_tokens,
            cache_read_tokens=end.usage.reused_tokens,
        ),
    )


@contextmanager
def _closing(parts: Iterator[GenerationPart]) -> Generator[Iterator[GenerationPart], None, None]:
    try:
        yield parts
    finally:
        close = getattr(parts, "close", None)
        if close is not None:
            close()


DEFAULT_MAX_TOKENS = 1024


def make_lm(
    model: LanguageModel,
    cancel: CancelToken | None = None,
    *,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    on_part: PartListener | None = None,
) -> Any:
    """Make the `dspy.LM` of a language model, which always takes the likeliest token.

    It never retries, never caches and keeps no history. A `rollout_id` has therefore no
    effect.

    cancel: stops a generation between two tokens. on_part: sees every part, on the thread
    that made it.
    """
    token = cancel or CancelToken()
    engine = LanguageModelEngine(model, lambda: token.cancelled, on_part)
    return _local_lm_class()(
        # without a slash, and with a prefix, no name can look like a provider's to DSPy
        f"local:{model.model_id}",
        temperature=0.0,
        max_tokens=max_tokens,
        cache=False,
        num_retries=0,
        engine=engine,
        async_engine=AsyncLanguageModelEngine(engine),
    )


@cache
def _local_lm_class() -> Any:
    dspy = load_dspy()

    class LocalLM(dspy.LM):  # type: ignore[misc,name-defined] # dspy has no types
        def update_history(self, entry: object) -> None:
            """Keep no question: DSPy would hold ten thousand of them for the whole process."""

    return LocalLM
