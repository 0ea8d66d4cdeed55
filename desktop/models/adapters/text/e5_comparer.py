"""Pairs of statements on the built-in text model: do they agree, contradict, or neither?

A cross-encoder: both texts are read together by the layers that learnt this (`comparing.bin`), and
a small head over the means of both decides. One thread at a time may use it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from desktop.models import text_model
from desktop.models.adapters.text.e5 import TextReader
from desktop.models.adapters.text.e5_packed import BEGIN, END

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Floats = NDArray[np.float32]

MOST_OF_MANUAL: Final = 150
MOST_OF_SAID: Final = 70
"""Tokens that are read of each text; the longest pairs it learnt from had as many."""
_APART: Final = np.float32(4.0)


class E5Comparer:
    """Satisfies `StatementComparer`. Loads at the first use."""

    model_id = f"{text_model.NAME}+compare@{text_model.COMPARER_SHA256[:8]}"

    def __init__(self, folder: Path, threads: int = 1) -> None:
        """Remember where the files are.

        folder: holds the files of `text_model.INSTALLED`. threads: cores that a run may use.
        """
        self._reader = TextReader(folder, text_model.COMPARING_GRAPH, threads)
        self._head: dict[str, Floats] = {}

    def compare(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Compare pairs of texts, see `StatementComparer.compare`.

        Raises: ModelNotInstalled, ModelDamaged.
        """
        chances = np.zeros((len(pairs), 3), np.float32)
        manual = self._reader.ids([words for words, _ in pairs], MOST_OF_MANUAL)
        said = self._reader.ids([words for _, words in pairs], MOST_OF_SAID)
        for row, (first, second) in enumerate(zip(manual, said, strict=True)):
            states = self._reader.run([BEGIN, *first, END, END, *second, END])
            chances[row] = self._decide(states, len(first), len(second))
        return chances

    def close(self) -> None:
        """Free the weights; the next use reads them again."""
        self._reader.close()

    def _decide(self, states: Floats, first: int, second: int) -> Floats:
        """Return three chances. states: of all tokens; first, second: tokens of each text."""
        head = self._head or self._read_head()
        one = states[1 : 1 + first].sum(axis=0) / max(first, 1)
        other = states[first + 3 : first + 3 + second].sum(axis=0) / max(second, 1)
        seen = np.concatenate([one, other, np.abs(one - other) * _APART, states[0]])
        hidden = _gelu(head["a.weight"] @ seen + head["a.bias"])
        scores = head["b.weight"] @ hidden + head["b.bias"]
        powers = np.exp(scores - scores.max())
        chances: Floats = powers / powers.sum()
        return chances

    def _read_head(self) -> dict[str, Floats]:
        from safetensors.numpy import load_file

        prefix = "head."
        learnt = load_file(text_model.adapter_folder() / text_model.COMPARER)
        self._head = {
            name.removeprefix(prefix): values.astype(np.float32)
            for name, values in learnt.items()
            if name.startswith(prefix)
        }
        return self._head


def _gelu(values: Floats) -> Floats:
    """Return the Gaussian error linear unit (Hendrycks and Gimpel, arXiv:1606.08415)."""
    shares = [0.5 * (1 + math.erf(value / math.sqrt(2))) for value in values.tolist()]
    return values * np.array(shares, np.float32)
