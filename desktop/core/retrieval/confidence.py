"""How likely a page answers the question, from what speaks for it.

A logistic model fitted by `scripts/fit_ranking.py` on answerable and unanswerable
questions; with a text model it hears the re-ranker, without one the words alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from desktop.core.retrieval.features import PageFeatures


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic model: probability = sigmoid(offset + features . weights)."""

    offset: float
    weights: PageFeatures

    def probability(self, features: PageFeatures) -> float:
        """Return the probability (0 to 1) that the page answers."""
        return 1 / (1 + math.exp(-(self.offset + features.weighted(self.weights))))


WITH_TEXT_MODEL = Calibration(-5.0, PageFeatures(unit=1.0, late_words=6.0, dense=3.0, named=0.5))
WORDS_ALONE = Calibration(-2.0, PageFeatures(unit=5.0, named=0.5))


def confidence(features: PageFeatures) -> float:
    """Return how likely the page answers, 0 to 1."""
    calibration = WITH_TEXT_MODEL if features.late > 0 else WORDS_ALONE
    return calibration.probability(features)
