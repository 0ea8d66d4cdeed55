"""The labels of a drawing: which of them a question names, and what stands beside those.

Words of a drawing are read as the labels they form, one line or several close below each other.
Where something sits is answered by its neighbours: that is what a drawing says of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.retrieval.tokens import index_term_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop.core.geometry import Box
    from desktop.core.page_words import PageWords
    from desktop.core.retrieval.question import Question

# Words are of one label if they are no further apart than this, in heights of the smaller one.
_BESIDE = 0.9
_BELOW = 0.5
# A label that names a thing has this share of what the best one has of the question.
_AS_MUCH = 0.6
_MOST_NAMED = 2
_MOST_BESIDE = 3
_SHORT_WORD = 2
# Longer ones are notes; shorter ones number something else.
_MOST_WORDS = 8
_FEWEST_CHARACTERS = 2
_CAPTION = re.compile(r"(figure|fig\.?|table|abbildung|abb\.|bild|tabelle)\s*\d", re.IGNORECASE)
# Distances of every word to every other one are compared: more words are no drawing of labels.
_MOST_COMPARED = 1000


@dataclass(frozen=True, slots=True)
class DrawnLabel:
    """Words that stand together in a drawing. indices: of the page's words; box: around them."""

    text: str
    indices: tuple[int, ...]
    box: Box


def drawn_labels(indices: Sequence[int], words: PageWords) -> list[DrawnLabel]:
    """Return the labels that some words of a page form; none of too many words."""
    own = printed_once(indices, words)
    if not own or len(own) > _MOST_COMPARED:
        return []
    short = np.array([len(words.texts[index]) <= _SHORT_WORD for index in own])
    group = _joined(words.boxes[own], short)
    labels = []
    for number in np.unique(group):
        held = tuple(own[i] for i in np.flatnonzero(group == number))
        text = " ".join(words.texts[index] for index in held)
        labels.append(DrawnLabel(text, held, words.hull(held)))
    return labels


def named_labels(
    question: Question, weights: Sequence[float], labels: Sequence[DrawnLabel]
) -> list[DrawnLabel]:
    """Return the one or two labels that name what is asked, best first.

    weights: of the question's term groups. A word that stands in many labels tells little.
    """
    terms = [index_term_set("" if _CAPTION.match(x.text) else x.text) for x in labels]
    said = np.array([[not t.isdisjoint(group) for group in question.groups] for t in terms], bool)
    if not said.any():
        return []
    share = np.array(weights or (1.0,) * len(question.groups))
    scores = said @ (share / np.maximum(1, said.sum(axis=0)))
    first = np.argsort(-scores, kind="stable")[:_MOST_NAMED]
    least = _AS_MUCH * scores[first[0]]
    return [labels[i] for i in first if scores[i] > 0 and scores[i] >= least]


def labels_beside(label: DrawnLabel, labels: Sequence[DrawnLabel]) -> list[DrawnLabel]:
    """Return the nearest other labels, nearest first, without notes and single signs.

    None of a note: it speaks for itself.
    """
    if len(label.indices) > _MOST_WORDS:
        return []
    others = [
        other
        for other in labels
        if other is not label
        and len(other.indices) <= _MOST_WORDS
        and sum(character.isalnum() for character in other.text) >= _FEWEST_CHARACTERS
    ]
    return sorted(others, key=lambda other: _apart(label.box, other.box))[:_MOST_BESIDE]


def printed_once(indices: Sequence[int], words: PageWords) -> list[int]:
    """Return the indices without words that are printed twice over each other."""
    found: dict[tuple[str, tuple[int, ...]], int] = {}
    for index in indices:
        place = tuple(int(edge) for edge in np.rint(words.boxes[index]))
        found.setdefault((words.texts[index], place), index)
    return list(found.values())


def _joined(boxes: NDArray[np.float32], short: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return for each word the number of its label: the first word that it is joined with.

    short: which words are so short that their box is higher than wide if their line lies flat.
    """
    sides = boxes[:, 2:] - boxes[:, :2]
    size = np.where(short, sides.max(axis=1), sides.min(axis=1))
    least = np.minimum(size[:, None], size[None, :])
    across = _gaps(boxes[:, 0], boxes[:, 2])
    down = _gaps(boxes[:, 1], boxes[:, 3])
    near = (across <= _BESIDE * least) & (down <= _BELOW * least)
    group = np.arange(len(boxes))
    while True:
        joined = np.where(near, group[None, :], len(boxes)).min(axis=1)
        if (joined == group).all():
            return group
        group = joined


def _gaps(begin: NDArray[np.float32], end: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the gaps between all spans along one axis, 0 where they overlap."""
    gaps: NDArray[np.float32] = np.maximum(
        begin[:, None] - end[None, :], begin[None, :] - end[:, None]
    )
    return np.maximum(gaps, 0)


def _apart(one: Box, other: Box) -> float:
    across = max(0.0, one.x0 - other.x1, other.x0 - one.x1)
    down = max(0.0, one.y0 - other.y1, other.y0 - one.y1)
    return float(np.hypot(across, down))
