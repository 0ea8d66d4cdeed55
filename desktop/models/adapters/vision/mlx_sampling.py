"""Choosing the next token with MLX."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from desktop.models.adapters import mlx_runtime

if TYPE_CHECKING:
    from desktop.models.generation import Sampling


class TokenChoice:
    """Makes a token, a scalar array not yet evaluated, of scores of shape (vocabulary,)."""

    def __init__(self, sampling: Sampling) -> None:
        """Prepare for one generation."""
        self._mx = mlx_runtime.mlx_core()
        self._sampling = sampling
        seed = secrets.randbits(32) if sampling.seed is None else sampling.seed
        # A key of its own: the thread's state of chance is shared with other generations.
        self._key = self._mx.random.key(seed % 2**64)

    def __call__(self, scores: Any) -> Any:
        """Choose among the scores."""
        mx = self._mx
        if self._sampling.temperature <= 0:
            return mx.argmax(scores)
        scores = scores.astype(mx.float32) / self._sampling.temperature
        if self._sampling.top_p < 1:
            scores = self._likeliest(scores)
        self._key, key = mx.random.split(self._key)
        return mx.random.categorical(scores, key=key)

    def _likeliest(self, scores: Any) -> Any:
        """Leave the likeliest tokens that together reach top_p, at least one."""
        mx = self._mx
        order = mx.argsort(-scores)
        shares = mx.softmax(scores[order])
        before = mx.cumsum(shares) - shares
        kept = mx.where(before < max(self._sampling.top_p, 1e-9), scores[order], -float("inf"))
        return mx.put_along_axis(mx.full(scores.shape, -float("inf")), order, kept, axis=-1)
