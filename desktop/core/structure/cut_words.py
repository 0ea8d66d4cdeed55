"""Words that the end of a line cuts in two, told from words with a hyphen.

The manual's own spelling tells, in whichever language it is; of those that a narrow cell cuts
without one, the white space that other lines end with.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.structure.raw import span_of_words
from desktop.core.whole_words import CUT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from desktop.core.page_words import PageWords
    from desktop.core.structure.raw import RawSpan

_BEFORE_CUT = re.compile(r"([^\W\d_]{2,})[-\N{HYPHEN}\N{MINUS SIGN}]$")
_BEFORE_UNKNOWN = re.compile(r"[^\W\d_]{2,}\N{REPLACEMENT CHARACTER}$")
_AFTER_CUT = re.compile(r"[^\W\d_]+")
_MARKS = ".,;:!?()[]\"'„“”»«"


def with_hyphens(
    texts: Sequence[str], boxes: NDArray[np.float32], lines: NDArray[np.int32]
) -> list[str]:
    """Return words of which those end with a hyphen that end a line with an unknown letter.

    Only where the next line goes on with a small letter. lines: the line of each word.
    """
    told = list(texts)
    for index, text in enumerate(texts[:-1]):
        goes_on = lines[index] != lines[index + 1] and texts[index + 1][:1].islower()
        if goes_on and _BEFORE_UNKNOWN.search(text) and _is_below(boxes[index], boxes[index + 1]):
            told[index] = text[:-1] + "-"
    return told


def with_cuts(
    words: PageWords, spellings: Collection[str], spans: Sequence[RawSpan] = ()
) -> PageWords:
    """Return words of which those end with `CUT` that are cut in two, not hyphenated.

    What is spelled in one piece elsewhere is cut. What is spelled with the hyphen is not,
    nor what is two words elsewhere ("self-test", "Ein- oder"). Anything else is cut if it
    goes on with a small letter.

    spellings: words of the whole manual, as `spellings_of` gives them. spans: of the page.
    """
    boxes, texts = words.boxes, list(words.texts)
    known = spellings_of(words).union(spellings)
    for index in np.flatnonzero(np.diff(words.lines)).tolist():
        before, after = _BEFORE_CUT.search(texts[index]), _AFTER_CUT.match(texts[index + 1])
        if before is None or after is None or not _is_below(boxes[index], boxes[index + 1]):
            continue
        start, rest = before[1].casefold(), after[0].casefold()
        alike = after[0].islower() or (before[1] + after[0]).isupper()
        apart = f"{start}-{rest}" in known or (start in known and rest in known)
        if alike and (start + rest in known or (after[0].islower() and not apart)):
            texts[index] = texts[index][:-1] + CUT
    for index in _cut_in_cells(words, spans):
        texts[index] += CUT
    return replace(words, texts=tuple(texts)) if CUT in "".join(texts) else words


def _cut_in_cells(words: PageWords, spans: Sequence[RawSpan]) -> Iterator[int]:
    """Yield the words that fill a line and go on in the next one, as "Mo" and "del" do.

    Only where the lines of a page end with white space: there, one without has no end of a word.
    """
    lasts = np.append(np.flatnonzero(np.diff(words.lines)), len(words) - 1)[: len(words)]
    owners = span_of_words(words, spans)[lasts].tolist()
    ends = [owner >= 0 and spans[owner].text[-1].isspace() for owner in owners]
    if 2 * sum(ends) <= len(ends):
        return
    cut = False
    for at in reversed(range(len(lasts) - 1)):
        index, after = lasts[at], lasts[at + 1]
        word, box = words.texts[index], words.boxes[index]
        rest = words.hull(range(index + 1, after + 1))
        alone = index == 0 or words.lines[index - 1] != words.lines[index]
        full = (box[2] - box[0]) * (1 + 1 / len(word)) > rest.x1 - rest.x0 and rest.x1 > box[0]
        rest_of = words.texts[index + 1][0]
        letters = len(word) > 1 and word[-1] != "-" and rest_of.isalnum()
        letters = letters and not (word[1:].islower() and rest_of.isupper())
        below = _is_below(box, words.boxes[index + 1]) and (cut or ends[at + 1])
        cut = not ends[at] and alone and full and letters and below
        if cut:
            yield int(index)


def spellings_of(words: PageWords) -> set[str]:
    """Return the words of a page in small letters, without those at the cuts of its lines."""
    return {
        text.casefold().strip(_MARKS)
        for before, text in pairwise(("", *words.texts))
        if not before.endswith("-") and not text.endswith("-")
    }


def _is_below(box: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether the other word opens the next line: below, not further right."""
    height = float(box[3] - box[1])
    down = float(other[1] - box[3])
    return -0.5 * height < down < height and float(other[0]) < float(box[2])
