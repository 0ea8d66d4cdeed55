"""Charts among the figures of a page: the numbers along their axes say nothing to a reader."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop.core.page_words import PageWords
    from desktop.core.structure.raw import Segment

_NUMBER = re.compile(r"([+\-−–]?)(\d{1,6}(?:[.,]\d{1,4})?)%?")
_MINUS = "-−–"
_LONG, _SHORT = 4, 3
"""Numbers along one axis, and along the one across it."""
_MOST = 60
"""Numbers on one line: no axis has more."""
_OFF = 0.35
"""Of a number's height: so far may it stand from where its value puts it."""


def words_of_chart(segments: Sequence[Segment], words: PageWords) -> list[Segment]:
    """Return the segments of a figure; of a chart those that say more than a number.

    A chart has numbers along two axes, where each stands as far along as its value says. In front
    of words they are no axis, but the keys of a legend.
    """
    read = [_numbers(segment, words) for segment in segments]
    found = [each for numbers in read for each in numbers]
    if len(found) < _LONG + _SHORT:
        return list(segments)
    boxes = words.boxes[[index for index, _ in found]].astype(np.float64)
    values = np.array([number for _, number in found])
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    height = float(np.median(boxes[:, 3] - boxes[:, 1]))
    across = _longest_axis(middles[:, 1], middles[:, 0], values, height)
    alone = ~_are_keys(boxes, segments, height)
    upright = max(
        _longest_axis(x[alone], middles[alone, 1], values[alone], height)
        for x in (middles[:, 0], boxes[:, 0], boxes[:, 2])
    )
    if min(across, upright) < _SHORT or max(across, upright) < _LONG:
        return list(segments)
    return [segment for segment, numbers in zip(segments, read, strict=True) if not numbers]


def _numbers(segment: Segment, words: PageWords) -> list[tuple[int, float]]:
    """Return the words of a segment with their values, nothing if one is no number."""
    found = []
    for index in segment.words:
        match = _NUMBER.fullmatch(words.texts[index])
        if match is None:
            return []
        value = float(match[2].replace(",", "."))
        found.append((index, -value if match[1] and match[1] in _MINUS else value))
    return found


def _are_keys(
    boxes: NDArray[np.float64], segments: Sequence[Segment], height: float
) -> NDArray[np.bool_]:
    """Return which numbers have words to their right."""
    worded = [segment for segment in segments if any(map(str.isalpha, segment.text))]
    if not worded:
        return np.zeros(len(boxes), np.bool_)
    lefts = np.array([segment.box[0] for segment in worded])
    level = np.array([segment.centre[1] for segment in worded])
    middles = (boxes[:, 1] + boxes[:, 3]) / 2
    beside = np.abs(middles[:, None] - level[None, :]) <= _OFF * height
    keys: NDArray[np.bool_] = (beside & (lefts[None, :] >= boxes[:, 2, None])).any(axis=1)
    return keys


def _longest_axis(
    lines: NDArray[np.float64], places: NDArray[np.float64], values: NDArray[np.float64], far: float
) -> int:
    """Return how many numbers of one line stand where their values put them.

    lines: on which line each stands. places: where along it, in points. far: their height.
    """
    best = 0
    order = np.argsort(lines, kind="stable")
    for line in np.split(order, np.flatnonzero(np.diff(lines[order]) > _OFF * far) + 1):
        if _SHORT <= len(line) <= _MOST:
            best = max(best, _on_scale(places[line], values[line], _OFF * far))
    return best


def _on_scale(places: NDArray[np.float64], values: NDArray[np.float64], off: float) -> int:
    """Return the most numbers whose places grow, or shrink, evenly with their values."""
    best = 0
    for first in range(len(places) - 1):
        steps, ways = values[first + 1 :] - values[first], places[first + 1 :] - places[first]
        for step, way in zip(steps.tolist(), ways.tolist(), strict=True):
            if step and abs(way) > off:
                meant = places[first] + (values - values[first]) * (way / step)
                kept = values[np.abs(places - meant) <= off]
                best = max(best, len(np.unique(kept)))
    return best
