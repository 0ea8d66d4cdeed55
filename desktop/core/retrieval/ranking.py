"""The weights of page ranking and the order they give.

The numbers were fitted by `scripts/fit_ranking.py` (softmax over the candidates of each
question, one manual left out at a time to choose the features); refit them when a feature
changes, never by hand for one question. OFF_ROUTE and FOREIGN are set by hand, so that they
decide between pages of two manuals that are about equally good and never hide one.
"""

from __future__ import annotations

from desktop.core.retrieval.features import PageFeatures

OFF_ROUTE = -0.2
FOREIGN = -0.2

FIRST_STAGE = PageFeatures(
    unit_bm25=0.5,
    page_bm25=0.4,
    page_cover=0.4,
    named=0.5,
    off_route=OFF_ROUTE,
    foreign=FOREIGN,
    dense=1.4,
)
"""Chooses the pages whose units are read."""

PAGE_WEIGHTS = PageFeatures(
    unit_bm25=0.26,
    page_bm25=0.13,
    unit=0.23,
    window=0.24,
    page_cover=0.36,
    heading_cover=0.17,
    named=0.48,
    off_route=OFF_ROUTE,
    foreign=FOREIGN,
    dense=1.24,
    contents=-0.19,
    value_in_window=0.25,
    number_in_unit=0.09,
)
"""Chooses the pages whose quotes are read, and orders those behind them."""

WITH_MODEL = PageFeatures(
    unit_bm25=0.10,
    page_bm25=0.13,
    unit=0.04,
    window=0.14,
    page_cover=0.22,
    heading_cover=0.13,
    named=0.05,
    off_route=OFF_ROUTE,
    foreign=FOREIGN,
    dense=0.79,
    contents=-0.09,
    value_in_window=0.09,
    number_in_unit=0.01,
    value_told=0.2,
    quote=0.66,
)
"""Orders the first pages once their quotes were read, with the text model."""

WORDS_ALONE = PageFeatures(
    unit_bm25=0.26,
    page_bm25=0.20,
    unit=-0.09,
    window=0.17,
    page_cover=0.18,
    heading_cover=0.24,
    named=0.05,
    off_route=OFF_ROUTE,
    foreign=FOREIGN,
    contents=-0.13,
    value_in_window=0.14,
    number_in_unit=0.03,
    value_told=0.2,
    quote=0.61,
)
"""The same without a text model."""
