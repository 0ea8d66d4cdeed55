"""Letters that show something else: keys and signs of a font that draws them for codes of letters.

Where the text layer says "Push p", the page shows a key. Whether a letter of a font of signs is one
is seen: as printed, it looks like none of the common fonts' letters.
"""

from __future__ import annotations

import functools
import logging
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop.core.parsing.mupdf import MuPage, load_mupdf, reason
from desktop.core.structure.signs import DRAWN_SIGN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from desktop.core.page_words import PageWords
    from desktop.core.structure.raw import RawSpan
    from desktop.core.structure.values import BoxTuple

_log = logging.getLogger(__name__)

_FEW_LETTERS = 2
"""Of a run of text: in a font of signs, most have no more."""
_MOST_SIGNS = 0.6
_MOST_LETTERS, _MOST_RUNS = 3, 150
"""Of a run that is looked at, and of such runs on a page."""
_SCALE = 4.0  # pixels per point
_INK = 128
_SIDE = 20  # pixels that letters are compared in
_ALIKE, _NEAR, _SAME_SHAPE = 0.5, 0.9, 1.7
"""Of the ink of a letter and of a common font's, together: so much is shared, or so much of either
is near the other; and how much wider one may be for its height."""
_MOST_PLACES = 4
_LEVEL = 0.99
"""Of a line that runs across the page: its direction."""
_MOST_INK = 0.6
"""Of the box of a letter: with more, it is a light one on a dark ground."""
_COMMON = ("helv", "hebo", "heit", "tiro", "tibo", "tiit", "cour")
_REFERENCE = 60.0  # points
_MOST_PIXELS = 20_000_000
_LEAST_INK, _LEAST_SIDE = 4, 22  # pixels; the strokes of smaller ones run together
_AROUND = 2  # pixels


_Run = tuple[str, list[tuple[str, "BoxTuple"]]]
"""Letters that stand together, with their font and their boxes."""


def with_pictured_letters(page: MuPage, words: PageWords, spans: Sequence[RawSpan]) -> PageWords:
    """Return words with a placeholder for each letter that shows something else."""
    fonts = _fonts_of_signs(spans)
    size = page.rect.width * page.rect.height * _SCALE**2
    if not fonts or page.rotation or not len(words) or size > _MOST_PIXELS:
        return words
    try:
        runs = list(_runs(page, fonts))
        pixels = _pixels(page) if 0 < len(runs) <= _MOST_RUNS else None
    except Exception as error:  # a page that cannot be drawn still has words
        _log.warning("letters not compared with their print: %s", reason(error))
        return words
    if pixels is None:
        return words
    pictures = _pictures(runs, pixels)
    texts = list(words.texts)
    for font, run in runs:
        if all((font, letter) in pictures for letter, _ in run):
            _replace(texts, words, run)
    return replace(words, texts=tuple(texts))


def _pictures(runs: Sequence[_Run], pixels: NDArray[np.uint8]) -> set[tuple[str, str]]:
    """Return the fonts and letters that look like none wherever they stand.

    Of such a font, hardly any letter does: a light or a fancy one is printed thus, too.
    """
    places: dict[tuple[str, str], list[BoxTuple]] = defaultdict(list)
    for font, run in runs:
        for letter, box in run:
            places[font, letter].append(box)
    unlike = set()
    for (font, letter), boxes in places.items():
        inks = [_ink(pixels, box) for box in boxes[:_MOST_PLACES]]
        if all(ink is not None and not _looks_like(ink, letter) for ink in inks):
            unlike.add((font, letter))
    strange = Counter(font for font, _ in unlike)
    of_font = Counter(font for font, _ in places)
    return {each for each in unlike if strange[each[0]] >= _MOST_SIGNS * of_font[each[0]]}


def _fonts_of_signs(spans: Sequence[RawSpan]) -> set[str]:
    """Return the fonts that a page has hardly any words in, if it has others."""
    runs: dict[str, list[int]] = defaultdict(list)
    for span in spans:
        if text := span.text.strip():
            runs[span.font].append(len(text))
    few = {
        font
        for font, lengths in runs.items()
        if sum(length <= _FEW_LETTERS for length in lengths) >= _MOST_SIGNS * len(lengths)
    }
    return few if len(few) < len(runs) else set()


def _runs(page: MuPage, fonts: set[str]) -> Iterator[_Run]:
    """Yield the short runs of some fonts that are nothing but letters, each with its box."""
    mupdf = load_mupdf()
    raw: dict[str, Any] = page.get_text("rawdict", flags=mupdf.TEXT_MEDIABOX_CLIP)
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"] if line["dir"][0] > _LEVEL else ():
                if span["font"] not in fonts:
                    continue
                run = [(c["c"], tuple(c["bbox"])) for c in span["chars"] if not c["c"].isspace()]
                are_letters = all(letter.isascii() and letter.isalpha() for letter, _ in run)
                if are_letters and 0 < len(run) <= _MOST_LETTERS:
                    yield span["font"], run


def _pixels(page: MuPage) -> NDArray[np.uint8]:
    mupdf = load_mupdf()
    shown = page.get_pixmap(matrix=mupdf.Matrix(_SCALE, _SCALE), colorspace=mupdf.csGRAY)
    return np.frombuffer(shown.samples, np.uint8).reshape(shown.height, shown.stride)


def _ink(pixels: NDArray[np.uint8], box: BoxTuple) -> NDArray[np.bool_] | None:
    """Return where a letter is printed, up to its outermost pixels; None if that is hard to see.

    What goes on beyond its box is a line there, or a letter beside it.
    """
    x0, y0, x1, y1 = (round(each * _SCALE) for each in box)
    part = pixels[max(0, y0 - _AROUND) : y1 + _AROUND, max(0, x0 - _AROUND) : x1 + _AROUND]
    ink = part < _INK
    ink = _inside(~ink if ink.size and ink.mean() > _MOST_INK else ink)
    cropped = _cropped(ink)
    return cropped if cropped is not None and max(cropped.shape) >= _LEAST_SIDE else None


def _inside(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a print without what reaches the edge."""
    edge = ink.copy()
    edge[1:-1, 1:-1] = False
    size = 0
    while edge.sum() > size:
        size = int(edge.sum())
        edge = _thick(edge) & ink
    return ink & ~edge


def _cropped(ink: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows) or min(len(rows), len(columns)) < _LEAST_INK:
        return None
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _looks_like(ink: NDArray[np.bool_], letter: str) -> bool:
    """Whether a print looks like a letter, small or capital, in one of the common fonts."""
    return any(_are_alike(ink, each) for each in (*_printed(letter), *_printed(letter.swapcase())))


def _are_alike(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> bool:
    """Whether two prints have one shape, or strokes of different weight at the same places."""
    wide = (one.shape[1] / one.shape[0]) / (other.shape[1] / other.shape[0])
    if not 1 / _SAME_SHAPE <= wide <= _SAME_SHAPE:
        return False
    first, second = _sampled(one), _sampled(other)
    both, either = (first & second).sum(), (first | second).sum()
    near = (first & _thick(second)).sum() + (second & _thick(first)).sum()
    return bool(both >= _ALIKE * either or near >= _NEAR * (first.sum() + second.sum()))


def _thick(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a print with the pixels around it."""
    wide = np.pad(ink, 1)
    high = wide[:-2] | wide[1:-1] | wide[2:]
    thick: NDArray[np.bool_] = high[:, :-2] | high[:, 1:-1] | high[:, 2:]
    return thick


def _sampled(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    rows = np.linspace(0, ink.shape[0] - 1, _SIDE).round().astype(int)
    columns = np.linspace(0, ink.shape[1] - 1, _SIDE).round().astype(int)
    sampled: NDArray[np.bool_] = ink[np.ix_(rows, columns)]
    return sampled


@functools.cache
def _printed(letter: str) -> tuple[NDArray[np.bool_], ...]:
    """Return a letter as the common fonts print it."""
    found = []
    with load_mupdf().open() as document:
        for font in _COMMON:
            page = document.new_page(width=2 * _REFERENCE, height=2 * _REFERENCE)
            place = (_REFERENCE / 2, 1.4 * _REFERENCE)
            page.insert_text(place, letter, fontname=font, fontsize=_REFERENCE)
            ink = _cropped(_pixels(page) < _INK)
            found += [ink] if ink is not None else []
    return tuple(found)


def _replace(texts: list[str], words: PageWords, run: Sequence[tuple[str, BoxTuple]]) -> None:
    """Put placeholders where a run stands, in one word or in several."""
    _, (x0, y0, x1, y1) = run[0]
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    boxes = words.boxes
    inside = (boxes[:, 0] <= x) & (x <= boxes[:, 2]) & (boxes[:, 1] <= y) & (y <= boxes[:, 3])
    letters = "".join(letter for letter, _ in run)
    for index in np.flatnonzero(inside).tolist():
        text, (left, _, right, _) = texts[index], boxes[index].tolist()
        places = [n for n in range(len(text)) if text.startswith(letters, n)]
        if places:
            near = (x0 - left) / max(right - left, 1.0) * len(text)
            place = min(places, key=lambda place: abs(place - near))
            shown = DRAWN_SIGN * len(letters)
            texts[index] = text[:place] + shown + text[place + len(letters) :]
            return
    if len(run) > 1:
        for each in run:
            _replace(texts, words, [each])
