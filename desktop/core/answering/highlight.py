"""What an answer marks on the page: the whole of what it quotes, never less."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core.geometry import Box
    from desktop.core.page_words import PageWords
    from desktop.core.reader.quotes import Quote


def marked_boxes(quote: Quote, words: PageWords) -> tuple[Box, ...]:
    """Return the boxes of a quote's words; for a row, also those of its column headings.

    PDF points, top-left origin, page as displayed.
    """
    rows = quote.parts or (quote,)
    boxes = [*quote.boxes]
    for row in rows:
        boxes += [box for box in _headings_above(row, words) if box not in boxes]
    return tuple(boxes)


def _headings_above(row: Quote, words: PageWords) -> Iterator[Box]:
    """Yield the positions of the headings of the columns that a row has cells in."""
    for header in row.header:
        above = np.zeros(len(words), bool)
        for box in row.boxes:
            above |= (words.boxes[:, 0] < box.x1) & (words.boxes[:, 2] > box.x0)
        kept = [index for index in words.inside([header]) if above[index]]
        if kept:
            yield words.hull(kept)
