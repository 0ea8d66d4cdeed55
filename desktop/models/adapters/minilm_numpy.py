"""all-MiniLM-L6-v2 in plain numpy: the text embedder where there is no GPU.

The forward pass of BERT (Devlin et al. 2019) with the published weights. Texts are packed
one after the other instead of being padded to equal length: the matrix products see all
tokens of a step at once, attention sees one text at a time, and a text's vector does not
depend on its neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from desktop.models import minilm_files
from desktop.models.adapters.minilm_tokenizer import MiniLmTokenizer
from desktop.models.checksums import verify

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

Floats = NDArray[np.float32]

_LAYERS = 6
_HEADS = 12
_HEAD_SIZE = minilm_files.DIMENSION // _HEADS
_EPSILON = np.float32(1e-12)
# Tokens in one pass: enough to keep the matrix product busy, little enough for the caches.
_TOKENS_PER_PASS = 512
# Rows of the wide activation that are worked on while they are in the second-level cache.
_ROWS_PER_BLOCK = 64

# The GELU's coefficients, for |x| instead of |x| / sqrt 2 and with the factor one half in
# every term
_ERFC_P = np.float32(0.3275911 / np.sqrt(2))
_ERFC_TERMS = [
    np.float32(term / 2)
    for term in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
]


class MiniLmNumpy:
    """Satisfies `TextEmbedder`. Loads at the first use; one thread at a time may use it."""

    model_id = minilm_files.MODEL_ID
    dimension = minilm_files.DIMENSION

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        """Remember where the files are.

        Args:
            folder: holds the files of `minilm_files.PUBLISHED_SHA256`.
            threads: most threads of a matrix product; None leaves it to the BLAS. It holds
                for the whole process from loading on.
        """
        self._folder = folder
        self._threads = threads
        self._loaded: tuple[MiniLmTokenizer, _Bert] | None = None

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts: the mean over their tokens, scaled to unit length.

        Returns: float32, shape (len(texts), 384).
        Raises: ModelNotInstalled, ModelDamaged.
        """
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for index, states in self._states(texts):
            vectors[index] = states.mean(axis=0)
        return _unit_rows(vectors)

    def embed_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """Embed every token but [CLS] and [SEP].

        Returns: one float32 array per text, shape (n_tokens, 384), rows of unit length.
        Raises: ModelNotInstalled, ModelDamaged.
        """
        tokens: list[Floats] = [np.zeros((0, self.dimension), np.float32)] * len(texts)
        for index, states in self._states(texts):
            tokens[index] = _unit_rows(states[1:-1].copy())
        return tokens

    def _states(self, texts: Sequence[str]) -> Iterator[tuple[int, Floats]]:
        if not texts:
            return
        tokenizer, bert = self._load()
        encoded = tokenizer.encode(texts)
        for members in _passes([len(ids) for ids in encoded]):
            hidden, offsets = bert.forward([encoded[index] for index in members])
            for index, (start, end) in zip(members, pairwise(offsets), strict=True):
                yield index, hidden[start:end]

    def _load(self) -> tuple[MiniLmTokenizer, _Bert]:
        if self._loaded is None:
            verify(self._folder, minilm_files.PUBLISHED_SHA256)
            if self._threads is not None:
                _limit_blas(self._threads)
            self._loaded = (MiniLmTokenizer(self._folder), _Bert.read(self._folder))
        return self._loaded


def _passes(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group texts, in their order, into passes of at most `_TOKENS_PER_PASS` tokens."""
    members: list[int] = []
    tokens = 0
    for index, length in enumerate(lengths):
        if members and tokens + length > _TOKENS_PER_PASS:
            yield members
            members, tokens = [], 0
        members.append(index)
        tokens += length
    if members:
        yield members


def _limit_blas(threads: int) -> None:
    from threadpoolctl import threadpool_limits

    threadpool_limits(limits=threads, user_api="blas")


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


class _Bert:
    """The weights, and what they compute."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self._words = weights["embeddings.word_embeddings.weight"]
        # every token is of type 0, so its vector can join the positions once
        self._positions = (
            weights["embeddings.position_embeddings.weight"]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        self._norm = _norm(weights, "embeddings.LayerNorm")
        self._layers = [_layer(weights, f"encoder.layer.{index}") for index in range(_LAYERS)]

    @classmethod
    def read(cls, folder: Path) -> _Bert:
        """Read the published safetensors file."""
        from safetensors.numpy import load_file

        return cls(load_file(folder / minilm_files.WEIGHTS))

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


def _unit_rows(rows: Floats) -> Floats:
    rows /= np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), _EPSILON)
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
