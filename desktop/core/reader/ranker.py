"""What the reader learnt: trees that score units, and what turns scores into chances.

Regression trees over the observations of `observations.py` (LambdaMART: Burges, MSR-TR-2010-82),
learnt listwise from labelled questions on real manuals (`scripts/reader`): all units of the pages
of one question compete. The best of them are read again, together with the question, by the text
model (`TextEmbedder.rerank`), and what it says is added with a learnt weight. What was learnt is a
file of numbers in `resources/reader`, hash-verified; nothing overrides the score.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from desktop.core.reader.observations import OBSERVATIONS, UnitOnPage
from desktop.models.text_model import verify
from desktop.resources import resource

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Floats = NDArray[np.float32]

WEIGHTS: Final = "answers.safetensors"
WEIGHTS_SHA256: Final = "aaff711e4acd89c70176b3f93283ab6278d73b95b5e4443c23bb18d38b7e2c4d"
LIST_OBSERVATIONS: Final = (
    "best",  # score of the best unit
    "ahead",  # of the best unit over the best one of another page
    "spread",  # logarithm of the sum of all chances over the best
    "late",
    "late_own",
    "late_hardest",
    "cosine",
    "window",
    "words",
    "words_absent",
    "lacks_most",
    "lacks",
    "met_anywhere",  # mean over the third of the question's tokens that no unit comes near to
    "least_met",  # the token of the question that the best unit comes least near to
    "codes_missing",
    "asked_length",
    "page",
    "reranked",  # what the best unit says when it is read together with the question
    "reranked_highest",  # of all units that were
)
"""What tells whether the best unit answers at all."""
_OF_TOKENS = ("met_anywhere", "least_met", "reranked", "reranked_highest")
RERANKED: Final = 10
"""So many of the best units are read together with the question.

On `choose` (852 questions with an answer) the right page is first in 0.764 and the right unit best
in 0.592; with 6 in 0.765 and 0.583, with 16 in 0.769 and 0.593, with 32 it is the same.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """All that is observed about a question. Rows are units.

    values: shape (units, observations). read: which units the text model read. met: how
    near each of those comes to each token of the question, (read units, tokens).
    reranked: the logarithm of the odds that a unit answers, read together with the
    question, not a number for those that were not.
    """

    units: list[UnitOnPage]
    values: Floats
    read: NDArray[np.bool_]
    met: Floats
    reranked: Floats

    def only(self, kept: NDArray[np.bool_]) -> Observed:
        """Return what is observed of some of the units."""
        units = [unit for unit, stays in zip(self.units, kept, strict=True) if stays]
        of_read = kept[self.read]
        return replace(
            self,
            units=units,
            values=self.values[kept],
            read=self.read[kept],
            met=self.met[of_read] if len(self.met) else self.met,
            reranked=self.reranked[kept],
        )


class Ranker:
    """What was learnt: the trees that score units, and what turns their scores into chances."""

    def __init__(self, weights: Mapping[str, NDArray[Any]], card: Mapping[str, object]) -> None:
        """Take the tensors of the file, and what it says of itself."""
        if card.get("observations") != list(OBSERVATIONS):
            raise ValueError("the reader's weights are for other observations")
        self._weights = dict(weights)

    @classmethod
    def load(cls) -> Ranker:
        """Read the weights that come with Groundwork.

        Raises: ModelNotInstalled, ModelDamaged.
        """
        from safetensors import safe_open

        folder = resource("reader")
        verify(folder, {WEIGHTS: WEIGHTS_SHA256})
        with safe_open(folder / WEIGHTS, "numpy") as file:
            card = json.loads(file.metadata()["card"])
            return cls({name: file.get_tensor(name) for name in file.keys()}, card)  # noqa: SIM118

    def scores(self, observed: Observed, *, with_model: bool) -> Floats:
        """Return a score for each unit: a chance's logarithm, up to a term all units share.

        Units that the text model did not read come last, in order of the words they
        share.
        """
        if not with_model or not observed.read.any():
            return self.scores_of(observed.values, with_model=with_model)
        read = observed.read
        scores = np.zeros(len(read), np.float32)
        scores[read] = self.scores_of(observed.values[read], with_model=True)
        shared = observed.values[~read, OBSERVATIONS.index("words")]
        scores[~read] = scores[read].min() - 1 + np.clip(shared, 0, 1)
        return scores

    def reranked(self, observed: Observed, scores: Floats) -> Floats:
        """Return scores adjusted by what reading the units together with the question says."""
        found: Floats = scores + self.rerank_weight * below_surest(observed.reranked)
        return found

    @property
    def rerank_weight(self) -> np.float32:
        """How much reading together counts beside the trees."""
        weight: np.float32 = self._weights["rerank.weight"][0]
        return weight

    def worth(self, values: Floats) -> Floats:
        """Return how much each unit deserves a run of the text model, by what is known beforehand.

        values: shape (units, observations); what tokens tell is ignored.
        """
        return self._walk("first", values)

    def scores_of(self, values: Floats, *, with_model: bool) -> Floats:
        """Return the scores of rows of observations, shape (rows, observations)."""
        return self._walk(trees_of(with_model=with_model), values)

    def _walk(self, kind: str, values: Floats) -> Floats:
        of = self._of(kind)
        features, thresholds, leaves = of("features"), of("thresholds"), of("leaves")
        known = np.nan_to_num(values)
        rows, trees = np.arange(len(known))[:, None], np.arange(len(leaves))[None]
        nodes = np.zeros((len(known), len(leaves)), np.intp)
        while len(known) and nodes[0, 0] < features.shape[1]:  # a level of all trees at a time
            right = known[rows, features[trees, nodes]] > thresholds[trees, nodes]
            nodes = 2 * nodes + 1 + right
        scores: Floats = leaves[trees, nodes - features.shape[1]].sum(axis=1, dtype=np.float32)
        return scores

    def chance(self, seen: Floats, *, with_model: bool) -> float:
        """Return how likely the unit with the best score is to answer. seen: `list_inputs`."""
        of = self._of(trees_of(with_model=with_model))
        return _logistic(seen @ of("list") + of("list.bias")[0])

    def there(self, seen: Floats, *, with_model: bool) -> float:
        """Return how likely it is that any unit answers. seen: `list_inputs`."""
        of = self._of(trees_of(with_model=with_model))
        return _logistic(seen @ of("there") + of("there.bias")[0])

    def there_parts(
        self, seen: Floats, *, with_model: bool
    ) -> tuple[dict[str, float], dict[str, bool]]:
        """Return what each observation of the list adds to the logarithm of the odds of `there`.

        Also whether it is higher than in the questions this was learnt from.
        """
        weights = self._of(trees_of(with_model=with_model))("there")
        parts = zip(LIST_OBSERVATIONS, (seen * weights).tolist(), strict=True)
        return dict(parts), dict(zip(LIST_OBSERVATIONS, (seen > 0).tolist(), strict=True))

    def list_inputs(self, observed: Observed, scores: Floats, *, with_model: bool) -> Floats:
        """Return what is observed of the best unit among the others, scaled."""
        of = self._of(trees_of(with_model=with_model))
        found = (list_observations(observed, scores) - of("list.mean")) / of("list.scale")
        if not with_model:  # it was learnt where tokens were read: here that is not known
            found[[LIST_OBSERVATIONS.index(name) for name in _OF_TOKENS]] = math.nan
        row: Floats = np.nan_to_num(found)
        return row

    def _of(self, kind: str) -> Callable[[str], NDArray[Any]]:
        return lambda name: self._weights[f"{kind}.{name}"]


def below_surest(reranked: Floats) -> Floats:
    """Return how far units fall short of the surest, by what reading with the question says.

    Units that were not read so count as the lowest; if none was read, all are alike.
    """
    known = ~np.isnan(reranked)
    if not known.any():
        return np.zeros_like(reranked)
    said = np.where(known, reranked, reranked[known].min())
    found: Floats = said - said.max()
    return found


def trees_of(*, with_model: bool) -> str:
    """Return the name prefix of the tensors that order units, with or without the text model."""
    return "model" if with_model else "words"


def _logistic(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def list_observations(observed: Observed, scores: Floats) -> Floats:
    """Return what tells whether the best unit answers: shape (len(LIST_OBSERVATIONS),)."""
    best = int(scores.argmax())
    page = observed.units[best].page
    elsewhere = [s for s, u in zip(scores, observed.units, strict=True) if u.page != page]
    ahead = scores[best] - max(elsewhere, default=scores[best] - 3)
    row = dict(zip(OBSERVATIONS, observed.values[best], strict=True))
    return np.array(
        [
            scores[best],
            min(float(ahead), 6.0),
            np.log(np.exp(scores - scores[best]).sum()),
            row["late"],
            row["late_own"],
            row["late_hardest"],
            row["cosine"],
            row["window"],
            row["words"] + row["words_heading"],
            row["words_absent"],
            row["lacks_most"],
            row["lacks"],
            *_met(observed, best),
            row["has_codes"] * (1 - row["codes"]),
            row["asked_length"],
            row["page"],
            *_reranked(observed, best),
        ],
        np.float32,
    )


def _met(observed: Observed, best: int) -> tuple[float, float]:
    """Return `met_anywhere` and `least_met`; 0 where no text model read the best unit."""
    if not observed.met.size or not observed.read[best]:
        return 0.0, 0.0
    anywhere = np.sort(observed.met.max(axis=0))
    own = observed.met[int(observed.read[:best].sum())]
    return float(anywhere[: max(1, len(anywhere) // 3)].mean()), float(own.min())


def _reranked(observed: Observed, best: int) -> tuple[float, float]:
    """Return `reranked` and `reranked_highest`; 0 where nothing was reranked."""
    seen = observed.reranked[~np.isnan(observed.reranked)]
    if not len(seen):
        return 0.0, 0.0
    own = observed.reranked[best]
    return float(seen.min() if np.isnan(own) else own), float(seen.max())
