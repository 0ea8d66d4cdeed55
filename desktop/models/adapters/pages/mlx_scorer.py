"""Exact MaxSim on the GPU: the last stage of a page search, through MLX.

MLX arrays belong to the thread that made them: everything here is called on the inference
thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop.models.adapters import mlx_runtime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop.models.roles import QuantizedPage


class MlxScorer:
    """Satisfies `LateInteractionScorer`. Pages are scored with one product, then one maximum."""

    def scores(
        self, question: NDArray[np.float32], pages: Sequence[QuantizedPage]
    ) -> NDArray[np.float32]:
        """Score pages; see `LateInteractionScorer.scores`.

        Pages are filled up to the longest one; what is beyond a page's own vectors is masked,
        so that it never wins.
        """
        mx = mlx_runtime.mlx_core()
        lengths = np.array([len(scales) for _, scales in pages], np.int32)
        longest = int(lengths.max())
        vectors = np.zeros((len(pages), longest, question.shape[1]), np.int8)
        scales = np.zeros((len(pages), longest), np.float32)
        for place, (rows, sizes) in enumerate(pages):
            vectors[place, : len(sizes)] = rows
            scales[place, : len(sizes)] = sizes
        own = mx.array(np.arange(longest, dtype=np.int32) < lengths[:, None])
        try:
            # int8 crosses to the GPU, not its four times larger copy
            products = mx.array(vectors).astype(mx.float32) @ mx.array(question.T)
            products = products * mx.array(scales)[:, :, None]
            products = mx.where(own[:, :, None], products, -mx.inf)
            return np.array(products.max(axis=1).sum(axis=1), np.float32)
        except RuntimeError as error:
            if "alloc" in str(error):  # MLX has no class of its own for it
                raise MemoryError(str(error)) from error
            raise
