"""How likely the best page and its quotes answer the question at all.

A logistic model fitted by `scripts/fit_ranking.py` on questions that the manuals answer
and questions in the manuals' own words that they do not. It looks for what is asked and
not said: words that stand nowhere on the page, and words that nothing quoted is close to.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.retrieval.linear import Observations
from desktop.core.retrieval.quote_ranking import covered_groups
from desktop.core.retrieval.rerank import mean_vector
from desktop.core.retrieval.stopwords import STOPWORDS
from desktop.core.retrieval.tokens import index_term_set
from desktop.core.structure.units import without_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.question import Question
    from desktop.core.retrieval.quote_ranking import RankedQuote
    from desktop.models.roles import TextEmbedder

# The best quotes together must be close to every word of the question.
_QUOTES = 3
_MOST_CHARACTERS = 600


@dataclass(slots=True)
class Support(Observations):
    """What speaks for and against an answer.

    dense, late, page_cover, window: of the best page. quote: score of its best quote.
    quote_cover: weighted share of the question's words in that quote and its headings.
    unsaid, unquoted: how rare, against the question's rarest word, the rarest word is that
    the page (the quote) lacks. missing: share of the words that the page lacks.
    codes_missing: whether one of them is a code such as S-200. value_missing: share of
    asked-for kinds of value the quote lacks. least_word, least_words, mean_word: similarity
    of the question's words to their best match in the quotes: least, mean of two least, mean.
    """

    dense: float = 0.0
    late: float = 0.0
    page_cover: float = 0.0
    window: float = 0.0
    quote: float = 0.0
    quote_cover: float = 0.0
    unsaid: float = 0.0
    unquoted: float = 0.0
    missing: float = 0.0
    codes_missing: float = 0.0
    value_missing: float = 0.0
    least_word: float = 0.0
    least_words: float = 0.0
    mean_word: float = 0.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic model: probability = sigmoid(offset + observations x weights)."""

    offset: float
    weights: Support

    def probability(self, support: Support) -> float:
        """Return the probability (0 to 1) that the manuals answer the question."""
        return 1 / (1 + math.exp(-(self.offset + support.weighted(self.weights))))


# The fit weighs answerable and unanswerable questions alike; of the questions that people
# ask their manuals three in four are taken to be answerable. It shifts both offsets.
_PRIOR = math.log(3)

WITH_MODEL = Calibration(
    _PRIOR - 3.43,
    Support(
        dense=4.35,
        late=5.8,
        page_cover=0.93,
        window=1.3,
        quote=-0.54,
        quote_cover=1.06,
        unsaid=-0.15,
        unquoted=-1.05,
        missing=0.87,
        codes_missing=-0.72,
        value_missing=-0.35,
        least_word=1.62,
        least_words=-2.25,
        mean_word=-2.81,
    ),
)
WORDS_ALONE = Calibration(
    _PRIOR - 0.84,
    Support(
        page_cover=0.39,
        window=1.92,
        quote=0.12,
        quote_cover=0.65,
        unsaid=0.01,
        unquoted=-0.89,
        missing=0.23,
        codes_missing=-0.76,
        value_missing=-0.01,
    ),
)


def support_of(
    question: Question,
    evidence: Sequence[Evidence],
    ranked: Sequence[RankedQuote],
    words: PageWords,
    embedder: TextEmbedder | None,
) -> Support:
    """Observe what the first page says. evidence: best first; ranked: quotes of the first."""
    first = evidence[0]
    features = first.features
    support = Support(
        dense=features.dense,
        late=features.late,
        page_cover=features.page_cover,
        window=features.window,
    )
    _observe_words(support, question, first, ranked, words)
    if embedder is not None:
        _observe_meaning(support, question, ranked[:_QUOTES], embedder)
    return support


def confidence(support: Support, *, with_model: bool) -> float:
    """Return how likely the manuals answer the question, 0 to 1."""
    return (WITH_MODEL if with_model else WORDS_ALONE).probability(support)


def _observe_words(
    support: Support,
    question: Question,
    first: Evidence,
    ranked: Sequence[RankedQuote],
    words: PageWords,
) -> None:
    raw = np.array(first.term_weights or (1.0,) * len(question.groups))
    share = raw / (raw.sum() or 1.0)
    best = ranked[0].quote if ranked else None
    context = first.passages[0].context if first.passages else ""
    on_page = np.array(covered_groups(question, index_term_set(f"{words.text} {context}")), bool)
    quoted = f"{best.text} {best.context}" if best else ""
    in_quote = np.array(covered_groups(question, index_term_set(quoted)), bool)
    support.quote = ranked[0].score if ranked else 0.0
    support.quote_cover = float(share @ in_quote)
    rarest = raw.max(initial=0.0) or 1.0
    support.unsaid = float(raw[~on_page].max(initial=0.0)) / rarest
    support.unquoted = float(raw[~in_quote].max(initial=0.0)) / rarest
    support.missing = float((~on_page).mean()) if len(raw) else 1.0
    support.codes_missing = float(
        any(
            _is_code(group[0])
            for group, here in zip(question.groups, on_page, strict=True)
            if not here
        )
    )
    support.value_missing = (
        1 - question.value_share(best.text) if best is not None and question.values else 0.0
    )


def _is_code(term: str) -> bool:
    return any(c.isdigit() for c in term) and any(c.isalpha() for c in term)


def _observe_meaning(
    support: Support,
    question: Question,
    ranked: Sequence[RankedQuote],
    embedder: TextEmbedder,
) -> None:
    asked = [w for w in re.findall(r"[^\s?,]+", question.text) if w.lower() not in STOPWORDS]
    read = [f"{without_title(r.quote.context)}: {r.quote.text}" for r in ranked]
    if not asked or not read:
        return
    vectors = embedder.embed_tokens([*asked, *(text[:_MOST_CHARACTERS] for text in read)])
    quoted = [tokens for tokens in vectors[len(asked) :] if len(tokens)]
    nearest = sorted(
        max((float((tokens @ mean_vector(word)).max()) for tokens in quoted), default=0.0)
        for word in vectors[: len(asked)]
        if len(word)
    )
    if nearest:
        support.least_word = nearest[0]
        support.least_words = float(np.mean(nearest[:2]))
        support.mean_word = float(np.mean(nearest))
