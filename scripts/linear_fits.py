"""Fits of linear models: which of several candidates is right, and how likely one is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from desktop.core.retrieval.linear import SHARPNESS

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats = NDArray[np.float64]
STEPS = 400


@dataclass
class Choice:
    """The candidates of one question: a row of features each, and which are right."""

    manual: str
    rows: Floats
    right: NDArray[np.bool_]


def fit(choices: Sequence[Choice], decay: float = 0.05) -> Floats:
    """Return weights that maximise the softmax likelihood of the right candidates (Adam).

    A library weighs as the root of its questions: many of one kind must not drown the others.
    """
    usable = [c for c in choices if c.right.any()]
    rows, present, right = _side_by_side(usable)
    libraries = np.array([c.manual.partition("/")[0] for c in usable])
    _, own, sizes = np.unique(libraries, return_inverse=True, return_counts=True)
    balance = 1 / np.sqrt(sizes[own])
    balance = (balance / balance.sum())[:, None]
    weights, first, second = np.full(rows.shape[2], 0.3), np.zeros(rows.shape[2]), 0.0
    for step in range(1, STEPS + 1):
        scores = np.where(present, SHARPNESS * (rows @ weights), -np.inf)
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        among_right = np.where(right, odds, 0)
        pull = among_right / np.maximum(among_right.sum(axis=1, keepdims=True), 1e-300)
        pull -= odds / odds.sum(axis=1, keepdims=True)
        slope = SHARPNESS * np.einsum("qc,qcf->f", pull * balance, rows) - decay * weights
        first = 0.9 * first + 0.1 * slope
        second = 0.99 * second + 0.01 * slope**2
        rate = 0.03 / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
        weights = weights + rate * first / (1 - 0.9**step)
    return weights


def _side_by_side(
    choices: Sequence[Choice],
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_]]:
    """Return rows (questions, candidates, features), which there are, and which are right."""
    shape = (len(choices), max(len(c.rows) for c in choices))
    rows = np.zeros((*shape, choices[0].rows.shape[1]))
    present, right = np.zeros(shape, bool), np.zeros(shape, bool)
    for place, choice in enumerate(choices):
        rows[place, : len(choice.rows)] = choice.rows
        present[place, : len(choice.rows)] = True
        right[place, : len(choice.rows)] = choice.right
    return rows, present, right


def balance_of(right: NDArray[np.bool_], libraries: NDArray[np.str_]) -> Floats:
    """Return a weight for each question: both outcomes weigh the same, libraries by root.

    Else the model learns which library a question is from, and not whether it is answered.
    """
    weights = np.zeros(len(right))
    for outcome in (True, False):
        for library in np.unique(libraries):
            cell = (right == outcome) & (libraries == library)
            weights[cell] = 1 / np.sqrt(max(cell.sum(), 1))
        weights[right == outcome] *= 0.5 / weights[right == outcome].sum()
    return weights


def fit_logistic(
    rows: Floats, right: NDArray[np.bool_], balance: Floats, decay: float = 0.005
) -> Floats:
    """Return weights and, last, the offset."""
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    inputs = np.hstack([(rows - middle) / spread, np.ones((len(rows), 1))])
    weights = np.zeros(inputs.shape[1])
    for _ in range(3000):
        error = right - 1 / (1 + np.exp(-(inputs @ weights)))
        weights += 2.0 * (inputs.T @ (balance * error) - decay * np.append(weights[:-1], 0))
    scaled = weights[:-1] / spread
    return np.append(scaled, weights[-1] - float(scaled @ middle))


def probability(rows: Floats, weights: Floats) -> Floats:
    """Return the logistic model's probabilities."""
    result: Floats = 1 / (1 + np.exp(-(rows @ weights[:-1] + weights[-1])))
    return result


def place(choice: Choice, weights: Floats) -> float:
    """Return the place of the first right candidate, from 0; infinity if there is none."""
    hits = np.flatnonzero(choice.right[np.argsort(-(choice.rows @ weights), kind="stable")])
    return float(hits[0]) if len(hits) else float("inf")


def figures(places: Sequence[float]) -> str:
    """Return Hit@1, 3, 5 and MRR of places."""
    found = np.array(places)
    hits = ", ".join(f"hit@{k} {np.mean(found < k):.3f}" for k in (1, 3, 5))
    return f"{hits}, mrr {np.mean(1 / (found + 1)):.3f}"
