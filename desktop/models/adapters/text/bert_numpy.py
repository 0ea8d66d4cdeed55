"""BERT's forward pass (Devlin et al. 2019) in plain numpy, for texts packed without padding.

The matrix products see the tokens of all texts at once; attention sees one text at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats = NDArray[np.float32]

_LAYERS = 6
_HEADS = 12
_HEAD_SIZE = 32
_EPSILON = np.float32(1e-12)
# Rows of the wide activation that are worked on while they are in the second-level cache.
_ROWS_PER_BLOCK = 64

# The GELU's coefficients, for |x| instead of |x| / sqrt 2 and with the factor one half in
# every term
_ERFC_P = np.float32(0.3275911 / np.sqrt(2))
_ERFC_TERMS = [
    np.float32(term / 2)
    for term in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
]


@dataclass(frozen=True, slots=True)
class _Linear:
    """A matrix product with a bias; weight has shape (inputs, outputs)."""

    weight: Floats
    bias: Floats

    def __call__(self, rows: Floats) -> Floats:
        product: Floats = rows @ self.weight
        product += self.bias
        return product


@dataclass(frozen=True, slots=True)
class _Norm:
    """Layer normalisation over the last axis, in place."""

    weight: Floats
    bias: Floats

    def __call__(self, rows: Floats) -> Floats:
        rows -= rows.mean(axis=-1, keepdims=True)
        variance = np.einsum("ij,ij->i", rows, rows)[:, None] / np.float32(rows.shape[-1])
        rows /= np.sqrt(variance + _EPSILON)
        rows *= self.weight
        rows += self.bias
        return rows


@dataclass(frozen=True, slots=True)
class _Layer:
    """One transformer layer; query, key and value are one product, the query scaled."""

    attention_inputs: _Linear
    attention_output: _Linear
    attention_norm: _Norm
    widen: _Linear
    narrow: _Linear
    output_norm: _Norm

    def __call__(self, hidden: Floats, offsets: Sequence[int]) -> Floats:
        mixed = _attend(self.attention_inputs(hidden), offsets)
        update = self.attention_output(mixed)
        update += hidden
        hidden = self.attention_norm(update)
        update = self.narrow(_gelu_in_place(self.widen(hidden)))
        update += hidden
        return self.output_norm(update)


class Bert:
    """The weights of MiniLM-L6, and what they compute."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        """Take the published tensors by their published names, float32."""
        self._words = weights["embeddings.word_embeddings.weight"]
        # every token is of type 0, so its vector can join the positions once
        self._positions = (
            weights["embeddings.position_embeddings.weight"]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        self._norm = _norm(weights, "embeddings.LayerNorm")
        self._layers = [_layer(weights, f"encoder.layer.{index}") for index in range(_LAYERS)]

    def forward(self, batch: Sequence[list[int]]) -> tuple[Floats, list[int]]:
        """Run all tokens of a batch.

        Returns: the last hidden states, shape (all tokens, 384), and where each text starts
            and the last one ends.
        """
        offsets = [0]
        for ids in batch:
            offsets.append(offsets[-1] + len(ids))
        places = np.concatenate([np.arange(len(ids)) for ids in batch])
        hidden = self._words[np.concatenate(batch)] + self._positions[places]
        hidden = self._norm(hidden)
        for layer in self._layers:
            hidden = layer(hidden, offsets)
        return hidden, offsets


def _attend(inputs: Floats, offsets: Sequence[int]) -> Floats:
    """Mix the tokens of each text; inputs hold query, key and value side by side."""
    width = inputs.shape[1] // 3
    mixed = np.empty((len(inputs), width), np.float32)
    for start, end in pairwise(offsets):
        heads = inputs[start:end].reshape(end - start, 3, _HEADS, _HEAD_SIZE)
        query, key, value = np.ascontiguousarray(heads.transpose(1, 2, 0, 3))
        weights = query @ key.transpose(0, 2, 1)
        weights -= weights.max(axis=-1, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=-1, keepdims=True)
        mixed[start:end] = (weights @ value).transpose(1, 0, 2).reshape(end - start, width)
    return mixed


def _gelu_in_place(rows: Floats) -> Floats:
    """Apply x * Phi(x), the exact GELU, to every element.

    With q(z) = erfc(z / sqrt 2) it is max(x, 0) - |x| q(|x|) / 2. The complementary error
    function is formula 7.1.26 of Abramowitz and Stegun (1964), off by at most 1.5e-7.
    """
    for start in range(0, len(rows), _ROWS_PER_BLOCK):
        block = rows[start : start + _ROWS_PER_BLOCK]
        size = np.abs(block)
        inverse = size * _ERFC_P
        inverse += np.float32(1)
        np.reciprocal(inverse, out=inverse)
        tail = inverse * _ERFC_TERMS[0]
        for term in _ERFC_TERMS[1:]:
            tail += term
            tail *= inverse
        np.multiply(size, size, out=inverse)
        inverse *= np.float32(-0.5)
        tail *= np.exp(inverse, out=inverse)
        tail *= size
        np.maximum(block, np.float32(0), out=block)
        block -= tail
    return rows


def _norm(weights: dict[str, Floats], name: str) -> _Norm:
    return _Norm(weights[f"{name}.weight"], weights[f"{name}.bias"])


def _linear(weights: dict[str, Floats], name: str) -> _Linear:
    return _Linear(weights[f"{name}.weight"].T, weights[f"{name}.bias"])


def _layer(weights: dict[str, Floats], name: str) -> _Layer:
    parts = [
        _linear(weights, f"{name}.attention.self.{part}") for part in ("query", "key", "value")
    ]
    scale = np.float32(_HEAD_SIZE**-0.5)
    parts[0] = _Linear(parts[0].weight * scale, parts[0].bias * scale)
    return _Layer(
        attention_inputs=_Linear(
            np.concatenate([part.weight for part in parts], axis=1),
            np.concatenate([part.bias for part in parts]),
        ),
        attention_output=_linear(weights, f"{name}.attention.output.dense"),
        attention_norm=_norm(weights, f"{name}.attention.output.LayerNorm"),
        widen=_linear(weights, f"{name}.intermediate.dense"),
        narrow=_linear(weights, f"{name}.output.dense"),
        output_norm=_norm(weights, f"{name}.output.LayerNorm"),
    )
