"""Which units an answer is made of: the best ones, until the right one is likely among them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from desktop.core.events import SURELY_STATED
from desktop.core.library.editions import Product, product_name
from desktop.core.question.query import codes_of, is_sibling
from desktop.core.question.tokens import index_term_set, query_terms
from desktop.core.reader.units import LIST
from desktop.core.structure.signs import CELL_SEPARATOR, shape_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Set

    from desktop.core.question.query import Question
    from desktop.core.reader.evidence import Evidence, ReadUnit
    from desktop.core.reader.quotes import Quote

MOST_UNITS: Final = 3
ENOUGH: Final = 0.7
"""Further units are told until the right one is among them with this chance.

On `choose` (916 questions with an answer) the words that answer are whole in what is told in 0.635,
by 2.2 units; in 0.562 by 1.4 units, if a further one had to be half as likely as the best; in 0.503
by the best one alone. What is surely stated stands alone.
"""
_LEAST: Final = 0.25
"""A further unit is told only if it is so likely beside the best one.

On `choose` (236 answers) what is told has all words that answer in 0.648 with 0, 0.2 and 0.35, and
something else beside the best place in 0.43, 0.42 and 0.34; with 0.5 it has them in 0.631.
"""
_COMPETING = 30
"""Units among which the right one is looked for."""
_WHOLE_LIST: Final = 0.4
"""A list is told whole if it is so likely beside its best item: then a procedure is asked for.

Of 404 questions of the labels (learn; 144 about procedures) it was for 12: of 5 more of the answer
is told, of none less. With 0.3 it was for 21 and 6.
"""
_UNITS_OF_PAGE = 20
_OF_BEST, _OF_THERE, _OF_STEPS = 0.65, 0.45, 0.2
_SURELY_NOT = 0.001


@dataclass(frozen=True, slots=True)
class ChosenUnit:
    """A unit with the page it is on. likely: relative to the best one, which has 1."""

    page: Evidence
    unit: ReadUnit
    likely: float


def chosen_units(pages: Sequence[Evidence], most: int = MOST_UNITS) -> list[ChosenUnit]:
    """Return the units that answer, best first; empty if nothing was read.

    A question that names two manuals gets the best unit of each. What a manual of
    another product also says, or a page in another language, is not part of the answer.
    """
    ranked = _competing(pages)
    among = sum(math.exp(unit.score - ranked[0][0].score) for unit, _ in ranked)
    named = {page.document_id for page in pages if page.named}
    chosen: list[ChosenUnit] = []
    covered = ENOUGH if ranked and ranked[0][1].chance >= SURELY_STATED else 0.0
    for best, page in ranked:
        likely = math.exp(best.score - ranked[0][0].score)
        unit = best if chosen else _whole_list(best, page)
        if any(_says_the_same(unit, page, other) for other in chosen):
            covered += likely / among
            continue
        told = {each.page.document_id for each in chosen}
        compared = len(named) > 1 and page.document_id in named - told
        further = not chosen or (len(chosen) < most and covered < ENOUGH and likely >= _LEAST)
        further = further and may_stand_beside(page, ranked[0][1])
        if chosen and further:  # the name of the product on a cover has no word of its own
            asked = set().union(*page.asked.groups) if page.asked is not None else set()
            further = not index_term_set(unit.unit.text) <= asked
        if compared or further:
            chosen.append(ChosenUnit(page, unit, likely))
            covered += likely / among
    return _asked_code_first(chosen)


def _competing(pages: Sequence[Evidence]) -> list[tuple[ReadUnit, Evidence]]:
    """Return the units among which the right one is looked for, best first."""
    ranked = sorted(
        ((unit, page) for page in pages for unit in page.units[:_UNITS_OF_PAGE]),
        key=lambda pair: -pair[0].score,
    )[:_COMPETING]
    if ranked:
        first, question = ranked[0][0], ranked[0][1].asked
        ranked = [pair for pair in ranked if not _is_other_entry(pair[0], first, question)]
    return ranked


def share_told(pages: Sequence[Evidence], told: Callable[[Evidence, Quote], bool]) -> float:
    """Return how likely the right unit is among those that are told, if there is one, 0 to 1."""
    competing = _competing(pages)
    # what a page says in another language is a translation of it
    ranked = [pair for pair in competing if _in_one_language(pair[1], competing[0][1])]
    likely = [math.exp(unit.score - ranked[0][0].score) for unit, _ in ranked]
    of_told = (
        each for each, (unit, page) in zip(likely, ranked, strict=True) if told(page, unit.unit)
    )
    return sum(of_told) / sum(likely) if likely else 0.0


def sure_of(pages: Sequence[Evidence], told: Callable[[Evidence, Quote], bool]) -> float:
    """Return how likely what is told answers.

    The mean of two estimates: that the best unit answers, and that there is an answer and it is
    told. A step, its list, and a sentence of a paragraph compete with each other, and all are told.
    On `choose` (959 answers, 0.59 of which tell all words that answer) the curve has 0.770 below
    it, with the first estimate 0.752 and the second 0.764; the Brier score is 0.190, 0.203, 0.197.
    """
    return (pages[0].chance + pages[0].there * share_told(pages, told)) / 2


def sure_of_steps(pages: Sequence[Evidence]) -> float:
    """Return how likely the place that is told says how to do what is asked.

    What tells it is spread over a section, and its sentences compete, so the chance of the best one
    is low. Fitted to 348 questions (`choose`, and 15 manuals of `learn`) that ask for steps; of 99
    on 17 other manuals, 52 of which were answered, the curve has 0.72 and 0.69 below it, with
    `sure_of` 0.72 and 0.66; the Brier score is 0.215 and 0.237 (0.229 and 0.235).
    """
    best, there = _log_odds(pages[0].chance), _log_odds(pages[0].there)
    return 1 / (1 + math.exp(-(_OF_BEST * best + _OF_THERE * there + _OF_STEPS)))


def _log_odds(chance: float) -> float:
    kept = min(max(chance, _SURELY_NOT), 1 - _SURELY_NOT)
    return math.log(kept / (1 - kept))


def _asked_code_first(chosen: Sequence[ChosenUnit]) -> list[ChosenUnit]:
    """Return the units in their order, but what tells of an asked code before its siblings.

    Where the F-70L is asked for and told, the F-70H does not come first.
    """
    question = chosen[0].page.asked if chosen else None
    asked = {code.casefold() for code in codes_of(question.text)} if question else set()
    told = [{code.casefold() for code in codes_of(each.unit.unit.text)} for each in chosen]
    order = list(range(len(chosen)))
    for code in asked:
        having = next((at for at in order if code in told[at]), None)
        siblings = [at for at in order if _tells_sibling(code, told[at], asked)]
        if having is not None and siblings and order.index(siblings[0]) < order.index(having):
            order.remove(having)
            order.insert(order.index(siblings[0]), having)
    return [chosen[at] for at in order]


def _tells_sibling(code: str, told: Set[str], asked: Set[str]) -> bool:
    """Whether codes that are told have a sibling of one instead of it, which is not asked for."""
    return code not in told and any(is_sibling(code, each) for each in told - asked)


def _is_other_entry(unit: ReadUnit, best: ReadUnit, asked: Question | None) -> bool:
    """Whether a unit is the row of another entry than the one that is asked for, which is told.

    Where E03 is asked for and told, the rows of E06 and E08 answer nothing: their cells of that
    column look like its own, and the question does not have them.
    """
    if asked is None or unit.unit.kind != "row" or best.unit.kind != "row":
        return False
    terms = frozenset().union(*asked.groups)
    cells, keys = (each.unit.text.split(CELL_SEPARATOR) for each in (unit, best))
    return len(cells) == len(keys) and any(
        "#" in shape_of(key)
        and shape_of(cell) == shape_of(key)
        and _stands_in(terms, key)
        and not _stands_in(terms, cell)
        for cell, key in zip(cells, keys, strict=True)
    )


def _stands_in(asked: frozenset[str], text: str) -> bool:
    """Whether every word of a text is asked for."""
    words = query_terms(text)
    return bool(words) and all(not asked.isdisjoint(group) for group in words)


def chosen_of_parts(
    parts: Sequence[Sequence[Evidence]], whole: Sequence[Evidence]
) -> list[ChosenUnit]:
    """Return the best unit of each part of a question, then what is about as likely.

    That is what else answers a part, and then the question as a whole, all of one product, in one
    language, unless the question names other manuals. parts: the pages as they were read for
    each part.
    """
    of_parts = [chosen_units(pages, most=2) for pages in parts]
    others = [unit for units in of_parts for unit in units[1:]]
    of_whole = chosen_units(whole)
    asked = whole[0].asked if whole else None
    chosen: list[ChosenUnit] = []
    for further, most in (
        ([unit for units in of_parts for unit in units[:1]], len(parts)),
        (sorted(others, key=lambda unit: -unit.likely), MOST_UNITS + len(parts) - 1),
        (of_whole, MOST_UNITS),
    ):
        for each in further:
            told = any(
                _says_the_same(each.unit, each.page, other)
                or _is_other_entry(each.unit, other.unit, asked)
                for other in chosen
            )
            best = (of_whole or [each])[0].page
            belongs = (
                len(chosen) < len(parts)  # each part is told, in whatever language
                or may_stand_beside(each.page, best)
                or (each.page.named and each.page.document_id != best.document_id)
            )
            if len(chosen) < most and belongs and not told:
                chosen.append(each)
    return _asked_code_first(chosen)


def _whole_list(unit: ReadUnit, page: Evidence) -> ReadUnit:
    """Return the list that a unit is an item of, if that is likely to answer as well."""
    own = set(unit.unit.indices)
    lists = (each for each in page.units if each.unit.kind == LIST)
    whole = next((each for each in lists if own < set(each.unit.indices)), unit)
    likely = math.exp(whole.score - unit.score)
    return whole if likely >= _WHOLE_LIST and not unit.unit.parts else unit


def may_stand_beside(page: Evidence, best: Evidence) -> bool:
    """Whether what a page says may be told beside the best place: of one product, in its language.

    A page whose language is not known may.
    """
    return _in_one_language(page, best) and one_product(page, best)


def _in_one_language(page: Evidence, best: Evidence) -> bool:
    return not (page.language and best.language) or page.language == best.language


def one_product(page: Evidence, other: Evidence) -> bool:
    """Whether two pages are of one manual, or of manuals of one product."""
    if page.document_id == other.document_id:
        return True
    first, second = (Product.named(product_name(each.title)) for each in (page, other))
    return first.same_as(second)


def _says_the_same(unit: ReadUnit, page: Evidence, other: ChosenUnit) -> bool:
    """Whether a unit's words are told already, there or elsewhere."""
    own, told = unit.unit, other.unit.unit
    if (page.document_id, page.page) == (other.page.document_id, other.page.page):
        return not set(own.indices).isdisjoint(told.indices) or own.text == told.text
    return (
        own.text.casefold() in told.text.casefold() or told.text.casefold() in own.text.casefold()
    )
