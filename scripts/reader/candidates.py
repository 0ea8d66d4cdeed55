"""Questions with units of their manual that may answer them: what the reranker learns from.

For each question the units that answer, and others that are hard to tell from them: of those that
share most of its words, neighbours on the same page and a few at random, the nearest to it by late
interaction.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.answering.observations import read_text
from desktop.core.retrieval.tokens import index_term_set
from scripts.reader.observed import places, rights

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence
    from typing import Any

    from desktop.core.retrieval.grounding import Quote
    from desktop.models.roles import TextEmbedder
    from scripts.reader.manuals import LabelledManual

TEACHES = 0.35
"""A question whose best unit is less right than this teaches nothing."""
_ANSWERS, _BY_WORDS, _BESIDE, _OTHERS = 2, 9, 5, 2
_TOP = 20  # by words, that the further ones are taken from
_NEAREST = 9


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit that competes. text: as the text model reads it.

    right: how right it is to quote it (`rights`). answering: where the words that answer stand in
    its text, first and last + 1 of their characters.
    """

    text: str
    right: float
    answering: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Competition:
    """A question and the units that compete for it: those that answer, then the nearest first."""

    slug: str
    answerable: bool
    asked: str
    units: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class _Placed:
    page: int
    unit: Quote
    text: str
    before: int
    terms: frozenset[str]


def competitions(
    manual: LabelledManual, embedder: TextEmbedder, chance: random.Random
) -> Iterator[Competition]:
    """Yield the questions of a manual, each in one part, follow-ups after their question.

    embedder: best one that remembers, a manual's units are asked for again and again.
    """
    units = [
        _Placed(page, unit, *(read := read_text(unit)), index_term_set(read[0]))
        for page in manual.pages
        for unit in manual.units(page)
    ]
    counts = Counter(term for each in units for term in each.terms)
    rarity = {term: math.log(1 + len(units) / count) for term, count in counts.items()}
    for question in manual.questions:
        if question.get("parts"):
            continue
        asked = " ".join(filter(None, (question.get("history"), question["question"])))
        right = _right(question, units)
        if question["answerable"] and max(right.values(), default=0.0) < TEACHES:
            continue
        answers = sorted((i for i in right if right[i] >= TEACHES), key=lambda i: -right[i])
        others = _others(question, asked, units, rarity, chance)
        near = _near(embedder, asked, [units[i].text for i in others])
        order = sorted(range(len(others)), key=lambda place: -near[place])
        nearest = [others[place] for place in order if right.get(others[place], 0.0) < TEACHES]
        found: dict[str, Candidate] = {}
        for i in (*answers[:_ANSWERS], *nearest[:_NEAREST]):
            each = units[i]
            said = _answering(manual, question, each)
            found.setdefault(each.text, Candidate(each.text, right.get(i, 0.0), said))
        if found:
            slug = manual.facts["slug"]
            yield Competition(slug, bool(question["answerable"]), asked, tuple(found.values()))


def _right(question: dict[str, Any], units: Sequence[_Placed]) -> dict[int, float]:
    """Return how right each unit is that is at all."""
    found: dict[int, float] = {}
    for page, words in places(question):
        of_page = [i for i, each in enumerate(units) if each.page == page]
        of = rights([units[i].unit.indices for i in of_page], words)
        for i, much in zip(of_page, of.tolist(), strict=True):
            if much > 0:
                found[i] = max(found.get(i, 0.0), much)
    return found


def _others(
    question: dict[str, Any],
    asked: str,
    units: Sequence[_Placed],
    rarity: dict[str, float],
    chance: random.Random,
) -> list[int]:
    """Return units that are not easily told from those that answer."""
    terms = index_term_set(asked)
    shared = [
        sum(rarity[term] for term in terms & each.terms) / (1 + 0.15 * math.sqrt(len(each.terms)))
        for each in units
    ]
    order = sorted(range(len(units)), key=lambda i: -shared[i] - 0.01 * chance.random())
    by_words = order[:_TOP][: _BY_WORDS + _ANSWERS]
    pages = {page for page, _ in places(question)} | {question.get("near_page")}
    beside = [i for i, each in enumerate(units) if each.page in pages and i not in by_words]
    beside.sort(key=lambda i: -shared[i] - 2 * chance.random())
    others = chance.sample(range(len(units)), min(_OTHERS, len(units)))
    return list(dict.fromkeys([*by_words, *beside[:_BESIDE], *others]))


def _near(embedder: TextEmbedder, asked: str, texts: Sequence[str]) -> list[float]:
    """Return the mean over the question's tokens of the nearest token of each text."""
    question, *found = embedder.embed_tokens([asked, *texts])
    return [
        float((question @ t.T).max(1).mean()) if t.size and question.size else 0.0 for t in found
    ]


def _answering(
    manual: LabelledManual, question: dict[str, Any], placed: _Placed
) -> tuple[tuple[int, int], ...]:
    """Return where the words that answer stand in a unit's text."""
    gold = {i for page, words in places(question) if page == placed.page for i in words}
    words = manual.words(placed.page)
    found = []
    at = placed.before
    for index in placed.unit.indices:
        word = words[index] if index < len(words) else ""
        begin = placed.text.find(word, at) if word else -1
        if begin < 0:
            continue
        at = begin + len(word)
        if index in gold:
            found.append((begin, at))
    return tuple(found)
