"""The words of a page that stand in the regions of a citation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.errors import DocumentNotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.events import PageRegion
    from desktop.core.page_words import PageWords

_EDGE_POINTS = 1.0


def words_in(region: PageRegion, page_words: Callable[[int, int], PageWords]) -> str:
    """Return the words whose middle lies in one of the boxes; "" if the manual is gone.

    page_words: of a document's id and a page index; may block.
    """
    try:
        words = page_words(region.document_id, region.page)
    except DocumentNotFound:
        return ""
    inside = []
    for text, (x0, y0, x1, y1) in zip(words.texts, words.boxes, strict=True):
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if any(
            box.x0 - _EDGE_POINTS <= x <= box.x1 + _EDGE_POINTS
            and box.y0 - _EDGE_POINTS <= y <= box.y1 + _EDGE_POINTS
            for box in region.regions
        ):
            inside.append(text)
    return " ".join(inside)
