"""Letters of fonts that say of their characters no more than their places.

A symbol-encoded font without a character map gives the letter "A" as U+F041: its code in the
font, in Unicode's private area. The display texts of many manuals are drawn so. Bullets and
arrows of dingbat fonts come in the same way, but alone; words are told apart by that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

SPACE = "\uf020"

_FIRST, _LAST = 0xF021, 0xF07E
_LETTERS = {code: chr(code - 0xF000) for code in range(_FIRST, _LAST + 1)}
_TELLING, _LEAST = 3, 2
"""Letters and digits that some line of a page needs, before its lines of at least two are
taken for words rather than bullets."""


def with_letters(texts: Sequence[str], lines: NDArray[np.int32]) -> list[str]:
    """Return words with the letters that are meant. lines: the line of each word."""
    hidden = [index for index, text in enumerate(texts) if _is_hidden(text)]
    if not hidden:
        return list(texts)
    letters: dict[int, int] = {}
    for index in hidden:
        said = texts[index].translate(_LETTERS)
        line = int(lines[index])
        letters[line] = letters.get(line, 0) + sum(letter.isalnum() for letter in said)
    known = list(texts)
    if max(letters.values()) < _TELLING:
        return known
    for index in hidden:
        if letters[int(lines[index])] >= _LEAST:
            known[index] = texts[index].translate(_LETTERS)
    return known


def _is_hidden(text: str) -> bool:
    return any(_FIRST <= ord(letter) <= _LAST for letter in text)
