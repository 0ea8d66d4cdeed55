"""Token vectors of the last texts, so that one question reads each text once.

The re-ranker, the choice of quotes and the confidence look at the same sentences and rows.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop.models.roles import TextEmbedder

# Of one question about 100; each takes some 100 KB.
_MOST_TEXTS = 250


class TokenMemo:
    """Satisfies `TextEmbedder` by asking another one; may be used from any thread."""

    def __init__(self, embedder: TextEmbedder, most_texts: int = _MOST_TEXTS) -> None:
        """embedder: who reads what is not remembered. most_texts: that are remembered."""
        self._embedder = embedder
        self._most_texts = most_texts
        self._vectors: OrderedDict[tuple[str, str], NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def model_id(self) -> str:
        """See `TextEmbedder.model_id`."""
        return self._embedder.model_id

    @property
    def dimension(self) -> int:
        """See `TextEmbedder.dimension`."""
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `TextEmbedder.embed`."""
        return self._embedder.embed(texts)

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """See `TextEmbedder.embed_queries`."""
        return self._embedder.embed_queries(queries)

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """See `TextEmbedder.embed_tokens`; the arrays are shared, nobody may change them."""
        model = self._embedder.model_id
        with self._lock:
            known = {text: self._vectors.get((model, text)) for text in texts}
        missing = [text for text, vectors in known.items() if vectors is None]
        if missing:
            read = self._embedder.embed_tokens(missing)
            known.update(zip(missing, read, strict=True))
        found = {text: vectors for text, vectors in known.items() if vectors is not None}
        self._keep(model, found)
        return [found[text] for text in texts]

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """See `TextEmbedder.token_spans`."""
        return self._embedder.token_spans(texts)

    def _keep(self, model: str, found: dict[str, NDArray[np.float32]]) -> None:
        with self._lock:
            for text, vectors in found.items():
                self._vectors[model, text] = vectors
                self._vectors.move_to_end((model, text))
            while len(self._vectors) > self._most_texts:
                self._vectors.popitem(last=False)
