"""A page embedder without a model: it sees the colours of a page and knows their names.

A page drawn with a red square is found by "the red square", and the map of the match is hot
there. Deterministic; fails as a test tells it to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop.models.roles import PageVectors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

COLOURS = {
    "red": (220, 30, 30),
    "green": (30, 180, 60),
    "blue": (30, 60, 220),
    "yellow": (240, 220, 40),
    "purple": (140, 40, 160),
    "orange": (250, 140, 20),
}
WHITE, INK = "white", "ink"
_SIDE = 40


class FakePageEmbedder:
    """Satisfies PageEmbedder. The vector of a patch tells which colours it has, and how much."""

    def __init__(self, model_id: str = "fake-pages@1", dimension: int = 128) -> None:
        self.model_id = model_id
        self._dimension = dimension
        self.embedded = 0
        self.sizes: list[tuple[int, ...]] = []
        self.failure: Exception | None = None
        self.before_each: Callable[[], None] | None = None
        chance = np.random.default_rng(7)
        names = [*COLOURS, WHITE, INK, "filler"]
        vectors = np.linalg.qr(chance.standard_normal((dimension, len(names))))[0].T
        self._vectors = dict(zip(names, vectors.astype(np.float32), strict=True))

    @property
    def dimension(self) -> int:
        return self._dimension

    def embed_pages(self, pages: Sequence[NDArray[np.uint8]]) -> list[PageVectors]:
        if self.before_each is not None:
            self.before_each()
        if self.failure is not None:
            raise self.failure
        self.embedded += len(pages)
        self.sizes += [page.shape for page in pages]
        return [self._page(page) for page in pages]

    def embed_queries(self, queries: Sequence[str]) -> list[NDArray[np.float32]]:
        if self.failure is not None:
            raise self.failure
        return [self._query(query) for query in queries]

    def _page(self, page: NDArray[np.uint8]) -> PageVectors:
        rows, columns = (max(1, size // _SIDE) for size in page.shape[:2])
        patches = [
            self._patch(part)
            for band in np.array_split(page, rows)
            for part in np.array_split(band, columns, axis=1)
        ]
        before = [self._vectors["filler"]] * 3
        return PageVectors(np.stack([*before, *patches, before[0]]), 3, rows, columns)

    def _patch(self, pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
        flat = pixels.reshape(-1, 3).astype(int)
        vector = np.zeros(self._dimension, np.float32)
        for name, colour in COLOURS.items():
            share = (np.abs(flat - colour).max(axis=1) < 40).mean()
            vector += 4 * share * self._vectors[name]
        white = (flat.min(axis=1) > 240).mean()
        vector += white * self._vectors[WHITE] + 0.5 * (1 - white) * self._vectors[INK]
        return vector / np.linalg.norm(vector)

    def _query(self, query: str) -> NDArray[np.float32]:
        words = query.casefold().replace("?", " ").split()
        tokens = [self._vectors.get(word, self._vectors["filler"]) for word in words]
        return np.stack(tokens or [self._vectors["filler"]]).astype(np.float32)
