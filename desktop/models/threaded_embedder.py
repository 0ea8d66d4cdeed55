"""An embedder on the inference thread, and two that stand in for each other."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from desktop.models.inference_thread import InferenceThread, Priority
    from desktop.models.roles import TextEmbedder

# One step of work, in characters of text: about 500 tokens, so that a question waits for a
# tenth of a second of ingestion at most.
_CHARACTERS_PER_STEP = 2_000


class ThreadedEmbedder:
    """Satisfies `TextEmbedder`; blocks the caller, never the other work of the thread.

    Long lists are handed over in small steps, between which more urgent work goes first.
    """

    def __init__(
        self,
        embedder_factory: Callable[[], TextEmbedder],
        inference_thread: InferenceThread,
        priority: Priority,
    ) -> None:
        """Prepare without loading.

        Args:
            embedder_factory: called once, on the inference thread, at the first use. If what
                it makes has a `close`, that is called there when the thread closes.
            inference_thread: the owner of all models.
            priority: of everything asked of this object; `at` makes one with another.
        """
        self._shared = _Shared(embedder_factory, inference_thread)
        self._thread = inference_thread
        self._priority = priority

    def at(self, priority: Priority) -> ThreadedEmbedder:
        """Return an embedder with another priority that shares the loaded model."""
        sibling = ThreadedEmbedder.__new__(ThreadedEmbedder)
        sibling._shared = self._shared
        sibling._thread = self._thread
        sibling._priority = priority
        return sibling

    @property
    def model_id(self) -> str:
        """Name and revision of the model."""
        return self._known().model_id

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        return self._known().dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts, as `TextEmbedder.embed`.

        Raises: ModelNotInstalled, ModelDamaged; ModelStopped, if the thread is closed.
        """
        return self._rows(self._shared.embed, texts)

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, as `TextEmbedder.embed_queries`.

        Raises: ModelNotInstalled, ModelDamaged; ModelStopped, if the thread is closed.
        """
        return self._rows(self._shared.embed_queries, queries)

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Embed every token, as `TextEmbedder.embed_tokens`.

        Raises: ModelNotInstalled, ModelDamaged; ModelStopped, if the thread is closed.
        """
        tokens: list[NDArray[np.float32]] = []
        for step in steps_of(texts):
            tokens += self._thread.run(partial(self._shared.embed_tokens, step), self._priority)
        return tokens

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Say where tokens stand, as `TextEmbedder.token_spans`.

        Raises: ModelNotInstalled, ModelDamaged; ModelStopped, if the thread is closed.
        """
        return self._thread.run(partial(self._shared.token_spans, texts), self._priority)

    def _known(self) -> TextEmbedder:
        """Return the embedder to read its name from, which needs no turn once it is made."""
        return self._shared.made or self._thread.run(self._shared.embedder, self._priority)

    def _rows(
        self, embed: Callable[[Sequence[str]], NDArray[np.float32]], texts: Sequence[str]
    ) -> NDArray[np.float32]:
        parts = [self._thread.run(partial(embed, step), self._priority) for step in steps_of(texts)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), np.float32)


class _Shared:
    """The one embedder of all priorities; made on the inference thread."""

    def __init__(self, factory: Callable[[], TextEmbedder], thread: InferenceThread) -> None:
        self._factory = factory
        self._thread = thread
        self._lock = threading.Lock()
        self._embedder: TextEmbedder | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.embedder().embed(texts)

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        return self.embedder().embed_queries(queries)

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return self.embedder().embed_tokens(texts)

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        return self.embedder().token_spans(texts)

    @property
    def made(self) -> TextEmbedder | None:
        return self._embedder

    def embedder(self) -> TextEmbedder:
        with self._lock:
            if self._embedder is None:
                self._embedder = self._factory()
                close = getattr(self._embedder, "close", None)
                if close is not None:
                    self._thread.on_close(close)
            return self._embedder


def steps_of(texts: Sequence[str]) -> Iterator[list[str]]:
    """Divide texts into what is embedded in one step of the inference thread."""
    step: list[str] = []
    characters = 0
    for text in texts:
        if step and characters + len(text) > _CHARACTERS_PER_STEP:
            yield step
            step, characters = [], 0
        step.append(text)
        characters += len(text)
    if step:
        yield step


class PairedEmbedder:
    """Satisfies `TextEmbedder`.

    How much late interaction counts for was fitted with the built-in model's token vectors.
    Those of another model lie on another scale (all tokens of a decoder resemble each other),
    so an installed model finds the passages and the built-in one goes on reading them.
    """

    def __init__(self, passages: TextEmbedder, tokens: TextEmbedder) -> None:
        """Combine two embedders.

        Args:
            passages: makes the vectors of passages and questions; its name stands for both.
            tokens: makes the vectors of tokens, which are never stored.
        """
        self._passages = passages
        self._tokens = tokens

    @property
    def model_id(self) -> str:
        """Name and revision of the model whose vectors are stored."""
        return self._passages.model_id

    @property
    def dimension(self) -> int:
        """Length of the vectors that are stored."""
        return self._passages.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages, as `TextEmbedder.embed`."""
        return self._passages.embed(texts)

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, as `TextEmbedder.embed_queries`."""
        return self._passages.embed_queries(queries)

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Embed every token by the other model; their length is that model's dimension."""
        return self._tokens.embed_tokens(texts)

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Say where the other model's tokens stand."""
        return self._tokens.token_spans(texts)
