"""Where a question divides: "Which fuse protects it, and how is it reset?" asks two.

A question is cut where a sentence ends, and at a conjunction from
`resources/conjunctions.txt` followed by a word that opens questions
(`resources/question_words.txt`). At other conjunctions it may be cut, or ask for two
things of one (`desktop.core.answering.parts` decides).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from desktop.core.question.languages import language_in, language_of
from desktop.core.question.query import Question
from desktop.core.question.tokens import query_terms
from desktop.resources import words_by_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_QUESTION_WORDS: Final = "question_words.txt"
_CONJUNCTIONS: Final = "conjunctions.txt"
MOST_PARTS: Final = 4
MOST_CUTS: Final = 2
"""Conjunctions of a question that are tried; each costs two readings."""
_OPENS_WITHIN: Final = 2
"""Words after a conjunction: "and at which temperature" asks something as well."""

_BEFORE_QUESTION: Final = 6
"""Words that tell whom an e-mail is for, before what it is about."""

_LONGEST_THING: Final = 4
"""Words of what is joined with something else: "minimum inlet pressure"."""

_ENDS = "?\uff1f;"
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a question may be split into parts. comma: there is a comma.

    sure: a sentence ends there, or a word that opens questions follows. things: what the question
    may ask for of one, by their names, each with how it may be asked for alone; () if nothing.
    """

    parts: tuple[str, ...]
    comma: bool = False
    sure: bool = False
    things: tuple[tuple[str, tuple[str, ...]], ...] = ()


def in_turn(parts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each part, and everything up to its end."""
    for place, part in enumerate(parts):
        yield part, " ".join(parts[: place + 1])


def sure_parts(question: str) -> tuple[str, ...]:
    """Return the parts of a question that surely asks several things, else ()."""
    return next((cut.parts for cut in possible_cuts(question) if cut.sure), ())


def words_of(text: str) -> list[str]:
    """Return the words of a text."""
    return _WORD.findall(text)


def from_question_word(text: str) -> str:
    """Return a text from the word on that opens its question: "the manager how to vent it".

    All of it, if none of its first words does, or one that joins the question on something.
    """
    language = language_of(text)
    asking = words_by_language(_QUESTION_WORDS).get(language, frozenset())
    joining = words_by_language(_CONJUNCTIONS).get(language, frozenset())
    words = list(_WORD.finditer(text))[: _BEFORE_QUESTION + 1]
    for before, word in pairwise(words):
        if word.group().casefold() in asking and before.group().casefold() not in joining:
            return text[word.start() :]
    return text


def possible_cuts(question: str) -> list[Cut]:
    """Return where a question may be cut so that every part has a meaningful word."""
    text = lines = " ".join(question.split())
    for end in _ENDS:
        lines = lines.replace(f"{end} ", f"{end}\n")
    sentences = [part for part in lines.split("\n") if Question.parse(part).groups]
    asked = tuple(part for sentence in sentences for part in _questions(sentence))
    if 1 < len(asked) <= MOST_PARTS:
        return [Cut(asked, sure=True)]
    cuts = []
    joining = words_by_language(_CONJUNCTIONS)
    language = language_in(text)  # "a" joins in Czech alone, "i" in Polish
    every = frozenset().union(*joining.values())
    conjunctions = joining.get(language, frozenset()) if language else every
    words = list(_WORD.finditer(text))
    for place, word in enumerate(words):
        if word.group() not in conjunctions:
            continue
        before, after = text[: word.start()].rstrip(), text[word.end() :].strip(" ,")
        if Question.parse(before).groups and Question.parse(after).groups:
            things = _things_apart(text, words, place, language)
            cuts.append(Cut((before.rstrip(","), after), before.endswith(","), things=things))
    return sorted(cuts, key=lambda cut: not cut.comma)[:MOST_CUTS]


def _things_apart(
    text: str, words: Sequence[re.Match[str]], place: int, language: str
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return two things that a conjunction joins, and how each may be asked for alone.

    "Min and max flow of P1?" asks for the min, or the min flow, and the max flow of P1. place: of
    the conjunction among the words.
    """
    names = [bool(query_terms(word.group(), language)) for word in words]
    touches = [
        not text[word.end() : following.start()].strip() for word, following in pairwise(words)
    ]
    first = place
    while place - first < _LONGEST_THING and first and names[first - 1] and touches[first - 1]:
        first -= 1
    begin = next((at for at in range(place + 1, len(words)) if names[at]), len(words))
    most = words[begin : begin + _LONGEST_THING]
    parted = (
        at for at in range(begin + 1, begin + len(most)) if not (names[at] and touches[at - 1])
    )
    end = next(parted, begin + len(most))
    one, other = place - first, end - begin
    if not one or not other:
        return ()
    head, tail = text[: words[first].start()], text[words[end - 1].end() :]
    thing = text[: words[place - 1].end()]
    rest = text[words[begin].start() :]
    firsts, seconds = [thing + tail], [head + rest]
    if other > one:
        firsts.append(f"{thing} {text[words[begin + one].start() :]}")
    if one > other:
        seconds.append(f"{text[: words[place - other].start()]}{rest}")
    names_of_both = thing[len(head) :], text[words[begin].start() : words[end - 1].end()]
    return tuple(zip(names_of_both, (tuple(firsts), tuple(seconds)), strict=True))


def _questions(sentence: str) -> list[str]:
    """Cut a sentence where something else is asked; a part that asks nothing is not cut off."""
    parts, begin = [], 0
    words = list(_WORD.finditer(sentence))
    asking = words_by_language(_QUESTION_WORDS)
    for place, word in enumerate(words):
        next_words = words[place + 1 : place + 1 + _OPENS_WITHIN]
        following = {each.group().casefold() for each in next_words}
        opens = any(  # whether it joins on what follows it as a question of its own
            word.group() in joining and asking.get(language, frozenset()) & following
            for language, joining in words_by_language(_CONJUNCTIONS).items()
        )
        if not opens:
            continue
        before, after = sentence[begin : word.start()], sentence[word.end() :].strip(" ,")
        if Question.parse(before).groups and len(words_of(after)) > 1:
            parts.append(before.strip(" ,"))
            begin = word.end()
    return [*parts, sentence[begin:].strip(" ,")]
