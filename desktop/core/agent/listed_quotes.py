"""What belongs together on a page: the steps of a procedure, the items of a list, numbered rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.retrieval.answer_signs import asked_numbers, opens_with
from desktop.core.retrieval.asked_values import asked_kinds, shows_number, without_own_codes
from desktop.core.retrieval.grounding import STEP
from desktop.core.retrieval.tokens import index_term_set
from desktop.core.structure.blocks import starts_item
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.geometry import Box
    from desktop.core.retrieval.question import Question
    from desktop.core.retrieval.quote_ranking import RankedQuote

# After "...:" the lines that follow are the answer, up to this many.
_MOST_ITEMS = 10
_MOST_STEPS = 16
_LONGEST_TERM = 4  # words
# "Problem: ... Solution: ...", as lists of known faults are written.
_PROBLEM = re.compile(
    r"\W*(?:problem|symptom|error|fault|failure|issue|störung|fehler|fehlerbild)\s*\d*\s*:",
    re.IGNORECASE,
)
_REMEDY = re.compile(
    r"\W*(?:solutions?|remed(?:y|ies)|fix|work-?arounds?|causes?|reasons?|corrective action"
    r"|abhilfe|lösung|ursachen?|behebung|maßnahmen?)\s*\d*\s*:",
    re.IGNORECASE,
)
# "Three elements", not "three seconds".
_ANNOUNCES = re.compile(
    r"\b(?:the following|as follows|folgende\w*|(?:a couple of|several|a few|some|these|two|three"
    r"|four|five|six|einige|mehrere|diese|zwei|drei|vier|fünf)\s+(?:[\w-]+\s+){0,2}?"
    r"(?!(?:second|minute|hour|day|week|month|year|time|volt|amp|met(?:er|re)|sekunde|minute|stunde)"
    r"|tage|woche|monate|jahre)[a-zäöü-]{3,}(?:s|en)\b)",
    re.IGNORECASE,
)
_BETWEEN = 4  # quotes up to the first item
_LONGEST_ITEM = 4  # further sentences
_MOST_SENTENCES = 4
_LINE_GAP = 0.5  # of a line's height; paragraphs stand further apart
_LONGEST_PROBLEM = 6  # quotes up to the remedy
_MOST_REMEDIES = 6
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
    alike = [item for item in ranked if are_alike(best, item)]
    rows = (next((x for x in alike if opens_with(number, x.quote)), None) for number in wanted)
    return [row for row in rows if row is not None]


def announced_items(
    opening: RankedQuote, by_position: Sequence[RankedQuote]
) -> tuple[RankedQuote, ...]:
    """Return the list that a sentence without a colon announces: "you need to set a few things".

    A sentence or two may stand between.
    """
    if opening.quote.kind != "paragraph" or not _ANNOUNCES.search(opening.quote.text):
        return ()
    start = opening.position + 1
    for item in by_position[start : start + _BETWEEN]:
        if item.quote.context != opening.quote.context:
            return ()
        if item.quote.kind == "item":
            before = by_position[item.position - 1]
            listed = items_after(before, by_position)
            return tuple(listed) if len(listed) > 1 else ()
    return ()


def value_of_item(
    question: Question, opening: RankedQuote, by_position: Sequence[RankedQuote]
) -> tuple[RankedQuote, ...]:
    """Return the sentence of a list item that gives the value asked for, if its first does not.

    "timeout_ns - Watchdog timeout, in nanoseconds. ... It is 5,000,000 at load time."
    """
    wanted = question.wants_number or bool(asked_kinds(question.text))
    if opening.quote.kind != "item" or not wanted or _has_value(question, opening):
        return ()
    for item in by_position[opening.position + 1 : opening.position + 1 + _LONGEST_ITEM]:
        if not are_alike(opening, item) or starts_item(item.quote.text):
            return ()
        if _has_value(question, item):
            return (item,)
    return ()


def value_of_section(
    question: Question, best: RankedQuote, by_position: Sequence[RankedQuote]
) -> tuple[RankedQuote, ...]:
    """Return the line of a section that sets what its heading names, if a number is asked for.

    "MAX_PIPES: #define MAX_PIPES 64, the largest number of pipes."
    """
    name = best.quote.context.rpartition(CONTEXT_SEPARATOR)[2]
    named = index_term_set(name)
    is_code = any(not term.isalpha() and not term.isdigit() for term in named)
    if not question.wants_number or not is_code or _has_value(question, best):
        return ()
    return tuple(
        item
        for item in by_position
        if item.quote.context == best.quote.context
        and item.quote.kind != "heading"
        and named <= index_term_set(item.quote.text)
        and shows_number(without_own_codes(item.quote.text, f"{question.text} {name}"))
    )[:1]


def _has_value(question: Question, item: RankedQuote) -> bool:
    return shows_number(without_own_codes(item.quote.text, question.text))


def is_remedy(item: RankedQuote) -> bool:
    """Whether a quote opens with "Solution: ..."."""
    return _REMEDY.match(item.quote.text) is not None


def rest_of_paragraph(
    opening: RankedQuote, by_position: Sequence[RankedQuote]
) -> tuple[RankedQuote, ...]:
    """Return the sentences that follow in a quote's paragraph; none of a list's item."""
    said: list[RankedQuote] = []
    if opening.quote.kind != "paragraph":
        return ()
    last = opening
    for item in by_position[opening.position + 1 : opening.position + 1 + _MOST_SENTENCES]:
        goes_on = _is_next_line(last.quote.boxes[-1:], item.quote.boxes[:1])
        if not goes_on or not are_alike(opening, item):
            break
        said.append(item)
        last = item
    return tuple(said)


def _is_next_line(before: Sequence[Box], after: Sequence[Box]) -> bool:
    """Whether a sentence goes on in the line where one before it ends, or in the one below."""
    return any(
        one.y0 < other.y1 and other.y0 - one.y1 < _LINE_GAP * one.height
        for one, other in zip(before, after, strict=False)
    )


def states_problem(item: RankedQuote) -> bool:
    """Whether a quote opens an entry "Problem: ..."."""
    return _PROBLEM.match(item.quote.text) is not None


def remedies_after(
    problem: RankedQuote, by_position: Sequence[RankedQuote]
) -> tuple[RankedQuote, ...]:
    """Return the "Cause: ..., Solution: ..." that follow what is wrong, all they say; else ()."""
    said: list[RankedQuote] = []
    for distance, item in enumerate(by_position[problem.position + 1 :], 1):
        if item.quote.kind in ("heading", "label") or states_problem(item):
            break
        if said or is_remedy(item):
            said.append(item)
        elif distance >= _LONGEST_PROBLEM:
            break
    return tuple(said[:_MOST_REMEDIES])


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


def are_alike(one: RankedQuote, other: RankedQuote) -> bool:
    """Whether two quotes are rows of one table, items of one list, or prose of one section."""
    return one.quote.kind == other.quote.kind and one.quote.context == other.quote.context


def _goes_on(run: Sequence[RankedQuote], item: RankedQuote) -> bool:
    """Whether a quote continues the step before it."""
    before = run[-1]
    return (
        item.position == before.position + 1
        and before.quote.kind == "item"
        and are_alike(before, item)
    )


def _same_section(one: str, other: str) -> bool:
    """Whether two contexts are one section; a list's lead-in may follow in one of them."""
    return one.startswith(other) or other.startswith(one)
