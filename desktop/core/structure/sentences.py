"""Cutting a run of words into sentences, without being fooled by "e.g." or "5.3"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_END = re.compile(r"[.!?][\"')\]”’]*$")
_ABBREVIATION = re.compile(
    r"^\W*(?:e\.g|i\.e|fig|figs|no|nos|approx|resp|max|min|incl|excl|vs|cf|dr|mr|mrs|st|ca|etc|pos"
    r"|z\.b|d\.h|bzw|nr|abb|tab|ggf|evtl|inkl|exkl|u\.a|usw|vgl|bsp|s|p|pp|rev|ver|art)\.\W*$",
    re.IGNORECASE,
)


def sentence_spans(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Return (first, last + 1) of each sentence in a sequence of words."""
    spans = []
    start = 0
    for index, word in enumerate(texts):
        following = texts[index + 1] if index + 1 < len(texts) else ""
        before = texts[index - 1] if index > start else ""
        if not following or _ends(word, before, following):
            spans.append((start, index + 1))
            start = index + 1
    return spans


def _ends(word: str, before: str, following: str) -> bool:
    """Whether a word ends its sentence. before: the word before it in the sentence, or ""."""
    if not _END.search(word):
        return False
    opening = following.lstrip("\"'([“‘•-–")[:1]
    if before[-1:].isdigit() and opening.isupper():  # "5 min. The", "24 V. Then"
        return True
    if _ABBREVIATION.match(word):
        return False
    if not before and re.fullmatch(r"\W*(?:\d{1,2}|[A-Za-z])\.", word):  # "2. Open the flap"
        return False
    return opening.isupper() or opening.isdigit() or not opening.isalnum()
