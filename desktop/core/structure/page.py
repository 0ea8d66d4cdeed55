"""One page understood: blocks with their sections, and the units to search and quote."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

from desktop.core.structure.blocks import DraftBlock, draft_blocks
from desktop.core.structure.furniture import document_style as _margins_and_size
from desktop.core.structure.furniture import is_furniture
from desktop.core.structure.raw import DocumentStyle, RawPage
from desktop.core.structure.sections import section_paths
from desktop.core.structure.segments import hull, page_segments
from desktop.core.structure.tables import table_regions
from desktop.core.structure.units import open_table, page_units
from desktop.core.structure.values import Block, Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.segments import Segment
    from desktop.core.structure.tables import TableHead
    from desktop.core.structure.values import BlockKind


# Recognised lines vary in height: a heading of a scan stands out by more than in print.
_OCR_HEADING = 1.15


def learn_style(pages: Sequence[RawPage], style: DocumentStyle) -> DocumentStyle:
    """Return `style` with the body size and running lines seen on sample pages."""
    body, repeated = _margins_and_size((raw, page_segments(raw)) for raw in pages)
    return DocumentStyle(body, repeated, style.outline, style.title)


@dataclass(frozen=True, slots=True)
class PageStructure:
    """A page understood. open_table: the head of a table that may go on over the page."""

    blocks: tuple[Block, ...]
    units: tuple[Unit, ...]
    open_table: TableHead | None


def structure_page(
    raw: RawPage, style: DocumentStyle, continued: tuple[str, ...] = ()
) -> tuple[tuple[Block, ...], tuple[Unit, ...]]:
    """Return the blocks and units of a page that stands alone; see `understand_page`."""
    found = understand_page(raw, style, continued)
    return found.blocks, found.units


def understand_page(
    raw: RawPage,
    style: DocumentStyle,
    continued: tuple[str, ...] = (),
    head: TableHead | None = None,
) -> PageStructure:
    """Return the blocks and units of a page, in reading order.

    continued: the section path at the end of the page before, for PDFs without outline.
    head: of the table that the page before ends with.
    """
    segments = page_segments(raw)
    if raw.ocr and segments:  # text heights in an image are not font sizes
        sizes = [s.size for s in segments for _ in s.text]
        style = replace(style, body_size=_OCR_HEADING * median(sizes))
    furniture = [s for s in segments if is_furniture(s, raw, style)]
    text = [s for s in segments if s not in furniture]
    if raw.ocr and not raw.regions:
        raw = replace(raw, regions=table_regions(text))
    drafts = draft_blocks(raw, text, style)
    paths = section_paths(drafts, raw.page, style.outline, continued)
    units = page_units(drafts, paths, raw.words, style.title, head)
    blocks = [_block(i, d, p) for i, (d, p) in enumerate(zip(drafts, paths, strict=True))]
    if furniture:
        blocks += _furniture_blocks(furniture, raw, len(blocks))
    return PageStructure(tuple(blocks), tuple(units), open_table(drafts, head))


def _block(position: int, draft: DraftBlock, path: tuple[str, ...]) -> Block:
    level = len(path) if draft.kind == "heading" else 0
    return Block(position, draft.kind, draft.text, draft.box, path, level, draft.warning)


def _furniture_blocks(furniture: Sequence[Segment], raw: RawPage, start: int) -> list[Block]:
    blocks: list[Block] = []
    groups: tuple[tuple[BlockKind, list[Segment]], ...] = (
        ("header", [s for s in furniture if s.centre[1] < raw.height / 2]),
        ("footer", [s for s in furniture if s.centre[1] >= raw.height / 2]),
    )
    for kind, group in groups:
        if group:
            text = " ".join(s.text for s in group)
            blocks.append(Block(start + len(blocks), kind, text, hull(s.box for s in group)))
    return blocks
