"""The blocks of a page in reading order: headings, paragraphs, lists, tables, captions, lines."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from desktop.core.geometry import Box
from desktop.core.structure.blocks import (
    DraftBlock,
    with_messages,
    with_numbers,
    without_options,
)
from desktop.core.structure.captions import (
    beside_caption,
    is_about_figure,
    is_caption,
    without_caption,
)
from desktop.core.structure.grids import lines_between_frames, with_grids
from desktop.core.structure.headings import LONGEST_HEADING, with_headings, with_whole_headings
from desktop.core.structure.raw import Segment, hull, visual_rows
from desktop.core.structure.reading_order import reading_order
from desktop.core.structure.regions import mended_regions
from desktop.core.structure.ruled_rows import LEAST_ROWS, between_rules, column_cuts, table_rules
from desktop.core.structure.safety import is_signal_word, names_hazard, warning_level
from desktop.core.structure.segment_groups import by_region, loose_groups, with_values_beside
from desktop.core.structure.signs import BULLETS, NUMBER, is_torn_off, starts_item
from desktop.core.structure.table_columns import (
    column_gutters,
    cut_at_fences,
    fenced_columns,
    in_columns,
)
from desktop.core.structure.table_lines import column_fences, fences_of_rules, row_rules
from desktop.core.structure.text_parts import (
    SAME_LEFT,
    below_bold_codes,
    below_bold_lines,
    below_headings,
    below_titles,
    hanging_entries,
    is_prose,
    legend_entries,
    numbered_columns,
    prints_of_headings,
    text_columns,
    without_outdented,
)
from desktop.core.structure.unruled_tables import looks_like_grid, looks_tabular, tables_below

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.raw import DocumentStyle, RawPage
    from desktop.core.structure.values import BlockKind, BoxTuple

_KINDS: dict[str, BlockKind] = {
    "table": "table",
    "picture": "figure",
    "caption": "caption",
    "section-header": "heading",
    "title": "heading",
    "list-item": "list",
    "text": "text",
    "footnote": "text",
    "formula": "text",
}
_LEAST_EXPLAINED = 2
_LEAST_MARKS = 3
_NAMED_STEP = re.compile(r"[^\W\d_]+ \d{1,2}\s?[:.]\s")
_LEAST_SAID = 8
"""Words of a step below a picture; a caption that begins with a number has fewer."""
# A picture with so many columns and rows between lines, most of them filled, is a table.
_LEAST_COLUMNS, _LEAST_GRID, _MOST_FILLED = 3, 6, 0.75
_LEAST_PRINTED_ON = 2
_LARGELY = 0.75  # of a shape: so much of it in a figure makes it a part of it


def draft_blocks(
    raw: RawPage, segments: Sequence[Segment], style: DocumentStyle
) -> list[DraftBlock]:
    """Return the page's blocks in reading order; furniture must be left out of segments."""
    regions = [region for region in raw.regions if region.kind in _KINDS]
    regions = mended_regions(regions, segments, raw.images)
    regions = with_grids(regions, raw.drawings, segments)
    entries = legend_entries(segments)
    taken = {segment for entry in entries for segment in entry}
    groups, rest = by_region([s for s in segments if s not in taken], regions)
    blocks = [_block("list", entry) for entry in entries]
    printed = partial(below_headings, prints=prints_of_headings(regions, groups))
    titles = (below_titles, below_bold_codes, below_bold_lines, printed)
    for region, group in with_values_beside(list(zip(regions, groups, strict=True))):
        box = region.box
        if _KINDS[region.kind] in ("text", "list"):
            parts = numbered_columns(group) or text_columns(group) or hanging_entries(group)
            if parts:
                blocks += [_block("list", part) for part in parts]
                continue
            group, outside = without_outdented(region, group)
            blocks += [_block("text", outside)] if outside else []
            cuts = (cut(group) for cut in titles)
            if titled := next((cut for cut in cuts if len(cut) > 1), None):
                blocks += [_block(kind, part) for kind, part in titled]
                continue
        if region.kind == "picture":
            box = _with_whole_shapes(box, raw.drawings)
            group, listed = without_list(group)
            if listed:
                blocks.append(_block("list", listed))
                box = _beside_list(box, blocks[-1].box, group)
            group, tables = tables_below(group)
            blocks += [_block("table", table) for table in tables]
            box = _without_tables(box, blocks[len(blocks) - len(tables) :])
            group, caption = without_caption(group)
            if caption:
                blocks.append(_block("caption", caption))
                box = beside_caption(box, blocks[-1].box)
        if group or region.kind == "picture":
            blocks.append(_block(_KINDS[region.kind], group, box))
    for box in () if raw.ocr else _bare_images(raw, blocks):
        seen = [s for s in rest if s.block < 0 and s.stands_in(box)]
        if seen:  # words that OCR read in the picture
            rest = [segment for segment in rest if segment not in seen]
            kind: BlockKind = "table" if looks_tabular(seen, LEAST_ROWS) else "figure"
            blocks.append(_block(kind, seen, box))
    for group in loose_groups(rest):
        blocks += [_block(kind, part) for kind, part in below_bold_codes(group)]
    bare = [DraftBlock("figure", (), box) for box in _bare_images(raw, blocks)]
    behind = [each for each in bare if _lies_behind(each.box, blocks)]
    blocks += [each for each in bare if each not in behind]
    blocks = [_ruled(block, raw) for block in blocks]
    headings = [n for n, block in enumerate(blocks) if block.kind == "heading"]
    texts = ((n, block.text) for n, block in enumerate(blocks) if block.kind != "figure")
    opened = ((n, NUMBER.match(text)) for n, text in texts)
    numbers = {n: int(match[2]) for n, match in opened if match}
    size = (raw.width, raw.height)
    order = reading_order([b.box for b in blocks], raw.drawings, headings, numbers, size)
    ordered = [*(blocks[index] for index in order), *behind]
    ordered = with_headings(with_whole_headings(with_numbers(ordered)), raw, style)
    return with_messages(without_options(ordered))


def _without_tables(picture: BoxTuple, tables: Sequence[DraftBlock]) -> BoxTuple:
    """Return the box of a picture without the tables above or below what is drawn."""
    for table in tables:
        picture = beside_caption(picture, table.box)
    return picture


def _ruled(block: DraftBlock, raw: RawPage) -> DraftBlock:
    """Give tables, and figures that may be one, the rules that are drawn through them."""
    if block.kind not in ("table", "figure"):
        return block
    if block.kind == "figure":
        rules, fences = lines_between_frames(block.box, raw.drawings, block.segments)
        if rules:
            return replace(block, kind="table", rules=rules, fences=fences)
        if not _is_ruled_table(block, raw):
            return replace(block, rules=row_rules(block.box, raw.drawings))
        block = replace(block, kind="table", box=hull(s.box for s in block.segments))
    fences = column_fences(block.box, raw.drawings)
    if not fenced_columns(block.box, fences):
        fences = (*fences, *fences_of_rules(block.box, raw.drawings))
    cut = cut_at_fences(block.segments, fences, raw.words)
    columns = fenced_columns(block.box, fences, visual_rows(cut))
    segments = in_columns(cut, raw.words, columns)
    lines = visual_rows(segments)
    columns = fenced_columns(block.box, fences, lines)
    drawn = fences
    if gutters := column_gutters(block.box, lines, columns):
        fences = (*drawn, *gutters)
        columns = fenced_columns(block.box, fences, lines)
    rules = table_rules(block.box, raw.drawings, lines, columns, drawn)
    cuts = column_cuts(block.box, raw.drawings, rules, columns) if columns else ()
    return replace(block, segments=tuple(segments), rules=rules, fences=fences, cuts=cuts)


def _is_ruled_table(figure: DraftBlock, raw: RawPage) -> bool:
    """Whether what was taken for a picture is a table: lines part its columns and its rows."""
    if len(figure.segments) < _LEAST_GRID:
        return False
    columns = fenced_columns(figure.box, column_fences(figure.box, raw.drawings))
    if len(columns) < _LEAST_COLUMNS:
        return False
    rules = row_rules(figure.box, raw.drawings)
    rows = between_rules(visual_rows(figure.segments), rules, columns) or []
    filled = sum(len(row[0]) > 1 for row in rows)
    return filled >= max(_LEAST_GRID, _MOST_FILLED * len(rows))


def _block(
    kind: BlockKind,
    segments: Sequence[Segment],
    box: BoxTuple | None = None,
) -> DraftBlock:
    ordered = _signal_first([s for row in visual_rows(segments) for s in row])
    text = " ".join(segment.text for segment in ordered)
    level = warning_level(text) if kind in ("text", "list", "heading") else ""
    if (
        kind == "text"
        and not is_signal_word(ordered[0].text)
        and looks_tabular(ordered, LEAST_ROWS)
    ):
        level = ""  # values below a note, and not the note alone
    if kind == "figure" and looks_like_grid(ordered):
        kind = "table"
    if kind == "table" and _is_panel(ordered):
        level = warning_level(text)
    if not level and kind in ("text", "heading") and names_hazard(text):
        level = "WARNING"
    if level:
        kind = "warning"
    elif kind in ("text", "list", "caption", "heading"):
        kind = _text_kind(kind, ordered, text, recognised=box is not None)
    whole = hull([s.box for s in ordered] + ([box] if box and kind == "figure" else []))
    return DraftBlock(kind, ordered, whole if ordered else box or whole, level)


def _signal_first(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Return the lines of a block, first a safety word that stands left of all others."""
    words = [segment for segment in segments if is_signal_word(segment.text)]
    others = [segment for segment in segments if segment not in words]
    if len(words) != 1 or not others or words[0].box[2] > min(s.box[0] for s in others):
        return tuple(segments)
    return (*words, *others)


def _is_panel(segments: Sequence[Segment]) -> bool:
    """Whether a "table" is a safety panel: its first column is nothing but the safety word."""
    if not is_signal_word(segments[0].text):
        return False
    right = segments[0].box[2]
    return all(segment.box[0] >= right for segment in segments[1:])


def _text_kind(
    kind: BlockKind,
    segments: Sequence[Segment],
    text: str,
    *,
    recognised: bool,
) -> BlockKind:
    if is_caption(text):
        return "caption"
    if kind == "heading" and (len(text.split()) > LONGEST_HEADING or _is_rest(text)):
        kind = "text"
    is_named = kind == "caption" and not (_is_step(text) or is_about_figure(text))
    if kind == "heading" or is_named:
        return kind
    kind = "text" if kind == "caption" else kind
    # The layout model's word for "text" counts: only clear columns overrule it, or names each with
    # its value.
    least = 2 if not recognised or _names_values(segments) else 4
    is_table = looks_tabular(segments, least) or _explains_names(segments)
    if is_table and not starts_item(text):
        return "table"
    return "list" if starts_item(text) else kind


def _is_rest(text: str) -> bool:
    return is_torn_off(text) and not starts_item(text)


def _is_step(text: str) -> bool:
    """Whether text says what to do, with a number before it: "1. Press", "Step 1: Press"."""
    is_said = text.endswith((".", "!")) and len(text.split()) >= _LEAST_SAID
    return is_said and (NUMBER.match(text) or _NAMED_STEP.match(text)) is not None


def _names_values(segments: Sequence[Segment]) -> bool:
    """Whether every line is a name, most of them with a value beside it."""
    lines = visual_rows(segments)
    named = sum(len(line) >= 2 for line in lines)
    return named * 2 > len(lines) and not any(is_prose(line[0]) for line in lines)


def _explains_names(segments: Sequence[Segment]) -> bool:
    """Whether names with a colon stand in one column, and on all lines of another what each is."""
    lines = visual_rows(segments)
    named = [line for line in lines if len(line) > 1]
    if len(named) < _LEAST_EXPLAINED or not all(line[0].text.endswith(":") for line in named):
        return False
    left = min(line[1].box[0] for line in named)
    begins = [line[1] if len(line) > 1 else line[0] for line in lines]
    return all(abs(segment.box[0] - left) <= SAME_LEFT for segment in begins)


def without_list(segments: Sequence[Segment]) -> tuple[list[Segment], list[Segment]]:
    """Return the segments of a figure without those of a list beside what is drawn, and these.

    It is a text block of the PDF with several bullets below each other; labels are blocks each.
    """
    lists = []
    for block in {segment.block for segment in segments if segment.block >= 0}:
        marks = [s.box[0] for s in segments if s.block == block and s.text.startswith(BULLETS)]
        if any(sum(abs(x - left) <= SAME_LEFT for x in marks) >= _LEAST_MARKS for left in marks):
            lists.append(block)
    rest = [segment for segment in segments if segment.block not in lists]
    return rest, [segment for segment in segments if segment.block in lists]


def _beside_list(figure: BoxTuple, listed: BoxTuple, labels: Sequence[Segment]) -> BoxTuple:
    """Return the box of a figure without the list on its left or right."""
    x0, y0, x1, y1 = figure
    left, right = (x0, y0, min(x1, listed[0]), y1), (max(x0, listed[2]), y0, x1, y1)
    on_left = sum(label.stands_in(left) for label in labels)
    on_right = sum(label.stands_in(right) for label in labels)
    if on_left == on_right:
        on_left, on_right = int(left[2] - left[0] > right[2] - right[0]), 0
    side = left if on_left > on_right else right
    return side if side[2] > side[0] else figure


def _with_whole_shapes(figure: BoxTuple, drawings: Sequence[BoxTuple]) -> BoxTuple:
    """Return the box that a model saw around a figure, grown so that it cuts no frame in it."""
    seen = Box(*figure)
    lines_too = ((each, Box(*each).inflated(0.5)) for each in drawings)
    return hull([figure, *(d for d, box in lines_too if box.overlap_share(seen) > _LARGELY)])


def _bare_images(raw: RawPage, blocks: Sequence[DraftBlock]) -> list[BoxTuple]:
    """Return images and drawings of some size that no figure block covers yet."""
    page_area = raw.width * raw.height
    found: list[BoxTuple] = []
    for box in (*raw.images, *raw.drawings):
        share = Box(*box).area / page_area if page_area else 0.0
        if not 0.02 < share < 0.9:
            continue
        covered = [b.box for b in blocks if b.kind in ("figure", "table")] + found
        if not any(_overlap(box, other) > 0.3 for other in covered):
            found.append(box)
    return found


def _lies_behind(picture: BoxTuple, blocks: Sequence[DraftBlock]) -> bool:
    """Whether several blocks are printed on a picture: a frame around text has no place in it."""
    inside = (each for each in blocks if each.segments and _overlap(each.box, picture) > _LARGELY)
    return sum(1 for _ in inside) >= _LEAST_PRINTED_ON


def _overlap(one: BoxTuple, other: BoxTuple) -> float:
    """Return the share of the smaller box that lies in the other."""
    first, second = Box(*one), Box(*other)
    smaller = min(first.area, second.area)
    return first.intersection(second).area / smaller if smaller else 0.0
