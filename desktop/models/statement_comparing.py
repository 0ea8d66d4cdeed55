"""Opening the model that compares statements, and calling it from any thread."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from desktop.models import text_model
from desktop.models.text_embedding import threads_of_a_run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from desktop.models.inference_thread import InferenceThread, Priority
    from desktop.models.roles import StatementComparer

_PAIRS_PER_STEP = 4
"""About a twentieth of a second, so that a question that is asked meanwhile does not wait."""


def load_statement_comparer() -> StatementComparer:
    """Open the model. Its weights are read at the first use, on the thread that uses it.

    Raises: ModelNotInstalled, if its files are not on this machine. The first use raises
        ModelDamaged if they are not those that were installed.
    """
    from desktop.models.adapters.text.e5_comparer import E5Comparer

    return E5Comparer(text_model.folder(), threads=threads_of_a_run())


class ThreadedComparer:
    """Satisfies `StatementComparer`; blocks the caller, never the other work of the thread."""

    def __init__(
        self,
        load: Callable[[], StatementComparer],
        inference_thread: InferenceThread,
        priority: Priority,
    ) -> None:
        """Prepare without loading. load: called once, on the inference thread."""
        self._load = load
        self._thread = inference_thread
        self._priority = priority

    @property
    def model_id(self) -> str:
        """Name and revision."""
        return self._thread.run(lambda: self._comparer.model_id, self._priority)

    def compare(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Compare pairs, see `StatementComparer.compare`.

        Raises: ModelNotInstalled, ModelDamaged; ModelStopped, if the thread is closed.
        """
        steps = [
            self._thread.run(
                partial(self._compare, pairs[first : first + _PAIRS_PER_STEP]), self._priority
            )
            for first in range(0, len(pairs), _PAIRS_PER_STEP)
        ]
        return np.concatenate(steps) if steps else np.zeros((0, 3), np.float32)

    def _compare(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        return self._comparer.compare(pairs)

    @cached_property
    def _comparer(self) -> StatementComparer:
        return self._load()
