"""Which of a page's sentences and rows is said first, once it is known to be the page.

`quote_ranking` scores quotes so that those of several pages can be compared. Within one page
more can be seen: what a quote says that the others do not, and how answers to this kind of
question are worded. A linear model over both, fitted by `scripts/fit_quote_order.py`; right is
a quote whose highlight meets the place that a person marked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.retrieval import answer_wording as wording
from desktop.core.retrieval.answer_signs import asks_for_figure, is_line_of_contents
from desktop.core.retrieval.asked_values import asked_kinds, missing_share, without_own_codes
from desktop.core.retrieval.drawing_lines import drawing_lines, with_drawing_first
from desktop.core.retrieval.quote_ranking import (
    OBSERVATIONS,
    READ_BY_MODEL,
    mean_vector,
    observe_model,
    observe_words,
    with_section,
)
from desktop.core.structure.tables import CELL_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.question import Question
    from desktop.core.retrieval.quote_ranking import RankedQuote
    from desktop.models.roles import TextEmbedder

WITHIN_PAGE = (
    "apart",  # cosine of question and bare quote, less what all quotes have in common
    "claims",  # share of the question's tokens to which it is nearer than the others
    "kinds",  # share of the kinds of value asked for that it adds to the question's own
    "headed_row",  # its table has column headings, and the row says something that is asked
    "drawing_line",  # words on one height of a drawing
    "heading",  # and no place was asked for: a heading tells where the answer stands
    "reason",  # see `answer_wording`
    "orders",
    "brings_code",
    "set_aside",
    "caption",  # and no figure was asked for: it names what is shown and says nothing of it
    "example",  # and none was asked for
    "demands",
    "fragment",  # prose that is cut out of its sentence
    "remedy",
)
ORDER_OBSERVATIONS = (*OBSERVATIONS, *WITHIN_PAGE)
SEMANTIC = ("cosine", "late", "apart", "claims")
"""Those that need a text model."""
# fmt: off
MODEL_ORDER = np.array([
    0.33, 0.27, 0.37, 0.34, 0.52, 0.07, 0.03, -0.06, -0.01, 0.05,
    -0.12, 0.20, -0.02, 0.24, 0.06, 0.12, 0.10, 0.05, 0.33, -0.18,
    0.28, 0.20, 0.15, 0.22, -0.05, -0.24, 0.20, 0.05, 0.03, -0.21,
    -0.09, -0.13, 0.14, -0.03, 0.16,
])
WORD_ORDER = np.array([
    0.97, 0.67, 0.34, 0.00, 0.00, 0.14, 0.28, -0.16, 0.06, 0.09,
    -0.25, 0.20, 0.46, 0.38, 0.23, 0.29, 0.10, 0.21, 0.33, -0.20,
    0.00, 0.00, 0.22, 0.39, -0.06, -0.22, 0.36, 0.11, 0.08, -0.30,
    -0.28, -0.12, 0.25, -0.19, 0.17,
])
# fmt: on
_MOST_CHARACTERS = 500
# How sharply a token of the question prefers the nearest quote.
_PREFERENCE = 20.0


def in_order(
    question: Question,
    page: Evidence,
    ranked: Sequence[RankedQuote],
    embedder: TextEmbedder | None,
    read: int = READ_BY_MODEL,
) -> list[RankedQuote]:
    """Return the quotes of a page that is to be quoted, in the order in which they answer.

    ranked: by `rank_quotes`, of which `read` were read; those behind stay behind. Scores are
    only comparable within the page.
    """
    first, behind = ranked[:read], ranked[read:]
    if not first:
        return []
    weights = WORD_ORDER if embedder is None else MODEL_ORDER
    scores = observe_order(question, page, ranked, embedder, read) @ weights
    least = float(scores.min())
    order = np.argsort(-scores, kind="stable")
    ordered = [replace(first[i], score=float(scores[i])) for i in order]
    ordered += [replace(item, score=least) for item in behind]
    if not question.place:  # a line of contents says where it is told, and nothing of it
        ordered = [replace(i, score=least) if _names_a_page(i) else i for i in ordered]
        ordered.sort(key=_names_a_page)
    return with_drawing_first(question, ordered)


def observe_order(
    question: Question,
    page: Evidence,
    ranked: Sequence[RankedQuote],
    embedder: TextEmbedder | None,
    read: int = READ_BY_MODEL,
) -> NDArray[np.float64]:
    """Return what is seen of the first quotes, shape (quotes, len(ORDER_OBSERVATIONS)).

    ranked: all quotes of the page.
    """
    quotes = [item.quote for item in sorted(ranked, key=lambda item: item.position)]
    places = [item.position for item in ranked[:read]]
    drawn = drawing_lines(quotes)
    seen = observe_words(question, page, quotes)
    seen[drawn, OBSERVATIONS.index("numbered")] = 0.0
    if wording.asks_why(question):
        seen[:, [OBSERVATIONS.index("value"), OBSERVATIONS.index("number")]] = 0.0
    first = [quotes[place] for place in places]
    rows = np.zeros((len(first), len(ORDER_OBSERVATIONS)))
    rows[:, : len(OBSERVATIONS)] = seen[places]
    for row, place in zip(rows, places, strict=True):
        row[len(OBSERVATIONS) + 2 :] = _worded(question, quotes[place], drawn=drawn[place])
    rows[rows[:, OBSERVATIONS.index("words")] == 0, ORDER_OBSERVATIONS.index("headed_row")] = 0.0
    if embedder is not None:
        _observe_vectors(question, first, embedder, rows)
    return rows


def _names_a_page(item: RankedQuote) -> bool:
    return is_line_of_contents(item.quote.text)


def _worded(question: Question, quote: Quote, *, drawn: bool) -> tuple[float, ...]:
    """Return the observations of `WITHIN_PAGE` that need no model."""
    kinds = asked_kinds(question.text)
    own = without_own_codes(quote.text, question.text)
    return (
        1 - missing_share(kinds, own) if kinds else 0.0,
        quote.kind == "row" and CELL_SEPARATOR in quote.context,
        drawn,
        quote.kind == "heading" and not question.place,
        wording.tells_reason(question, quote.text),
        wording.gives_order(question, quote.text),
        wording.brings_code(question, quote.text),
        wording.speaks_of_set_aside(question, quote.text),
        quote.kind == "caption" and not asks_for_figure(question),
        wording.gives_example(question, quote.text),
        wording.demands(question, quote.text),
        quote.kind in ("paragraph", "item") and wording.is_fragment(quote.text),
        wording.tells_remedy(question, quote.text),
    )


def _observe_vectors(
    question: Question,
    quotes: Sequence[Quote],
    embedder: TextEmbedder,
    rows: NDArray[np.float64],
) -> None:
    """Fill in what the text model sees, each quote against the others."""
    observe_model(question, quotes, embedder, rows, np.arange(len(rows)))
    texts = [with_section(quote) for quote in quotes]
    bare = [quote.text[:_MOST_CHARACTERS] for quote in quotes]
    asked, *found = embedder.embed_tokens([question.wording, *texts, *bare])
    if not len(asked):
        return
    near = np.array([_nearest(asked, tokens) for tokens in found[: len(quotes)]])
    odds = np.exp(_PREFERENCE * (near - near.max(axis=0)))
    claims = (odds / odds.sum(axis=0)).mean(axis=1)
    means = np.array([_mean(tokens) for tokens in found[len(quotes) :]])
    rows[:, len(OBSERVATIONS)] = _apart(mean_vector(asked), means)
    rows[:, len(OBSERVATIONS) + 1] = claims


def _nearest(asked: NDArray[np.float32], tokens: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return for each token of the question its likeness to the nearest one of a quote."""
    if not len(tokens):
        return np.zeros(len(asked), np.float32)
    nearest: NDArray[np.float32] = (asked @ tokens.T).max(axis=1)
    return nearest


def _mean(tokens: NDArray[np.float32]) -> NDArray[np.float32]:
    return mean_vector(tokens) if len(tokens) else np.zeros(tokens.shape[1], np.float32)


def _apart(asked: NDArray[np.float32], quotes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosine of question and quotes once their common part is taken away."""
    common = quotes.mean(axis=0)
    own = quotes - common
    own /= np.linalg.norm(own, axis=1, keepdims=True) + 1e-9
    wanted = asked - common
    apart: NDArray[np.float32] = own @ (wanted / (np.linalg.norm(wanted) + 1e-9))
    return apart
