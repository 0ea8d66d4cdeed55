"""Questions with the places of their manual that compete for them, for the reranker to learn from.

Of each question those places that answer it, those that share most of its words, those nearest to
it by whole vectors, others of the same page and a few more: what is hard to tell apart. Beside the
labels of real manuals (`scripts/labels`), public sets of questions on paragraphs in the form of
SQuAD may be given, whose sentences take the part of places.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from desktop.core.question.tokens import index_term_set
from desktop.core.reader.observations import read_text
from desktop.models.adapters.e5 import MOST_OF_QUESTION, MOST_OF_UNIT
from scripts.reader.observed import places, rights

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

    from desktop.core.reader.quotes import Quote
    from desktop.models.roles import TextEmbedder
    from scripts.reader.manuals import LabelledManual

    Ids = NDArray[np.int64]
    Read = Callable[[str, int], tuple[Ids, list[tuple[int, int]]]]
    """From a text, and how many tokens of it count, to ids and where each stands."""

_BEST, _BY_WORDS, _BY_VECTORS, _BESIDE, _OTHERS = 6, 30, 12, 14, 8
_SOME = 0.05  # as right as this a place is no wrong answer
_TEACHES: Final = 0.35
"""A question whose best place is less right than this teaches nothing."""
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+(?=[^\Wa-z\d]|\d|[\"«„“(])")
_LEAST_OF_SENTENCE = 25


@dataclass(slots=True)
class Place:
    """A place that competes. ids: of its tokens. spans: where each stands in what is read of it."""

    ids: Ids
    spans: list[tuple[int, int]]


@dataclass(slots=True)
class Lesson:
    """A question and the places that compete for it.

    right: how right it is to quote each (`rights`). answers: of some places, which of their tokens
    are of the words that answer.
    """

    source: str
    labelled: bool
    asked: Ids
    places: list[Place]
    right: NDArray[np.float32]
    answers: dict[int, NDArray[np.bool_]] = field(default_factory=dict)


@dataclass(slots=True)
class _Unit:
    page: int
    quote: Quote
    text: str
    before: int
    place: Place


def of_manual(
    manual: LabelledManual, read: Read, embedder: TextEmbedder, chance: random.Random
) -> Iterator[Lesson]:
    """Yield the lessons of a manual: its labels, and what was asked for learning alone."""
    units = []
    for page in sorted(manual.pages):
        for quote in manual.units(page):
            text, before = read_text(quote)
            units.append(_Unit(page, quote, text, before, Place(*read(text, MOST_OF_UNIT))))
    asked = [
        (question, " ".join(filter(None, (question.get("history"), question["question"]))))
        for question in (*manual.questions, *manual.lessons)
        if not question.get("parts")
    ]
    if not units or not asked:
        return
    terms = [index_term_set(unit.text) for unit in units]
    counts = Counter(term for each in terms for term in each)
    rarity = {term: math.log(1 + len(units) / count) for term, count in counts.items()}
    of_page = defaultdict(list)
    for at, unit in enumerate(units):
        of_page[unit.page].append(at)
    near = embedder.embed_queries([text for _, text in asked]) @ (
        embedder.embed([unit.text for unit in units]).T
    )
    for row, (question, text) in enumerate(asked):
        gold = places(question)
        right = _right(units, of_page, gold)
        best = sorted(right, key=lambda at: -right[at])[:_BEST]
        if question.get("answerable", True) and max(right.values(), default=0.0) < _TEACHES:
            continue
        own = index_term_set(text)
        shared = [
            sum(rarity[term] for term in own & each) / (1 + 0.15 * math.sqrt(len(each)))
            for each in terms
        ]
        by_words = np.argsort(-np.array(shared), kind="stable")[:_BY_WORDS].tolist()
        pages = {page for page, _ in gold} | {question.get("near_page")}
        beside = [at for page in pages if page is not None for at in of_page[page]]
        others = chance.sample(range(len(units)), min(_OTHERS, len(units)))
        same = {units[at].text for at in best if right[at] >= _TEACHES}
        by_vectors = (
            at for at in np.argsort(-near[row]).tolist() if at in best or units[at].text not in same
        )
        kept = list(
            dict.fromkeys(
                [
                    *best,
                    *by_words,
                    *islice(by_vectors, _BY_VECTORS),
                    *chance.sample(beside, min(_BESIDE, len(beside))),
                    *others,
                ]
            )
        )
        lesson = Lesson(
            manual.facts["slug"],
            "style" in question and question["style"] != "lesson",
            read(text, MOST_OF_QUESTION)[0],
            [units[at].place for at in kept],
            np.array([right.get(at, 0.0) for at in kept], np.float32),
        )
        if lesson.labelled:
            for at in best:
                if right[at] >= _TEACHES:
                    lesson.answers[kept.index(at)] = _answering(manual, units[at], gold)
        yield lesson


def _right(
    units: Sequence[_Unit],
    of_page: dict[int, list[int]],
    gold: Sequence[tuple[int, frozenset[int]]],
) -> dict[int, float]:
    found: dict[int, float] = {}
    for page, words in gold:
        these = of_page[page]
        much = rights([units[at].quote.indices for at in these], words)
        for at, value in zip(these, much.tolist(), strict=True):
            if value > _SOME:
                found[at] = max(found.get(at, 0.0), value)
    return found


def _answering(
    manual: LabelledManual, unit: _Unit, gold: Sequence[tuple[int, frozenset[int]]]
) -> NDArray[np.bool_]:
    """Return which tokens of a unit are of the words that answer."""
    wanted = {index for page, words in gold if page == unit.page for index in words}
    words = manual.words(unit.page)
    found = np.zeros(len(unit.place.spans), bool)
    at = unit.before
    for index in unit.quote.indices:
        word = words[index] if index < len(words) else ""
        begin = unit.text.find(word, at) if word else -1
        if begin < 0:
            continue
        at = begin + len(word)
        if index in wanted:
            found |= np.array([first < at and last > begin for first, last in unit.place.spans])
    return found


def of_squad(path: Path, read: Read, chance: random.Random) -> Iterator[Lesson]:
    """Yield the lessons of a file in the form of SQuAD: its sentences compete."""
    for article in json.loads(path.read_text("utf-8"))["data"]:
        title = str(article.get("title", ""))[:80]
        before = len(title) + 1 if title else 0
        cut = [_sentences(each["context"]) for each in article["paragraphs"]]
        sentences = [
            [
                Place(
                    *read(
                        f"{title}\n{each['context'][a:b]}" if title else each["context"][a:b],
                        MOST_OF_UNIT,
                    )
                )
                for a, b in parts
            ]
            for each, parts in zip(article["paragraphs"], cut, strict=True)
        ]
        every = [place for each in sentences for place in each]
        for each, parts, own in zip(article["paragraphs"], cut, sentences, strict=True):
            for question in each["qas"]:
                lesson = _of_question(question, parts, own, before, read)
                if lesson is not None:
                    others = chance.sample(every, min(14, len(every)))
                    new = [place for place in others if all(place is not o for o in own)]
                    lesson.places += new
                    lesson.right = np.concatenate([lesson.right, np.zeros(len(new), np.float32)])
                    yield lesson


def _of_question(
    question: dict[str, Any],
    parts: Sequence[tuple[int, int]],
    own: Sequence[Place],
    before: int,
    read: Read,
) -> Lesson | None:
    right = np.zeros(len(own), np.float32)
    asked = read(question["question"], MOST_OF_QUESTION)[0]
    lesson = Lesson("", False, asked, list(own), right)  # what it is, in its place
    if question.get("is_impossible"):
        return lesson
    if not question.get("answers"):
        return None
    first = int(question["answers"][0]["answer_start"])
    last = first + len(str(question["answers"][0]["text"]))
    for at, (begin, end) in enumerate(parts):
        if begin <= first < end:
            right[at] = 1
            inside = range(first - begin + before, min(last, end) - begin + before)
            lesson.answers[at] = np.array(
                [a < inside.stop and b > inside.start for a, b in own[at].spans]
            )
            return lesson
    return None


def _sentences(text: str) -> list[tuple[int, int]]:
    found, begin = [], 0
    for end in _SENTENCE_END.finditer(text):
        if end.start() - begin >= _LEAST_OF_SENTENCE:
            found.append((begin, end.start()))
            begin = end.end()
    return [*found, (begin, len(text))] if begin < len(text) else found
