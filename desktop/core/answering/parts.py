"""Parts of questions: "Which fuse protects the controller, and how is it reset?" asks two.

A question is cut where a sentence ends, and at a conjunction of
`resources/conjunctions.txt` that is followed by a word which opens questions
(`resources/question_words.txt`). At other conjunctions it may be cut: whether that
stands is learnt, from the shape of the halves and from how likely the reader finds an
answer to each (`LEARNT`). "Weight and length of the pump?" asks for two things of one:
each is read with the words that they share.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from desktop.core.answering.selection import chosen_units
from desktop.core.question.parts import Cut, in_turn, possible_cuts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.core.reader.evidence import Evidence

LEARNT: Final = {
    "always": -4.38,
    "comma": 2.27,  # before the conjunction
    "words_before": 0.73,  # their logarithm
    "words_after": 1.06,
    "surer": 0.43,  # logarithm of the odds of the likelier part, less that of the whole question
    "other_unit": 0.89,  # the parts are answered by different units
}
"""What speaks for a cut: a logistic model, learnt from the conjunctions of the labelled questions
(split `learn`). docs/reader.md says what it is worth."""
_MOST_OF_READING = 1.5
"""So much may the reader's part of that come to: a cut that lacks more is not read."""
_LIKELY, _MORE_LIKELY, _SURER = 0.45, 0.6, 0.2
"""Two things of one are told apart if each is so likely, and one surer than both or each likelier.

So are 16 of 175 questions of `choose` and `learn` whose conjunction may join two things. For the
seven that are labelled as asking for two, each is told by its own best place; eight others have
their answer among what is told.
"""
_NOT_THERE: Final = 0.5
"""Of two things one is missing if it is so unlikely anywhere, and the other likelier than both."""


@dataclass(frozen=True, slots=True)
class ReadPart:
    """A part with the pages as they were read for it.

    chance: how likely their best unit answers it. there: how likely any does, asked by itself.
    """

    text: str
    pages: tuple[Evidence, ...]
    chance: float
    there: float


def parts_of(
    question: str, chance: float, read: Callable[[str, str], Sequence[Evidence]]
) -> tuple[ReadPart, ...]:
    """Return the parts of a question, each read; () if it asks for one thing.

    chance: how likely the whole question is answered. read: the same pages, read for a part and
    for the words that it stands in. Whether a cut stands is told with the whole question around
    its parts; then what is asked first stands alone, and what follows leans on it.
    """
    best: Cut | None = None
    most = 0.0
    cuts = possible_cuts(question)
    for cut in cuts:
        if cut.sure:
            best = cut
            break
        if _shape(cut) + _MOST_OF_READING < 0:
            continue
        parts = [_read(part, read(part, question)) for part in cut.parts]
        surer = _surer(parts, chance)
        worth = _shape(cut) + LEARNT["surer"] * surer + LEARNT["other_unit"] * _differ(parts)
        if worth > most:
            best, most = cut, worth
    if best is None:
        return _two_things(cuts, chance, read)
    return tuple(_read(part, read(part, within)) for part, within in in_turn(best.parts))


def _two_things(
    cuts: Sequence[Cut], chance: float, read: Callable[[str, str], Sequence[Evidence]]
) -> tuple[ReadPart, ...]:
    """Return the two things that a question asks for of one, if other places tell each of them."""
    for cut in cuts:
        worded = [
            [_read(name, read(asked, asked)) for asked in asking] for name, asking in cut.things
        ]
        parts = [max(each, key=lambda part: part.chance) for each in worded]
        if len(parts) < 2:
            continue
        least, most = sorted(part.chance for part in parts)
        surer = _surer(parts, chance)
        both = least >= _MORE_LIKELY or (least >= _LIKELY and surer >= _SURER)
        least_there, most_there = sorted(max(p.there for p in each) for each in worded)
        one = most >= _LIKELY and surer >= 0 and least_there < _NOT_THERE <= most_there
        if one or (both and _differ(parts)):
            return tuple(parts)
    return ()


def _surer(parts: Sequence[ReadPart], chance: float) -> float:
    """Return how much likelier the likelier part is answered than the whole, in log odds."""
    return _odds(max(part.chance for part in parts)) - _odds(chance)


def _differ(parts: Sequence[ReadPart]) -> bool:
    """Whether another unit answers each part best."""
    units = [c.unit.unit for each in parts for c in chosen_units(each.pages, most=1)[:1]]
    return len({(unit.text, unit.boxes) for unit in units}) == len(parts)


def _shape(cut: Cut) -> float:
    before, after = (math.log(len(part.split())) for part in cut.parts)
    return (
        LEARNT["always"]
        + LEARNT["comma"] * cut.comma
        + LEARNT["words_before"] * before
        + LEARNT["words_after"] * after
    )


def _odds(chance: float) -> float:
    bounded = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))


def _read(part: str, pages: Sequence[Evidence]) -> ReadPart:
    first = pages[0] if pages else None
    chances = (first.chance, first.there) if first else (0.0, 0.0)
    return ReadPart(part, tuple(pages), *chances)
