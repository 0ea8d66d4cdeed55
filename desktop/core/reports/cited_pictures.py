"""The cited parts of pages as pictures, their regions highlighted."""

from __future__ import annotations

import io
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.errors import LibraryError
from desktop.core.geometry import Box, bounding_box, near_each_other
from desktop.core.page_drawing import highlight
from desktop.core.problems import explain
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from desktop.core.events import CitationEvent
    from desktop.core.page_drawing import DrawnPage, PageDrawer

PIXELS_PER_POINT = 2.0
_ABOVE_AND_BELOW = 48.0
"""Points around the region: enough for a table's header or the step before."""
_ABOVE, _BELOW, _BESIDE = 40.0, 16.0, 8.0
"""Points around the regions of a tight picture; of several strips each has as little above."""
_FOLDED = 40.0
"""Points between two regions from which on what stands there is left out."""
_DASH, _DASHED = 4.0, 150
_LINE = 16.0
"""Points that a line of text takes at most."""
_WHITE = 245
_GUTTER, _SHOWN_GAP = 10.0, 18.0
"""Points without words from which on columns are apart; the most that a tight picture shows."""
_SAME = 12
"""Levels between two columns of pixels that look alike."""
_RULED = 0.8
"""A column of pixels that is inked in so many rows of a strip is a rule."""
_WHOLE_PAGE_SHARE = 0.7


@dataclass(frozen=True, slots=True)
class CitedPicture:
    """What a citation shows. png: b"" with the reason in `problem` if it could not be drawn.

    points: width of the part of the page in PDF points.
    """

    citation: CitationEvent
    png: bytes
    points: float = 0.0
    problem: str = ""


def cited_pictures(
    citations: Sequence[CitationEvent], drawer: PageDrawer | None, *, tight: bool = False
) -> Iterator[CitedPicture]:
    """Yield a picture per citation; a page that cannot be drawn says why and stops nothing.

    tight: no more of the page than the regions need, to be read on a small sheet.
    """
    drawn: dict[tuple[int, int], DrawnPage | str] = {}
    for citation in citations:
        key = (citation.source.document_id, citation.source.page)
        if key not in drawn:
            drawn[key] = _draw(drawer, *key)
        page = drawn[key]
        if isinstance(page, str):
            yield CitedPicture(citation, b"", problem=page)
        else:
            yield _picture(citation, page, tight=tight)


def _draw(drawer: PageDrawer | None, document_id: int, page: int) -> DrawnPage | str:
    """Return the page, or a sentence saying why it cannot be shown."""
    if drawer is None:
        return said("The page is not shown here.")
    try:
        return drawer.draw(document_id, page, PIXELS_PER_POINT)
    except (LibraryError, OSError) as error:
        return said("The page is not shown: {reason}.", reason=explain(error).title)


def cited_part(page: DrawnPage, boxes: Sequence[Box], *, tight: bool = False) -> NDArray[np.uint8]:
    """Return the strip of a page around its regions, with these highlighted.

    tight: a lower strip, without the page's empty margins; no line of it is cut at the
    side. Whatever separates two distant regions, such as a table's headings and a row,
    is folded away.

    Returns: RGB, uint8, shape (height, width, 3).
    """
    pixels = highlight(page.image, page.width, boxes)
    if not (tight and boxes):
        area = page.area(_shown_part(boxes, page))
        return pixels if area is None else _strip(page, pixels, area, boxes)
    groups = near_each_other(boxes, _FOLDED)
    above = _ABOVE if len(groups) == 1 else _BELOW
    parts = (_tight_part(group, page, above) for group in groups)
    areas = [area for part in parts if (area := page.area(part))]
    if len(areas) < len(groups):
        return pixels
    scale = page.image.width / page.width
    strips = [_strip(page, pixels, area, group) for area, group in zip(areas, groups, strict=True)]
    region = page.area(bounding_box(boxes))
    assert region is not None  # every group has one
    plain = np.concatenate([page.image.pixels()[y0:y1] for _, y0, _, y1 in areas])
    shown = _columns_shown(plain, (region[0], region[2]), scale)
    return _folded(strips, scale)[:, shown]


def _columns_shown(
    pixels: NDArray[np.uint8], region: tuple[int, int], scale: float
) -> NDArray[np.intp]:
    """Return which columns of pixels show the column of the page that the regions stand in.

    Letters change from one column of pixels to the next; the space between them does not,
    tinted or crossed by lines. Wide gaps inside are narrowed.
    region: left and right end. scale: pixels per point.
    """
    changes = np.abs(np.diff(pixels.astype(np.int16), axis=1)).max(axis=2) >= _SAME
    rules = changes.mean(axis=0) >= _RULED
    words, rules = (
        np.append(each, False) | np.insert(each, 0, False)
        for each in (changes.any(axis=0) & ~rules, rules)
    )
    parts = _runs(words, round(_GUTTER * scale))
    own = [part for part in parts if part[0] < region[1] and part[1] > region[0]] or [region]
    beside, gap = round(_BESIDE * scale), round(_SHOWN_GAP * scale)
    kept = np.zeros(pixels.shape[1], np.bool_)
    kept[max(0, own[0][0] - beside) : own[-1][1] + beside] = True
    for (_, end), (start, _) in pairwise(_runs(words, gap)):
        inner = slice(end + gap // 2, start - gap // 2)
        kept[inner] &= rules[inner]
    return np.flatnonzero(kept)


def _runs(inked: NDArray[np.bool_], gap: int) -> list[tuple[int, int]]:
    """Return where true values stand, with fewer than `gap` false ones between them."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], inked, [False]]).astype(np.int8)))
    runs: list[tuple[int, int]] = []
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if runs and start - runs[-1][1] < gap:
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return runs


def _strip(
    page: DrawnPage,
    pixels: NDArray[np.uint8],
    area: tuple[int, int, int, int],
    boxes: Sequence[Box],
) -> NDArray[np.uint8]:
    x0, y0, x1, y1 = area
    line = round(_LINE * page.image.height / page.height)
    region = page.area(bounding_box(boxes)) if boxes else None
    if region is not None:
        y0, y1 = _between_lines(page.image.pixels(), (y0, y1), (region[1], region[3]), line)
    return _with_room(pixels[y0:y1, x0:x1], line // 4)


def _folded(strips: Sequence[NDArray[np.uint8]], scale: float) -> NDArray[np.uint8]:
    """Stack strips one below the other, with a dashed line between them."""
    dash = max(2, round(_DASH * scale))
    line = np.full((dash, strips[0].shape[1], 3), 255, np.uint8)
    line[dash // 2, np.arange(line.shape[1]) // dash % 2 == 0] = _DASHED
    parts = [strips[0]]
    for strip in strips[1:]:
        parts += [line, strip]
    return np.concatenate(parts)


def _picture(citation: CitationEvent, page: DrawnPage, *, tight: bool = False) -> CitedPicture:
    from PIL import Image

    target = io.BytesIO()
    part = cited_part(page, citation.source.regions, tight=tight)
    Image.fromarray(part).save(target, "PNG")
    points = part.shape[1] * page.width / page.image.width
    return CitedPicture(citation, target.getvalue(), points)


def _tight_part(boxes: Sequence[Box], page: DrawnPage, above: float) -> Box:
    hull = bounding_box(boxes)
    room = Box(0.0, hull.y0 - above, page.width, hull.y1 + _BELOW)
    return room.intersection(Box(0.0, 0.0, page.width, page.height))


def _between_lines(
    pixels: NDArray[np.uint8], edges: tuple[int, int], region: tuple[int, int], line: int
) -> tuple[int, int]:
    """Move the upper and the lower edge towards the region where they would cut a line.

    edges, region: rows of the page's picture. line: the most rows a line of text takes.
    An edge stays if no empty row is that near, as in a drawing. A table's rules that
    run down through it do not count as text.
    """
    lowest = max(region[1], edges[1] - line)
    above = _empty_rows(pixels[edges[0] : min(region[0], edges[0] + line)])
    below = _empty_rows(pixels[lowest : edges[1]])
    return (
        edges[0] + int(above[0]) if len(above) else edges[0],
        lowest + int(below[-1]) + 1 if len(below) else edges[1],
    )


def _empty_rows(pixels: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return the rows without ink, apart from the rules that run down through all of them."""
    if not len(pixels):
        return np.zeros(0, np.intp)
    inked = pixels.min(axis=2) < _WHITE
    rules = inked.mean(axis=0) >= _RULED
    return np.flatnonzero(~inked[:, ~rules].any(axis=1))


def _with_room(part: NDArray[np.uint8], rows: int) -> NDArray[np.uint8]:
    """Add empty rows above and below, where the part ends in an empty one."""
    above, below = (rows if (edge >= _WHITE).all() else 0 for edge in (part[0], part[-1]))
    white = np.full((1, part.shape[1], 3), 255, np.uint8)
    return np.concatenate([white.repeat(above, 0), part, white.repeat(below, 0)])


def _shown_part(boxes: Sequence[Box], page: DrawnPage) -> Box:
    """Return the strip of the page around the regions, or all of it."""
    whole = Box(0.0, 0.0, page.width, page.height)
    if not boxes:
        return whole
    hull = bounding_box(boxes)
    strip = Box(0.0, hull.y0 - _ABOVE_AND_BELOW, page.width, hull.y1 + _ABOVE_AND_BELOW)
    strip = strip.intersection(whole)
    return strip if 0 < strip.height < _WHOLE_PAGE_SHARE * page.height else whole
