"""What speaks for a page: the numbers that ranking weighs, all between 0 and about 1."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
_NOT_TOLD = frozenset({"heading", "picture", "window"})
_LEADER_DOTS = re.compile(r"(?:\.\s?){4,}")


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


@dataclass(frozen=True, slots=True)
class ScoredUnit:
    """A unit with how well it covers the question (0 to about 1)."""

    unit: StoredUnit
    cover: float


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
    around: dict[str, list[float]] = {}  # units of a section share their context
    scored = []
    for unit in units:
        least = around.get(unit.context)
        if least is None:
            least = around[unit.context] = _context_covers(asked, unit.context_terms)
        silent = saying is not None and unit.id and unit.id not in saying
        cover = sum(least) if silent else _cover(asked, least, unit)
        scored.append(ScoredUnit(unit, cover / total))
    scored.sort(key=lambda item: -item.cover)
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
        times = 0
        for term in group:
            times = max(times, counts.get(term, 0))
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
    said = {term for s in pieces if s.unit.kind in ("heading", "caption") for term in s.unit.terms}
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


def value_told(question: Question, route: Route, units: Sequence[StoredUnit]) -> float:
    """Return how well one unit says what is asked about together with a value as asked for.

    0 to 1; 0 if no kind of value is asked for. A page that speaks of the subject in prose
    ranks behind the one with the table row, the caption or the bullet that gives the value.
    """
    kinds = asked_kinds(question.text)
    total = sum(route.weights) or 1.0
    best = 0.0
    for unit in units if kinds else ():
        if unit.kind in _NOT_TOLD:
            continue
        terms, context = unit.terms, unit.context_terms
        covered = sum(
            weight
            for group, weight in zip(question.groups, route.weights, strict=True)
            if not (terms.keys().isdisjoint(group) and context.keys().isdisjoint(group))
        )
        if covered > best * total:  # else no value makes it the best
            shown = 1 - missing_share(kinds, without_own_codes(unit.text, question.text))
            best = max(best, covered / total * shown)
    return best
