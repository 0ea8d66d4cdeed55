"""The weights of page ranking and the order they give.

The numbers were fitted by `scripts/fit_ranking.py` (softmax over the candidates of each
question, one manual left out at a time to choose the features); refit them when a feature
changes, never by hand for one question. They were fitted before the text model was taught of
manuals; a fit with the taught one orders no better (of 281 questions 221 and 220 first). When
the weights of quotes were fitted on more manuals and grew smaller, `quote` was raised by a fifth
and `value_told` by what a value lost there.
OFF_ROUTE and FOREIGN are set by hand, so that they decide between pages of two manuals that
are about equally good and never hide one.
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
    unit_bm25=0.34,
    page_bm25=0.08,
    unit=0.23,
    window=0.07,
    page_cover=0.52,
    heading_cover=0.16,
    named=0.27,
    off_route=OFF_ROUTE,
    foreign=FOREIGN,
    dense=0.94,
    contents=-0.19,
    value_in_window=0.21,
    number_in_unit=0.11,
)
"""Chooses the pages whose quotes are read, and orders those behind them."""

WITH_MODEL = PageFeatures(
    unit_bm25=0.15,
    page_bm25=0.14,
    unit=0.05,
    window=0.07,
    page_cover=0.27,
    heading_cover=0.14,
    named=0.19,
    off_route=OFF_ROUTE,
    foreign=FOREIGN,
    dense=0.84,
    contents=-0.07,
    value_in_window=0.12,
    number_in_unit=0.04,
    value_told=0.30,
    quote=0.68,
)
"""Orders the first pages once their quotes were read, with the text model."""

WORDS_ALONE = PageFeatures(
    unit_bm25=0.28,
    page_bm25=0.31,
    unit=-0.03,
    window=0.13,
    page_cover=0.10,
    heading_cover=0.26,
    named=0.09,
    off_route=OFF_ROUTE,
    foreign=FOREIGN,
    contents=-0.14,
    value_in_window=0.11,
    number_in_unit=0.08,
    value_told=0.19,
    quote=0.56,
)
"""The same without a text model."""
