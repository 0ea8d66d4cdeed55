"""Why the reader ordered and trusted a unit as it did, in words for the trace.

What an observation contributes to a score is what the score loses without it: the
observations of one reason are replaced by what the units of this question have on
average, together, and the rest stays (leave one out). So what is the same for all units
explains nothing, and the contributions need not add up to the score. Whether there is
an answer is a logistic model: what an observation contributes to it is its weight times
its distance from the questions the model was learnt from, exactly.

Every observation has one row in the tables below, with what is said when it is high and
when it is low. Whether that speaks for or against a unit is what the reader has learnt.
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

FOR_UNIT: Final = template("For: {reason}")
AGAINST_UNIT: Final = template("Against: {reason}")
FOR_ANSWER: Final = template("For an answer: {reason}")
AGAINST_ANSWER: Final = template("Against an answer: {reason}")


@dataclass(frozen=True, slots=True)
class Reason:
    """Observations that say the same, the most telling first; what is said if high, or low.

    Braces hold what `_details` knows; where it knows nothing, the reason is left out.
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
        template("closer in meaning than most"),
        template("further in meaning than most"),
    ),
    Reason(
        ("late_hardest", "lacks_most", "lacks"),
        template("covers every part of the question"),
        template("others cover part of the question better"),
    ),
    Reason(
        ("late_heading", "words_heading"),
        template("heading “{heading}” matches"),
        template("heading “{heading}” matches less than others"),
    ),
    Reason(
        ("words", "words_below_best"),
        template("has the words {words}"),
        template("has fewer words of the question than others"),
    ),
    Reason(
        ("codes", "has_codes"),
        template("has the code {codes}"),
        template("lacks the code {codes_lacking}"),
    ),
    Reason(
        ("words_beside", "words_page", "late_of_page"),
        template("text around it fits the question"),
        template("text around it fits the question less"),
    ),
    Reason(
        ("window", "window_below_best"),
        template("its paragraphs are close in meaning"),
        template("its paragraphs are less close in meaning"),
    ),
    Reason(
        ("page_place", "page"),
        template("page is high in the search results"),
        template("page is lower in the search results"),
    ),
    Reason(
        ("new",),
        template("says much beyond the question"),
        template("says little beyond the question"),
    ),
    Reason(("number",), template("has a number"), template("has no number")),
    Reason(("question_mark",), template("is itself a question"), template("is not a question")),
    Reason(
        ("colon",),
        template("ends with a colon: only introduces what follows"),
        template("does not only introduce what follows"),
    ),
    Reason(("length",), template("longer than most"), template("shorter than most")),
    Reason(
        ("height",),
        template("near the foot of the page"),
        template("near the top of the page"),
    ),
    Reason(KINDS, template("is {kind}"), template("is {kind}")),
)

RERANKED: Final = Reason(
    ("reranked",),
    template("read with the question, answers better than others"),
    template("read with the question, answers less well than others"),
)

THERE_REASONS: Final = (
    Reason(
        ("ahead", "best", "spread"),
        template("one passage stands out"),
        template("no passage stands out"),
    ),
    Reason(
        ("reranked", "reranked_highest"),
        template("read with the question, the best passage answers it"),
        template("read with the question, not even the best passage answers it"),
    ),
    Reason(
        ("late", "late_own", "cosine"),
        template("the best passage is close in meaning"),
        template("even the best passage is not close in meaning"),
    ),
    Reason(
        ("least_met", "late_hardest"),
        template("the best passage covers every part of the question"),
        template("the best passage has nothing on part of the question"),
    ),
    Reason(
        ("met_anywhere",),
        template("the pages cover every part of the question"),
        template("no page has anything on part of the question"),
    ),
    Reason(
        ("window",),
        template("the paragraphs around the best passage are close in meaning"),
        template("the paragraphs around the best passage are not close in meaning"),
    ),
    Reason(
        ("words",),
        template("the best passage has the words {words}"),
        template("the best passage has few of the question's words"),
    ),
    Reason(
        ("words_absent",),
        template("no page found has the words {absent}"),
        template("the pages found have every word of the question"),
    ),
    Reason(
        ("lacks_most", "lacks"),
        template("others cover part of the question better than the best passage"),
        template("no other passage covers any part better"),
    ),
    Reason(
        ("codes_missing",),
        template("the best passage lacks the code {codes_lacking}"),
        template("the best passage has every code of the question"),
    ),
    Reason(("asked_length",), template("the question is long"), template("the question is short")),
    Reason(
        ("page",),
        template("the page of the best passage is high in the search results"),
        template("the page of the best passage is lower in the search results"),
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
    """Return what speaks most for and against a unit beside other units, strongest first."""
    compared = observed.read if observed.read[best] else ~observed.read
    values = np.nan_to_num(observed.values)
    usual, own = values[compared].mean(axis=0), values[best]
    rows = [own]
    for reason in UNIT_REASONS:
        row = own.copy()
        columns = list(map(OBSERVATIONS.index, reason.observations))
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
        lead = OBSERVATIONS.index(reason.observations[0])
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
    """Return what fills the braces of reasons, "" where there is nothing to name."""
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

    codes = [word for word, _ in named if any(c.isdigit() for c in word)]
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
