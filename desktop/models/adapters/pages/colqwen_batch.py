"""Several pages or questions of different length as one batch, and the memory it takes.

Rows are padded on the right. The decoder is causal, so what stands before the padding cannot
see it, and the vectors are those that colpali-engine gets with padding on the left and a mask:
its rotary positions count from one another, not from the beginning of the row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.models.adapters.pages.colqwen_config import ColQwenConfig
    from desktop.models.adapters.pages.colqwen_processing import PageInput

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """What a model takes at once.

    token_ids: int64, shape (rows, longest), padded on the right. lengths: int64, (rows,).
    positions: int64, shape (3, rows, longest), by time, row and column (M-RoPE).
    patches: float32, those of all pages one after the other, or None for questions.
    grids: int64, shape (rows, 3), frames, rows and columns of each page before merging.
    """

    token_ids: Ints
    lengths: Ints
    positions: Ints
    patches: Floats | None = None
    grids: Ints | None = None

    @property
    def mask(self) -> Ints:
        """1 for a token, 0 for padding, shape (rows, longest)."""
        return (np.arange(self.token_ids.shape[1]) < self.lengths[:, None]).astype(np.int64)


class ColQwenRuntime(Protocol):
    """A loaded model in one of the runtimes."""

    def run(self, batch: Batch) -> Floats:
        """Return the vectors, float32, shape (rows, longest, dimension); padding is anything.

        Raises: MemoryError, if the runtime found no room.
        """

    def weight_bytes(self) -> int:
        """Bytes that the weights take in memory."""

    def page_bytes(self, patches: int, tokens: int) -> int:
        """Estimate the most memory that a page with so many patches and tokens takes."""

    def release(self) -> None:
        """Give back what the runtime keeps for the next run."""

    def close(self) -> None:
        """Free the model."""


def page_batch(pages: Sequence[PageInput], merge: int) -> Batch:
    """Put pages together. merge: patches that the model merges, along one side."""
    ids, lengths = _padded([page.token_ids for page in pages])
    positions = np.zeros((3, *ids.shape), np.int64)
    for row, page in enumerate(pages):
        positions[:, row, : lengths[row]] = page_positions(page)
    grids = [(1, page.rows * merge, page.columns * merge) for page in pages]
    patches = np.concatenate([page.patches for page in pages])
    return Batch(ids, lengths, positions, patches, np.array(grids, np.int64))


def question_batch(questions: Sequence[Ints]) -> Batch:
    """Put tokenized questions together."""
    ids, lengths = _padded(questions)
    along = np.arange(ids.shape[1], dtype=np.int64)
    return Batch(ids, lengths, np.broadcast_to(along, (3, *ids.shape)).copy())


def page_positions(page: PageInput) -> Ints:
    """Return the position of each token by time, row and column, shape (3, n_tokens).

    Words count up on all three axes. A picture's patches share the moment after the words
    before it and differ in row and column; the words after it go on where its longer side
    ends (M-RoPE of Qwen2-VL, arXiv:2409.12191).
    """
    first, rows, columns = page.first_patch, page.rows, page.columns
    after = len(page.token_ids) - first - rows * columns
    row, column = np.divmod(np.arange(rows * columns, dtype=np.int64), columns)
    patches = first + np.stack([np.zeros_like(row), row, column])
    end = first + max(rows, columns)
    before = np.broadcast_to(np.arange(first), (3, first))
    return np.concatenate([before, patches, np.broadcast_to(end + np.arange(after), (3, after))], 1)


def activation_bytes(
    config: ColQwenConfig,
    patches: int,
    tokens: int,
    *,
    item_bytes: int,
    kept_layers: int = 0,
    score_heads: int = 0,
) -> int:
    """Estimate the most memory that a page needs while it is embedded.

    A layer holds some states as wide as the model and three as wide as its middle; tower and
    decoder work one after the other. kept_layers: decoder states that stay until the end.
    score_heads: heads whose attention scores lie in memory at once. Measured on random models
    of 4 to 8 layers with pages of 200 to 768 merged patches (scripts.bench page-embedders),
    MLX on the CPU took 0.6 to 0.9 of this, torch up to 1.0; nothing was measured on a GPU.
    """
    tower, decoder = config.vision, config.text
    seen = patches * (_STATES * tower.hidden_size + 3 * tower.intermediate_size)
    read = tokens * ((_STATES + kept_layers) * decoder.hidden_size + 3 * decoder.intermediate_size)
    scores = score_heads * max(patches, tokens) ** 2
    colours = tower.in_channels * tower.temporal_patch_size * tower.patch_size**2
    return (max(seen, read) + scores) * item_bytes + 2 * 4 * patches * colours


# States as wide as the model that are alive at once: input, normed, q, k, v, their rotated
# copies, the attention's output, its projection and the sum, and what the allocator adds.
_STATES = 16


def _padded(rows: Sequence[NDArray[Any]]) -> tuple[Ints, Ints]:
    lengths = np.array([len(row) for row in rows], np.int64)
    ids = np.zeros((len(rows), int(lengths.max())), np.int64)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
    return ids, lengths
