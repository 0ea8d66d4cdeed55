"""The reader: how likely each unit of the pages answers the question, and whether any does.

Regression trees order all units of the pages by named observations; the text model then reads the
best of them together with the question (`ranker.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from desktop.core.reader.contributions import there_reasons, unit_reasons
from desktop.core.reader.evidence import ReadUnit
from desktop.core.reader.observations import (
    UnitOnPage,
    observe_vectors,
    observe_words,
    of_other_sign,
    of_sibling,
    read_text,
)
from desktop.core.reader.ranker import RERANKED, Observed, Ranker
from desktop.core.reader.units import answer_units

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.question.query import Question
    from desktop.core.reader.evidence import Evidence
    from desktop.core.reader.quotes import Quote
    from desktop.models.roles import TextEmbedder

Floats = NDArray[np.float32]

_OTHER_LANGUAGE_PRIOR: Final = -3.0
"""Added to the scores of a page that is not in the question's language where others are.

A manual in English and in Spanish, made of two of `choose`: of 79 questions asked in the language
of their page the right page is first for 66 (56 without it and its weight in the first stage), and
of 89 answers none tells both languages (27 of 91).
"""

_LACKING_PRIOR: Final = -2.0
"""Added to the scores of a page, times what its manual lacks of the question's words.

On `choose` (298 questions, asked of their manual and three others) the right page is first in 0.711
with -2, in 0.708 with -1 and in 0.705 with -4; in 0.701 without it.
"""

_OTHER_VARIANT_PRIOR: Final = -3.0
"""Added to the scores of what is of "A-7" where "A7" is asked for: the text model reads both alike.

And to those of rows in a table of the TC3 where another one has the TC1 that is asked for: of 80
questions made of rows of two other manuals ("door switch of the BF51848A-1?") the row of the right
table is best for 77 (74 without); no question of `choose` has such tables.

Seen with a heat pump that nothing was learnt from, whose COP at -7 degrees was stated for 7. No
question of `choose` has such a point: that it carries is not shown.
"""

_TITLE_AHEAD: Final = 0.08
_TITLED_PRIOR: Final = 40.0
"""Times how much nearer a question comes to one title than to others, if it is this much: a prior.

What equipment is called in one language no page in another has: "Laborspülmaschine" for "Glassware
Washers". 73 questions of `choose` in another language than their manual, each with a word for its
equipment, asked of 18 manuals: the right manual is first in 0.74 (without this 0.68), the right
page in 0.48 (0.45); 160 others that name nothing: 0.71 and 0.54 either way.
"""

READ: Final = 24
"""So many units are read by the text model, those that other trees find most worth it.

Each costs a run of it. On `choose` (354 questions, asked end to end) the right page is first in
0.742 with 32, in 0.742 with 24 and in 0.754 with 16; the facts asked for are told in 0.743, 0.740
and 0.722; a question takes 0.88 and 0.84 of the time that it takes with 32.
"""


@dataclass(frozen=True, slots=True)
class PageToRead:
    """A page with its units and words.

    score: of the first stage. windows: cosine of the windows it has, by their text.
    """

    evidence: Evidence
    words: PageWords
    score: float = 0.0
    windows: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader makes of the pages of one question.

    pages: the units of each page, best first, in the order of the pages. chance: how likely the
    best unit of all answers the question, 0 to 1, calibrated. there: how likely the pages answer
    it at all, by whatever unit. why_best, why_there: what of the observations spoke most for and
    against that unit, and for and against there being an answer.
    """

    pages: tuple[tuple[ReadUnit, ...], ...]
    chance: float
    there: float = 0.0
    why_best: tuple[str, ...] = ()
    why_there: tuple[str, ...] = ()


class Reader:
    """Reads pages; may be used from any thread, as far as its text model may."""

    def __init__(self, embedder: TextEmbedder | None) -> None:
        self._embedder = embedder
        self._ranker: Ranker | None = None

    def read(self, question: Question, pages: Sequence[PageToRead]) -> Reading:
        """Score every unit of the pages. Raises: ModelError."""
        observed = self.observe(question, pages)
        if not observed.units:
            return Reading(tuple(() for _ in pages), 0.0)
        ranker = self._learnt()
        with_model = self._embedder is not None
        scores = ranker.scores(observed, with_model=with_model)
        observed = self.rerank(question, observed, scores)
        scores = ranker.reranked(observed, scores)
        on = [each.page for each in observed.units]
        priors = np.array([_prior(page) for page in pages], np.float32)
        priors += self._titled(question, pages)
        priors = priors[on]
        lacking = np.array([page.evidence.lacking for page in pages], np.float32)[on]
        other = of_other_sign(question, observed.units).any(axis=1)
        other |= of_sibling(question, observed.units)
        ranked = scores + priors + _LACKING_PRIOR * lacking + _OTHER_VARIANT_PRIOR * other
        by_page: list[list[ReadUnit]] = [[] for _ in pages]
        for each, score in zip(observed.units, ranked, strict=True):
            by_page[each.page].append(ReadUnit(each.unit, float(score)))
        for units in by_page:
            units.sort(key=lambda unit: -unit.score)
        # learnt within one manual, the chance must not rise by what a manual is known by: it is
        # that among the manuals that are asked for alike, whatever words they lack
        best = int(ranked.argmax())
        alike = priors == priors[best]
        within, of_these = observed.only(alike), scores[alike]
        seen = ranker.list_inputs(within, of_these, with_model=with_model)
        contributed, above = ranker.there_parts(seen, with_model=with_model)
        return Reading(
            tuple(map(tuple, by_page)),
            ranker.chance(seen, with_model=with_model),
            ranker.there(seen, with_model=with_model),
            unit_reasons(ranker, observed, best, question, with_model=with_model),
            there_reasons(within, contributed, above, int(of_these.argmax()), question),
        )

    def _learnt(self) -> Ranker:
        self._ranker = self._ranker or Ranker.load()
        return self._ranker

    def observe(self, question: Question, pages: Sequence[PageToRead]) -> Observed:
        """Return all that is observed of the units of the pages."""
        units = [each for place, page in enumerate(pages) for each in _placed(place, page)]
        alike = (1.0,) * len(question.groups)
        weights = [pages[each.page].evidence.term_weights or alike for each in units]
        values = observe_words(question, weights, units)
        read = np.zeros(len(units), bool)
        unknown = np.full(len(units), np.nan, np.float32)
        if self._embedder is None or not units:
            return Observed(units, values, read, values[:0, :0], unknown)
        first = _worth_reading(self._learnt().worth(values), units, READ)
        read[first] = True
        texts = [read_text(units[i].unit) for i in first]
        asked, *found = self._embedder.embed_tokens([question.wording, *(t for t, _ in texts)])
        spans = self._embedder.token_spans([t for t, _ in texts])
        own = [
            np.array([end > heading for _, end in span[: len(tokens)]], bool)
            for (_, heading), span, tokens in zip(texts, spans, found, strict=True)
        ]
        rows = values[first]
        read_units = list(zip(found, own, strict=True))
        met = observe_vectors(rows, asked, read_units, [units[i].page for i in first])
        values[first] = rows
        return Observed(units, values, read, met, unknown)

    def _titled(self, question: Question, pages: Sequence[PageToRead]) -> Floats:
        """Return what is added to each page's scores for the title of its manual."""
        titles = [page.evidence.known_as for page in pages]
        if self._embedder is None or len(set(titles)) < 2:
            return np.zeros(len(pages), np.float32)
        distinct = list(dict.fromkeys(titles))
        asked, *read = self._embedder.embed_tokens([question.wording, *distinct])
        near = np.array([(title @ asked.T).max(axis=1).mean() for title in read])
        second, best = np.sort(near)[-2:]
        if best - second < _TITLE_AHEAD:
            return np.zeros(len(pages), np.float32)
        nearest, prior = distinct[int(near.argmax())], _TITLED_PRIOR * (best - second)
        return np.array([prior * (title == nearest) for title in titles], np.float32)

    def rerank(self, question: Question, observed: Observed, scores: Floats) -> Observed:
        """Read the best units together with the question. scores: by which they are the best.

        Raises: ModelError.
        """
        read = np.flatnonzero(observed.read)
        if self._embedder is None or not len(read):
            return observed
        best = read[np.argsort(-scores[read], kind="stable")[:RERANKED]]
        texts = [read_text(observed.units[place].unit)[0] for place in best]
        answers = self._embedder.rerank(question.wording, texts)
        if answers is None:
            return observed
        reranked = observed.reranked.copy()
        reranked[best] = answers
        return replace(observed, reranked=reranked)


def _prior(page: PageToRead) -> float:
    return page.evidence.prior + _OTHER_LANGUAGE_PRIOR * page.evidence.other_language


def _placed(place: int, page: PageToRead) -> list[UnitOnPage]:
    """Return the units of a page that may answer; a table of contents leads to answers only."""
    if page.evidence.contents:
        return []
    height = float(page.words.boxes[:, 3].max()) if len(page.words) else 1.0
    floor = min(page.windows.values(), default=math.nan)
    lines = {line: near for text, near in page.windows.items() for line in text.split("\n")}
    units = answer_units(page.evidence.passages, page.words)
    return [
        UnitOnPage(
            unit,
            place,
            page.score,
            _window(unit, lines, floor),
            unit.boxes[0].y0 / max(height, 1.0),
            page.evidence.cover,
        )
        for unit in units
    ]


def _window(unit: Quote, lines: Mapping[str, float], floor: float) -> float:
    parts = unit.parts or (unit,)
    found = [lines[part.text] for part in parts if part.text in lines]
    if found:
        return max(found)
    text = parts[0].text
    return max((near for line, near in lines.items() if text in line), default=floor)


def _worth_reading(scores: Floats, units: Sequence[UnitOnPage], most: int) -> NDArray[np.intp]:
    """Return the units that are worth a run of the text model, at least one of each page.

    Without that the right page of `choose` (354) is first in 0.750, not 0.754, and the facts are
    told in 0.737, not 0.746. scores: how much each is worth it, see `Ranker.worth`.
    """
    order = np.argsort(-scores, kind="stable")
    chosen: dict[int, None] = {}
    for page in dict.fromkeys(u.page for u in units):
        chosen[next(int(i) for i in order if units[i].page == page)] = None
    for i in order:
        if len(chosen) >= most:
            break
        chosen[int(i)] = None
    return np.sort(np.array(list(chosen), np.intp))
