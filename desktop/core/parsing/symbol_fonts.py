"""What words in symbol fonts show, where a PDF does not say it: signs, and the marks of lists."""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.structure.raw import UNKNOWN_SIGN, span_of_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.structure.raw import RawSpan

_PRIVATE = re.compile("[\uf020-\uf0ff]")
_BASE = 0xF000
_LAST_LETTER = 0xFF
_FAMILY = re.compile(r"(symbol|wingdings|webdings)\W*([23]?)(?:\W*(?:mt|regular))?", re.IGNORECASE)
_MOST_SHOWN = 0x2B00
"""From here on, hardly any font has the signs of a table; they stay what they are."""
BULLET = "\N{BULLET}"
_SAME_X = 2.0  # points


def with_signs(words: PageWords, spans: Sequence[RawSpan]) -> PageWords:
    """Return words with the signs that Symbol, Wingdings and Webdings draw for their codes.

    A letter that a font of single signs puts before several lines is the mark of a list, and so is
    a sign without a character that opens a line.
    """
    families = [_family(span.font) for span in spans]
    marks = _marks(words, spans) + _unknown_marks(words)
    if not marks and not any(families):
        return words
    texts = list(words.texts)
    for index in marks:
        texts[index] = BULLET
    symbols = [(span, family) for span, family in zip(spans, families, strict=True) if family]
    for index, text in enumerate(texts) if symbols else ():
        private = _PRIVATE.search(text)
        if private or (len(text) == 1 and ord(text) <= _LAST_LETTER):
            texts[index] = _shown(text, words.boxes[index].tolist(), symbols)
    return replace(words, texts=tuple(texts))


def _shown(text: str, box: Sequence[float], symbols: Sequence[tuple[RawSpan, str]]) -> str:
    """Return a word with what the symbol fonts that it touches draw."""
    x0, y0, x1, y1 = box
    for span, family in symbols:
        left, top, right, bottom = span.box
        touches = min(x1, right) > max(x0, left) and min(y1, bottom) > max(y0, top)
        if touches and any(letter in span.text for letter in text):
            text = "".join(
                _sign(family, letter) if letter in span.text else letter for letter in text
            )
    return text


def _sign(family: str, letter: str) -> str:
    """Return what a font draws for a letter of it, the letter itself where that is unknown.

    Symbol has letters that are no signs; MuPDF knows which.
    """
    code = ord(letter)
    if family == "Symbol" and code < _BASE:
        return letter
    shown = _signs().get((family, code - _BASE if code >= _BASE else code), _MOST_SHOWN)
    return chr(shown) if shown < _MOST_SHOWN else letter


@functools.cache
def _signs() -> Mapping[tuple[str, int], int]:
    from mammoth.docx.dingbats import dingbats  # few files have such fonts

    table: Mapping[tuple[str, int], int] = dingbats
    return table


def _family(font: str) -> str:
    """Return the font's name in the table, "" if it is none of these fonts."""
    match = _FAMILY.fullmatch(font)
    return f"{match[1].capitalize()} {match[2]}".strip() if match else ""


def _marks(words: PageWords, spans: Sequence[RawSpan]) -> list[int]:
    """Return the words that stand before lines, one below the other, as the same letter.

    Their font has nothing but single signs on the page, and the line goes on in another one.
    """
    signs: dict[str, bool] = defaultdict(lambda: True)
    for span in spans:
        signs[span.font] &= len(span.text.strip()) <= 1
    fonts = {font for font, single in signs.items() if single and font}
    if not fonts or len(words) < 2:
        return []
    firsts = np.flatnonzero(np.diff(words.lines, prepend=-1) != 0)
    firsts = firsts[firsts + 1 < len(words)]
    firsts = firsts[words.lines[firsts] == words.lines[firsts + 1]]
    firsts = np.array([i for i in firsts.tolist() if len(words.texts[i]) == 1], np.intp)
    owners = span_of_words(words, spans)
    found: dict[int, tuple[str, str, float]] = {}
    for index in firsts.tolist():
        text, own, after = words.texts[index], owners[index], owners[index + 1]
        if own < 0 or not text.isalpha() or spans[own].font not in fonts:
            continue
        if spans[own].font != spans[after].font:
            found[index] = (text, spans[own].font, float(words.boxes[index, 0]))
    beside: Counter[int] = Counter()
    for index, (text, font, x) in found.items():
        beside[index] = sum(
            (text, font) == other[:2] and abs(x - other[2]) <= _SAME_X for other in found.values()
        )
    return [index for index, times in beside.items() if times > 1]


def _unknown_marks(words: PageWords) -> list[int]:
    """Return the signs without a character that open lines.

    One at the left of the lines above it may be an arrow in a sentence, unless others stand below
    or above it.
    """
    signs = [index for index, text in enumerate(words.texts) if not text.strip(UNKNOWN_SIGN)]
    opening = [index for index in signs if _opens_line(words, index)]
    lefts = words.boxes[opening, 0]
    return [
        index
        for index, left in zip(opening, lefts.tolist(), strict=True)
        if (np.abs(lefts - left) <= _SAME_X).sum() > 1 or not _is_below_text(words, index)
    ]


def _opens_line(words: PageWords, index: int) -> bool:
    """Whether a sign begins a line, with nothing close on its left."""
    if index and words.lines[index] == words.lines[index - 1]:
        return False
    x0, y0, x1, y1 = words.boxes[index].tolist()
    middle, height = (y0 + y1) / 2, y1 - y0
    level = (words.boxes[:, 1] <= middle) & (words.boxes[:, 3] >= middle)
    near = level & (words.boxes[:, 0] < x0) & (words.boxes[:, 2] > x0 - 2 * height)
    return not near.any() and bool((level & (words.boxes[:, 0] >= x1 - 1)).any())


def _is_below_text(words: PageWords, index: int) -> bool:
    """Whether the line right above a sign begins where it does."""
    x0, y0, _, y1 = words.boxes[index].tolist()
    above = (words.boxes[:, 3] <= (y0 + y1) / 2) & (words.boxes[:, 3] > y0 - (y1 - y0))
    return bool((above & (np.abs(words.boxes[:, 0] - x0) <= _SAME_X)).any())
