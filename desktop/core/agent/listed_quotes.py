"""What belongs together on a page: the steps of a procedure, the items of a list, numbered rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.retrieval.answer_signs import asked_numbers, opens_with
from desktop.core.retrieval.grounding import STEP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.retrieval.question import Question
    from desktop.core.retrieval.quote_ranking import RankedQuote

# After "...:" the lines that follow are the answer, up to this many.
_MOST_ITEMS = 10
_MOST_STEPS = 16
_LONGEST_TERM = 4  # words
_SENTENCE_ENDS = (".", "!", "?", ":", ";", ",")


def lead_in(first: RankedQuote, by_position: Sequence[RankedQuote]) -> list[RankedQuote]:
    """Return the sentence that announces a list's first part, [] if none does."""
    above = by_position[max(0, first.position - 1) : first.position]
    return [item for item in above if item.quote.text.rstrip().endswith(":")]


def numbered_steps(by_position: Sequence[RankedQuote], best: RankedQuote) -> list[RankedQuote]:
    """Return the whole list of steps in the section of the best quote, [] if there is none.

    What a step says in further sentences belongs to it.
    """
    runs: list[list[RankedQuote]] = []
    last = 0
    for item in by_position:
        match = STEP.match(item.quote.text)
        if match is None:
            if runs and _goes_on(runs[-1], item):
                runs[-1].append(item)
            continue
        number = int(match.group(1))
        if number == 1:
            runs.append([item])
        elif runs and number == last + 1:
            runs[-1].append(item)
        else:
            continue
        last = number
    for run in runs:
        steps = [item for item in run if STEP.match(item.quote.text)]
        if len(steps) > 1 and _same_section(run[0].quote.context, best.quote.context):
            return run[:_MOST_STEPS]
    return []


def items_after(opening: RankedQuote, by_position: Sequence[RankedQuote]) -> list[RankedQuote]:
    """Return the lines an opening like "proceed as follows:" announces."""
    following = by_position[opening.position + 1 : opening.position + 1 + _MOST_ITEMS]
    items: list[RankedQuote] = []
    for item in following:
        if item.quote.kind == "heading" or (items and item.quote.kind != items[0].quote.kind):
            break
        items.append(item)
    return items


def numbered_rows(
    question: Question, ranked: Sequence[RankedQuote], best: RankedQuote
) -> list[RankedQuote]:
    """Return the rows or items beside the best one that other numbers of the question open.

    "Pins 19 and 20" are two rows of one table.
    """
    wanted = [
        number for number in asked_numbers(question.text) if not opens_with(number, best.quote)
    ]
    if not wanted or len(wanted) == len(asked_numbers(question.text)):
        return []
    alike = [
        item
        for item in ranked
        if item.quote.kind == best.quote.kind and item.quote.context == best.quote.context
    ]
    rows = (next((x for x in alike if opens_with(number, x.quote)), None) for number in wanted)
    return [row for row in rows if row is not None]


def is_term(item: RankedQuote, by_position: Sequence[RankedQuote]) -> bool:
    """Whether a quote is a term that the paragraph below it explains: "-k --keep", "Mode 3".

    A command to be typed, "SET HEATER=1", is none: it says something itself.
    """
    quote, below = item.quote, by_position[item.position + 1 : item.position + 2]
    if quote.kind not in ("item", "paragraph") or quote.text.rstrip().endswith(_SENTENCE_ENDS):
        return False
    if "=" in quote.text:
        return False
    return len(quote.text.split()) <= _LONGEST_TERM and any(
        each.quote.kind == "paragraph"
        and each.quote.context == quote.context
        and len(each.quote.text.split()) > _LONGEST_TERM
        for each in below
    )


def _goes_on(run: Sequence[RankedQuote], item: RankedQuote) -> bool:
    """Whether a quote continues the step before it."""
    before = run[-1]
    return (
        item.position == before.position + 1
        and item.quote.kind == before.quote.kind == "item"
        and item.quote.context == before.quote.context
    )


def _same_section(one: str, other: str) -> bool:
    """Whether two contexts are one section; a list's lead-in may follow in one of them."""
    return one.startswith(other) or other.startswith(one)
