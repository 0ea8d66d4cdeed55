"""How much memory a model's keys and values take, measured on the model itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
