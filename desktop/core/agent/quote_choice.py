"""Which of a page's quotes make the answer: one sentence, two, a list, all steps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop.core.agent.first_quote import first_quote, opened_by_code
from desktop.core.agent.listed_quotes import (
    announced_items,
    is_remedy,
    is_term,
    items_after,
    lead_in,
    numbered_rows,
    numbered_steps,
    remedies_after,
    rest_of_paragraph,
    states_problem,
    value_of_item,
    value_of_section,
)
from desktop.core.retrieval.answer_signs import (
    forbids,
    is_line_of_contents,
    is_printed_question,
)
from desktop.core.retrieval.answer_wording import asks_remedy, tells_remedy, tells_what_to_do
from desktop.core.retrieval.drawn_procedures import with_drawn_procedure
from desktop.core.retrieval.grounding import STEP
from desktop.core.retrieval.linear import chances
from desktop.core.retrieval.quote_ranking import covered_groups
from desktop.core.retrieval.tokens import index_term_set
from desktop.core.structure.units import without_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.geometry import Box
    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.question import Question
    from desktop.core.retrieval.quote_ranking import RankedQuote

MOST_QUOTES = 3
"""So many single quotes make an answer at most; a list has its own limit."""
# A second quote must add this share of what was asked and be nearly as good as the first.
_ADDS = 0.12
_NEARLY = 0.55
# Scores of quotes are chances over about so many.
_COMPARED = 12
# A further quote is said from this chance on that it is the right one. Chosen on half of the
# manuals: at lower ones each further hit costs more sentences, and marks hide one another.
_LIKELY = 0.12
# One with a number or code, which is what people come for, is said from a lower chance on.
_WITH_VALUE_AMONG = 4
_LIKELY_VALUE = 0.09


@dataclass(frozen=True, slots=True)
class ChosenQuotes:
    """What to say of a page, in this order.

    listed: whether they are the parts of a list or procedure. heading: where the heading or
    printed question stands that led to them; empty if none did.
    """

    quotes: tuple[RankedQuote, ...]
    listed: bool = False
    heading: tuple[Box, ...] = ()


def chosen_quotes(
    question: Question,
    evidence: Evidence,
    ranked: Sequence[RankedQuote],
    most: int = MOST_QUOTES,
) -> ChosenQuotes:
    """Return the quotes of a page that make the answer. most: of single quotes."""
    by_position = sorted(ranked, key=lambda item: item.position)
    best = first_quote(question, evidence, ranked)
    if question.procedure:
        steps = numbered_steps(by_position, best)
        if steps:
            return ChosenQuotes((*lead_in(steps[0], by_position), *steps), listed=True)
    drawn = with_drawn_procedure(question, evidence, ranked)
    if drawn[0].quote is not ranked[0].quote:
        ranked, best = drawn, drawn[0]
    below = by_position[best.position + 1 :]
    if is_printed_question(best.quote.text) and below and below[0].quote.kind != "heading":
        return _answer_below(best, below[0], by_position, most)
    remedies = _remedies(question, best, by_position)
    if remedies is not None:
        return remedies
    heading: tuple[Box, ...] = ()
    if best.quote.kind == "heading" and not question.place:
        heading = best.quote.boxes
        best = next((item for item in below if item.quote.kind != "heading"), best)
    listed = _list_opened_by(question, best, by_position)
    if listed is not None:
        return replace(listed, heading=heading)
    way = _way(question, best, by_position)
    added = numbered_rows(question, ranked, best) or [
        *way,
        *value_of_item(question, best, by_position),
        *value_of_section(question, best, by_position),
    ]
    if not added and question.several:
        added = _addition(question, evidence, ranked, best)
    others = [item for item in _likely_others(question, ranked, best) if item not in added]
    others = [row for item in others for row in (item, *numbered_rows(question, ranked, item))]
    others = without_repeats((best, *added), _of_its_code(question, best, others))
    if question.asks_forbidden and forbids(best.quote.text):
        added, others = _forbidden_too(added), _forbidden_too(others)
    said = (best, *added, *others)[: max(1, most, 1 + len(way))]
    return ChosenQuotes(said, listed=bool(way), heading=heading)


def _of_its_code(
    question: Question, best: RankedQuote, others: Sequence[RankedQuote]
) -> Sequence[RankedQuote]:
    """Leave out the rows of other codes, where the best one is that of a code that is asked for."""
    if best.quote.kind != "row" or not opened_by_code(question, best):
        return others
    return [
        item
        for item in others
        if item.quote.context != best.quote.context or opened_by_code(question, item)
    ]


def _remedies(
    question: Question, best: RankedQuote, by_position: Sequence[RankedQuote]
) -> ChosenQuotes | None:
    """Return what helps against what the best quote states, None if it states no problem."""
    if is_remedy(best):
        return ChosenQuotes((best, *rest_of_paragraph(best, by_position)), listed=True)
    remedies = remedies_after(best, by_position)
    if remedies and states_problem(best):
        return ChosenQuotes(remedies, listed=True, heading=best.quote.boxes)
    if remedies and asks_remedy(question):
        return ChosenQuotes((best, *remedies), listed=True)
    return None


def _list_opened_by(
    question: Question, best: RankedQuote, by_position: Sequence[RankedQuote]
) -> ChosenQuotes | None:
    """Return the best quote with what it opens: a list, a term's explanation."""
    if best.quote.text.rstrip().endswith(":"):
        items = items_after(best, by_position)
        return ChosenQuotes((best, *items), listed=len(items) > 1)
    announced = announced_items(best, by_position) if not question.place else ()
    if announced:
        return ChosenQuotes((best, *announced), listed=True)
    if is_term(best, by_position):
        return ChosenQuotes((best, by_position[best.position + 1]), listed=True)
    return None


def _way(
    question: Question, best: RankedQuote, by_position: Sequence[RankedQuote]
) -> tuple[RankedQuote, ...]:
    """Return how a way to do it goes on that the best quote begins with."""
    way = question.procedure and tells_what_to_do(best.quote.text)
    if not way and not tells_remedy(question, best.quote.text):
        return ()
    return rest_of_paragraph(best, by_position)


def without_repeats(
    said: Sequence[RankedQuote], others: Sequence[RankedQuote]
) -> list[RankedQuote]:
    """Return the quotes that have a word no quote before them has: manuals repeat themselves."""
    told = [_told_terms(item) for item in said]
    kept = []
    for item in others:
        own = index_term_set(item.quote.text)
        if not any(own <= before for before in told):
            kept.append(item)
            told.append(_told_terms(item))
    return kept


def _told_terms(item: RankedQuote) -> frozenset[str]:
    """Return the terms of what is said of a quote; a drawing is told by its caption."""
    caption = item.quote.context if item.quote.kind == "label" else ""
    return index_term_set(f"{caption} {item.quote.text}")


def _answer_below(
    printed: RankedQuote, first: RankedQuote, by_position: Sequence[RankedQuote], most: int
) -> ChosenQuotes:
    """Return what stands below a printed question, up to the next question or heading."""
    heading = printed.quote.boxes
    if first.quote.text.rstrip().endswith(":"):
        items = items_after(first, by_position)
        return ChosenQuotes((first, *items), listed=len(items) > 1, heading=heading)
    said = [first]
    for item in by_position[first.position + 1 : first.position + most]:
        if item.quote.kind in ("heading", "label") or is_printed_question(item.quote.text):
            break
        if item.quote.context != first.quote.context:
            break
        said.append(item)
    return ChosenQuotes(tuple(said), heading=heading)


def _forbidden_too(items: Sequence[RankedQuote]) -> list[RankedQuote]:
    return [item for item in items if forbids(item.quote.text)]


def _likely_others(
    question: Question, ranked: Sequence[RankedQuote], best: RankedQuote
) -> list[RankedQuote]:
    """Return what else of the first quotes may well be the answer, most likely first.

    Those that give a number or code come after, if they are less likely.
    """
    set_aside = ranked[0]  # the best itself, or what it was taken for: its twin, its heading
    chance_of = chances([item.score for item in ranked[:_COMPARED]])
    first = [
        (item, chance)
        for item, chance in zip(ranked[:_WITH_VALUE_AMONG], chance_of, strict=False)
        if item is not best and item is not set_aside and _tells(item)
    ]
    likely = [item for item, chance in first if chance >= _LIKELY]
    return likely + [
        item
        for item, chance in first
        if _LIKELY > chance >= _LIKELY_VALUE and _gives_value(question, item, best)
    ]


def _tells(item: RankedQuote) -> bool:
    """Whether a quote says something, and not where it is said."""
    return item.quote.kind not in ("heading", "label") and not is_line_of_contents(item.quote.text)


def _gives_value(question: Question, item: RankedQuote, best: RankedQuote) -> bool:
    """Whether a quote gives a number or code, and all codes of the question that the best has."""
    codes = [any(c.isdigit() for c in group[0]) for group in question.groups]
    if any(
        code and before and not here
        for code, before, here in zip(codes, best.covered, item.covered, strict=True)
    ):
        return False
    text = STEP.sub("", item.quote.text, count=1)
    return any(character.isdigit() for character in text)


def _addition(
    question: Question, evidence: Evidence, ranked: Sequence[RankedQuote], best: RankedQuote
) -> list[RankedQuote]:
    """Return one more quote of the page if it says what the best one leaves unsaid.

    What stands in their headings counts: the same command for the bed and for the hot end.
    """
    weights = evidence.term_weights or (1.0,) * len(question.groups)
    total = sum(weights) or 1.0
    before = _covered_in_full(question, best)
    for item in ranked:
        if item.score < _NEARLY * ranked[0].score:
            break
        if item is best or (best is not ranked[0] and item is ranked[0]):
            continue  # said already, or set aside for its twin
        new = sum(
            weight
            for weight, here, told in zip(
                weights, _covered_in_full(question, item), before, strict=True
            )
            if here and not told
        )
        if new / total >= _ADDS and _tells(item):
            return [item]
    return []


def _covered_in_full(question: Question, item: RankedQuote) -> tuple[bool, ...]:
    sections = without_title(item.quote.context)
    return covered_groups(question, index_term_set(f"{sections} {item.quote.text}"))
