"""Which sentence or row of a page answers the question best.

A linear model over a few observations, fitted by `scripts/fit_ranking.py` like the page
weights. The text model, where there is one, reads the first quotes that words alone chose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.retrieval import answer_signs as signs
from desktop.core.retrieval.grounding import Quote, quotes_of
from desktop.core.retrieval.tokens import index_term_set, query_terms
from desktop.core.structure.units import without_title

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from desktop.core.page_words import PageWords
    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.question import Question
    from desktop.models.roles import TextEmbedder

READ_BY_MODEL = 14
"""As many quotes of a page are read by the text model, the best by words alone."""
_MOST_CHARACTERS = 500

OBSERVATIONS = (
    "words",  # weighted share of the question's words in the quote
    "context",  # more of them in its headings or table header
    "neighbours",  # more of them in the quote before or after
    "cosine",  # mean token vectors of question and quote with its section
    "late",  # late interaction of question and quote
    "value",  # share of asked-for kinds of value
    "number",  # a number was asked for and it has one, as figure or word
    "row",
    "item",
    "after_colon",
    "lines",  # how many lines it covers, in thirds
    "new",  # how much it says beyond the question's words
    "echo",  # share of its own words that are the question's
    "figure",  # it is a drawing's text and a drawing was asked for
    "refers_back",  # what the quote before has of the question, if it speaks of that
    "when",  # see `answer_signs`
    "how",
    "whether",
    "numbered",
    "other_code",
)
# fmt: off
MODEL_WEIGHTS = np.array([
    0.43, 0.31, 0.40, 0.69, 0.85, 0.19, 0.07, 0.00, 0.03, 0.06,
    -0.03, 0.35, 0.14, 0.29, 0.08, 0.14, 0.13, 0.05, 0.34, -0.30,
])
WORD_WEIGHTS = np.array([
    1.00, 0.74, 0.34, 0.00, 0.00, 0.40, 0.25, 0.01, 0.11, 0.08,
    -0.15, 0.22, 0.43, 0.68, 0.51, 0.27, 0.16, 0.17, 0.64, -0.11,
])
# fmt: on


@dataclass(frozen=True, slots=True)
class RankedQuote:
    """A quote with its score; covered: which term groups of the question it contains."""

    quote: Quote
    score: float
    covered: tuple[bool, ...]
    position: int


def rank_quotes(
    question: Question,
    evidence: Evidence,
    words: PageWords,
    embedder: TextEmbedder | None,
    read: int = READ_BY_MODEL,
) -> list[RankedQuote]:
    """Return the quotes of a page, best first. position: their order on the page.

    read: how many the text model reads, each costs a run of it.
    """
    quotes = page_quotes(evidence, words)
    if not quotes:
        return []
    observed = observe_words(question, evidence, quotes)
    scores = observed @ WORD_WEIGHTS
    if embedder is not None:
        first = np.argsort(-scores)[:read]
        observe_model(question, [quotes[i] for i in first], embedder, observed, first)
        # what the model did not read stays behind what it read
        behind = np.setdiff1d(np.arange(len(quotes)), first)
        scores = observed @ MODEL_WEIGHTS
        scores[behind] = np.minimum(scores[behind], scores[first].min())
    covered = [covered_groups(question, index_term_set(quote.text)) for quote in quotes]
    order = np.argsort(-scores, kind="stable")
    return [RankedQuote(quotes[i], float(scores[i]), covered[i], int(i)) for i in order]


def page_quotes(evidence: Evidence, words: PageWords, placed: bool = True) -> list[Quote]:
    """Return everything on the page that can be quoted, from top to bottom, no repeats.

    placed: see `quotes_of`.
    """
    found = {
        (quote.text, quote.boxes): quote
        for passage in evidence.passages
        for quote in quotes_of(passage, words, placed)
        if quote.boxes
    }
    return sorted(found.values(), key=lambda quote: (quote.boxes[0].y0, quote.boxes[0].x0))


def observe_words(
    question: Question, evidence: Evidence, quotes: Sequence[Quote]
) -> NDArray[np.float64]:
    """Return the observations that need no model, shape (len(quotes), len(OBSERVATIONS))."""
    weights = np.array(evidence.term_weights or (1.0,) * len(question.groups))
    weights = weights / (weights.sum() or 1.0)
    inside = [np.array(covered_groups(question, index_term_set(q.text)), bool) for q in quotes]
    around = [np.array(covered_groups(question, index_term_set(q.context)), bool) for q in quotes]
    asked = {term for group in question.groups for term in group}
    nothing = np.zeros(len(question.groups), bool)
    rows = np.zeros((len(quotes), len(OBSERVATIONS)))
    for i, quote in enumerate(quotes):
        before = inside[i - 1] if i else nothing
        beside = before | (inside[i + 1] if i + 1 < len(quotes) else nothing)
        text = quote.text.rstrip()
        opening = quotes[i - 1].text.rstrip() if i else ""
        own = [group[0] for group in query_terms(text)]
        rows[i] = (
            weights @ inside[i],
            weights @ (around[i] & ~inside[i]),
            weights @ (beside & ~inside[i] & ~around[i]),
            0.0,
            0.0,
            question.value_share(text),
            question.wants_number and signs.has_number(text),
            quote.kind == "row",
            quote.kind == "item",
            opening.endswith(":"),
            len(quote.boxes) / 3,
            min(1.0, sum(term not in asked for term in own) / 5),
            sum(term in asked for term in own) / max(1, len(own)),
            quote.kind == "label" and signs.asks_for_figure(question),
            weights @ (before & ~inside[i]) if signs.refers_back(text) else 0.0,
            signs.tells_when(question, text),
            signs.tells_how(question, text),
            signs.tells_whether(question, text),
            signs.numbered_as_asked(question, quote),
            signs.speaks_of_other_code(question, text),
        )
    return rows


def observe_model(
    question: Question,
    quotes: Sequence[Quote],
    embedder: TextEmbedder,
    observed: NDArray[np.float64],
    rows: NDArray[np.intp],
) -> None:
    """Fill in cosine and late interaction of `quotes` at `rows` of `observed`."""
    asked, *found = embedder.embed_tokens([question.wording, *(with_section(q) for q in quotes)])
    for row, tokens in zip(rows, found, strict=True):
        observe_vectors(asked, tokens, observed[row])


def observe_vectors(
    asked: NDArray[np.float32], tokens: NDArray[np.float32], observed: NDArray[np.float64]
) -> None:
    """Fill in one row of observations from token vectors, each of shape (tokens, dimension)."""
    if len(tokens):
        cosine = float(mean_vector(asked) @ mean_vector(tokens))
        observed[OBSERVATIONS.index("cosine")] = cosine
        observed[OBSERVATIONS.index("late")] = float((asked @ tokens.T).max(axis=1).mean())


def mean_vector(tokens: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the direction of the mean of token vectors, unit length."""
    mean: NDArray[np.float32] = tokens.mean(axis=0)
    mean /= max(float(np.linalg.norm(mean)), 1e-9)
    return mean


def covered_groups(question: Question, terms: AbstractSet[str]) -> tuple[bool, ...]:
    """Return for each term group of the question whether one of its terms is among `terms`."""
    return tuple(not terms.isdisjoint(group) for group in question.groups)


def with_section(quote: Quote) -> str:
    """Return what the text model reads of a quote: its sections without the title, its words."""
    sections = without_title(quote.context)
    return (f"{sections}: {quote.text}" if sections else quote.text)[:_MOST_CHARACTERS]
