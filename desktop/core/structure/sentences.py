"""Cutting a run of words into sentences, without being fooled by "e.g." or "5.3"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_END = re.compile(r"[.!?][\"')\]”’]*$")
_ABBREVIATION = re.compile(
    r"^\W*(?:e\.?g|i\.?e|fig|figs|no|nos|approx|resp|max|min|incl|excl|vs|cf|dr|mr|mrs|st|ca|etc|pos"
    r"|z\.b|d\.h|bzw|nr|abb|tab|ggf|evtl|inkl|exkl|u\.a|usw|vgl|bsp|s|p|pp|rev|ver|art)\.\W*$",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\W*[^\W\d_]\.\W*$")
_DOTS = re.compile(r"[.…·]+")
_LEADER = re.compile(r"\S*(?:[.·]{4,}|…{2,})")
"""The dots of a table of contents, from a heading to its page."""
_PAGE = re.compile(r"\|?[\w-]{1,6}")


def sentence_spans(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Return (first, last + 1) of each sentence in a sequence of words."""
    spans = []
    start = 0
    led = False
    for index, word in enumerate(texts):
        following = texts[index + 1] if index + 1 < len(texts) else ""
        before = texts[index - 1] if index > start else ""
        was_led, led = led, _leads(word, before, following)
        ends = (was_led and _PAGE.fullmatch(word)) or _ends(word, before, following)
        if not following or (ends and not led):
            spans.append((start, index + 1))
            start = index + 1
    return spans


def sentences_of(text: str) -> Iterator[str]:
    """Yield the sentences of a text; a line break ends one."""
    for line in text.splitlines():
        words = line.split()
        for first, last in sentence_spans(words):
            if last > first:
                yield " ".join(words[first:last])


def _is_of_letters(word: str, before: str, following: str) -> bool:
    """Whether a word is a letter of several that stand for words: "z. B.", "d. h."."""
    return bool(_LETTER.match(word) and (_LETTER.match(before) or _LETTER.match(following)))


def _leads(word: str, before: str, following: str) -> bool:
    """Whether a word is of the dots that lead from a heading to its page."""
    if not word.endswith((".", "…", "·")):
        return False
    if _LEADER.fullmatch(word) or _DOTS.fullmatch(following):
        return True
    return bool(_DOTS.fullmatch(word) and _DOTS.fullmatch(before))


def _ends(word: str, before: str, following: str) -> bool:
    """Whether a word ends its sentence. before: the word before it in the sentence, or ""."""
    if not _END.search(word):
        return False
    opening = following.lstrip("\"'([“‘•-–")[:1]
    if before[-1:].isdigit() and opening.isupper():  # "5 min. The", "24 V. Then"
        return True
    if _ABBREVIATION.match(word) or _is_of_letters(word, before, following):
        return False
    if not before and re.fullmatch(r"\W*(?:\d{1,2}|[A-Za-z])\.", word):  # "2. Open the flap"
        return False
    return opening.isupper() or opening.isdigit() or not opening.isalnum()
