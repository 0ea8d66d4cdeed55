"""The parts of a question: "Which fuse protects the controller, and how is it reset?" asks two.

A question may be cut where a sentence ends and where a conjunction of `resources/conjunctions.txt`
stands. Whether a cut stands is learnt from the labelled questions: from the shape of the halves
and from how likely the reader finds an answer to each (`LEARNT`).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from desktop.core.answering.selection import chosen_units
from desktop.core.retrieval.query import Question
from desktop.resources import resource

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.core.retrieval.evidence import Evidence

MOST_PARTS: Final = 4
MOST_CUTS: Final = 2
"""Conjunctions of a question that are tried; each costs two readings."""
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

_ENDS = re.compile(r"(?<=[?？;])\s+")  # noqa: RUF001 # the question mark of full width
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a question may fall into parts. comma: a comma stands there; sure: a sentence ends."""

    parts: tuple[str, ...]
    comma: bool = False
    sure: bool = False


@dataclass(frozen=True, slots=True)
class ReadPart:
    """A part with the pages as they were read for it.

    chance: how likely their best unit answers it. there: how likely any does.
    """

    text: str
    pages: tuple[Evidence, ...]
    chance: float
    there: float


def parts_of(
    question: str, chance: float, read: Callable[[str], Sequence[Evidence]]
) -> tuple[ReadPart, ...]:
    """Return the parts of a question, each read; () if it asks for one thing.

    chance: how likely the whole question is answered. read: the same pages, read for a part.
    """
    best: tuple[ReadPart, ...] = ()
    most = 0.0
    for cut in possible_cuts(question):
        if not cut.sure and _shape(cut) + _MOST_OF_READING < 0:
            continue
        parts = tuple(_read(part, read(part)) for part in cut.parts)
        if cut.sure:
            return parts
        surer = _odds(max(part.chance for part in parts)) - _odds(chance)
        worth = _shape(cut) + LEARNT["surer"] * surer + LEARNT["other_unit"] * _differ(parts)
        if worth > most:
            best, most = parts, worth
    return best


def _differ(parts: Sequence[ReadPart]) -> bool:
    """Whether no unit is the best one of two parts."""
    best = [chosen.unit.unit for part in parts for chosen in chosen_units(part.pages, most=1)[:1]]
    return len({(unit.text, unit.boxes) for unit in best}) == len(parts)


def possible_cuts(question: str) -> list[Cut]:
    """Return where a question may be cut, every part with a meaningful word."""
    text = " ".join(question.split())
    sentences = tuple(part for part in _ENDS.split(text) if Question.parse(part).groups)
    if 1 < len(sentences) <= MOST_PARTS:
        return [Cut(sentences, sure=True)]
    cuts = []
    for word in _WORD.finditer(text):
        if word.group() not in _conjunctions():
            continue
        before, after = text[: word.start()].rstrip(), text[word.end() :].strip(" ,")
        if Question.parse(before).groups and Question.parse(after).groups:
            cuts.append(Cut((before.rstrip(","), after), comma=before.endswith(",")))
    return sorted(cuts, key=lambda cut: not cut.comma)[:MOST_CUTS]


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


@lru_cache(maxsize=1)
def _conjunctions() -> frozenset[str]:
    lines = resource("conjunctions.txt").read_text("utf-8").splitlines()
    listed = (line.split()[1:] for line in lines if not line.startswith("#"))
    return frozenset(word for words in listed for word in words)
