"""Questions with units of their manual that may answer them, as the text model reads both.

For each question the units that answer, those that share most of its words, neighbours on the
same page and a few others: what is hard to tell apart.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.question.tokens import index_term_set
from desktop.core.reader.observations import read_text
from desktop.core.reader.reading_together import (
    MOST_QUESTION_TOKENS,
    MOST_UNIT_TOKENS,
    Tokens,
)
from scripts.reader.observed import places, rights

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from desktop.core.reader.quotes import Quote
    from desktop.models.roles import TextEmbedder
    from scripts.reader.manuals import LabelledManual

_BEST, _BY_WORDS, _BESIDE, _OTHERS = 3, 9, 5, 2
_TOP = 20  # by words, that the further ones are taken from
_TEACHES = 0.35  # a question whose best unit is less right than this teaches nothing
_TEXTS_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit that competes.

    right: how right it is to quote it (`rights`). answers: whether each token is of the words
    that answer.
    """

    tokens: Tokens
    right: float
    answers: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Competition:
    """A question and the units that compete for it. asked: its tokens, (n, 384)."""

    slug: str
    answerable: bool
    asked: NDArray[np.float32]
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
    """Yield the questions of a manual, each in one part, follow-ups after their question."""
    units = [
        _Placed(page, unit, *(read := read_text(unit)), index_term_set(read[0]))
        for page in manual.pages
        for unit in manual.units(page)
    ]
    if not units:
        return
    counts = Counter(term for each in units for term in each.terms)
    rarity = {term: math.log(1 + len(units) / count) for term, count in counts.items()}
    chosen = []
    for question in manual.questions:
        if question.get("parts"):
            continue
        asked = " ".join(filter(None, (question.get("history"), question["question"])))
        kept = _chosen(question, asked, units, rarity, chance)
        if kept:
            chosen.append((question, asked, kept))
    memo = _read(embedder, [a for _, a, _ in chosen], [units[i] for _, _, k in chosen for i in k])
    for question, asked, kept in chosen:
        found = tuple(
            Candidate(
                Tokens(*memo[units[i].text][:2]),
                right,
                _answering(manual, question, units[i], memo[units[i].text][2]),
            )
            for i, right in kept.items()
        )
        vectors = memo[asked][0][:MOST_QUESTION_TOKENS]
        yield Competition(manual.facts["slug"], bool(question["answerable"]), vectors, found)


def _chosen(
    question: dict[str, Any],
    asked: str,
    units: Sequence[_Placed],
    rarity: dict[str, float],
    chance: random.Random,
) -> dict[int, float]:
    """Return the units that compete, with how right each is."""
    terms = index_term_set(asked)
    shared = [
        sum(rarity[term] for term in terms & each.terms) / (1 + 0.15 * math.sqrt(len(each.terms)))
        for each in units
    ]
    right: dict[int, float] = {}
    for page, words in places(question):
        of_page = [i for i, each in enumerate(units) if each.page == page]
        found = rights([units[i].unit.indices for i in of_page], words)
        for i, much in zip(of_page, found.tolist(), strict=True):
            if much > 0:
                right[i] = max(right.get(i, 0.0), much)
    if question["answerable"] and max(right.values(), default=0.0) < _TEACHES:
        return {}
    order = sorted(range(len(units)), key=lambda i: -shared[i] - 0.01 * chance.random())
    best = sorted(right, key=lambda i: -right[i])[:_BEST]
    by_words = [i for i in order[:_TOP] if i not in best][:_BY_WORDS]
    pages = {page for page, _ in places(question)} | {question.get("near_page")}
    beside = [
        i
        for i, each in enumerate(units)
        if each.page in pages and i not in best and i not in by_words
    ]
    beside.sort(key=lambda i: -shared[i] - 2 * chance.random())
    others = chance.sample(range(len(units)), min(_OTHERS, len(units)))
    kept = dict.fromkeys([*best, *by_words, *beside[:_BESIDE], *others])
    return {i: right.get(i, 0.0) for i in kept}


Read = tuple["NDArray[np.float32]", "NDArray[np.bool_]", list[tuple[int, int]]]


def _read(
    embedder: TextEmbedder, asked: Sequence[str], units: Sequence[_Placed]
) -> dict[str, Read]:
    """Return, by text, its vectors, which tokens are no heading's, and where each token stands."""
    before = dict.fromkeys(asked, 0) | {each.text: each.before for each in units}
    texts = list(before)
    found: dict[str, Read] = {}
    for first in range(0, len(texts), _TEXTS_AT_ONCE):
        some = texts[first : first + _TEXTS_AT_ONCE]
        vectors = embedder.embed_tokens(some)
        for text, tokens, spans in zip(some, vectors, embedder.token_spans(some), strict=True):
            kept = spans[: len(tokens)][:MOST_UNIT_TOKENS]
            own = np.array([end > before[text] for _, end in kept], bool)
            found[text] = tokens[: len(kept)].astype(np.float16), own, kept
    return found


def _answering(
    manual: LabelledManual,
    question: dict[str, Any],
    placed: _Placed,
    spans: Sequence[tuple[int, int]],
) -> NDArray[np.bool_]:
    """Return which tokens of a unit are of the words that answer."""
    gold = {i for page, words in places(question) if page == placed.page for i in words}
    words = manual.words(placed.page)
    found = np.zeros(len(spans), bool)
    at = placed.before
    for index in placed.unit.indices:
        word = words[index] if index < len(words) else ""
        begin = placed.text.find(word, at) if word else -1
        if begin < 0:
            continue
        at = begin + len(word)
        if index in gold:
            found |= np.array([first < at and last > begin for first, last in spans], bool)
    return found
