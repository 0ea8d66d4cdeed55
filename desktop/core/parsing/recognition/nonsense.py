"""Words of a text layer that cannot be what the page shows.

Fonts may say of a letter nothing (U+FFFD), a private character, its number in the font
("(cid:36)"), or plainly a wrong one. The last is told by the letters of a font on a page: in
every language written in Latin letters e, n and t are frequent and q and x are rare. Codes and
signal names are as strange, so a font that looks wrong is suspected, and OCR decides.
"""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.parsing.words import UNKNOWN_LETTER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from desktop.core.structure.raw import RawSpan

# "\ufffdrmware" has lost its first letters, "\ufffdClose" has a bullet in front of it.
_UNKNOWN_INSIDE = re.compile(rf"\w{UNKNOWN_LETTER}|{UNKNOWN_LETTER}(?=\w)[^\WA-Z]")
_NUMBERED = re.compile(r"\(cid:\d+\)|(?:/g\d+){2,}", re.IGNORECASE)
# Without U+F020 to U+F0FF, where symbol fonts have their signs: these are no letters, or have
# become the letters they are (`symbol_letters`).
_PRIVATE = "\ue000-\uf01f\uf100-\uf8ff"
# One or two private characters are bullets, also in front of a word; inside words they are
# letters, as three of them are.
_PRIVATE_LETTERS = re.compile(rf"[{_PRIVATE}]{{3}}|[^\W{_PRIVATE}][{_PRIVATE}]")

# Share of each letter a to z in English text; other languages in Latin letters are near.
_USUAL = np.array((
    8.2, 1.5, 2.8, 4.3, 12.7, 2.2, 2.0, 6.1, 7.0, 0.2, 0.8, 4.0, 2.4,
    6.7, 7.5, 1.9, 0.1, 6.0, 6.3, 9.1, 2.8, 1.0, 2.4, 0.2, 2.0, 0.1,
))  # fmt: skip
_USUAL = _USUAL / np.linalg.norm(_USUAL)
# Of fonts on pages of nine manuals 4.6% are less usual than this (codes, signal names), of
# shifted and shuffled alphabets 99%.
_LEAST_USUAL = 0.75
_LEAST_LETTERS = 60
_SAME = 0.5
_LONGEST_COMPARED = 600
# What OCR read must be about as long as what the layer says, or it did not see those words.
_AS_LONG = 0.5


def nonsense_words(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Return which words have characters that no page shows, shape (n,)."""
    joined = " ".join(texts)
    if joined.isascii() and joined.isprintable() and not _NUMBERED.search(joined):
        return np.zeros(len(texts), np.bool_)
    return np.array([_is_nonsense(text) for text in texts], np.bool_)


def suspicious_fonts(spans: Iterable[RawSpan]) -> list[str]:
    """Return the fonts whose letters on a page are spread as in no language."""
    texts: dict[str, list[str]] = {}
    for span in spans:
        texts.setdefault(span.font, []).append(span.text)
    return [font for font, parts in texts.items() if font and _is_odd("".join(parts))]


def contradicts(said: str, seen: str) -> bool:
    """Whether OCR saw another, and likelier, text than the text layer says stands there."""
    one, other = _letters_alone(said), _letters_alone(seen)
    if len(other) < _AS_LONG * len(one) or not other or _is_odd(seen):
        return False
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() < _SAME


def _is_nonsense(text: str) -> bool:
    if text.isascii() and text.isprintable():
        return bool(_NUMBERED.search(text))
    if _UNKNOWN_INSIDE.search(text) or _PRIVATE_LETTERS.search(text):
        return True
    return any(unicodedata.category(letter) == "Cc" for letter in text)


def _is_odd(text: str) -> bool:
    codes = np.frombuffer(text.lower().encode("ascii", "ignore"), np.uint8).astype(np.int64)
    counts = np.bincount(codes, minlength=128)[ord("a") : ord("z") + 1].astype(np.float64)
    if counts.sum() < _LEAST_LETTERS:
        return False
    return bool(counts @ _USUAL < _LEAST_USUAL * np.linalg.norm(counts))


def _letters_alone(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())[:_LONGEST_COMPARED]
