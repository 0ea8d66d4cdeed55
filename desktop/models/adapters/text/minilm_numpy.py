"""all-MiniLM-L6-v2, taught of manuals, in plain numpy: the text embedder where there is no GPU.

Texts are packed one after the other instead of being padded to equal length, so that a
text's vector does not depend on its neighbours.
"""

from __future__ import annotations

import gc
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from desktop.models import minilm_files
from desktop.models.adapters.text.bert_numpy import Bert
from desktop.models.adapters.text.field_adapter import taught_changes
from desktop.models.adapters.text.minilm_tokenizer import MiniLmTokenizer
from desktop.models.checksums import verify

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

Floats = NDArray[np.float32]

# Tokens in one pass: enough to keep the matrix product busy, little enough for the caches.
_TOKENS_PER_PASS = 512
_SMALLEST_NORM = np.float32(1e-12)


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
        self._loaded: tuple[MiniLmTokenizer, Bert] | None = None

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts: the mean over their tokens, scaled to unit length.

        Returns: float32, shape (len(texts), 384).
        Raises: ModelNotInstalled, ModelDamaged.
        """
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for index, states in self._states(texts):
            vectors[index] = states.mean(axis=0)
        return _unit_rows(vectors)

    def embed_queries(self, queries: Sequence[str]) -> Floats:
        """Embed questions: this model reads them as it reads passages.

        Returns: float32, shape (len(queries), 384).
        Raises: ModelNotInstalled, ModelDamaged.
        """
        return self.embed(queries)

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

    def _load(self) -> tuple[MiniLmTokenizer, Bert]:
        if self._loaded is None:
            verify(self._folder, minilm_files.PUBLISHED_SHA256)
            if self._threads is not None:
                _limit_blas(self._threads)
            from safetensors.numpy import load_file

            weights = load_file(self._folder / minilm_files.WEIGHTS)
            for name, change in taught_changes().items():
                weights[name] += change
            bert = Bert(weights)
            self._loaded = (MiniLmTokenizer(self._folder), bert)
            # The program is up by now. What is left out of later collections of garbage does not
            # hold up a question: one in twenty took 8 to 15 ms longer.
            gc.freeze()
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


def _unit_rows(rows: Floats) -> Floats:
    rows /= np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), _SMALLEST_NORM)
    return rows
