"""Signs that are no words: of symbol fonts, which no other font can show, of lists, separators."""

from __future__ import annotations

import re
from itertools import groupby

CELL_SEPARATOR = " | "
CONTEXT_SEPARATOR = " › "
"""Between the cells of a row in a unit's text; between the parts of its context, headings last."""
_KNOWN = str.maketrans(
    "\uf0b7\uf09e\uf09f\uf06c\uf06e\uf0a7\uf0d8\uf0e0\uf0e8\uf0fc\uf0fe\uf0b0\uf0b1\uf0b4\uf0a3\uf0b3",
    "•••●■▪➢→→✓✓°±×≤≥",
    "".join(map(chr, (*range(9), *range(14, 32), *range(127, 160)))),
)
"""What Symbol and Wingdings, the fonts of most programs, draw there; no control characters."""
_UNKNOWN = "[\ue000-\uf8ff\U000f0000-\U0010ffff\N{REPLACEMENT CHARACTER}]+"
_OPENING = re.compile(rf"^(?:{_UNKNOWN} ?)+", re.MULTILINE)
_PICTURE = re.compile(rf"{_UNKNOWN}|(?<=“) *(?=”)|(?<=„) *(?=“)|(?<=«) *(?=»)")
"""What no other font shows, and quotation marks around nothing but a picture: of a key, mostly."""

DRAWN_SIGN = "\N{WHITE SQUARE WITH ROUNDED CORNERS}"
"""Stands for a sign that is drawn, not written: as most of them are, it looks like a key without
its print. No manual has it in its text, most fonts show it, and it is no letter, so that nothing is
found or stemmed by it; nor does it open an item, as other shapes do."""
_DOTS = "•▪■●◦‣➢➤"
_SIGNS = "\u2190-\u21ff\u25a0\u25a1\u25a3-\u27bf\ue000-\uf8ff\ufffd"
"""Arrows, shapes, dingbats, and what an unknown font shows; alone, one opens an item."""
BULLETS = tuple(f"{_DOTS}✓")
"""Signs that open an item of a list wherever they stand."""
_BULLET = re.compile(rf"^(?:[{_DOTS}{_SIGNS}·*–—-] +|[-=]> *)(?=\S)")
_MARK = r"(?:\.\)?|[)\uff09])"
_RIGHT_BEHIND = r"(?<=[.)\uff09])(?=[^\W\d_]{3})"
"""Where a word stands behind a mark without a space: "4.Make sure"."""
NUMBER = re.compile(rf"([(\uff08]?)(\d{{1,2}})(\.?[)\uff09]?)(?:\s+(?=\S)|{_RIGHT_BEHIND})")
"""A number that a text opens with; its groups: what stands before it, it, what stands behind."""
_ITEM = re.compile(
    rf"(?:[{_DOTS}{_SIGNS}–*-]|[A-Za-z]{_MARK})(?:\s|$)"
    rf"|[(\uff08]?\d{{1,2}}{_MARK}(?:\s|$|{_RIGHT_BEHIND})"
)
_OPENS, _CLOSES = "(\uff08", ")\uff09"
LEADERS = re.compile(r"(?:[.·]\s?){4,}|(?:…\s?){2,}")
"""The dots of a table of contents, from a heading to its page."""


def starts_item(text: str) -> bool:
    """Whether a line opens a list item: a bullet, a number or a letter with a mark."""
    return _ITEM.match(text) is not None


def without_number(text: str) -> str:
    """Return a text without the number, in dots or brackets, that it opens with."""
    match = NUMBER.match(text)
    return text[match.end() :] if match and match[3] else text


def is_numbered(text: str) -> bool:
    """Whether a text opens with a number in dots or brackets, as a step does."""
    return without_number(text) != text


def is_torn_off(text: str) -> bool:
    """Whether a text ends another one: it is all in brackets, or closes more than it opens.

    "(low)", "10.0RT)": the rest of a cell that began on the page before is no title.
    """
    inner = text.strip()
    whole = inner[:1] in _OPENS and inner[-1:] in _CLOSES
    return whole or left_open(inner) < 0


def left_open(text: str) -> int:
    """Return how many round brackets a text opens more than it closes, below 0 if fewer."""
    return sum(map(text.count, _OPENS)) - sum(map(text.count, _CLOSES))


def shape_of(text: str) -> str:
    """Return a text with "#" for each of its numbers: E03 and E12 look the same."""
    runs = groupby(text, str.isdecimal)
    return "".join("#" if number else "".join(signs) for number, signs in runs)


def with_plain_signs(text: str) -> str:
    """Return a text with the signs that are known, and an ellipsis where another sign is shown.

    One that opens a line is left out, as a bullet is.
    """
    return _PICTURE.sub("…", _OPENING.sub("", text.translate(_KNOWN)))


def without_bullet(text: str) -> str:
    """Return a text without the bullet or arrow that it begins with; "-5 °C" has none."""
    return _BULLET.sub("", text, count=1)


CELLS_APART = " · "
"""Between the cells of a row as a person writes it."""


def cells_apart(text: str) -> str:
    """Return quoted words as a person writes them: the cells of a table's row apart."""
    return with_plain_signs(text).strip().replace(CELL_SEPARATOR, CELLS_APART)
