"""The keys and values of the last prompts, so that the next one is read from where it differs.

A cache that only grows is trimmed to the common beginning. A sliding window or a recurrent
state has forgotten what it would need for that; of such layers copies are taken while a
prompt is read (checkpoints), and the latest one inside the common beginning is used.
Arrays of MLX are copied when they are written to, so a copy is free until then.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from desktop.models.adapters.language.chat_prompt import common_length

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
