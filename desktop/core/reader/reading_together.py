"""Question and unit read together: a small transformer over the token vectors of both.

The text model reads question and unit apart, so that units are read once. This looks at what it
saw of both at once, and tells whether there is an answer at all better than how near their tokens
are (late interaction) can. It orders nothing: that did not carry to other manuals. Learnt listwise
from labelled questions on real manuals (`scripts/reader/together.py`); what it learnt is a file of
numbers in `resources/reader`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from desktop.models.checksums import verify
from desktop.resources import resource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

WEIGHTS: Final = "together.safetensors"
WEIGHTS_SHA256: Final = "2a098d913b6567832c1dea2c47884de8b2affd42a093cf8f5ffc44b612e990c9"
MOST_QUESTION_TOKENS: Final = 32
MOST_UNIT_TOKENS: Final = 96
"""As many tokens as it learnt from."""

_AT_ONCE = 16
_HEADS = 4
_MARK, _ASKED, _HEADING, _OWN = range(4)  # kinds of token
_MOST_PLACES = 160
_LOUDNESS = np.float32(8)  # token vectors have unit length: their numbers are small
_USUAL, _STRETCH, _STRETCH_WHOLE = np.float32(0.7), np.float32(4), np.float32(6)
_PLACE_WEIGHT = np.float32(0.3)
_FAR = np.float32(-1e9)
_SMALL = np.float32(1e-5)


@dataclass(frozen=True, slots=True)
class Tokens:
    """A unit as the text model read it.

    vectors: shape (tokens, 384), rows of unit length. own: which are of the unit itself, not of
    its headings.
    """

    vectors: Floats
    own: Bools


class TogetherReader:
    """Scores units of one question, see the module. Holds no state but its weights."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        """Take the tensors of the file, as torch names them."""
        self._weights = {name: np.asarray(each, np.float32) for name, each in weights.items()}
        self._layers = len({n.split(".")[1] for n in weights if n.startswith("layers.")})

    @classmethod
    def load(cls) -> TogetherReader:
        """Read the weights that come with Groundwork.

        Raises: ModelNotInstalled, ModelDamaged.
        """
        from safetensors.numpy import load_file

        folder = resource("reader")
        verify(folder, {WEIGHTS: WEIGHTS_SHA256})
        return cls(load_file(folder / WEIGHTS))

    @property
    def dimension(self) -> int:
        """Of the token vectors that it learnt from."""
        return int(self._weights["down.weight"].shape[1])

    def scores(self, asked: Floats, units: Sequence[Tokens]) -> Floats:
        """Return the logarithm of the odds that each unit answers, shape (units,).

        asked: tokens of the question, shape (n, 384), rows of unit length.
        """
        if not units or not len(asked):
            return np.zeros(len(units), np.float32)
        order = sorted(range(len(units)), key=lambda index: len(units[index].vectors))
        found = np.zeros(len(units), np.float32)
        for first in range(0, len(order), _AT_ONCE):
            some = order[first : first + _AT_ONCE]
            found[some] = self._scores(
                asked[:MOST_QUESTION_TOKENS], [units[index] for index in some]
            )
        return found

    def _scores(self, asked: Floats, units: Sequence[Tokens]) -> Floats:
        count, most = len(units), max(1, *(min(len(u.vectors), MOST_UNIT_TOKENS) for u in units))
        unit = np.zeros((count, most, asked.shape[1]), np.float32)
        there, own = np.zeros((count, most), bool), np.zeros((count, most), bool)
        for row, each in enumerate(units):
            vectors = each.vectors[:MOST_UNIT_TOKENS]
            unit[row, : len(vectors)], there[row, : len(vectors)] = vectors, True
            own[row, : len(vectors)] = each.own[:MOST_UNIT_TOKENS]
        own |= ~own.any(axis=1, keepdims=True) & there
        near = np.einsum("qd,ntd->nqt", asked, unit)
        met = np.where(there[:, None, :], near, -1).max(axis=2)
        met_own = np.maximum(np.where(own[:, None, :], near, -1).max(axis=2), 0)
        said = np.where(there, near.max(axis=1), 0)
        nothing = np.zeros_like(met)
        of_question = np.stack([met, met_own, nothing], axis=-1)
        of_unit = np.stack([said, np.zeros_like(said), np.maximum(said, 0) ** 4], axis=-1)
        states = self._first(asked, unit, own, np.concatenate([of_question, of_unit], axis=1))
        mask = np.concatenate([np.ones((count, 1 + len(asked)), bool), there], axis=1)
        for layer in range(self._layers):
            states = self._layer(layer, states, mask)
        states = self._norm("end", states)
        whole = np.stack([met.mean(axis=1), met_own.mean(axis=1), met.min(axis=1)], axis=-1)
        seen = [states[:, 0], states[:, 1 : 1 + len(asked)].mean(axis=1)]
        pooled = np.concatenate([*seen, _STRETCH_WHOLE * (whole - _USUAL)], axis=1)
        scores: Floats = self._linear("out.3", _gelu(self._linear("out.0", pooled)))[:, 0]
        return scores

    def _first(self, asked: Floats, unit: Floats, own: Bools, seen: Floats) -> Floats:
        """Return what the layers read: a mark, the question, the unit; shape (n, tokens, width)."""
        count, length = own.shape
        kinds, places = self._weights["kind.weight"], self._weights["place.weight"]
        question = np.repeat(self._linear("down", asked * _LOUDNESS)[None], count, axis=0)
        tokens = np.concatenate([question, self._linear("down", unit * _LOUDNESS)], axis=1)
        tokens += self._linear("extra", _STRETCH * (seen - _USUAL))
        tokens[:, : len(asked)] += kinds[_ASKED] + _PLACE_WEIGHT * places[: len(asked)]
        tokens[:, len(asked) :] += np.where(own[..., None], kinds[_OWN], kinds[_HEADING])
        tokens[:, len(asked) :] += _PLACE_WEIGHT * places[:length]
        mark = np.broadcast_to(kinds[_MARK], (count, 1, tokens.shape[2]))
        return self._norm("norm", np.concatenate([mark, tokens], axis=1))

    def _layer(self, layer: int, states: Floats, there: Bools) -> Floats:
        """Return what a layer makes of states: attention, then two linear maps."""
        name = f"layers.{layer}"
        count, length, width = states.shape
        weights = self._weights
        mixed = (
            self._norm(f"{name}.norm1", states) @ weights[f"{name}.self_attn.in_proj_weight"].T
            + weights[f"{name}.self_attn.in_proj_bias"]
        )
        parts = mixed.reshape(count, length, 3, _HEADS, width // _HEADS).transpose(2, 0, 3, 1, 4)
        query, key, value = parts
        steep = np.float32((width // _HEADS) ** -0.5)
        likeness = steep * query @ key.transpose(0, 1, 3, 2)
        likeness = np.where(there[:, None, None, :], likeness, _FAR)
        shares = np.exp(likeness - likeness.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        seen = (shares @ value).transpose(0, 2, 1, 3).reshape(count, length, width)
        states = states + self._linear(f"{name}.self_attn.out_proj", seen)
        wide = _gelu(self._linear(f"{name}.linear1", self._norm(f"{name}.norm2", states)))
        return states + self._linear(f"{name}.linear2", wide)

    def _linear(self, name: str, rows: Floats) -> Floats:
        found: Floats = rows @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return found

    def _norm(self, name: str, rows: Floats) -> Floats:
        centred = rows - rows.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _SMALL)
        found: Floats = (
            centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        )
        return found


def _gelu(values: Floats) -> Floats:
    """Return the Gaussian error linear unit (Hendrycks and Gimpel, arXiv:1606.08415).

    By the error function as Abramowitz and Stegun, 7.1.26, come to it: within 2e-7.
    """
    half = np.abs(values) * np.float32(2**-0.5)
    t = 1 / (1 + np.float32(0.3275911) * half)
    series = t * (
        np.float32(0.254829592)
        + t
        * (
            np.float32(-0.284496736)
            + t
            * (
                np.float32(1.421413741)
                + t * (np.float32(-1.453152027) + t * np.float32(1.061405429))
            )
        )
    )
    error = np.sign(values) * (1 - series * np.exp(-half * half))
    found: Floats = (0.5 * values * (1 + error)).astype(np.float32)
    return found
