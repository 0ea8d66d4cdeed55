"""Late interaction over the best units of the first pages (token vectors, MaxSim).

Source: Khattab and Zaharia, "ColBERT: Efficient and Effective Passage Search via
Contextualized Late Interaction over BERT", SIGIR 2020; here with the text embedder's
own token vectors.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.retrieval.stopwords import STOPWORDS
from desktop.core.structure.units import without_title

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from desktop.core.retrieval.units import StoredUnit
    from desktop.models.roles import TextEmbedder

_MOST_CHARACTERS = 700


@dataclass(frozen=True, slots=True)
class LateScores:
    """Similarity of a unit to the question.

    late: mean over the question's tokens of their best match. late_words: the same over
    its meaningful words alone. cosine: of the mean token vectors.
    """

    late: float
    late_words: float
    cosine: float


def late_scores(
    embedder: TextEmbedder, question: str, units: Sequence[StoredUnit]
) -> Mapping[int, LateScores]:
    """Return scores by position in `units`. Costs one model run a unit."""
    bare = " ".join(
        w for w in re.findall(r"\S+", question) if w.lower().strip("?.,!") not in STOPWORDS
    )
    vectors = embedder.embed_tokens([question, bare or question, *map(unit_text, units)])
    asked, meaningful, *found = vectors
    mean = mean_vector(asked)
    return {
        position: LateScores(
            float((asked @ tokens.T).max(axis=1).mean()),
            float((meaningful @ tokens.T).max(axis=1).mean()),
            float(mean @ mean_vector(tokens)),
        )
        for position, tokens in enumerate(found)
        if len(tokens)
    }


def unit_text(unit: StoredUnit) -> str:
    """Return what the model reads of a unit: its sections without the title, and its text."""
    sections = without_title(unit.context)
    return (f"{sections}: {unit.text}" if sections else unit.text)[:_MOST_CHARACTERS]


def mean_vector(tokens: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the direction of the mean of token vectors, unit length."""
    mean: NDArray[np.float32] = tokens.mean(axis=0)
    mean /= max(float(np.linalg.norm(mean)), 1e-9)
    return mean
