"""DSPy's requests as ours, and our usage as DSPy's; what a local model cannot do is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.models.generation import GenerationRequest, Message, Sampling

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dspy import lm15

    from desktop.models.generation import Speaker, Usage

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
    """Say a DSPy request in our words.

    Raises: dspy.lm15.UnsupportedFeatureError, naming what a language model here cannot do:
        tools, pictures and other media, and settings that would silently have no effect.
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
    """Say what a generation cost in DSPy's words."""
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
    """Join the texts. What was thought before an earlier answer is not said again."""
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
