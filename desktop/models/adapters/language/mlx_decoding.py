"""Token by token: what may come next, and one generation from prompt to end."""

from __future__ import annotations

import contextlib
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.models.generation import PromptProgress

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from desktop.models.adapters.language.mlx_kept_prompts import LivePrompt
    from desktop.models.answer_text import AnswerText, GenerationMeter
    from desktop.models.generation import GenerationPart, Sampling
    from desktop.models.structured import JsonConstraint

_TOKENS_BETWEEN_CLEARING = 256  # as mlx-lm does, or freed buffers pile up


class Decoder:
    """One generation's computations. `prompt.tokens` follows what the cache has read."""

    def __init__(self, model: Any, prompt: LivePrompt, sampling: Sampling) -> None:
        """Prepare to go on from where the prompt's cache stands."""
        import mlx.core as mx

        self._mx = mx
        self._model = model
        self._prompt = prompt
        self._choose = _chooser(sampling)

    def read(self, tokens: Sequence[int]) -> None:
        """Read some prompt tokens; returns when that is computed."""
        mx = self._mx
        self._prompt.sound = False
        self._model(mx.array(tokens)[None], cache=self._prompt.cache)
        mx.eval([layer.state for layer in self._prompt.cache])
        mx.clear_cache()
        self._prompt.tokens.extend(tokens)
        self._prompt.sound = True

    def write(
        self, last: int, most: int, constraint: JsonConstraint | None = None
    ) -> Generator[int, None, None]:
        """Write tokens after the prompt's last one, which was not read yet.

        May be closed at any token. Yields: at most `most` tokens.
        """
        prompt = self._prompt
        prompt.sound = False
        steps = self._free(last, most) if constraint is None else self._held(last, most, constraint)
        prompt.tokens.append(last)
        written = 0
        for tokens in steps:
            before, written = written, written + len(tokens)
            # the very last one is not read any more
            prompt.tokens.extend(tokens if written < most else tokens[:-1])
            prompt.sound = True
            yield from tokens
            prompt.sound = False
            if written // _TOKENS_BETWEEN_CLEARING > before // _TOKENS_BETWEEN_CLEARING:
                self._mx.clear_cache()
        prompt.sound = True

    def _free(self, last: int, most: int) -> Iterator[list[int]]:
        mx = self._mx
        token = self._choose(self._forward(mx.array([last])), 0)
        mx.async_eval(token)
        for number in range(1, most + 1):
            following = token
            if number < most:
                following = self._choose(self._forward(token), number)
                mx.async_eval(following)
            yield [int(token.item())]
            token = following

    def _held(self, last: int, most: int, constraint: JsonConstraint) -> Iterator[list[int]]:
        """Yield chosen tokens one by one, and those without an alternative all at once."""
        mx = self._mx
        forced = constraint.forced()[:most]
        logits = self._forward(mx.array([last, *forced[: most - 1]]))
        mx.async_eval(logits)
        written = len(forced)
        if forced:
            yield forced
        while written < most:
            allowed = mx.array(constraint.allowed(logits.shape[-1]))
            nothing = mx.array(-float("inf"), logits.dtype)
            token = self._choose(mx.where(allowed[None], logits, nothing), written)
            # Two evaluations: the token can be taken while the second one still runs.
            mx.async_eval(token)
            written += 1
            if written < most:
                logits = self._forward(token)
                mx.async_eval(logits)
            yield [int(token.item())]
            forced = constraint.forced()[: most - written]
            written += len(forced)
            if unread := forced if written < most else forced[:-1]:
                logits = self._forward(mx.array(unread))
                mx.async_eval(logits)
            if forced:
                yield forced

    def _forward(self, tokens: Any) -> Any:
        """Return the logits after some tokens, not yet computed, shape (1, vocabulary)."""
        return self._model(tokens[None], cache=self._prompt.cache)[:, -1, :]


def _chooser(sampling: Sampling) -> Callable[[Any, int], Any]:
    """Return the function from logits and a token's number to the token, shape (1,)."""
    import mlx.core as mx
    from mlx_lm.sample_utils import make_sampler

    if sampling.temperature <= 0:
        return lambda logits, _: mx.argmax(logits, axis=-1)
    sample = make_sampler(temp=sampling.temperature, top_p=sampling.top_p)
    seed = secrets.randbits(32) if sampling.seed is None else sampling.seed

    def choose(logits: Any, number: int) -> Any:
        # MLX has one state of chance per thread, and another generation may come between:
        # so every token has its own.
        mx.random.seed((seed * 1_000_003 + number) % 2**64)
        return sample(logits - mx.logsumexp(logits, axis=-1, keepdims=True))

    return choose


@contextlib.contextmanager
def wired_memory() -> Iterator[None]:
    """Keep the weights in the GPU's memory meanwhile, as `mlx_lm.generate` does on Metal."""
    import mlx.core as mx

    size = int(mx.device_info().get("max_recommended_working_set_size", 0))
    if not size:
        yield
        return
    before = mx.set_wired_limit(size)
    try:
        yield
    finally:
        mx.synchronize()
        mx.set_wired_limit(before)


@dataclass(slots=True)
class Generation:
    """What one answer needs.

    tokens: of the prompt. live: the cache that has read its beginning. ends: tokens that end
    the output. checkpoints: after how many prompt tokens the cache takes one.
    """

    tokens: Sequence[int]
    live: LivePrompt
    decoder: Decoder
    answer: AnswerText
    ends: frozenset[int]
    meter: GenerationMeter
    cancelled: Callable[[], bool]
    constraint: JsonConstraint | None = None
    checkpoints: set[int] = field(default_factory=set)

    def run(self, chunk: int, most: int) -> Iterator[GenerationPart]:
        """Read the prompt, `chunk` tokens at most in a step, then write at most `most` tokens.

        The meter gets the reason of the end. Closing it leaves the cache fit for the next one.
        """
        yield PromptProgress(len(self.live.tokens), len(self.tokens))
        for end in self._pauses(chunk):
            if self._is_cancelled():
                return
            self.decoder.read(self.tokens[len(self.live.tokens) : end])
            if end in self.checkpoints:
                self.live.checkpoint()
            yield PromptProgress(end, len(self.tokens))
        if not self._is_cancelled():
            yield from self._write(most)

    def _write(self, most: int) -> Iterator[GenerationPart]:
        steps = self.decoder.write(self.tokens[-1], most, self.constraint)
        with contextlib.closing(steps):
            for token in steps:
                self.meter.output_tokens += 1
                if self.meter.output_tokens == 1:
                    yield PromptProgress(len(self.tokens), len(self.tokens))
                if token in self.ends:
                    self.meter.reason = "stop"
                    break
                if self.constraint is not None:
                    self.constraint.accept(token)
                yield from self.answer.push(token)
                if self._is_complete():
                    self.meter.reason = "stop"
                    break
                if self._is_cancelled():
                    return
        yield from self.answer.finish()

    def _pauses(self, chunk: int) -> list[int]:
        """Say after how many prompt tokens a step ends; the last token is left to `_write`."""
        begin, end = len(self.live.tokens), len(self.tokens) - 1
        pauses: list[int] = []
        for stop in sorted({*self.checkpoints, end}):
            if begin < stop <= end:
                pauses += [*range(begin + chunk, stop, chunk), stop]
                begin = stop
        return pauses

    def _is_complete(self) -> bool:
        return self.answer.finished or (self.constraint is not None and self.constraint.finished)

    def _is_cancelled(self) -> bool:
        if self.cancelled():
            self.meter.reason = "cancelled"
            return True
        return False
