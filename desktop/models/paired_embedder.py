"""One model's vectors for finding passages, another's token vectors for reading them closely."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop.models.roles import TextEmbedder


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
