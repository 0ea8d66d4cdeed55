"""What the index knows of a part of a page: its words line by line, and the captions at it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from desktop.core.geometry import Box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.library.library import Library
    from desktop.core.page_words import PageWords
    from desktop.core.parsing.values import Block

_LEADERS: Final = re.compile(r"\s*(?:[.·_]\s*){4,}")
"""Dots that lead the eye across a page, and lines to write on: no words."""
CAPTION_DISTANCE: Final = 36.0
"""Points above or below a region within which a caption is taken for its own."""


@dataclass(frozen=True, slots=True)
class RegionContents:
    """lines: words inside, top to bottom. captions: text and place of each caption at it."""

    lines: tuple[str, ...]
    captions: tuple[tuple[str, Box], ...]

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)


def region_contents(library: Library, document_id: int, page: int, box: Box) -> RegionContents:
    """Read what stands in a box of a page. Blocks.

    box: PDF points, top-left origin, page as displayed.

    Raises: LibraryError.
    """
    words = library.page_words(document_id, page)
    return RegionContents(
        lines_inside(words, box), captions_at(library.blocks(document_id, page), box)
    )


def lines_inside(words: PageWords, box: Box) -> tuple[str, ...]:
    """Return the words whose middle lies in the box, one text per line; not rows of dots."""
    across = (words.boxes[:, 0] + words.boxes[:, 2]) / 2
    down = (words.boxes[:, 1] + words.boxes[:, 3]) / 2
    inside = (box.x0 <= across) & (across <= box.x1) & (box.y0 <= down) & (down <= box.y1)
    lines: dict[int, list[str]] = {}
    for index in np.flatnonzero(inside):
        lines.setdefault(int(words.lines[index]), []).append(words.texts[index])
    texts = (_LEADERS.sub(" … ", " ".join(line)).strip() for line in lines.values())
    return tuple(text for text in texts if any(map(str.isalnum, text)))


def captions_at(blocks: Sequence[Block], box: Box) -> tuple[tuple[str, Box], ...]:
    """Return the captions in a box, or right above or below it."""
    reach = Box(box.x0, box.y0 - CAPTION_DISTANCE, box.x1, box.y1 + CAPTION_DISTANCE)
    found = (
        (" ".join(block.text.split()), Box(*block.box))
        for block in blocks
        if block.kind == "caption"
    )
    return tuple((text, place) for text, place in found if text and place.overlap_share(reach) > 0)
