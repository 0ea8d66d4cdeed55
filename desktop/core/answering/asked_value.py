"""Which amount of a quoted sentence answers the question: it leads the answer.

Models learnt from labelled questions on real manuals (`scripts/reader/asked_values.py`). One tells
by the question's vector whether it asks for an amount at all, one whether it asks for the steps of
a procedure. Another one weighs the amounts
of the sentence against each other, and against none of them, by how near the text model's vectors
of their tokens, and of those around them, come to the question's. What they learnt is a file of
numbers in `resources/reader`.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from desktop.core.quantities import amounts_told, plain, quantities_in
from desktop.models.text_model import verify
from desktop.resources import resource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.quantities import Quantity
    from desktop.core.question.query import Question
    from desktop.models.roles import TextEmbedder

Floats = NDArray[np.float32]

WEIGHTS: Final = "values.safetensors"
WEIGHTS_SHA256: Final = "69c3625f9f46cd7936ec928090c6cc43ef75504da5a1021c809fcfff7b744156"
LEAST_CHANCE: Final = 0.65
"""Of the best amount; below it none is told apart."""
OBSERVATIONS: Final = (
    "around",  # how near the tokens around the amount come to each token of the question
    "around_gain",  # the same, over the whole sentence's
    "unit",  # it has one
    "others",  # logarithm of how many amounts there are
    "place",  # in the sentence, from 0 to 1
    "own_best",  # how near its own tokens come, less the nearest amount's
    "around_best",
)
_AROUND = 6
"""Tokens before and behind an amount that say what it is of."""
_MOST_LETTERS = 600
_HARDLY_ASKED = 0.0
"""Logarithm of the odds that an amount is asked for; below it no amount is looked at.

On manuals of `choose` 2 of 4 that were told below it answered, 75 of 81 above it."""
_STEPS_ASKED = 0.0
"""Logarithm of the odds that a person wants to be told how to do something, from which on it is so.

Learnt from 900 questions of no manual (0.94 right on a fifth of them kept out). Of 104 that were
written to ask for a procedure, on 17 manuals, 97 are above it (58 before that); of those of
`choose` 0.03 that ask for a value, 0.05 for a table's cell, 0.25 for a setting, 0.82 for a
procedure."""
_LOUDNESS = np.float32(10)  # the numbers of a vector of unit length are small


def asked_value(question: Question, text: str, embedder: TextEmbedder | None) -> str:
    """Return the amount of a sentence that answers, as it stands there, "" if none clearly does.

    A range or product ("161 mm × 101 mm") is one amount.
    Amounts that the question names are not asked for. Raises: ModelError.
    """
    candidates = amounts_to_tell(question, text)
    if embedder is None or not candidates or len(text) > _MOST_LETTERS:
        return ""
    asks = asks_for_amount(question, embedder)
    if asks < _HARDLY_ASKED:
        return ""
    chances = _model().chances(observed(question, text, candidates, embedder), asks)
    of = {each.start: float(chance) for each, chance in zip(candidates, chances, strict=True)}
    amounts = amounts_told(text)
    sums = [sum(of.get(each.start, 0.0) for each in amount) for amount in amounts]
    if max(sums) < LEAST_CHANCE:
        return ""
    told, known = amounts[sums.index(max(sums))], plain(text)
    shown = text if len(text) == len(known) else known
    return shown[told[0].start : told[-1].end].strip()


def asks_for_amount(question: Question, embedder: TextEmbedder | None) -> float:
    """Return the logarithm of the odds that a question asks for an amount.

    Without the text model that this was learnt with it is -inf. Raises: ModelError.
    """
    if embedder is None or _model().model_id != embedder.model_id:
        return -math.inf
    return _model().asks(embedder.embed_queries([question.wording])[0])


def asks_for_steps(question: Question, embedder: TextEmbedder | None) -> bool:
    """Whether a question asks for the steps of a procedure.

    Without the text model that this was learnt with none does. Raises: ModelError.
    """
    if embedder is None or _model().model_id != embedder.model_id:
        return False
    return _model().asks(embedder.embed_queries([question.wording])[0], "steps") > _STEPS_ASKED


def amounts_to_tell(question: Question, text: str) -> list[Quantity]:
    """Return the amounts of a sentence that the question does not name."""
    named = quantities_in(question.wording)
    return [each for each in quantities_in(text) if not any(each.same(own) for own in named)]


def observed(
    question: Question, text: str, candidates: Sequence[Quantity], embedder: TextEmbedder
) -> Floats:
    """Return what is seen of each amount, shape (amounts, len(OBSERVATIONS))."""
    known = plain(text)
    asked, tokens = embedder.embed_tokens([question.wording, known])
    spans = np.array(embedder.token_spans([known])[0][: len(tokens)]).reshape(-1, 2)
    near = asked @ tokens.T
    rows = np.zeros((len(candidates), len(OBSERVATIONS)), np.float32)
    if not len(asked) or not len(tokens):
        return rows
    whole = float(near.max(axis=1).mean())
    for row, each in zip(rows, candidates, strict=True):
        own = np.flatnonzero((spans[:, 0] < each.end) & (spans[:, 1] > each.start))
        if not len(own):
            continue
        around = near[:, max(0, own[0] - _AROUND) : own[-1] + 1 + _AROUND].max(axis=1).mean()
        met = near[:, own].max(axis=1).mean()
        has_unit, others = float(bool(each.unit)), float(np.log(len(candidates)))
        row[:] = around, around - whole, has_unit, others, own[0] / len(tokens), met, around
    rows[:, 5:] -= rows[:, 5:].max(axis=0)
    return rows


class ValueModel:
    """What was learnt, see the module."""

    def __init__(self, weights: Mapping[str, NDArray[Any]], model_id: str) -> None:
        """Take the tensors of the file. model_id: of the text model whose vectors they are for."""
        self.model_id = model_id
        self._weights = weights

    def asks(self, vector: Floats, what: str = "asks") -> float:
        """Return the logarithm of the odds that a question asks for an amount, or for "steps"."""
        of = self._weights
        return float((vector - of["asks.mean"]) * _LOUDNESS @ of[what] + of[f"{what}.bias"][0])

    def chances(self, seen: Floats, asks: float) -> Floats:
        """Return how likely each amount answers; the rest, up to 1, is that none does."""
        of = self._weights
        scores = (seen - of["amounts.mean"]) / of["amounts.scale"] @ of["amounts"]
        none = of["none"][0] + of["none"][1] * asks
        odds = np.exp(np.append(scores, none) - max(float(scores.max()), none))
        chances: Floats = (odds / odds.sum())[:-1]
        return chances


@lru_cache(maxsize=1)
def _model() -> ValueModel:
    from safetensors import safe_open

    folder = resource("reader")
    verify(folder, {WEIGHTS: WEIGHTS_SHA256})
    with safe_open(folder / WEIGHTS, "numpy") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        return ValueModel(tensors, file.metadata()["text_model"])
