"""A ColQwen page embedder on top of any runtime: batches, memory, and the vectors' shape.

A call is one step of the inference thread and cannot be interrupted, so ingestion passes one
page at a time: a question then waits for one page at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from desktop.models.adapters.pages.colqwen_batch import Batch, page_batch, question_batch
from desktop.models.errors import ModelDamaged, ModelOutOfBudget
from desktop.models.roles import PageVectors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.models.adapters.pages.colqwen_batch import ColQwenRuntime
    from desktop.models.adapters.pages.colqwen_config import ColQwenConfig
    from desktop.models.adapters.pages.colqwen_processing import ColQwenProcessor
    from desktop.models.loading import Allowance

Floats = NDArray[np.float32]
T = TypeVar("T")

# Beyond these a batch is no faster, a page alone keeps the machine busy.
_MOST_PAGES = 4
_MOST_QUESTIONS = 16


class ColQwenEmbedder:
    """Satisfies `PageEmbedder` and `LoadedModel`. All calls come on the inference thread."""

    def __init__(
        self,
        model_id: str,
        dimension: int,
        config: ColQwenConfig,
        processor: ColQwenProcessor,
        runtime: ColQwenRuntime,
        allowance: Allowance,
    ) -> None:
        """Take a loaded model. dimension: length of its vectors."""
        self.model_id = model_id
        self.dimension = dimension
        self._merge = config.vision.spatial_merge_size
        self._processor = processor
        self._runtime = runtime
        self._allowance = allowance

    def embed_pages(self, pages: Sequence[NDArray[np.uint8]]) -> list[PageVectors]:
        """Embed pictures of pages, RGB uint8 of shape (height, width, 3).

        Each is scaled to what the model's processor allows. As many as the memory budget
        allows share a batch; a page is never refused for the others' sake.

        Raises: ModelOutOfBudget, if there is no room for one page; ModelDamaged; ValueError,
            if a picture is empty.
        """
        needs = [self._page_bytes(page) for page in pages]

        def embed(members: list[int]) -> list[PageVectors]:
            inputs = [self._processor.page(pages[member]) for member in members]
            rows = self._rows(page_batch(inputs, self._merge))
            return [
                PageVectors(vectors, page.first_patch, page.rows, page.columns)
                for vectors, page in zip(rows, inputs, strict=True)
            ]

        return self._in_batches(needs, _MOST_PAGES, "page", embed)

    def embed_queries(self, queries: Sequence[str]) -> list[Floats]:
        """Embed questions.

        The vectors of the ten tokens that follow a question are among them, as in
        colpali-engine, which scores with them too. What a question has beyond 1,024 tokens is
        left out.

        Raises: ModelOutOfBudget, ModelDamaged.
        """
        tokens = [self._processor.question(query) for query in queries]
        needs = [self._runtime.page_bytes(0, len(ids)) for ids in tokens]

        def embed(members: list[int]) -> list[Floats]:
            return self._rows(question_batch([tokens[member] for member in members]))

        return self._in_batches(needs, _MOST_QUESTIONS, "question", embed)

    def weight_bytes(self) -> int:
        """Bytes that the weights take in memory."""
        return self._runtime.weight_bytes()

    def cache_bytes(self) -> int:
        """Return 0: nothing is kept between calls."""
        return 0

    def drop_caches(self) -> None:
        """Let the runtime give back what it holds for its next call."""
        self._runtime.release()

    def close(self) -> None:
        """Free the model."""
        self._runtime.close()

    def _page_bytes(self, picture: NDArray[np.uint8]) -> int:
        rows, columns = self._processor.grid(*picture.shape[:2]) if picture.size else (0, 0)
        patches = rows * columns * self._merge**2
        return self._runtime.page_bytes(patches, self._processor.page_tokens(rows, columns))

    def _in_batches(
        self, needs: list[int], most: int, what: str, embed: Callable[[list[int]], list[T]]
    ) -> list[T]:
        """Embed what needs so many bytes each; similar sizes together, so that little is padded."""
        done: dict[int, T] = {}
        waiting = sorted(range(len(needs)), key=needs.__getitem__)
        while waiting:
            members = self._fitting(waiting[:most], needs)
            purpose = f"{len(members)} {what}s" if len(members) > 1 else f"one {what}"
            try:
                # padding makes every member as large as the largest
                self._allowance.admit(len(members) * needs[members[-1]], purpose)
                done.update(zip(members, embed(members), strict=True))
            except (ModelOutOfBudget, MemoryError) as error:
                if len(members) > 1:
                    most = 1
                    continue
                if isinstance(error, ModelOutOfBudget):
                    raise
                needed, free = needs[members[0]], self._allowance.free_bytes()
                raise ModelOutOfBudget(f"no memory for {purpose}", needed, free) from error
            del waiting[: len(members)]
        return [done[place] for place in range(len(needs))]

    def _fitting(self, members: list[int], needs: list[int]) -> list[int]:
        free = self._allowance.free_bytes()
        count = 1
        while count < len(members) and (count + 1) * needs[members[count]] <= free:
            count += 1
        return members[:count]

    def _rows(self, batch: Batch) -> list[Floats]:
        """Run a batch; return each row without its padding, its vectors of unit length."""
        vectors = self._runtime.run(batch)
        rows = []
        for row, length in zip(vectors, batch.lengths, strict=True):
            kept = row[:length]
            norms = np.linalg.norm(kept, axis=1, keepdims=True)
            if not np.isfinite(norms).all() or not norms.all():
                raise ModelDamaged(f"{self.model_id} returns vectors that are no numbers")
            rows.append((kept / norms).astype(np.float32))
        return rows
