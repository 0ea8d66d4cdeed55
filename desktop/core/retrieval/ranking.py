"""The weights of page ranking and the order they give.

The numbers were fitted by `scripts/fit_ranking.py` (softmax over the candidates of each
question, one manual left out at a time to choose the features); refit them when a feature
changes, never by hand for one question.
"""

from __future__ import annotations

from desktop.core.retrieval.features import PageFeatures

FIRST_STAGE = PageFeatures(
    unit_bm25=0.5,
    page_bm25=0.4,
    page_cover=0.4,
    named=0.5,
    dense=1.4,
)
"""Chooses the pages whose units are read."""

PAGE_WEIGHTS = PageFeatures(
    unit_bm25=0.3,
    page_bm25=0.2,
    unit=0.2,
    window=0.13,
    page_cover=0.35,
    heading_cover=0.25,
    named=0.55,
    dense=1.4,
    contents=-0.23,
    value_in_window=0.2,
    number_in_unit=0.15,
)
"""Orders pages without a re-ranker (no text embedder)."""

RERANKED_WEIGHTS = PageFeatures(
    unit_bm25=0.1,
    page_bm25=0.13,
    unit=0.2,
    window=0.07,
    page_cover=0.35,
    heading_cover=0.25,
    named=0.46,
    dense=0.8,
    contents=-0.21,
    value_in_window=0.2,
    number_in_unit=0.13,
    late=0.34,
    late_words=0.38,
    unit_cosine=0.69,
)
"""Orders the first pages once their units went through the re-ranker."""
