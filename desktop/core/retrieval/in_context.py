"""A question that has no sure answer by itself is read twice: also after the question before it.

"And for the right rear motor?" says what is asked, the question before says of what. One whose
words stand in another manual than the one that both readings lead to follows nothing up. Both
readings score the same units of the same pages, and the sum of the two scores counts. What answers
the earlier question alone is good by one reading only, and so is what has the words of the
follow-up on another subject. The more a question says by itself, the more its own reading weighs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from desktop.core.question.languages import language_in
from desktop.core.reader.reader import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.question.query import Question
    from desktop.core.reader.evidence import Evidence
    from desktop.core.reader.quotes import Quote
    from desktop.core.reader.reader import PageToRead, Reader
    from desktop.core.retrieval.routing import Preference

STANDS_ALONE: Final = 0.4
"""A question that has an answer as likely as this by itself is not read with the one before it.

On `choose` and `learn`, right page first: of 78 follow-ups 0.64 (0.67 if all are read with the one
before), of 100 questions after another one about the same manual 0.69 (0.64), of 100 after one
about another manual 0.62 (0.57). From 0.3 on: 0.62, 0.70, 0.62; from 0.5 on: 0.65, 0.66, 0.61.
"""
WORDS_THAT_STAND_ALONE: Final = 2.5
"""A question of so many meaningful words counts by itself as much as after the one before it.

On `choose` anything from 2 to 4 finds the same (20 follow-ups, 153 other questions).
"""
STAND_ELSEWHERE: Final = 0.15
"""By how much a manual lacks more of a question's words than another one, see `_lacks`.

Of questions with no sure answer by themselves (`learn` and `choose`, four manuals each time): after
one about another manual the right manual is first for 21 of 32 (17 if none stands alone), the right
page for 8 (6); of 24 follow-ups for 20 (20) and 14 (14), of 11 after one about the same manual for
10 (10) and 3 (3). Shorter questions, which are read with the one before, lost 2 follow-ups.
"""
SAYS_ALL: Final = 4
"""A question of more meaningful words than this is not read with the one before it."""
LIKELIER: Final = 1.2
"""So many times as likely must an answer be after the question before it.

With these two, and no question read with one in another language: on `choose` of 204 questions
after another one 10 are read with it (30 before), the right page is first for 101 (100); of 20
follow-ups 8 (9), and 10 (10). From 1.5 on: 9 and 102, and 7 and 10; but of 12 follow-ups on the
samples the right page is first for 8, not 9.
"""
PAGES_OF_EACH: Final = 8
"""First pages of each of the two searches that are read."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What the first stage gives the reader: the question, and pages, best first.

    behind: pages that are not read.
    """

    question: Question
    pages: tuple[PageToRead, ...]
    behind: tuple[Evidence, ...]
    preference: Preference


def may_follow(question: Question, before: str) -> bool:
    """Whether a question may lean on the one before it, as far as its words tell."""
    if len(question.groups) > SAYS_ALL:
        return False
    return len({language_in(question.text), language_in(before)} - {""}) < 2


def read_in_context(
    reader: Reader, alone: Retrieved, together: Retrieved, *, beyond: int
) -> tuple[Retrieved, Reading] | None:
    """Return the pages of both searches, and what both readings make of them.

    None unless the question has a likelier answer after the question before it than by
    itself, or if both lead to a manual without words of the question that stand in another one.

    alone: what the question finds by itself. together: what it finds with the question before it.
    beyond: pages of `alone` from here on were found by other searches, and are all read. The
    chance is that of the unit that both readings put first, as the question by itself tells it: of
    180 questions after another one about the same manual its calibration error is 0.065 (the surer
    of both: 0.084), after one about another manual 0.10 (0.21), of 37 follow-ups 0.09 (0.31).

    Raises: ModelError.
    """
    pages = {_place(page): page for page in together.pages[:PAGES_OF_EACH]}
    own_pages = (*alone.pages[:PAGES_OF_EACH], *alone.pages[max(beyond, PAGES_OF_EACH) :])
    pages |= {_place(page): page for page in own_pages}
    if not pages:
        return alone, Reading((), 0.0)
    places = list(pages)
    by_itself = _pages_for(alone, places, pages)
    both = reader.read(together.question, _pages_for(together, places, pages))
    own = reader.read(alone.question, by_itself)
    if LIKELIER * own.chance >= both.chance:
        return None
    reading = after(both, own, len(alone.question.groups) / WORDS_THAT_STAND_ALONE)
    read = zip(by_itself, reading.pages, strict=True)
    best = max(((u[0].score, page) for page, u in read if u), key=itemgetter(0), default=None)
    least = min((_lacks(page.evidence) for page in alone.pages), default=1.0)
    asked = alone.question
    stands_alone = len(asked.groups) > WORDS_THAT_STAND_ALONE or asked.codes_in(asked.groups)
    if stands_alone and best and _lacks(best[1].evidence) - least >= STAND_ELSEWHERE:
        return None
    return replace(alone, pages=tuple(by_itself), behind=()), reading


def _lacks(page: Evidence) -> float:
    """Return which share of the question's words no page of a manual has; rare ones count more.

    What is said of another code helps nobody: without a code of the question it lacks twice all.
    """
    if page.asked is None or not page.term_weights:
        return 1.0
    if page.asked.codes_in(page.absent):
        return 2.0
    return page.lacking


def after(together: Reading, alone: Reading, weight: float) -> Reading:
    """Return what both readings make of a question that follows another one.

    together: with the other one before it. alone: by itself. weight: of that, more the more the
    question says by itself.
    """
    reading = added(together, alone, weight)
    # what is asked before it has an answer of its own
    return replace(reading, chance=_chance_of_best(reading, alone), there=alone.there)


def _chance_of_best(reading: Reading, alone: Reading) -> float:
    """Return how likely the best unit of a reading answers, as the question by itself tells it.

    Scores are logarithms of chances, up to what all units of a reading share.
    """
    best = max((u for page in reading.pages for u in page), key=lambda u: u.score, default=None)
    if best is None:
        return alone.chance
    scores = {_key(unit.unit): unit.score for page in alone.pages for unit in page}
    return alone.chance * math.exp(scores[_key(best.unit)] - max(scores.values()))


def added(reading: Reading, other: Reading, weight: float) -> Reading:
    """Return a reading with another one of the same pages added to its scores, weighted."""
    pages = []
    for units, others in zip(reading.pages, other.pages, strict=True):
        scores = {_key(each.unit): each.score for each in others}
        summed = [replace(u, score=u.score + weight * scores[_key(u.unit)]) for u in units]
        pages.append(tuple(sorted(summed, key=lambda unit: -unit.score)))
    return replace(reading, pages=tuple(pages))


def _pages_for(
    retrieved: Retrieved,
    places: Sequence[tuple[int, int]],
    pages: dict[tuple[int, int], PageToRead],
) -> list[PageToRead]:
    """Return the pages as a question finds them; those that only the other one finds come last."""
    own = {_place(page): page for page in retrieved.pages}
    least = min((page.score for page in own.values()), default=0.0)
    weights = {page.evidence.document_id: page.evidence.term_weights for page in own.values()}
    absent = {page.evidence.document_id: page.evidence.absent for page in own.values()}
    unnamed = next((page.evidence.unnamed for page in own.values()), ())
    found = []
    for place in places:
        if place in own:
            found.append(own[place])
            continue
        page = pages[place]
        evidence = replace(
            page.evidence,
            term_weights=weights.get(page.evidence.document_id, ()),
            absent=absent.get(page.evidence.document_id, frozenset()),
            unnamed=unnamed,
            named=False,  # by the other question
            asked=retrieved.question,
        )
        found.append(replace(page, evidence=evidence, score=least, windows={}))
    return found


def _place(page: PageToRead) -> tuple[int, int]:
    return page.evidence.document_id, page.evidence.page


def _key(unit: Quote) -> tuple[str, object]:
    return unit.text, unit.boxes
