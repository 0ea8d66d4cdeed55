"""Why the reader ordered and trusted a unit as it did, in words for the trace.

What an observation contributes to a score is what the score loses without it: the observations of
one reason are replaced by what the units of this question have on average, together, and the rest
stays (leave one out). So what is the same for all units explains nothing, and the contributions
need not add up to the score. Whether there is an answer is a logistic model: what an observation
contributes to it is its weight times how far it lies from the questions that it was learnt from,
exactly.

Every observation stands in one row of the tables below, with what is said where it is high and
where it is low. Whether that speaks for a unit or against it is what the reader learnt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from desktop.core.question.tokens import index_term_set, query_terms
from desktop.core.reader.observations import KINDS, OBSERVATIONS, heading_of
from desktop.core.reader.units import LIST, PASSAGE
from desktop.sentences import Sentence, said, template

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from desktop.core.question.query import Question
    from desktop.core.reader.quotes import Quote
    from desktop.core.reader.ranker import Observed, Ranker

MOST: Final = 5
"""So many reasons are told, the strongest first."""
_LEAST = 0.02  # of a score; less is nothing
_MOST_WORDS = 4
_LONGEST_HEADING = 80

FOR_UNIT: Final = template("speaks for this place: {reason}")
AGAINST_UNIT: Final = template("speaks against this place: {reason}")
FOR_ANSWER: Final = template("speaks for an answer: {reason}")
AGAINST_ANSWER: Final = template("speaks against an answer: {reason}")


@dataclass(frozen=True, slots=True)
class Reason:
    """Observations that say the same, the telling one first; what is said if it is high, or low.

    Braces hold what `_details` knows; where it knows nothing, the reason is not told.
    """

    observations: tuple[str, ...]
    high: str
    low: str


UNIT_REASONS: Final = (
    Reason(
        (
            *("late", "late_own", "about", "cosine"),
            *("late_below_best", "own_below_best", "cosine_below_best"),
        ),
        template("its meaning is closer to the question than that of most other places"),
        template("its meaning is further from the question than that of most other places"),
    ),
    Reason(
        ("late_hardest", "lacks_most", "lacks"),
        template("it covers every part of the question"),
        template("other places cover a part of the question better"),
    ),
    Reason(
        ("late_heading", "words_heading"),
        template("its heading “{heading}” matches the question"),
        template("its heading “{heading}” matches the question less than others"),
    ),
    Reason(
        ("words", "words_below_best"),
        template("it shares the words {words} with the question"),
        template("it shares fewer words with the question than other places"),
    ),
    Reason(
        ("codes", "has_codes"),
        template("it shares the code {codes} with the question"),
        template("it lacks the code {codes_lacking}"),
    ),
    Reason(
        ("words_beside", "words_page", "late_of_page"),
        template("the text around it is about the question too"),
        template("the text around it is less about the question"),
    ),
    Reason(
        ("window", "window_below_best"),
        template("the paragraphs that it is in are close to the question in meaning"),
        template("the paragraphs that it is in are less close to the question in meaning"),
    ),
    Reason(
        ("page_place", "page"),
        template("the search put its page near the front"),
        template("the search put its page further back"),
    ),
    Reason(
        ("new",),
        template("it says much that the question does not"),
        template("it says little beyond the words of the question"),
    ),
    Reason(("number",), template("it states a number"), template("it states no number")),
    Reason(("question_mark",), template("it is a question itself"), template("it is no question")),
    Reason(
        ("colon",),
        template("it ends with a colon and announces what follows"),
        template("it does not merely announce what follows"),
    ),
    Reason(("length",), template("it is longer than most"), template("it is shorter than most")),
    Reason(
        ("height",), template("it stands low on its page"), template("it stands high on its page")
    ),
    Reason(KINDS, template("it is {kind}"), template("it is {kind}")),
)

RERANKED: Final = Reason(
    ("reranked",),
    template("read together with the question, it answers it better than other places"),
    template("read together with the question, it answers it less well than other places"),
)

SAME_FOR_ALL: Final = frozenset({"words_absent", "asked_length"})
"""Observations that all units of a question share: they cannot tell why one of them is best."""

THERE_REASONS: Final = (
    Reason(
        ("ahead", "best", "spread"),
        template("one place stands out from all others"),
        template("no place stands out from the others"),
    ),
    Reason(
        ("reranked", "reranked_highest"),
        template("read together with the question, the best place answers it"),
        template("read together with the question, not even the best place answers it"),
    ),
    Reason(
        ("late", "late_own", "cosine"),
        template("the best place is close to the question in meaning"),
        template("even the best place is not close to the question in meaning"),
    ),
    Reason(
        ("least_met", "late_hardest"),
        template("the best place covers every part of the question"),
        template("the best place has nothing like some part of the question"),
    ),
    Reason(
        ("met_anywhere",),
        template("the pages cover every part of the question"),
        template("no page has anything like some part of the question"),
    ),
    Reason(
        ("window",),
        template("the paragraphs around the best place are close to the question in meaning"),
        template("the paragraphs around the best place are not close to the question in meaning"),
    ),
    Reason(
        ("words",),
        template("the best place shares the words {words} with the question"),
        template("the best place has few words of the question"),
    ),
    Reason(
        ("words_absent",),
        template("no page that was found has the words {absent}"),
        template("every word of the question stands on the pages that were found"),
    ),
    Reason(
        ("lacks_most", "lacks"),
        template("other places cover a part of the question better than the best one"),
        template("no other place covers a part of the question better"),
    ),
    Reason(
        ("codes_missing",),
        template("the best place lacks the code {codes_lacking}"),
        template("the best place lacks no code of the question"),
    ),
    Reason(("asked_length",), template("the question is long"), template("the question is short")),
    Reason(
        ("page",),
        template("the search put the page of the best place first"),
        template("the search put the page of the best place further back"),
    ),
)

_KIND_NAMES: Final[Mapping[str, Sentence]] = {
    "paragraph": said("a sentence"),
    "row": said("a row of a table"),
    "item": said("a step or an item of a list"),
    LIST: said("a whole list"),
    PASSAGE: said("a whole paragraph"),
    "heading": said("a heading"),
    "caption": said("a caption"),
    "label": said("a label in a drawing"),
}


def unit_reasons(
    ranker: Ranker, observed: Observed, best: int, question: Question, *, with_model: bool
) -> tuple[Sentence, ...]:
    """Return what speaks most for and against a unit beside the others, strongest first."""
    compared = observed.read if observed.read[best] else ~observed.read
    values = np.nan_to_num(observed.values)
    usual, own = values[compared].mean(axis=0), values[best]
    rows = [own]
    for reason in UNIT_REASONS:
        row = own.copy()
        columns = [_place(name) for name in reason.observations]
        row[columns] = usual[columns]
        rows.append(row)
    scores = ranker.scores_of(np.array(rows), with_model=with_model)
    contributed = (scores[0] - scores[1:]).tolist()
    reasons = [*UNIT_REASONS]
    said_of_best = observed.reranked[best]
    if not np.isnan(said_of_best):
        beyond = float(said_of_best - np.nanmean(observed.reranked))
        reasons.append(RERANKED)
        contributed.append(float(ranker.rerank_weight) * beyond)

    def is_high(reason: Reason) -> bool:
        if reason is RERANKED:
            return bool(contributed[-1] > 0)
        lead = _place(reason.observations[0])
        return bool(own[lead] > usual[lead])

    details = _details(question, observed, best)
    found = zip(reasons, contributed, strict=True)
    return _told(found, is_high, details, FOR_UNIT, AGAINST_UNIT)


def there_reasons(
    observed: Observed,
    contributed: Mapping[str, float],
    above: Mapping[str, bool],
    best: int,
    question: Question,
) -> tuple[Sentence, ...]:
    """Return what speaks most for and against an answer being there at all, strongest first.

    contributed: to the logarithm of the odds, by observation of the list. above: whether each is
    higher than it usually is. best: the unit that the chance is for.
    """
    found = (
        (reason, sum(contributed[name] for name in reason.observations)) for reason in THERE_REASONS
    )
    details = _details(question, observed, best)

    def is_high(reason: Reason) -> bool:
        return above[reason.observations[0]]

    return _told(found, is_high, details, FOR_ANSWER, AGAINST_ANSWER)


def _told(
    found: Iterable[tuple[Reason, float]],
    is_high: Callable[[Reason], bool],
    details: Mapping[str, str],
    speaks_for: str,
    speaks_against: str,
) -> tuple[Sentence, ...]:
    told: list[Sentence] = []
    for reason, much in sorted(found, key=lambda pair: -abs(pair[1])):
        pattern = reason.high if is_high(reason) else reason.low
        needed = {name: text for name, text in details.items() if f"{{{name}}}" in pattern}
        if abs(much) < _LEAST or not all(needed.values()) or len(told) == MOST:
            continue
        told.append(
            said(speaks_for if much > 0 else speaks_against, reason=said(pattern, **needed))
        )
    return tuple(told)


def _details(question: Question, observed: Observed, best: int) -> dict[str, str]:
    """Return what stands in the braces of reasons, "" where there is nothing to name."""
    unit: Quote = observed.units[best].unit
    own = index_term_set(unit.text)
    own_or_above = own | index_term_set(unit.context)
    anywhere = frozenset[str]().union(
        *(index_term_set(each.unit.text) for each in observed.units),
        *(index_term_set(each.unit.context) for each in observed.units),
    )
    words = [word.strip("?.,;:!()\"'“”„") for word in question.text.split()]
    asked = [(word, query_terms(word)) for word in dict.fromkeys(words)]
    named = [(word, groups) for word, groups in asked if groups]

    def those(stand: Callable[[Sequence[tuple[str, ...]]], bool]) -> list[str]:
        return [word for word, groups in named if stand(groups)]

    def is_in(terms: frozenset[str]) -> Callable[[Sequence[tuple[str, ...]]], bool]:
        return lambda groups: all(not terms.isdisjoint(group) for group in groups)

    codes = {word for word, _ in named if any(c.isdigit() for c in word)}
    there = those(is_in(own_or_above))
    return {
        "heading": heading_of(unit)[-_LONGEST_HEADING:].strip(),
        "words": _listed([word for word in those(is_in(own)) if word not in codes]),
        "absent": _listed([word for word, _ in named if word not in those(is_in(anywhere))]),
        "codes": _listed([word for word in there if word in codes]),
        "codes_lacking": _listed([word for word in codes if word not in there]),
        "kind": _KIND_NAMES.get(unit.kind, ""),
    }


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:_MOST_WORDS])


def _place(name: str) -> int:
    return OBSERVATIONS.index(name)
