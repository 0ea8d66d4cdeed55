"""What an answer marks on the page: the whole of what it quotes, never less."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from desktop.core.geometry import Box
    from desktop.core.page_words import PageWords
    from desktop.core.reader.quotes import Quote


def marked_boxes(quote: Quote, words: PageWords) -> tuple[Box, ...]:
    """Return the boxes of a quote's words; for a row, also those of its column headings.

    PDF points, top-left origin, page as displayed.
    """
    boxes = dict.fromkeys(quote.boxes)
    for row in quote.parts or (quote,):
        above = np.zeros(len(words), bool)  # or below a column that the row has cells in
        for box in row.boxes:
            above |= (words.boxes[:, 0] < box.x1) & (words.boxes[:, 2] > box.x0)
        for header in row.header:
            kept = [index for index in words.inside([header]) if above[index]]
            if kept:
                boxes[words.hull(kept)] = None
    return tuple(boxes)
