"""What is asked of a model that writes, and the parts in which its writing arrives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Speaker = Literal["system", "user", "assistant"]
EndReason = Literal["stop", "length", "cancelled"]
Cancelled: TypeAlias = Callable[[], bool]
"""Asked between steps, from the inference thread: shall this generation end now?"""


def never() -> bool:
    """Cancel nothing."""
    return False


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation, in the order in which it was said."""

    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is chosen.

    temperature: 0 takes the likeliest token. top_p: the share of probability that is
    kept, 1 keeps all. seed: makes a temperature above 0 repeatable; with None it is
    not.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """What a language model is to answer.

    max_tokens: at most so many output tokens, reasoning included.
    stop: texts that end the answer; they are not part of it.
    schema: a JSON schema that the whole answer satisfies, or None for free text.
    thinking: lets a model that can think aloud do so; ignored by the others, and by a
        request with a schema, whose first token is already the answer's.
    """

    messages: tuple[Message, ...]
    max_tokens: int = 1024
    sampling: Sampling = field(default_factory=Sampling)
    stop: tuple[str, ...] = ()
    schema: Mapping[str, Any] | None = None
    thinking: bool = False


@dataclass(frozen=True, slots=True)
class VisionRequest:
    """What a vision model is to read from a picture.

    image: RGB, uint8, shape (height, width, 3). region: the part to look at, pixels
    (x0, y0, x1, y1) with a top-left origin, or None for all of it. image_key: names the
    picture, so that a second question about it is cheaper; "" is never remembered.
    """

    question: str
    image: NDArray[np.uint8]
    region: tuple[int, int, int, int] | None = None
    image_key: str = ""
    instructions: str = ""
    max_tokens: int = 512


@dataclass(frozen=True, slots=True)
class ModelLoading:
    """The model is being loaded first; fraction 0 to 1."""

    fraction: float


@dataclass(frozen=True, slots=True)
class PromptProgress:
    """So many of all prompt tokens have been read. The first event says what was reused."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class TextPart:
    """Some characters, in order. reasoning: the model thinks aloud, this is not the answer."""

    text: str
    reasoning: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """What a generation cost. Token counts; seconds of work on the inference thread.

    reused_tokens: of the prompt, those whose keys and values were kept from before.
    """

    prompt_tokens: int = 0
    reused_tokens: int = 0
    output_tokens: int = 0
    prompt_seconds: float = 0.0
    output_seconds: float = 0.0

    @property
    def prompt_tokens_per_second(self) -> float:
        """Tokens read anew per second, 0 if none were."""
        return _rate(self.prompt_tokens - self.reused_tokens, self.prompt_seconds)

    @property
    def output_tokens_per_second(self) -> float:
        """Tokens written per second, 0 if none were."""
        return _rate(self.output_tokens, self.output_seconds)


@dataclass(frozen=True, slots=True)
class GenerationEnd:
    """Always the last part. length: max_tokens or the model's context was reached."""

    reason: EndReason
    usage: Usage


GenerationPart: TypeAlias = ModelLoading | PromptProgress | TextPart | GenerationEnd


def _rate(tokens: int, seconds: float) -> float:
    return tokens / seconds if seconds > 0 else 0.0
