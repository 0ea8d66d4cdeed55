"""Cues: words and phrases that tell which manual a question is for.

"How do I wire..." is met by "How should the battery be wired?": function words are left
out, words are compared by their English and German stems, and the words of a phrase may
stand a little apart.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import snowballstemmer

if TYPE_CHECKING:
    from collections.abc import Sequence

Word = frozenset[str]
"""The stems of one word, one a language."""

# Letters and digits apart, so that RS-485, RS485 and "RS 485" are the same two words.
_WORD = re.compile(r"[^\W\d_]+|\d+")
_LANGUAGES = ("english", "german")
# Not "on", "off" and "by": "switch on" and "by hand" are nothing without them.
FUNCTION_WORDS = frozenset(
    "a an and any are at be by can could do does for from has have how i if in into is it its"
    " may me must my of or shall should that the their them there this to was we what when"
    " where which who why will with you your"
    " auf bei das dem den der die ein eine ich ist im mit und von was welche welcher welches"
    " wie wird wo zu zum zur".split()
)
_WORDS_BETWEEN = 3
_SHORTEST_PLURAL = 3


def words_of(text: str) -> tuple[Word, ...]:
    """Return the words of a text, function words included."""
    return tuple(_stems(word) for word in _WORD.findall(text.casefold()))


def meets(cue: str, words: Sequence[Word]) -> bool:
    """Whether the words of a cue stand in `words`, in their order and near each other."""
    wanted = _cue_words(cue)
    return bool(wanted) and any(
        _follows(wanted[1:], words[start + 1 :])
        for start, word in enumerate(words)
        if word & wanted[0]
    )


def _follows(wanted: Sequence[Word], words: Sequence[Word]) -> bool:
    for stems in wanted:
        near = words[: _WORDS_BETWEEN + 1]
        place = next((i for i, word in enumerate(near) if word & stems), None)
        if place is None:
            return False
        words = words[place + 1 :]
    return True


@lru_cache(maxsize=4_000)
def _cue_words(cue: str) -> tuple[Word, ...]:
    found = _WORD.findall(cue.casefold())
    telling = [word for word in found if word not in FUNCTION_WORDS]
    return tuple(_stems(word) for word in telling or found)


@lru_cache(maxsize=20_000)
def _stems(word: str) -> Word:
    # A stemmer object is not safe to share between threads; making one costs a microsecond.
    stems = {snowballstemmer.stemmer(name).stemWord(word) for name in _LANGUAGES}
    if word.endswith("s") and len(word) > _SHORTEST_PLURAL:
        stems.add(word[:-1])  # the stemmers leave "menus" as it is
    return frozenset(stems)
