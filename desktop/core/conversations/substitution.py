"""The question before with something else in its place: "and Menu 42?", "and the external one?"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.conversations.question_words import (
    ASKING,
    AUXILIARIES,
    PREPOSITIONS,
    Words,
    words_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAIRS = (
    "internal external, inner outer, upper lower, left right, input output, front rear, top bottom,"
    " minimum maximum, min max, high low, open closed, on off, first second, primary secondary,"
    " hot cold, positive negative, installer operator, summer winter, red black, start stop,"
    " interne externe, internen externen, interner externer, obere untere, oberen unteren,"
    " linke rechte, linken rechten, erste zweite, ersten zweiten, offen geschlossen, ein aus"
)
_OPPOSITES: dict[str, frozenset[str]] = {}
for _first, _second in (pair.split() for pair in _PAIRS.split(",")):
    _OPPOSITES[_first] = _OPPOSITES.get(_first, frozenset()) | {_second}
    _OPPOSITES[_second] = _OPPOSITES.get(_second, frozenset()) | {_first}

_JOINT = re.compile(r"(?:\s*,|\s+(?:to|and|or|bis|und|oder))?\s*$", re.IGNORECASE)
"""What stood between two codes: it goes when the second one does."""
_CODE = re.compile(r"^([^\W\d_]{0,4})[-.]?\d[\w:./-]*$")


def opposite_of(word: str) -> frozenset[str]:
    """Return the words that cannot be meant together with `word`."""
    return _OPPOSITES.get(word.casefold(), frozenset())


def same_kind(word: str, other: str) -> bool:
    """Whether both are codes of one kind that are not the same: S-130 and S-131, 41 and 42."""
    one, two = _CODE.match(word), _CODE.match(other)
    if one is None or two is None or word.casefold() == other.casefold():
        return False
    return one.group(1).casefold() == two.group(1).casefold()


def substituted(before: str, fragment: str) -> str:
    """Return the question `before` with what `fragment` names in the place of its like.

    What has no like in it is put after it.
    """
    question, left = before, []
    for word in Words.of(fragment).subject:
        swapped = _swapped(question, word)
        if swapped is None:
            left.append(word)
        question = swapped or question
    left = [word for word in left if word.casefold() not in question.casefold()]
    if not left:
        return question
    replaced = _phrase_replaced(before, fragment) if question == before else None
    return replaced or f"{question} {' '.join(left)}"


def _swapped(question: str, word: str) -> str | None:
    """Return `question` with `word` for the opposite or the codes of its kind, or None."""
    opposites = opposite_of(word)
    done = False
    result, end = [], 0
    for place, known in _placed(question):
        if known.casefold() in opposites or same_kind(known, word):
            between = question[end:place]
            result += [_JOINT.sub("", between), ""] if done else [between, word]
            end, done = place + len(known), True
    return "".join([*result, question[end:]]) if done else None


def _phrase_replaced(before: str, fragment: str) -> str | None:
    """Return `before` with its last phrase that begins like `fragment` replaced by that.

    "What is the part number of the valve?" and "of the seal?" ask for that of the seal.
    """
    words = list(_placed(before))
    first = words_in(fragment)[0].casefold()
    if first not in PREPOSITIONS:
        return None
    starts = [index for index, (_, word) in enumerate(words) if word.casefold() == first]
    if not starts:
        return None
    stop = PREPOSITIONS | ASKING | AUXILIARIES | {"and", "or", "und", "oder"}
    rest = words[starts[-1] + 1 :]
    end = next((place for place, word in rest if word.casefold() in stop), None)
    place = words[starts[-1]][0]
    tail = before[end:] if end is not None else ""
    return f"{before[:place]}{fragment.rstrip(' ?.!')} {tail}".strip() + ("" if tail else "?")


def _placed(text: str) -> Iterator[tuple[int, str]]:
    end = 0
    for word in words_in(text):
        end = text.index(word, end)
        yield end, word
        end += len(word)
