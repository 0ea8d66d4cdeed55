"""Where pages are compared with a question exactly: on the GPU, if this machine has one."""

from __future__ import annotations

import platform
import sys
from typing import TYPE_CHECKING

from desktop.models.adapters import mlx_runtime
from desktop.models.inference_thread import Priority

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop.models.inference_thread import InferenceThread
    from desktop.models.roles import LateInteractionScorer, QuantizedPage


def gpu_scorer(thread: InferenceThread) -> LateInteractionScorer | None:
    """Return a scorer on the GPU that any thread may call; None where there is no Metal."""
    apple_silicon = sys.platform == "darwin" and platform.machine() == "arm64"
    if not (apple_silicon and mlx_runtime.installed()):
        return None
    from desktop.models.adapters.pages.mlx_scorer import MlxScorer

    return ThreadedScorer(MlxScorer(), thread)


class ThreadedScorer:
    """Satisfies `LateInteractionScorer`; a call is one step of the inference thread."""

    def __init__(
        self,
        scorer: LateInteractionScorer,
        thread: InferenceThread,
        priority: Priority = Priority.QUESTION,
    ) -> None:
        """Wrap a scorer that may be called on `thread` alone."""
        self._scorer = scorer
        self._thread = thread
        self._priority = priority

    def scores(
        self, question: NDArray[np.float32], pages: Sequence[QuantizedPage]
    ) -> NDArray[np.float32]:
        """Score pages, as `LateInteractionScorer.scores`.

        Raises: ModelStopped, if the thread is closed; MemoryError.
        """
        return self._thread.run(lambda: self._scorer.scores(question, pages), self._priority)
