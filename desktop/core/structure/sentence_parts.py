"""Cutting what runs on without an end mark: lists and paragraphs that were flattened.

Recognised text loses its line ends, a list inside a paragraph has none: "...at once: 1)Close
the valve 2)Open the lid If you ..." is one sentence by its marks and four by its layout.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_FEWEST_WORDS = 2
# "Power LED: green." names something; "Supply: 24 V." gives its value.
_MOST_OF_A_NAME = 5
_MOST_BEFORE_COLON = 3
_VALUE = re.compile(r":.*\d")
_SPEAKER = re.compile(r"[QAF]:")
_BULLET = re.compile(r"[•▪■●◦‣➢✓]")
_NUMBERED = re.compile(r"\(?(\d{1,2}|[a-z])\)")


def sentence_parts(texts: Sequence[str], openings: Collection[int] = ()) -> list[tuple[int, int]]:
    """Return (first, last + 1) of each part of a sentence.

    openings: positions of words before which the page leaves more room than between lines.
    """
    marked = {
        index for index, word in enumerate(texts) if _SPEAKER.fullmatch(word) or _BULLET.match(word)
    }
    spaced = {index for index in openings if _may_open(texts[index])}
    cuts = [0]
    for index in sorted(marked | spaced | _numbered(texts)):
        if index - cuts[-1] >= _FEWEST_WORDS and len(texts) - index >= _FEWEST_WORDS:
            cuts.append(index)
    return list(zip(cuts, [*cuts[1:], len(texts)], strict=True))


def with_names(texts: Sequence[str], sentences: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return (first, last + 1) of each sentence, a name joined with what is said of it.

    "UP: freeze. Stops the display." says of the key UP that it stops the display; a "Weight:
    5 kg." is told by itself.
    """
    joined: list[tuple[int, int]] = []
    named = False
    for first, last in sentences:
        text = texts[first:last]
        if named and not _is_labelled(text):
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
        named = _is_name(text)
    return joined


def _is_name(sentence: Sequence[str]) -> bool:
    short = 1 < len(sentence) <= _MOST_OF_A_NAME
    return short and _is_labelled(sentence) and not _VALUE.search(" ".join(sentence))


def _is_labelled(sentence: Sequence[str]) -> bool:
    return any(
        word.endswith(":") for word in sentence[: min(_MOST_BEFORE_COLON, len(sentence) - 1)]
    )


def _may_open(word: str) -> bool:
    letter = word.lstrip("\"'([“‘•-–")[:1]
    return letter.isupper() or letter.isdigit()


def _numbered(texts: Sequence[str]) -> set[int]:
    """Return where the points of a list "1) ... 2) ..." begin; one alone is no list."""
    found: list[int] = []
    for index, word in enumerate(texts):
        match = _NUMBERED.match(word)
        if match is not None and match.group(1) in (str(len(found) + 1), _letter(len(found))):
            found.append(index)
    return set(found) if len(found) > 1 else set()


def _letter(number: int) -> str:
    return chr(ord("a") + number)
