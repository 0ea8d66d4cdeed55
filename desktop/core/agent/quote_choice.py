"""Which of a page's quotes make the answer: one sentence, two, a list, all steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.retrieval.grounding import STEP
from desktop.core.retrieval.tokens import index_term_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.question import Question
    from desktop.core.retrieval.quote_ranking import RankedQuote

# A second quote must add this share of what was asked and be nearly as good as the first.
_ADDS = 0.12
_NEARLY = 0.55
# A quote whose score is at most this much lower may as well be the answer.
_CLOSE = 0.12
# Two quotes that share this share of their words say the same of two things.
_TWIN = 0.35
_TWINS_AMONG = 8
# After "...:" the lines that follow are the answer, up to this many.
_MOST_ITEMS = 5
_MOST_STEPS = 12


def chosen_quotes(
    question: Question, evidence: Evidence, ranked: Sequence[RankedQuote]
) -> list[RankedQuote]:
    """Return the quotes of a page that make the answer, in the order to say them."""
    by_position = sorted(ranked, key=lambda item: item.position)
    best = _not_its_sibling(question, ranked)
    if question.procedure:
        steps = numbered_steps(by_position, best)
        if steps:
            return steps
    if best.quote.kind == "heading" and not question.place:
        best = next((q for q in by_position[best.position :] if q.quote.kind != "heading"), best)
    text = best.quote.text.rstrip()
    following = by_position[best.position + 1 : best.position + 2]
    if text.endswith("?") and following and following[0].quote.kind != "heading":
        return following
    if text.endswith(":"):
        return [best, *_items_after(best, by_position)]
    added = _addition(question, evidence, ranked, best) if question.several else []
    return [best, *(added or _close_second(ranked, best))]


def _not_its_sibling(question: Question, ranked: Sequence[RankedQuote]) -> RankedQuote:
    """Return the best quote, or its twin if that one speaks of what is asked.

    Manuals say the same of two things in the same words: internal and external battery,
    inlet and outlet. The twin that names the asked thing is right, whatever its score.
    """
    best = ranked[0]
    if best.quote.kind in ("heading", "label", "caption"):
        return best
    against = question.contradiction(best.quote.text)
    own = index_term_set(best.quote.text)
    for other in ranked[1:_TWINS_AMONG] if against else ():
        terms = index_term_set(other.quote.text)
        alike = len(own & terms) / max(1, len(own | terms))
        same_kind = other.quote.kind == best.quote.kind
        if same_kind and alike >= _TWIN and question.contradiction(other.quote.text) < against:
            return other
    return best


def _close_second(ranked: Sequence[RankedQuote], best: RankedQuote) -> list[RankedQuote]:
    """Return the next quote if it may as well be the answer."""
    set_aside = ranked[:1]  # the best itself, or the twin it was taken for
    return [
        item
        for item in ranked[:3]
        if item is not best
        and item not in set_aside
        and item.quote.kind not in ("heading", "label")
        and item.score >= ranked[0].score - _CLOSE
    ][:1]


def numbered_steps(by_position: Sequence[RankedQuote], best: RankedQuote) -> list[RankedQuote]:
    """Return the whole list of steps in the section of the best quote, [] if there is none."""
    runs: list[list[RankedQuote]] = []
    for item in by_position:
        match = STEP.match(item.quote.text)
        if match is None:
            continue
        number = int(match.group(1))
        if number == 1:
            runs.append([item])
        elif runs and number == len(runs[-1]) + 1:
            runs[-1].append(item)
    for run in runs:
        if len(run) > 1 and _same_section(run[0].quote.context, best.quote.context):
            return run[:_MOST_STEPS]
    return []


def _same_section(one: str, other: str) -> bool:
    """Whether two contexts are one section; a list's lead-in may follow in one of them."""
    return one.startswith(other) or other.startswith(one)


def _items_after(opening: RankedQuote, by_position: Sequence[RankedQuote]) -> list[RankedQuote]:
    """Return the lines an opening like "proceed as follows:" announces."""
    following = by_position[opening.position + 1 : opening.position + 1 + _MOST_ITEMS]
    items: list[RankedQuote] = []
    for item in following:
        if item.quote.kind == "heading" or (items and item.quote.kind != items[0].quote.kind):
            break
        items.append(item)
    return items


def _addition(
    question: Question, evidence: Evidence, ranked: Sequence[RankedQuote], best: RankedQuote
) -> list[RankedQuote]:
    """Return one more quote of the page if it says what the best one leaves unsaid."""
    weights = evidence.term_weights or (1.0,) * len(question.groups)
    total = sum(weights) or 1.0
    for item in ranked:
        if item.score < _NEARLY * ranked[0].score:
            break
        if item is best or (best is not ranked[0] and item is ranked[0]):
            continue  # said already, or set aside for its twin
        new = sum(
            weight
            for weight, here, before in zip(weights, item.covered, best.covered, strict=True)
            if here and not before
        )
        if new / total >= _ADDS and item.quote.kind not in ("heading", "label"):
            return [item]
    return []
