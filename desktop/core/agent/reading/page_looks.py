"""Which pages a vision model shall look at, and which part of each."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.agent.gathered import kept_evidence
from desktop.core.geometry import Box, bounding_box

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.agent.environment import Environment
    from desktop.core.library.library import Library
    from desktop.core.page_drawing import DrawnPage, PageDrawer, PixelArea
    from desktop.core.parsing.values import Block
    from desktop.core.retrieval.evidence import Evidence

VISUAL_SEARCH, VISUAL_PAGES = "colqwen_visual_search", "visual_pages"
MOST_PAGES = 2
"""Each takes a vision model seconds."""
SCALE = 2.0
"""Pixels per point: 144 dpi, at which 6 point print can be read."""
MARGIN = 24.0
"""Points around a region, for the caption and the ends of the lines."""
_WHOLE_PAGE_SHARE = 0.6
_PAGES_CONSIDERED = 5
_PICTURES = frozenset({"figure", "table"})


@dataclass(frozen=True, slots=True)
class Look:
    """A page as a picture. region: the part that matters most, in points, None for all of it.

    area: the same in pixels.
    """

    evidence: Evidence
    drawn: DrawnPage
    image_key: str
    page_box: Box
    region: Box | None
    area: PixelArea | None


def pages_to_look_at(environment: Environment, library: Library) -> list[Evidence]:
    """Return the pages that a visual search found last; else found pages with drawings or tables.

    Blocks. Best first, at most MOST_PAGES.
    """
    kept = kept_evidence(environment)
    entries = environment.find(VISUAL_SEARCH, VISUAL_PAGES)
    if entries:
        wanted = [
            environment.object_of(found["_REF_ID"]) or found for found in entries[-1]["objects"]
        ]
        by_page = {(page.document_id, page.page): page for page in kept}
        places = [(found["document_id"], found["page"]) for found in wanted]
        return [by_page[place] for place in places if place in by_page][:MOST_PAGES]
    drawn = (page for page in kept[:_PAGES_CONSIDERED] if _has_pictures(library, page))
    return [page for page, _ in zip(drawn, range(MOST_PAGES), strict=False)]


def look_at(evidence: Evidence, drawer: PageDrawer, library: Library) -> Look:
    """Draw a page and choose the part of it that matters most.

    Blocks. Raises: LibraryError, OSError.
    """
    document_id, page = evidence.document_id, evidence.page
    drawn = drawer.draw(document_id, page, SCALE)
    page_box = Box(0.0, 0.0, drawn.width, drawn.height)
    region = best_region(evidence, library.blocks(document_id, page), page_box)
    area = drawn.area(region) if region is not None else None
    key = image_key(library.document(document_id).sha256, page, SCALE)
    return Look(evidence, drawn, key, page_box, region if area else None, area)


def best_region(evidence: Evidence, blocks: Sequence[Block], page: Box) -> Box | None:
    """Return where the best passage stands with the drawings and tables it touches.

    With a margin, inside the page; None if it is most of the page anyway.
    """
    boxes = [box for box in _best_boxes(evidence) if box.area > 0]
    pictures = [Box(*block.box) for block in blocks if block.kind in _PICTURES]
    touched = [each for each in pictures if any(box.overlap_share(each) > 0 for box in boxes)]
    if not boxes:
        touched = pictures[:1]
    if not boxes and not touched:
        return None
    region = bounding_box([*boxes, *touched]).inflated(MARGIN).intersection(page)
    return region if 0 < region.area < _WHOLE_PAGE_SHARE * page.area else None


def image_key(sha256: str, page: int, scale: float) -> str:
    """Return a name for exactly these pixels: of the file, the page and how it is drawn.

    The part of them that is looked at is named beside it.
    """
    return hashlib.sha256(f"{sha256}/{page}/{scale:g}".encode()).hexdigest()


def _best_boxes(evidence: Evidence) -> Iterable[Box]:
    return evidence.passages[0].boxes if evidence.passages else ()


def _has_pictures(library: Library, page: Evidence) -> bool:
    blocks = library.blocks(page.document_id, page.page)
    return any(block.kind in _PICTURES for block in blocks)
