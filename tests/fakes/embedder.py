"""Text embedders without a model: one that counts what it is asked, one that finds."""

from __future__ import annotations

import hashlib
import re
import threading
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

_WORD = re.compile(r"\w+")


class ScriptedEmbedder:
    """Embeds a text as (its length, 1), scaled; remembers calls and threads."""

    model_id = "scripted@1"
    dimension = 2

    def __init__(self):
        self.calls: list[list[str]] = []
        self.queries: list[str] = []
        self.threads: set[str] = set()
        self.closed_on: str | None = None

    def embed(self, texts):
        self.calls.append(list(texts))
        self.threads.add(threading.current_thread().name)
        rows = np.array([[len(text), 1.0] for text in texts], np.float32).reshape(-1, 2)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed_queries(self, queries):
        self.queries += queries
        return self.embed([f"query: {query}" for query in queries])

    def embed_tokens(self, texts):
        self.calls.append(list(texts))
        return [np.ones((len(text.split()), 2), np.float32) / np.sqrt(2) for text in texts]

    def token_spans(self, texts):
        return [[found.span() for found in re.finditer(r"\S+", text)] for text in texts]

    def rerank(self, question, texts):
        self.calls.append([question, *texts])
        return np.array([len(text) for text in texts], np.float32)

    def close(self):
        self.closed_on = threading.current_thread().name


class FakeEmbedder:
    """Texts that share words get similar vectors; a word's vector follows from its hash."""

    def __init__(self, model_id: str = "fake-embedder@1", dimension: int = 384) -> None:
        self._model_id = model_id
        self._dimension = dimension
        self.embedded: list[str] = []
        self.queries: list[str] = []
        self.largest_batch = 0
        self.failure: Exception | None = None
        self.reranked: NDArray[np.float32] | None = None
        self.before_each: Callable[[], None] | None = None

    @property
    def model_id(self) -> str:
        return self._model_id

    @property
    def dimension(self) -> int:
        return self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.before_each is not None:
            self.before_each()
        if self.failure is not None:
            raise self.failure
        self.embedded += texts
        self.largest_batch = max(self.largest_batch, len(texts))
        if not texts:
            return np.zeros((0, self._dimension), np.float32)
        return np.stack([_unit(self._tokens(text).sum(axis=0)) for text in texts])

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        self.queries += queries
        return self.embed(queries)

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return [self._tokens(text) for text in texts]

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        return [[found.span() for found in _WORD.finditer(text.casefold())] for text in texts]

    def rerank(self, question: str, texts: Sequence[str]) -> NDArray[np.float32] | None:
        return self.reranked

    def _tokens(self, text: str) -> NDArray[np.float32]:
        words = _WORD.findall(text.casefold()) or [""]
        return np.stack([self._word(word) for word in words])

    def _word(self, word: str) -> NDArray[np.float32]:
        seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
        return _unit(np.random.default_rng(seed).standard_normal(self._dimension))


def _unit(vector: NDArray[np.floating]) -> NDArray[np.float32]:
    return (vector / max(float(np.linalg.norm(vector)), 1e-9)).astype(np.float32)
