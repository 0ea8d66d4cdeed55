"""How similar a text model finds texts that have nothing to do with each other.

The weights of ranking and confidence were fitted with the built-in model, for which such
texts have a cosine near 0. Other models put it anywhere up to 0.7, and every page would seem
to answer every question. So the cosine of unrelated texts is measured once for such a model
and moved to 0; 1 stays 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from desktop.models.roles import TextEmbedder

FITTED_WITH: Final = "all-MiniLM-L6-v2@53aa5117+field@a64695d1"
"""The model whose cosines the weights of ranking and confidence are for."""

# Each question is answered by the passage of the same place and by no other.
_QUESTIONS = (
    "How often is the oil of the gearbox changed?",
    "Which colour is the wire of the door contact?",
    "What does error E17 mean?",
    "How is the password of the operator reset?",
    "May the pallet be stacked?",
    "What does the warranty not cover?",
)
_PASSAGES = (
    "Drain the lubricant after 2,000 operating hours and refill 1.2 litres.",
    "The entrance switch is connected by the yellow lead at terminal 4.",
    "E17 | Phase missing at the mains | Check the fuses of the supply",
    "An administrator opens Users, chooses the account and assigns a new code.",
    "Store the packed units side by side; load from above damages the housing.",
    "Wear of seals and damage by lightning are excluded from the guarantee.",
)
_HIGHEST = 0.95  # a model that tells nothing apart must not be blown up


@dataclass(frozen=True, slots=True)
class SimilarityScale:
    """Cosines of a model on the scale that the weights expect. unrelated: becomes 0."""

    unrelated: float = 0.0

    def of(self, cosine: float) -> float:
        """Return a cosine on that scale, 0 for what is less alike than unrelated texts."""
        return max(0.0, (cosine - self.unrelated) / (1 - self.unrelated))


def measure_scale(embedder: TextEmbedder) -> SimilarityScale:
    """Embed questions and the passages that do not answer them, unless the weights fit already.

    Raises: ModelError.
    """
    if embedder.model_id == FITTED_WITH:
        return SimilarityScale()
    cosines = embedder.embed_queries(_QUESTIONS) @ embedder.embed(_PASSAGES).T
    others = cosines[~np.eye(len(_QUESTIONS), dtype=bool)]
    return SimilarityScale(float(np.clip(others.mean(), 0.0, _HIGHEST)))
