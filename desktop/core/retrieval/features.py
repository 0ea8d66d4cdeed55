"""What speaks for a page: the numbers that ranking weighs, all between 0 and about 1."""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from desktop.core.retrieval.asked_values import (
    asked_kinds,
    missing_share,
    shows_number,
    without_own_codes,
)
from desktop.core.retrieval.linear import Observations

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from desktop.core.retrieval.question import Question, TermGroup
    from desktop.core.retrieval.routing import Route
    from desktop.core.retrieval.units import StoredUnit

# BM25 saturation and length normalisation for short units (mean about 30 words).
_SATURATION = 0.8
_LENGTH = 0.35
_MEAN_WORDS = 30
# A word that stands only in the unit's context, or only elsewhere on the page, counts less.
_IN_CONTEXT = 0.45
_ON_PAGE = 0.3
_cover_of = attrgetter("cover")
_NOT_TOLD = frozenset({"heading", "picture", "window"})
_LEADER_DOTS = re.compile(r"\.\s?(?:\.\s?){3,}")  # begins with a dot: found sooner


@dataclass(slots=True)
class PageFeatures(Observations):
    """Evidence for one page.

    unit_bm25, page_bm25: full-text scores relative to the best found. unit, window: how
    well its best unit and best window cover the question. page_cover, heading_cover:
    weighted share of the question's words on the page, in its headings and captions.
    named: whether the question names the manual. off_route: how much speaks for another
    manual of the same product. foreign: see `Route`. dense: best cosine of a window.
    contents: 1 for a table of contents. value_in_window: share of the asked-for kinds of
    value in the best window. number_in_unit: a number was asked for and the unit has one.
    value_told: see `value_told`; quote: score of its best quote, see `rerank`; both of the
    first pages alone.
    """

    unit_bm25: float = 0.0
    page_bm25: float = 0.0
    unit: float = 0.0
    window: float = 0.0
    page_cover: float = 0.0
    heading_cover: float = 0.0
    named: float = 0.0
    off_route: float = 0.0
    foreign: float = 0.0
    dense: float = 0.0
    contents: float = 0.0
    value_in_window: float = 0.0
    number_in_unit: float = 0.0
    value_told: float = 0.0
    quote: float = 0.0


class ScoredUnit(NamedTuple):
    """A unit with how well it covers the question (0 to about 1).

    silent: whether its own text is known to have none of the question's words. A tuple,
    because a question scores a thousand of them.
    """

    unit: StoredUnit
    cover: float
    silent: bool


def cover_units(
    question: Question,
    route: Route,
    on_page: Sequence[bool],
    units: Sequence[StoredUnit],
    saying: Collection[int] | None = None,
) -> list[ScoredUnit]:
    """Score every unit of a page, best first.

    on_page: one flag a term group. saying: ids of the units whose own text has one of the
    words, if that is known; the text of others is not read. Id 0 is always read.
    """
    total = sum(route.weights) or 1.0
    asked = [
        (group, weight)
        for group, weight, present in zip(question.groups, route.weights, on_page, strict=True)
        if present
    ]
    around: dict[str, tuple[list[float], float]] = {}  # units of a section share their context
    scored = []
    for unit in units:
        shared = around.get(unit.context)
        if shared is None:
            least = _context_covers(asked, unit.context_terms)
            shared = around[unit.context] = least, sum(least) / total
        silent = saying is not None and unit.id != 0 and unit.id not in saying
        cover = shared[1] if silent else _cover(asked, shared[0], unit) / total
        scored.append(ScoredUnit(unit, cover, silent))
    scored.sort(key=_cover_of, reverse=True)
    return scored


def _context_covers(
    asked: Sequence[tuple[TermGroup, float]], context: dict[str, int]
) -> list[float]:
    """Return what each group counts at least: for standing in the context, or on the page."""
    return [
        weight * (_ON_PAGE if context.keys().isdisjoint(group) else _IN_CONTEXT)
        for group, weight in asked
    ]


def _cover(
    asked: Sequence[tuple[TermGroup, float]], least: Sequence[float], unit: StoredUnit
) -> float:
    counts = unit.terms
    norm = -1.0
    score = 0.0
    for (group, weight), around in zip(asked, least, strict=True):
        if len(group) == 1:
            times = counts.get(group[0], 0)
        else:
            times = max([counts.get(term, 0) for term in group])
        if times:
            if norm < 0:
                norm = _SATURATION * (1 - _LENGTH + _LENGTH * sum(counts.values()) / _MEAN_WORDS)
            score += max(weight * times * (_SATURATION + 1) / (times + norm), around)
        else:
            score += around
    return score


def add_unit_features(
    features: PageFeatures,
    question: Question,
    route: Route,
    scored: Sequence[ScoredUnit],
) -> None:
    """Fill in what the units of a page say. scored: best first."""
    total = sum(route.weights) or 1.0
    windows = [item for item in scored if item.unit.kind == "window"]
    pieces = [item for item in scored if item.unit.kind != "window"]
    said = {
        term
        for s in pieces
        if s.unit.kind in ("heading", "caption") and not s.silent
        for term in s.unit.terms
    }
    features.heading_cover = (
        sum(
            weight
            for group, weight in zip(question.groups, route.weights, strict=True)
            if not said.isdisjoint(group)
        )
        / total
    )
    if pieces:
        features.unit = pieces[0].cover
        has_number = shows_number(pieces[0].unit.text)
        features.number_in_unit = float(question.wants_number and has_number)
    if windows:
        features.window = windows[0].cover
        features.value_in_window = question.value_share(windows[0].unit.text)
    dots = sum(len(_LEADER_DOTS.findall(item.unit.text)) for item in windows)
    features.contents = float(dots >= 5)


def value_told(question: Question, route: Route, scored: Sequence[ScoredUnit]) -> float:
    """Return how well one unit says what is asked about together with a value as asked for.

    0 to 1; 0 if no kind of value is asked for. A page that speaks of the subject in prose
    ranks behind the one with the table row, the caption or the bullet that gives the value.
    """
    kinds = asked_kinds(question.text)
    total = sum(route.weights) or 1.0
    best = 0.0
    asked = list(zip(question.groups, route.weights, strict=True))
    for unit, _, silent in scored if kinds else ():
        if unit.kind in _NOT_TOLD:
            continue
        terms = () if silent else unit.terms
        covered = _said_weight(asked, terms, unit.context_terms)
        if covered > best * total:  # else no value makes it the best
            shown = 1 - missing_share(kinds, without_own_codes(unit.text, question.text))
            best = max(best, covered / total * shown)
    return best


def _said_weight(
    asked: Sequence[tuple[TermGroup, float]], terms: Collection[str], context: Collection[str]
) -> float:
    """Return the weight of the groups that a unit has in its text or its context."""
    said = {*terms, *context}
    return sum([weight for group, weight in asked if not said.isdisjoint(group)])
