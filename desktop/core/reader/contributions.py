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

FOR_UNIT: Final = template("favours this passage: {reason}")
AGAINST_UNIT: Final = template("counts against this passage: {reason}")
FOR_ANSWER: Final = template("favours an answer: {reason}")
AGAINST_ANSWER: Final = template("counts against an answer: {reason}")


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
        template("its meaning is closer to the question than that of most other passages"),
        template("its meaning is further from the question than that of most other passages"),
    ),
    Reason(
        ("late_hardest", "lacks_most", "lacks"),
        template("it covers every part of the question"),
        template("other passages cover part of the question better"),
    ),
    Reason(
        ("late_heading", "words_heading"),
        template("its heading “{heading}” matches the question"),
        template("its heading “{heading}” matches the question less than others"),
    ),
    Reason(
        ("words", "words_below_best"),
        template("it shares the words {words} with the question"),
        template("it shares fewer words with the question than other passages"),
    ),
    Reason(
        ("codes", "has_codes"),
        template("it shares the code {codes} with the question"),
        template("it lacks the code {codes_lacking}"),
    ),
    Reason(
        ("words_beside", "words_page", "late_of_page"),
        template("the text around it also relates to the question"),
        template("the text around it relates less to the question"),
    ),
    Reason(
        ("window", "window_below_best"),
        template("the paragraphs it is in are close in meaning to the question"),
        template("the paragraphs it is in are less close in meaning to the question"),
    ),
    Reason(
        ("page_place", "page"),
        template("the search ranked its page near the top"),
        template("the search ranked its page lower"),
    ),
    Reason(
        ("new",),
        template("it says much that the question does not"),
        template("it says little beyond the words of the question"),
    ),
    Reason(("number",), template("it states a number"), template("it states no number")),
    Reason(
        ("question_mark",), template("it is itself a question"), template("it is not a question")
    ),
    Reason(
        ("colon",),
        template("it ends with a colon and introduces what follows"),
        template("it does not merely introduce what follows"),
    ),
    Reason(("length",), template("it is longer than most"), template("it is shorter than most")),
    Reason(
        ("height",),
        template("it is near the foot of its page"),
        template("it is near the top of its page"),
    ),
    Reason(KINDS, template("it is {kind}"), template("it is {kind}")),
)

RERANKED: Final = Reason(
    ("reranked",),
    template("read together with the question, it answers better than other passages"),
    template("read together with the question, it answers less well than other passages"),
)

THERE_REASONS: Final = (
    Reason(
        ("ahead", "best", "spread"),
        template("one passage stands out from all others"),
        template("no passage stands out from the others"),
    ),
    Reason(
        ("reranked", "reranked_highest"),
        template("read together with the question, the best passage answers it"),
        template("read together with the question, not even the best passage answers it"),
    ),
    Reason(
        ("late", "late_own", "cosine"),
        template("the best passage is close to the question in meaning"),
        template("even the best passage is not close to the question in meaning"),
    ),
    Reason(
        ("least_met", "late_hardest"),
        template("the best passage covers every part of the question"),
        template("part of the question has nothing like it in the best passage"),
    ),
    Reason(
        ("met_anywhere",),
        template("the pages cover every part of the question"),
        template("part of the question has nothing like it on any page"),
    ),
    Reason(
        ("window",),
        template("the paragraphs around the best passage are close to the question in meaning"),
        template("the paragraphs around the best passage are not close in meaning to the question"),
    ),
    Reason(
        ("words",),
        template("the best passage shares the words {words} with the question"),
        template("the best passage has few of the question's words"),
    ),
    Reason(
        ("words_absent",),
        template("no page found contains the words {absent}"),
        template("every word of the question is on the pages that were found"),
    ),
    Reason(
        ("lacks_most", "lacks"),
        template("other passages cover part of the question better than the best one"),
        template("no other passage covers any part of the question better"),
    ),
    Reason(
        ("codes_missing",),
        template("the best passage lacks the code {codes_lacking}"),
        template("the best passage lacks no code in the question"),
    ),
    Reason(("asked_length",), template("the question is long"), template("the question is short")),
    Reason(
        ("page",),
        template("the search ranked the page of the best passage first"),
        template("the search ranked the page of the best passage lower"),
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
