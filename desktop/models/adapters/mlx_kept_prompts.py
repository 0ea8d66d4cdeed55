"""Keys and values of prompts that are kept between requests, and what they take."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.models.adapters.chat_prompt import common_length

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


_MOST_PROMPTS = 3
_MOST_CHECKPOINTS = 4
_WORTH_KEEPING = 16  # tokens


class LivePrompt:
    """A key-value cache and the tokens it has read, in use by one generation.

    sound: whether cache and tokens agree; false while the model computes.
    shared: whether its memory still belongs to a kept prompt, and is copied when written.
    repeated: how many of the new prompt's tokens an earlier prompt began with; it may be
        more than could be reused.
    """

    def __init__(self, cache: list[Any]) -> None:
        """Begin with an empty cache of mlx-lm."""
        self.cache = cache
        self.tokens: list[int] = []
        self.sound = True
        self.shared = False
        self.repeated = 0
        self._checkpoints: dict[int, dict[int, Any]] = {}

    @property
    def nbytes(self) -> int:
        """Bytes of the cache and its checkpoints."""
        copies = [layer for place in self._checkpoints.values() for layer in place.values()]
        return sum(layer.nbytes for layer in (*self.cache, *copies) if not layer.empty())

    @property
    def forgets(self) -> bool:
        """Whether a layer forgets, so that checkpoints are needed."""
        return any(not _only_grows(layer) for layer in self.cache)

    def checkpoint(self) -> None:
        """Remember this place, if a layer forgets."""
        forgetful = {
            number: copy.deepcopy(layer)
            for number, layer in enumerate(self.cache)
            if not _only_grows(layer)
        }
        if not forgetful or not self.tokens:
            return
        self._checkpoints[len(self.tokens)] = forgetful
        if len(self._checkpoints) > _MOST_CHECKPOINTS:
            del self._checkpoints[self._least_missed()]

    def reusable(self, length: int) -> int:
        """Return how many of the first `length` tokens it can be taken back to."""
        if length == len(self.tokens) or all(_can_trim(layer) for layer in self.cache):
            return length
        return max((place for place in self._checkpoints if place <= length), default=0)

    def rewind(self, length: int) -> None:
        """Take it back to a length that `reusable` returned."""
        surplus = len(self.tokens) - length
        if surplus == 0:
            return
        forgotten = self._checkpoints.get(length, {})
        for number, layer in enumerate(self.cache):
            if number in forgotten:
                self.cache[number] = copy.deepcopy(forgotten[number])
            else:
                layer.trim(surplus)
        del self.tokens[length:]
        self._checkpoints = {p: c for p, c in self._checkpoints.items() if p <= length}

    def duplicate(self) -> LivePrompt:
        """Return a second one that can be used beside this one."""
        twin = LivePrompt(copy.deepcopy(self.cache))
        twin.tokens = list(self.tokens)
        twin.shared = True
        twin._checkpoints = dict(self._checkpoints)
        return twin

    def _least_missed(self) -> int:
        """Return the checkpoint whose loss costs the fewest tokens."""
        places = sorted(self._checkpoints)
        before = [0, *places]
        return min(zip(places, before, strict=False), key=lambda pair: pair[0] - pair[1])[0]


class KeptPrompts:
    """The prompts of one model, the least recently used first."""

    def __init__(self, new_cache: Callable[[], list[Any]]) -> None:
        """Begin with none; `new_cache` makes an empty key-value cache of the model."""
        self._new_cache = new_cache
        self._kept: list[LivePrompt] = []
        self._running: list[LivePrompt] = []

    @property
    def nbytes(self) -> int:
        """Bytes of all of them, those in use included."""
        return sum(prompt.nbytes for prompt in (*self._kept, *self._running))

    def take(self, tokens: Sequence[int]) -> LivePrompt:
        """Return a cache that has read as much of a prompt's beginning as can be reused.

        The last token is always left to read. Two generations never get the same cache; it
        must come back by `give_back`.
        """
        live, repeated = self._best(tokens[:-1])
        live.repeated = repeated
        self._running.append(live)
        return live

    def give_back(self, live: LivePrompt) -> None:
        """Keep a cache for the next prompt, unless it is of no use."""
        self._running.remove(live)
        live.shared = False
        if not live.sound or len(live.tokens) < _WORTH_KEEPING:
            return
        self._kept = [kept for kept in self._kept if kept.tokens != live.tokens[: len(kept.tokens)]]
        self._kept = [*self._kept, live][-_MOST_PROMPTS:]

    def drop(self) -> None:
        """Forget all prompts that no generation is using."""
        self._kept.clear()

    def _best(self, tokens: Sequence[int]) -> tuple[LivePrompt, int]:
        repeated = length = 0
        best = None
        for kept in self._kept:
            common = common_length(kept.tokens, tokens)
            repeated = max(repeated, common)
            if (reusable := kept.reusable(common)) > length:
                best, length = kept, reusable
        if best is None or length < _WORTH_KEEPING:
            return LivePrompt(self._new_cache()), repeated
        # What it read beyond is lost to the new prompt, unless most of it would be.
        self._kept.remove(best)
        if 2 * length < len(best.tokens):
            self._kept.append(best)  # the most recently used one
            best = best.duplicate()
        best.rewind(length)
        return best, repeated


def _only_grows(layer: Any) -> bool:
    """Whether a layer's cache keeps every token, so that it can always be trimmed."""
    from mlx_lm.models.cache import KVCache

    return isinstance(layer, KVCache)


def _can_trim(layer: Any) -> bool:
    """Whether a layer's cache has forgotten nothing yet."""
    if hasattr(layer, "start_position"):  # it says it could, and may not
        return False
    return bool(layer.is_trimmable())


_STEP = 256  # mlx-lm grows a cache by so many tokens at a time


@dataclass(frozen=True, slots=True)
class _Layer:
    """Bytes per token, at most `window` tokens if it is not None, beside fixed bytes."""

    token_bytes: int = 0
    window: int | None = None
    fixed_bytes: int = 0


class KeyValueSize:
    """Knows what a prompt of so many tokens takes, whatever kinds of cache the layers have."""

    def __init__(self, model: Any, chunk_tokens: int) -> None:
        """Run the model on two tokens and look at the caches.

        Args:
            model: of mlx-lm, its weights loaded.
            chunk_tokens: how many prompt tokens are read at once; a sliding window holds
                them beside its own.
        """
        import mlx.core as mx
        from mlx_lm.models.cache import make_prompt_cache

        cache = make_prompt_cache(model)
        model(mx.array([[0, 0]]), cache=cache)
        mx.eval([layer.state for layer in cache])
        self._chunk = chunk_tokens
        self._layers = [_measured(part) for layer in cache for part in _parts(layer)]

    def bytes_for(self, tokens: int) -> int:
        """Return the bytes of a cache that holds so many tokens."""
        grown = -(-tokens // _STEP) * _STEP
        total = 0
        for layer in self._layers:
            held = grown if layer.window is None else min(grown, layer.window + self._chunk)
            total += layer.token_bytes * held + layer.fixed_bytes
        return total


def _parts(layer: Any) -> list[Any]:
    """Take a layer with several caches apart."""
    inner = getattr(layer, "caches", None)
    return [layer] if inner is None else [part for one in inner for part in _parts(one)]


def _measured(layer: Any) -> _Layer:
    keys = getattr(layer, "keys", None)
    if keys is None or not hasattr(keys, "shape"):  # a state of one size
        return _Layer(fixed_bytes=layer.nbytes)
    window = getattr(layer, "max_size", None) or getattr(layer, "chunk_size", None)
    return _Layer(layer.nbytes // keys.shape[-2], window)
