"""Learn the reader's trees from what `observed.py` saw, and what turns scores into chances.

Listwise: the units of one question compete, and those come first whose words meet those that
answer. Then a logistic regression on the choose split turns what is seen of a question into the
chance that its best unit answers.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import lightgbm
import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch.nn import functional

from desktop.core.reader.observations import OBSERVATIONS
from desktop.core.reader.ranker import (
    LIST_OBSERVATIONS,
    Ranker,
    below_surest,
    list_observations,
    trees_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scripts.reader.observed import Example

Floats = NDArray[np.float32]

ROUNDS: Final = 300
DEPTH: Final = 6
"""Of each tree, filled up to the full depth, so that all are walked a level at a time."""
_LAMBDA_MART: Final = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 5,
    "learning_rate": 0.05,
    "num_leaves": 15,
    "max_depth": DEPTH,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.6,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "use_missing": False,
    "deterministic": True,
    "num_threads": 1,
    "verbose": -1,
}
_SCALES: Final = tuple(np.geomspace(0.2, 5, 65).tolist())
_WEIGHTS: Final = tuple(np.linspace(0, 2, 41).tolist())
_GRADES = 4  # how right a unit is, as the whole numbers that the ranking loss takes
ANSWERS: Final = 0.5
"""A unit with this share of the words that answer, and not much beside them, answers."""
_TOKENS_ONLY = (
    "late", "late_hardest", "late_own", "late_heading", "lacks_most", "lacks", "about",
    "late_below_best", "own_below_best", "late_of_page", "cosine", "cosine_below_best",
)  # fmt: skip
_WINDOWS_ONLY = ("window", "window_below_best")
_ROUNDS_OF_WORTH, _READ_AT_LEAST = 200, 30


def without_model(example: Example) -> Example:
    """Return an example as it is observed where there is no text model."""
    return _without(example, (*_TOKENS_ONLY, *_WINDOWS_ONLY))


def _without(example: Example, names: Sequence[str]) -> Example:
    values = example.observed.values.copy()
    values[:, [OBSERVATIONS.index(name) for name in names]] = 0.0
    return replace(example, observed=replace(example.observed, values=values))


def learn_worth(examples: Sequence[Example], seed: int) -> dict[str, NDArray[Any]]:
    """Return the tensors of the trees that say which units are worth a run of the text model."""
    told = [_without(example, _TOKENS_ONLY) for example in examples]
    everything = _kept(told, with_model=False)
    settings = {"seed": seed, "lambdarank_truncation_level": _READ_AT_LEAST}
    return _named("first", _trees(told, everything, settings, _ROUNDS_OF_WORTH))


def learn(examples: Sequence[Example], *, with_model: bool, seed: int) -> dict[str, NDArray[Any]]:
    """Return the tensors of the trees, and of chances that are still to be fitted.

    with_model: as there is a text model; else examples are those of `without_model`.
    """
    found = _trees(examples, _kept(examples, with_model=with_model), {"seed": seed}, ROUNDS)
    count = len(LIST_OBSERVATIONS)
    for name, value in (("list", 0), ("there", 0), ("list.mean", 0), ("list.scale", 1)):
        found[name] = np.full(count, value, np.float32)
    found |= {f"{name}.bias": np.zeros(1, np.float32) for name in ("list", "there")}
    return _named(trees_of(with_model=with_model), found) | {
        "rerank.weight": np.zeros(1, np.float32)
    }


def _trees(
    examples: Sequence[Example],
    kept: Sequence[NDArray[np.bool_]],
    settings: dict[str, Any],
    rounds: int,
) -> dict[str, NDArray[Any]]:
    """Return features, thresholds and leaves of trees that order the kept units of examples."""
    rows, grades, groups = [], [], []
    for values, wanted in _competing(examples, kept):
        rows.append(np.nan_to_num(values))
        grades.append(np.round(_GRADES * wanted).astype(int))
        groups.append(len(wanted))
    told = lightgbm.Dataset(np.concatenate(rows), np.concatenate(grades), group=groups)
    booster = lightgbm.train(_LAMBDA_MART | settings, told, rounds)
    trees = [full_tree(tree["tree_structure"]) for tree in booster.dump_model()["tree_info"]]
    features, thresholds, leaves = (np.stack(each) for each in zip(*trees, strict=True))
    return {
        "features": features.astype(np.int16),
        "thresholds": thresholds,
        "leaves": leaves.astype(np.float32),
    }


def _competing(
    examples: Sequence[Example], kept: Sequence[NDArray[np.bool_]]
) -> Iterator[tuple[Floats, Floats]]:
    """Yield the observations of the kept units of each question that one of them answers.

    With how right each is, 0 for those that are much less so than the best.
    """
    for example, some in zip(examples, kept, strict=True):
        right = example.right[some]
        if example.facts["answerable"] and right.max(initial=0.0) >= ANSWERS:
            least = np.maximum(0.3, 0.6 * right.max())
            yield example.observed.values[some], np.where(right >= least, right, 0)


def _kept(examples: Sequence[Example], *, with_model: bool) -> list[NDArray[np.bool_]]:
    """Return which units of each question compete: those that the text model read, or all."""
    return [e.observed.read if with_model else np.ones(len(e.right), bool) for e in examples]


def _named(kind: str, tensors: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    return {f"{kind}.{name}": np.ascontiguousarray(value) for name, value in tensors.items()}


def full_tree(root: dict[str, Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return features and thresholds of the nodes of a full tree by level, and its leaves.

    What is left of a threshold is at most it. Below a leaf every way leads to its value.
    """
    inner, outer = 2**DEPTH - 1, 2**DEPTH
    features, thresholds, leaves = np.zeros(inner), np.full(inner, np.inf), np.zeros(outer)
    left = [(0, root)]
    while left:
        place, node = left.pop()
        if place >= inner:
            leaves[place - inner] = node["leaf_value"]
            continue
        if "leaf_value" in node:
            left += [(2 * place + 1, node), (2 * place + 2, node)]
            continue
        features[place], thresholds[place] = node["split_feature"], node["threshold"]
        left += [(2 * place + 1, node["left_child"]), (2 * place + 2, node["right_child"])]
    return features, thresholds, leaves


def scored(ranker: Ranker, example: Example, *, with_model: bool) -> Floats:
    """Return the scores of a question's units, as `Reader.read` comes to them."""
    scores = ranker.scores(example.observed, with_model=with_model)
    return ranker.reranked(example.observed, scores)


def sharpen(
    examples: Sequence[Example], tensors: dict[str, NDArray[Any]], *, with_model: bool
) -> None:
    """Scale the trees, and weigh what reading together says beside them.

    So that scores are logarithms of chances, as the examples have it: ranking leaves their scale
    open, and selection compares units by how likely they are. examples: with the best units read
    together with the question, if there is a text model.
    """
    ranker = ranker_of(tensors)
    seen = []
    for example, kept in zip(examples, _kept(examples, with_model=with_model), strict=True):
        right = example.right[kept]
        if not example.facts["answerable"] or right.max(initial=0.0) < ANSWERS:
            continue
        scores = ranker.scores_of(example.observed.values[kept], with_model=with_model)
        said = below_surest(example.observed.reranked[kept])
        least = np.maximum(0.3, 0.6 * right.max())
        wanted = np.where(right >= least, right, 0) ** 2
        seen.append((scores, said, wanted / wanted.sum()))

    def wrong(settings: tuple[float, float]) -> float:
        scale, weight = settings
        found = ((scale * s + weight * r, w) for s, r, w in seen)
        return -sum(float((w * (f - np.logaddexp.reduce(f))).sum()) for f, w in found)

    weights = _WEIGHTS if with_model else (0.0,)
    scale, weight = min(itertools.product(_SCALES, weights), key=wrong)
    tensors[f"{trees_of(with_model=with_model)}.leaves"] *= np.float32(scale)
    if with_model:
        tensors["rerank.weight"] = np.array([weight], np.float32)


def ranker_of(tensors: dict[str, NDArray[Any]]) -> Ranker:
    """Return what scores by tensors that are not written yet."""
    return Ranker(tensors, {"observations": list(OBSERVATIONS)})


def calibrate(
    examples: Sequence[Example], tensors: dict[str, NDArray[Any]], *, with_model: bool
) -> None:
    """Fit what turns a question's figures into chances.

    That its best unit answers, and that any does: a best unit that is wrong says little of that.
    """
    ranker = ranker_of(tensors)
    table, right, answerable = [], [], []
    for example in examples:
        scores = scored(ranker, example, with_model=with_model)
        table.append(list_observations(example.observed, scores))
        answerable.append(bool(example.facts["answerable"]))
        right.append(answerable[-1] and bool(example.right[scores.argmax()] >= ANSWERS))
    found = np.stack(table)
    mean, scale = found.mean(axis=0), np.maximum(found.std(axis=0), 1e-3)
    kind = trees_of(with_model=with_model)
    tensors[f"{kind}.list.mean"] = mean.astype(np.float32)
    tensors[f"{kind}.list.scale"] = scale.astype(np.float32)
    for name, wanted in (("list", right), ("there", answerable)):
        weights, bias = _logistic((found - mean) / scale, wanted)
        tensors[f"{kind}.{name}"], tensors[f"{kind}.{name}.bias"] = weights, bias


def _logistic(rows: NDArray[Any], wanted: Sequence[bool]) -> tuple[Floats, Floats]:
    """Return the weights and the bias of a logistic regression."""
    inputs, outputs = torch.tensor(rows), torch.tensor(wanted, dtype=torch.float32)
    weights = torch.zeros(rows.shape[1], requires_grad=True)
    bias = torch.zeros(1, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights, bias], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        wrong = functional.binary_cross_entropy_with_logits(inputs @ weights + bias, outputs)
        wrong = wrong + 3.0 / len(outputs) * (weights**2).sum()
        wrong.backward()
        return wrong

    optimiser.step(closure)
    return weights.detach().numpy().astype(np.float32), bias.detach().numpy().astype(np.float32)


def write(tensors: dict[str, NDArray[Any]], card: dict[str, Any], path: Path) -> None:
    """Write the file that comes with Groundwork; card: what it says of itself."""
    told = {"observations": list(OBSERVATIONS), "list": list(LIST_OBSERVATIONS), **card}
    save_file(tensors, path, {"card": json.dumps(told, sort_keys=True)})
