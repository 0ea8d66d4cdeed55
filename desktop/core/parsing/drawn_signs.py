"""Signs that are drawn, or placed as small pictures, where words stand: keys, check marks, bullets.

The text layer has nothing of them: "Press and hold «»", and a table of check marks and dashes has
its dashes alone. A placeholder with the sign's box says that something stands there.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.page_words import PageWords
from desktop.core.parsing.symbol_fonts import BULLET
from desktop.core.structure.raw import RawPage, hull, span_of_words
from desktop.core.structure.signs import DRAWN_SIGN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from desktop.core.structure.values import BoxTuple

_MOST_SHAPES = 4_000
"""Of a page; with more of them it is a drawing."""
# Heights of a line of words: a sign, the sides of a bullet, and how far it is from the word beside.
_HEIGHTS, _WIDTHS = (0.35, 1.4), (0.3, 3.0)
_BULLET = (0.12, 0.55)
_MOST_APART, _MOST_BEFORE = 0.6, 3.0
_OFF_LINE = 0.35
_TOUCHING, _LINE = 1.0, 2.0  # points: between the parts of one sign, and how thick a line is
_MOST_COVERED = 0.1
"""Of a sign's area: where words lie over it, it is their frame, or the ground behind them."""
_SAME_X, _SAME_SIZE = 2.0, 0.6  # points
_LEAST_WORDS = 3


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a sign goes: behind or before a word.

    alone: on a line of its own. links: the word behind it is of the same line, too.
    """

    word: int
    is_before: bool
    text: str
    box: BoxTuple
    alone: bool = False
    links: bool = False


def with_drawn_signs(raw: RawPage) -> RawPage:
    """Return the page with a placeholder for each sign drawn in a line or in a cell of a table."""
    words = raw.words
    shapes = np.array([*raw.drawings, *raw.images], np.float64).reshape(-1, 4)
    if raw.ocr or not len(words) or not len(shapes):
        return raw
    height = float(np.median(words.boxes[:, 3] - words.boxes[:, 1]))
    signs = [box for box in _signs(shapes, height) if not _is_covered(box, words)]
    signs = [box for box in signs if not _is_in(box, raw, "picture")]
    places = [place for box in signs if (place := _place(box, raw, height))]
    places = _with_bullets(places, words, height)
    return _with_words(raw, places) if places else raw


def _signs(shapes: NDArray[np.float64], height: float) -> Iterator[BoxTuple]:
    """Yield the boxes of small shapes, those that touch put together, unless a line touches them.

    What is level with a wider shape at the same place is the ground of a cell in a shaded row.
    height: of a line of words, in points.
    """
    sizes = shapes[:, 2:] - shapes[:, :2]
    small = (sizes[:, 0] <= _WIDTHS[1] * height) & (sizes[:, 1] <= _HEIGHTS[1] * height)
    parts = np.unique(shapes[small].round(1), axis=0)
    if len(parts) > _MOST_SHAPES:
        return
    is_line = sizes.min(axis=1) <= _LINE
    lines, grounds = shapes[~small & is_line], shapes[~small & ~is_line]
    for x0, y0, x1, y1 in _joined(parts):
        level = (np.abs(grounds[:, (1, 3)] - (y0, y1)) <= _TOUCHING).all(axis=1)
        beside = (grounds[:, 0] <= x1 + _TOUCHING) & (grounds[:, 2] >= x0 - _TOUCHING)
        if (level & beside).any():
            continue
        met = (lines[:, :2] < (x1 + _TOUCHING, y1 + _TOUCHING)).all(axis=1)
        met &= (lines[:, 2:] > (x0 - _TOUCHING, y0 - _TOUCHING)).all(axis=1)
        if met.any():
            continue
        wide, high = (x1 - x0) / height, (y1 - y0) / height
        is_sign = _WIDTHS[0] <= wide <= _WIDTHS[1] and _HEIGHTS[0] <= high <= _HEIGHTS[1]
        if is_sign or all(_BULLET[0] <= side <= _BULLET[1] for side in (wide, high)):
            yield (x0, y0, x1, y1)


def _joined(parts: NDArray[np.float64]) -> list[BoxTuple]:
    """Return a box around each group of parts that touch; two at a time would take too long."""
    ordered = parts[np.argsort(parts[:, 0], kind="stable")].tolist()
    done: list[BoxTuple] = []
    open_: list[BoxTuple] = []
    for x0, y0, x1, y1 in ordered:
        done += [box for box in open_ if box[2] < x0 - _TOUCHING]
        open_ = [box for box in open_ if box[2] >= x0 - _TOUCHING]
        met = [b for b in open_ if b[1] <= y1 + _TOUCHING and b[3] >= y0 - _TOUCHING]
        open_ = [box for box in open_ if box not in met]
        open_.append(hull([*met, (x0, y0, x1, y1)]))
    return done + open_


def _is_covered(box: BoxTuple, words: PageWords) -> bool:
    x0, y0, x1, y1 = box
    across = np.minimum(words.boxes[:, 2], x1) - np.maximum(words.boxes[:, 0], x0)
    down = np.minimum(words.boxes[:, 3], y1) - np.maximum(words.boxes[:, 1], y0)
    shared = np.maximum(across, 0) * np.maximum(down, 0)
    return float(shared.sum()) > _MOST_COVERED * (x1 - x0) * (y1 - y0)


def _is_in(box: BoxTuple, raw: RawPage, kind: str) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(
        region.kind == kind
        and region.box[0] <= x <= region.box[2]
        and region.box[1] <= y <= region.box[3]
        for region in raw.regions
    )


def _place(box: BoxTuple, raw: RawPage, height: float) -> _Place | None:
    """Return where a sign stands among the words, None if it does not."""
    boxes = raw.words.boxes
    x0, y0, x1, y1 = box
    middle = (y0 + y1) / 2
    level = np.abs((boxes[:, 1] + boxes[:, 3]) / 2 - middle) <= _OFF_LINE * height
    before = np.flatnonzero(level & (boxes[:, 2] <= x0 + 1))
    behind = np.flatnonzero(level & (boxes[:, 0] >= x1 - 1))
    left = int(before[boxes[before, 2].argmax()]) if len(before) else -1
    right = int(behind[boxes[behind, 0].argmin()]) if len(behind) else -1
    to_left = x0 - float(boxes[left, 2]) if left >= 0 else np.inf
    to_right = float(boxes[right, 0]) - x1 if right >= 0 else np.inf
    near = _MOST_APART * height
    if y1 - y0 < _HEIGHTS[0] * height:  # too small for anything but a bullet
        is_mark = to_left > _MOST_BEFORE * height and to_right <= _MOST_BEFORE * height
        return _Place(right, True, BULLET, box) if is_mark else None
    beside = [n for n, gap in ((left, to_left), (right, to_right)) if gap <= near]
    if _is_prose(beside, raw.words):
        links = len(beside) > 1 and right == left + 1
        return _Place(beside[0], beside[0] == right, DRAWN_SIGN, box, links=links)
    if _is_in(box, raw, "table") and left >= 0:
        return _Place(left, False, DRAWN_SIGN, box, alone=True)
    if to_left > _MOST_BEFORE * height and to_right <= _MOST_BEFORE * height:
        return _Place(right, True, BULLET, box)
    return None


def _is_prose(indices: Sequence[int], words: PageWords) -> bool:
    """Whether words stand in a line of several; a label beside a drawing does not."""
    return int(np.isin(words.lines, words.lines[list(indices)]).sum()) >= _LEAST_WORDS


def _with_bullets(places: Sequence[_Place], words: PageWords, height: float) -> list[_Place]:
    """Make signs that open lines of text, one below the other and alike, bullets.

    Other signs that open a line without standing close to its words are left out.
    """
    alike: defaultdict[tuple[int, int, int], list[_Place]] = defaultdict(list)
    found = []
    for place in places:
        x0, y0, x1, y1 = place.box
        if place.is_before and y1 - y0 <= _BULLET[1] * height:
            sizes = round((x1 - x0) / _SAME_SIZE), round((y1 - y0) / _SAME_SIZE)
            alike[round(x0 / _SAME_X), *sizes].append(place)
        elif place.text != BULLET:
            found.append(place)
    for group in alike.values():
        prose = sum(_is_prose([place.word], words) for place in group)
        if len(group) > 1 and 2 * prose > len(group):
            found += [replace(place, text=BULLET) for place in group]
    return found


def _with_words(raw: RawPage, places: Sequence[_Place]) -> RawPage:
    """Return the page with signs as words, each in the font of the word that it stands beside."""
    words = raw.words
    owners = span_of_words(words, raw.spans)
    spans = list(raw.spans)
    beside: defaultdict[tuple[int, bool], list[_Place]] = defaultdict(list)
    for place in sorted(places, key=lambda place: place.box[0]):
        beside[place.word, place.is_before].append(place)
        if owners[place.word] >= 0:
            spans.append(replace(spans[owners[place.word]], text=place.text, box=place.box))
    rows: list[tuple[str, Sequence[float], bool]] = []
    starts: list[bool] = []
    for index, text in enumerate(words.texts):
        begins = index > 0 and words.lines[index] != words.lines[index - 1]
        begins = begins and not any(place.links for place in beside[index - 1, False])
        after_own_line = any(place.alone for place in beside[index - 1, False])
        recognized = bool(words.are_recognized[index])
        own = (text, words.boxes[index].tolist(), recognized)
        signs = [(place.text, place.box, False) for place in beside[index, True]]
        behind = beside[index, False]
        here = [*signs, own, *((place.text, place.box, False) for place in behind)]
        rows += here
        alone = [False] * (len(signs) + 1) + [place.alone for place in behind]
        starts += [begins or after_own_line or alone[0], *alone[1:]]
    together = PageWords(
        tuple(text for text, _, _ in rows),
        np.array([box for _, box, _ in rows], np.float32).reshape(-1, 4),
        np.cumsum(starts, dtype=np.int32),
        words.from_ocr,
        None if words.recognized is None else np.array([seen for _, _, seen in rows], np.bool_),
    )
    return replace(raw, words=together, spans=tuple(spans))
