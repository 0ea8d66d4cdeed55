"""How likely the best page and its quotes answer the question at all.

A logistic model fitted by `scripts/fit_ranking.py` on questions that the manuals answer and
questions in the manuals' own words that they do not. With a text model it was fitted together with
the drawn manuals (`scripts/text_model/drawn_manuals.py`): each fifth of their passages left out in
turn, asked in their own language, those with an answer where its page was first, at 0.3 of the
weight. It looks for what is asked and not said in one place: the kind of value, the codes, the
thing that the question turns on.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.retrieval.answer_signs import speaks_of_other_code
from desktop.core.retrieval.asked_codes import asked_codes
from desktop.core.retrieval.asked_values import asked_kinds, focus_groups, missing_share
from desktop.core.retrieval.both_sides import other_names
from desktop.core.retrieval.linear import Observations
from desktop.core.retrieval.quote_ranking import covered_groups, mean_vector, with_section
from desktop.core.retrieval.stopwords import STOPWORDS
from desktop.core.retrieval.tokens import asked_language, index_term_set, query_terms
from desktop.core.retrieval.unshown.values import lacks_qualifier, lacks_value
from desktop.core.retrieval.unshown.work import lacks_way, lacks_work

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.question import Question, TermGroup
    from desktop.core.retrieval.quote_ranking import RankedQuote
    from desktop.models.roles import TextEmbedder

# The best quotes together must be close to every word of the question.
_QUOTES = 3
# One of so many quotes must say everything at once.
_TOGETHER_AMONG = 6
_NEAR = 0.6
_USUAL_WORDS = 8
_UNNAMED_CAPITALS = 0.5


@dataclass(slots=True)
class Support(Observations):
    """What speaks for and against an answer.

    length: meaningful words of the question, in eights: of a long one more may go unsaid.
    value_asked: whether it asks for a kind of value: then what it asks of must be said.
    window: of the best page. quote: score of its best quote. together: how much of the
    question one quote with its headings says, less what it lacks of the values and codes.
    codes_unquoted: share of the question's numbers and codes that best quote and title lack.
    other_code: it names another one of the same series (J7 for J9). focus: share of what is
    asked for ("which torque") that the page says. near: late interaction of the question with
    the best quotes; near_words: similarity of its words to them, by how rare they are;
    near_share: share of its words that have a like one there. unnamed: share of its codes that
    no manual names. lacks_value, lacks_work, lacks_qualifier: see `unshown`.
    german: it is asked in German of a German page, which the text model reads less well: less
    nearness says as much there.
    """

    length: float = 0.0
    value_asked: float = 0.0
    window: float = 0.0
    quote: float = 0.0
    together: float = 0.0
    codes_unquoted: float = 0.0
    other_code: float = 0.0
    focus: float = 0.0
    near: float = 0.0
    near_words: float = 0.0
    near_share: float = 0.0
    unnamed: float = 0.0
    lacks_value: float = 0.0
    lacks_work: float = 0.0
    lacks_qualifier: float = 0.0
    german: float = 0.0


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
    _PRIOR - 8.72,
    Support(
        length=1.94,
        value_asked=-1.05,
        window=-0.04,
        quote=3.47,
        together=1.18,
        codes_unquoted=-1.19,
        other_code=-2.11,
        focus=0.31,
        near=5.10,
        near_words=1.61,
        near_share=-1.82,
        unnamed=-4.08,
        lacks_value=-3.09,
        lacks_work=-2.93,
        lacks_qualifier=-2.36,
        german=0.83,
    ),
)
WORDS_ALONE = Calibration(
    _PRIOR - 3.47,
    Support(
        length=2.46,
        value_asked=-1.30,
        window=2.51,
        quote=0.92,
        together=0.88,
        codes_unquoted=-1.58,
        other_code=-2.54,
        focus=0.86,
        unnamed=-3.14,
        lacks_value=-3.09,
        lacks_work=-3.64,
        lacks_qualifier=-2.63,
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
    kinds = asked_kinds(question.text)
    support = Support(
        length=len(question.groups) / _USUAL_WORDS,
        value_asked=float(bool(kinds)),
        window=first.features.window,
        focus=_focus(question, first, words),
        unnamed=_unnamed(question, first),
        lacks_value=float(lacks_value(question, first, ranked)),
        lacks_work=float(lacks_work(question, first, ranked) or lacks_way(question, ranked)),
        lacks_qualifier=float(lacks_qualifier(question, first, ranked)),
        german=float(asked_language(question.text) == "de" == asked_language(words.text)),
    )
    if not ranked:
        support.codes_unquoted = 1.0
        return support
    asked, page = _of_first_manual(question, evidence)
    best = ranked[0].quote
    # "MPPT 1210" names the manual, and no quote of it repeats the number
    names = index_term_set(page.known_as)
    support.quote = ranked[0].score
    support.together = max(
        _says_together(asked, page, item.quote, kinds, names) for item in ranked[:_TOGETHER_AMONG]
    )
    support.codes_unquoted = _unsaid(
        [g for g in asked.groups if _has_digit(g)], names | index_term_set(_in_full(best))
    )
    support.other_code = float(speaks_of_other_code(question, _in_full(best)))
    if embedder is not None:
        _observe_meaning(support, question, first, ranked[:_QUOTES], embedder)
    return support


def confidence(support: Support, *, with_model: bool) -> float:
    """Return how likely the manuals answer the question, 0 to 1."""
    return (WITH_MODEL if with_model else WORDS_ALONE).probability(support)


def _in_full(quote: Quote) -> str:
    return f"{quote.text} {quote.context}"


def _has_digit(group: TermGroup) -> bool:
    return any(character.isdigit() for character in group[0])


def _unsaid(groups: Sequence[TermGroup], said: frozenset[str]) -> float:
    """Return the share of term groups without a term among `said`; 0 without groups."""
    lacking = [group for group in groups if not said.intersection(group)]
    return len(lacking) / len(groups) if groups else 0.0


def _focus(question: Question, first: Evidence, words: PageWords) -> float:
    context = first.passages[0].context if first.passages else ""
    sought = [question.widest(group) for group in focus_groups(question.text)]
    return 1 - _unsaid(sought, index_term_set(f"{words.text} {context}"))


def _of_first_manual(question: Question, evidence: Sequence[Evidence]) -> tuple[Question, Evidence]:
    """Return question and first page without the words that name another manual."""
    first, others = evidence[0], other_names(question, evidence)
    kept = [i for i, group in enumerate(question.groups) if not others.intersection(group)]
    if not others:
        return question, first
    weights = tuple(first.term_weights[i] for i in kept) if first.term_weights else ()
    groups = tuple(question.groups[i] for i in kept)
    return replace(question, groups=groups), replace(first, term_weights=weights)


def _unnamed(question: Question, first: Evidence) -> float:
    """Return 1 if a code is unknown; of a question about several things their share.

    Words in capitals count less: the manual may write them out.
    """
    codes = [name for name in first.unnamed if not name.isalpha()]
    if not codes:
        return _UNNAMED_CAPITALS if first.unnamed else 0.0
    return len(codes) / len(asked_codes(question.text)) if question.several else 1.0


def _says_together(
    question: Question,
    first: Evidence,
    quote: Quote,
    kinds: tuple[re.Pattern[str], ...],
    names: frozenset[str],
) -> float:
    raw = np.array(first.term_weights or (1.0,) * len(question.groups))
    text = _in_full(quote)
    said = index_term_set(text)
    cover = float(raw @ np.array(covered_groups(question, said), bool)) / (raw.sum() or 1.0)
    codes = [group for group in question.groups if _has_digit(group) and not group[0].isdecimal()]
    return cover - 0.5 * missing_share(kinds, text) - 0.5 * _unsaid(codes, said | names)


def _observe_meaning(
    support: Support,
    question: Question,
    first: Evidence,
    ranked: Sequence[RankedQuote],
    embedder: TextEmbedder,
) -> None:
    asked = _words_of(question.text)
    asked += [w for w in _words_of(question.wording.removeprefix(question.text)) if w not in asked]
    read = [with_section(item.quote) for item in ranked]
    whole, *vectors = embedder.embed_tokens([question.wording, *asked, *read])
    quoted = [tokens for tokens in vectors[len(asked) :] if len(tokens)]
    if not len(whole) or not quoted:
        return
    tokens = np.vstack(quoted)
    support.near = float((whole @ tokens.T).max(axis=1).mean())
    said: dict[tuple[TermGroup, ...] | str, tuple[float, float]] = {}
    for word, vector in zip(asked, vectors[: len(asked)], strict=True):
        if len(vector):
            groups = tuple(question.widest(group) for group in query_terms(word))
            pair = (float((tokens @ mean_vector(vector)).max()), _rarity(groups, question, first))
            key = groups or word  # what means the same counts once, as it is said best
            said[key] = max(said.get(key, pair), pair)
    if said:
        likeness, rarity = np.array(list(said.values())).T
        support.near_words = float(likeness @ rarity) / max(float(rarity.sum()), 1e-6)
        support.near_share = float((likeness > _NEAR).mean())


def _words_of(text: str) -> list[str]:
    words = re.findall(r"[^\s?,()]+", text)
    return [word for word in words if word.lower() not in STOPWORDS]


def _rarity(groups: Collection[TermGroup], question: Question, first: Evidence) -> float:
    """Return how rare a word is in the manual against the question's rarest word, 0 to 1.

    groups: those of the question that the word stands for.
    """
    weights = first.term_weights or (1.0,) * len(question.groups)
    own = [w for group, w in zip(question.groups, weights, strict=True) if group in groups]
    return max(own, default=0.0) / (max(weights, default=0.0) or 1.0)
