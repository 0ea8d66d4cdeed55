"""The parts of a question: "Which fuse protects the controller, and how is it reset?" asks two.

A question is cut where a sentence ends, and at a conjunction of `resources/conjunctions.txt` that
a word follows which opens questions (`resources/question_words.txt`, learnt from the labelled
questions). At other conjunctions it may be cut: whether that stands is learnt as well, from the
shape of the halves and from how likely the reader finds an answer to each (`LEARNT`).
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
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from desktop.core.retrieval.evidence import Evidence

QUESTION_WORDS: Final = "question_words.txt"
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

_OPENS_WITHIN: Final = 2
"""Words after a conjunction: "and at which temperature" asks something as well."""

_ENDS = re.compile(r"(?<=[?？;])\s+")  # noqa: RUF001 # the question mark of full width
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a question may fall into parts. comma: a comma stands there.

    sure: a sentence ends there, or a word follows that opens questions.
    """

    parts: tuple[str, ...]
    comma: bool = False
    sure: bool = False


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
    for the words that it stands in: what is asked first stands alone, what follows leans on it.
    """
    best: tuple[ReadPart, ...] = ()
    most = 0.0
    for cut in possible_cuts(question):
        if cut.sure:
            return tuple(_read(part, read(part, within)) for part, within in in_turn(cut.parts))
        if _shape(cut) + _MOST_OF_READING < 0:
            continue
        parts = tuple(_read(part, read(part, question)) for part in cut.parts)
        surer = _odds(max(part.chance for part in parts)) - _odds(chance)
        worth = _shape(cut) + LEARNT["surer"] * surer + LEARNT["other_unit"] * _differ(parts)
        if worth > most:
            best, most = parts, worth
    return best


def _differ(parts: Sequence[ReadPart]) -> bool:
    """Whether no unit is the best one of two parts."""
    best = [chosen.unit.unit for part in parts for chosen in chosen_units(part.pages, most=1)[:1]]
    return len({(unit.text, unit.boxes) for unit in best}) == len(parts)


def in_turn(parts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each part, and all up to its end."""
    for place, part in enumerate(parts):
        yield part, " ".join(parts[: place + 1])


def sure_parts(question: str) -> tuple[str, ...]:
    """Return the parts of a question that surely asks several things, else ()."""
    return next((cut.parts for cut in possible_cuts(question) if cut.sure), ())


def words_of(text: str) -> list[str]:
    """Return the words of a text."""
    return _WORD.findall(text)


def possible_cuts(question: str) -> list[Cut]:
    """Return where a question may be cut, every part with a meaningful word."""
    text = " ".join(question.split())
    sentences = [part for part in _ENDS.split(text) if Question.parse(part).groups]
    asked = tuple(part for sentence in sentences for part in _questions(sentence))
    if 1 < len(asked) <= MOST_PARTS:
        return [Cut(asked, sure=True)]
    cuts = []
    for word in _WORD.finditer(text):
        if not any(word.group() in words for words in _conjunctions().values()):
            continue
        before, after = text[: word.start()].rstrip(), text[word.end() :].strip(" ,")
        if Question.parse(before).groups and Question.parse(after).groups:
            cuts.append(Cut((before.rstrip(","), after), comma=before.endswith(",")))
    return sorted(cuts, key=lambda cut: not cut.comma)[:MOST_CUTS]


def _questions(sentence: str) -> list[str]:
    """Cut a sentence where something else is asked; a part that asks for nothing is no part."""
    parts, begin = [], 0
    words = list(_WORD.finditer(sentence))
    for place, word in enumerate(words):
        next_words = words[place + 1 : place + 1 + _OPENS_WITHIN]
        if not _opens(word.group(), [each.group().casefold() for each in next_words]):
            continue
        before, after = sentence[begin : word.start()], sentence[word.end() :].strip(" ,")
        if Question.parse(before).groups and len(words_of(after)) > 1:
            parts.append(before.strip(" ,"))
            begin = word.end()
    return [*parts, sentence[begin:].strip(" ,")]


def _opens(word: str, following: Sequence[str]) -> bool:
    """Whether a word joins what follows it as a question of its own."""
    return any(
        word in joining and not _question_words().get(language, frozenset()).isdisjoint(following)
        for language, joining in _conjunctions().items()
    )


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


def _question_words() -> Mapping[str, frozenset[str]]:
    return _words_by_language(QUESTION_WORDS)


def _conjunctions() -> Mapping[str, frozenset[str]]:
    return _words_by_language("conjunctions.txt")


@lru_cache
def _words_by_language(name: str) -> Mapping[str, frozenset[str]]:
    lines = resource(name).read_text("utf-8").splitlines()
    listed = (line.split() for line in lines if line and not line.startswith("#"))
    return {language: frozenset(words) for language, *words in listed}
