"""The blocks of a page in reading order: headings, paragraphs, lists, tables, captions, lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import median
from typing import TYPE_CHECKING

from desktop.core.geometry import Box
from desktop.core.structure.grids import with_grids
from desktop.core.structure.raw import RawRegion, Segment, gap_between, hull, visual_rows
from desktop.core.structure.reading_order import reading_order
from desktop.core.structure.regions import mended_regions
from desktop.core.structure.safety import is_signal_word, warning_level
from desktop.core.structure.sentences import sentence_spans
from desktop.core.structure.signs import BULLETS, DRAWN_SIGN, NUMBER, starts_item
from desktop.core.structure.tables import (
    between_rules,
    column_cuts,
    column_fences,
    column_gutters,
    fenced_columns,
    looks_like_grid,
    looks_tabular,
    row_rules,
    table_rules,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.structure.raw import DocumentStyle, RawPage
    from desktop.core.structure.tables import Cut, Extent, Fence
    from desktop.core.structure.values import BlockKind, BoxTuple

_LEAST_LINES = 4
# Letters wide: in no font is the white between two words wider than one.
_LEAST_WHITE = 1.2
# A line of one piece this wide is a title or a note, which columns need not respect.
_SPANNING = 0.5
_BOTH_SIDES = 0.5


def in_columns(
    segments: Sequence[Segment], words: PageWords, columns: Sequence[Extent] = ()
) -> list[Segment]:
    """Return the segments of a table, cut where the same white space runs through all lines.

    columns: those that upright lines part, at which the segments are cut already; where such a
    line leaves a gap, a title or a cell goes over both of its sides.
    """
    lines = [line for line in visual_rows(segments) if not _spans(line, segments)]
    if len(lines) < _LEAST_LINES:
        return list(segments)
    gaps = [
        (left + right) / 2
        for left, right in _white(lines, words)
        if not any(left < end < right for _, end in columns)
    ]
    return [part for segment in segments for part in _cut_columns(segment, gaps, words)]


def cut_at_fences(
    segments: Sequence[Segment], fences: Sequence[Fence], words: PageWords
) -> list[Segment]:
    """Return the segments of a table, cut where an upright line stands between two words."""
    cut: list[Segment] = []
    for segment in segments:
        left, _, right, _ = segment.box
        own = words.boxes[list(segment.words)]
        gaps = sorted(
            x
            for x, top, bottom in fences
            if left < x < right
            and top <= segment.centre[1] <= bottom
            and not ((own[:, 0] < x - 1) & (own[:, 2] > x + 1)).any()
        )
        cut += _cut_columns(segment, gaps, words)
    return cut


def _spans(line: Sequence[Segment], segments: Sequence[Segment]) -> bool:
    whole = hull(segment.box for segment in segments)
    return len(line) == 1 and line[0].box[2] - line[0].box[0] > _SPANNING * (whole[2] - whole[0])


def _white(lines: Sequence[Sequence[Segment]], words: PageWords) -> Iterator[tuple[float, float]]:
    """Yield both ends of each white stripe that runs through all lines, in points."""
    pieces = [segment for line in lines for segment in line]
    least = _LEAST_WHITE * median((s.box[2] - s.box[0]) / len(s.text) for s in pieces)
    extents = sorted(
        (float(words.boxes[index, 0]), float(words.boxes[index, 2]))
        for segment in pieces
        for index in segment.words
    )
    end = extents[0][1]
    for left, right in extents[1:]:
        if left - end >= least and _is_inside((left + end) / 2, lines):
            yield end, left
        end = max(end, right)


def _is_inside(x: float, lines: Sequence[Sequence[Segment]]) -> bool:
    both = sum(line[0].box[0] < x < line[-1].box[2] for line in lines)
    return both >= _BOTH_SIDES * len(lines)


def _cut_columns(segment: Segment, gaps: Sequence[float], words: PageWords) -> Iterator[Segment]:
    inside = [gap for gap in gaps if segment.box[0] < gap < segment.box[2]]
    if not inside:
        yield segment
        return
    for left, right in zip((float("-inf"), *inside), (*inside, float("inf")), strict=True):
        part = tuple(i for i in segment.words if left <= float(words.boxes[i, 0]) < right)
        if part:
            yield replace(
                segment,
                words=part,
                text=" ".join(words.texts[index] for index in part),
                box=words.hull(part).as_tuple(),
            )


_OF_FIGURE, _OF_TABLE = r"figure|fig\.?|abbildung|abb\.?|bild", r"table|tabelle|tab\."
_NUMBERED_CAPTION = re.compile(
    rf"^(?:(?P<figure>{_OF_FIGURE})|(?P<table>{_OF_TABLE}))\s*"
    r"(?P<number>\d+(?:[.-]\d+)*[a-z]?)(?P<mark>\s*[.:)\u2013\u2014-]|)\s*(?P<next>.?)",
    re.IGNORECASE,
)
# What a text calls a figure: "as Figure 3-2 shows", "(Fig. 6.2)".
_MENTION = rf"\b(?:{_OF_FIGURE})\s*{{number}}(?![\w.-]*\d|[a-z])"
_TEXTS = frozenset({"text", "list", "warning"})
_MOST_TOLD = 150  # characters
_LONGEST = 300
# The next line of a caption stands closer than this many of its heights.
_NEXT_LINE = 0.6
_NEAR = 2  # blocks


def is_caption(text: str) -> bool:
    """Whether a text names a figure or table: "Table 4. Ratings", not "Table 4 shows that"."""
    match = _NUMBERED_CAPTION.match(text)
    return (
        match is not None
        and len(text) < _LONGEST
        and bool(match["mark"] or not match["next"].islower())
    )


def is_about_figure(text: str) -> bool:
    """Whether a sentence begins with a figure or table that it speaks of."""
    return bool(_NUMBERED_CAPTION.match(text)) and not is_caption(text)


def caption_beside(position: int, blocks: Sequence[DraftBlock]) -> str:
    """Return the caption of a figure or table, "" if it has none.

    Of captions nearby, one numbered as the right kind comes before the others. A
    table's caption goes to a figure only beside it, and only if no table is on the
    caption's other side.
    """
    here = blocks[position]
    near = [
        index
        for index in range(max(0, position - _NEAR), min(len(blocks), position + _NEAR + 1))
        if blocks[index].kind == "caption"
    ]
    own = [index for index in near if not _is_of_other(index, position, blocks)]
    if not own:
        return ""
    best = min(
        own, key=lambda index: (_strangeness(index, here, blocks), _apart(blocks[index], here))
    )
    return blocks[best].text


def text_about(caption: str, blocks: Sequence[DraftBlock]) -> str:
    """Return the first sentence of a page that refers to the figure of a caption, "" if none does.

    A long one is cut.
    """
    match = _NUMBERED_CAPTION.match(caption)
    if match is None or match["figure"] is None:
        return ""
    mention = re.compile(_MENTION.format(number=re.escape(match["number"])), re.IGNORECASE)
    for block in blocks:
        if block.kind not in _TEXTS or not mention.search(block.text):
            continue
        words = block.text.split()
        for first, last in sentence_spans(words):
            sentence = " ".join(words[first:last])
            if mention.search(sentence):
                return sentence[:_MOST_TOLD]
    return ""


def _is_of_other(index: int, position: int, blocks: Sequence[DraftBlock]) -> bool:
    match = _NUMBERED_CAPTION.match(blocks[index].text)
    wanted: BlockKind = "table" if match and match["table"] else "figure"
    if match is None or blocks[position].kind == wanted:
        return False
    beyond = 2 * index - position
    has_own = 0 <= beyond < len(blocks) and blocks[beyond].kind == wanted
    return abs(index - position) > 1 or has_own


def _strangeness(index: int, here: DraftBlock, blocks: Sequence[DraftBlock]) -> int:
    match = _NUMBERED_CAPTION.match(blocks[index].text)
    if match is None:
        return 1
    return 0 if match["table" if here.kind == "table" else "figure"] else 2


def _apart(one: DraftBlock, other: DraftBlock) -> float:
    return max(one.box[1] - other.box[3], other.box[1] - one.box[3], 0.0)


def without_caption(
    segments: Sequence[Segment],
) -> tuple[list[Segment], list[Segment]]:
    """Return the segments of a figure without those of a caption inside it, and these.

    A caption is in the first or the last lines.
    """
    rows = visual_rows(segments)
    for start in (0, *range(max(1, len(rows) - 3), len(rows))):
        if rows and is_caption(" ".join(s.text for s in rows[start])):
            end = start + 1
            while end < len(rows) and _goes_on(rows[end - 1], rows[end]):
                end += 1
            caption = [segment for row in rows[start:end] for segment in row]
            rest = [segment for row in (*rows[:start], *rows[end:]) for segment in row]
            return rest, caption
    return list(segments), []


def beside_caption(figure: BoxTuple, caption: BoxTuple) -> BoxTuple:
    """Return the box of a figure without the caption above or below what is drawn."""
    x0, y0, x1, y1 = figure
    if caption[1] + caption[3] < y0 + y1:
        return (x0, min(max(y0, caption[3]), y1), x1, y1)
    return (x0, y0, x1, max(min(y1, caption[1]), y0))


def without_list(segments: Sequence[Segment]) -> tuple[list[Segment], list[Segment]]:
    """Return the segments of a figure without those of a list beside what is drawn, and these.

    It is a text block of the PDF with several bullets below each other; labels are blocks each.
    """
    lists = []
    for block in {segment.block for segment in segments if segment.block >= 0}:
        marks = [s.box[0] for s in segments if s.block == block and s.text.startswith(BULLETS)]
        if any(sum(abs(x - left) <= _SAME_COLUMN for x in marks) >= _LEAST_MARKS for left in marks):
            lists.append(block)
    rest = [segment for segment in segments if segment.block not in lists]
    return rest, [segment for segment in segments if segment.block in lists]


def _beside(figure: BoxTuple, listed: BoxTuple, labels: Sequence[Segment]) -> BoxTuple:
    """Return the box of a figure without the list on its left or right."""
    x0, y0, x1, y1 = figure
    left, right = (x0, y0, min(x1, listed[0]), y1), (max(x0, listed[2]), y0, x1, y1)
    on_left = sum(label.stands_in(left) for label in labels)
    on_right = sum(label.stands_in(right) for label in labels)
    if on_left == on_right:
        on_left, on_right = int(left[2] - left[0] > right[2] - right[0]), 0
    side = left if on_left > on_right else right
    return side if side[2] > side[0] else figure


def text_columns(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Return the columns of a text whose lines are at one height, [] if they are rows.

    Columns are written one after the other, each a text block of the PDF, and have several words
    in a line; rows of a table are written across, or have values in a column.
    """
    columns = [
        [segment for segment in segments if segment.block == block]
        for block in dict.fromkeys(segment.block for segment in segments)
    ]
    if len(columns) < 2 or any(column[0].block < 0 for column in columns):
        return []
    boxes = [hull(segment.box for segment in column) for column in columns]
    for column, (before, box) in zip(columns[1:], pairwise(boxes), strict=True):
        overlaps = min(before[3], box[3]) > max(before[1], box[1])
        if box[0] < before[2] or not overlaps or column[0].centre[1] > before[3]:
            return []
    words = [[len(s.text.split()) for s in column] for column in columns]
    prose = all(len(each) > 2 and sum(each) >= _LEAST_CELL * len(each) for each in words)
    down = all(all(a.centre[1] < b.centre[1] for a, b in pairwise(column)) for column in columns)
    return columns if prose and down else []


def hanging_entries(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Return the entries of a text whose names stand out on the left, [] if it is none.

    "Al:  Alarm low voltage. When ..." with all further lines further right. Names are bold or have
    a colon, and what is said of one ends before the next.
    """
    lines = visual_rows(segments)
    outer = min((line[0].box[0] for line in lines), default=0.0)
    entries: list[list[list[Segment]]] = []
    inner: list[float] = []
    for line in lines:
        if line[0].box[0] - outer <= _SAME_COLUMN:
            entries.append([line])
        elif entries:
            entries[-1].append(line)
            inner.append(line[0].box[0])
    if len(entries) < _LEAST_HANGING or len(inner) < _LEAST_HANGING:
        return []
    left = median(inner)
    level = sum(abs(x - left) <= _SAME_COLUMN for x in inner) >= _NEARLY_ALL * len(inner)
    named = sum(_stands_out(entry[0]) for entry in entries) >= _NEARLY_ALL * len(entries)
    ended = sum(entry[-1][-1].text[-1:] in _ENDS for entry in entries[:-1])
    if not (level and named and ended >= _NEARLY_ALL * (len(entries) - 1)):
        return []
    return [[segment for line in entry for segment in line] for entry in entries]


def _stands_out(line: Sequence[Segment]) -> bool:
    """Whether a line begins with a name: in bold, or with a colon behind few words."""
    begun = " ".join(line[0].text.split()[:_MOST_OF_NAME])
    return line[0].bold or ":" in begun


def _without_outdented(
    region: RawRegion, segments: list[Segment]
) -> tuple[list[Segment], list[Segment]]:
    """Return an item without the lines at its end that begin left of its bullet, and these."""
    lines = visual_rows(segments) if region.kind == "list-item" else []
    left = lines[0][0].box[0] - _SAME_COLUMN if lines else 0.0
    end = next((n for n, line in enumerate(lines) if line[0].box[0] < left), len(lines))
    outside = [segment for line in lines[end:] for segment in line]
    is_item = bool(outside) and starts_item(lines[0][0].text)
    if not is_item or any(starts_item(segment.text) for segment in outside):
        return segments, []
    return [segment for line in lines[:end] for segment in line], outside


def _below_titles(segments: Sequence[Segment]) -> list[tuple[BlockKind, list[Segment]]]:
    """Return a text in parts, cut around the lines in bold larger print: "(4e) POWER LED".

    Below each of them stands prose: the words of a drawing, or of a cover, are no titles.
    """
    plain = [segment.size for segment in segments if not segment.bold]
    least = _TITLE * max(plain, default=0.0)
    parts = _parted(segments, lambda line: bool(plain) and line[0].size >= least)
    texts = [part for kind, part in parts if kind == "text"]
    return parts if all(any(map(_is_prose, text)) for text in texts) else []


def _below_codes(segments: Sequence[Segment]) -> list[tuple[BlockKind, list[Segment]]]:
    """Return a text in parts, cut around its lines in bold that begin with a code: "[420] Baud"."""
    plain = any(not segment.bold for segment in segments)
    return _parted(segments, lambda line: plain and bool(_BRACKETED.match(line[0].text)))


def _parted(
    segments: Sequence[Segment], is_title: Callable[[Sequence[Segment]], bool]
) -> list[tuple[BlockKind, list[Segment]]]:
    """Return a text in parts, each line in bold that is a title apart from what is below it."""
    parts: list[tuple[BlockKind, list[Segment]]] = []
    for line in visual_rows(segments):
        heads = all(segment.bold for segment in line) and is_title(line)
        if heads or not parts or parts[-1][0] == "heading":
            parts.append(("heading" if heads else "text", []))
        parts[-1][1].extend(line)
    return parts


def _with_known_headings(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Take a text for a heading if a heading of the page says the same in the same size."""
    known = {(block.text, block.segments[0].size) for block in blocks if block.kind == "heading"}
    return [
        replace(block, kind="heading")
        if block.kind == "text" and (block.text, block.segments[0].size) in known
        else block
        for block in blocks
    ]


def _with_table_titles(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Take a line right above a table for a heading if one in the same print is above another."""
    over = [
        n
        for n, (block, below) in enumerate(pairwise(blocks))
        if below.kind == "table" and block.kind in ("heading", "text") and len(block.segments) == 1
    ]
    prints = {_print_of(blocks[n]) for n in over if blocks[n].kind == "heading"}
    titles = {n for n in over if _print_of(blocks[n]) in prints and _is_title(blocks[n].text)}
    return [replace(b, kind="heading") if n in titles else b for n, b in enumerate(blocks)]


def _print_of(block: DraftBlock) -> tuple[float, bool, int]:
    """Return the size and weight of a block's first line, and where it begins."""
    first = block.segments[0]
    return round(first.size, 1), first.bold, round(first.box[0] / _SAME_COLUMN)


def _is_title(text: str) -> bool:
    return len(text.split()) <= _LONGEST_HEADING and text[-1:] not in (*_ENDS, ",")


def _without_options(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Take options with codes alike, "[1] ...", "[2] ...", for items, in bold or not.

    They follow each other with nothing between, some are no headings, or text stands below and
    further right.
    """
    shapes = [_shape_of_code(block) for block in blocks]
    options = {shape for shape, run in groupby(shapes) if shape and len(list(run)) >= _LEAST_ROWS}
    for shape in {*shapes} - {"", *options}:
        own = [n for n, each in enumerate(shapes) if each == shape]
        mixed = any(blocks[n].kind != "heading" for n in own)
        said = sum(_is_said_of(blocks[n], blocks[n + 1]) for n in own if n + 1 < len(blocks))
        options |= {shape} if len(own) >= _LEAST_ROWS and (mixed or 2 * said > len(own)) else set()
    joined: list[DraftBlock] = []
    option: DraftBlock | None = None
    for block, shape in zip(blocks, shapes, strict=True):
        if shape in options:
            option = replace(block, kind="list")
            joined.append(option)
        elif option is not None and _is_said_of(option, block):
            segments, box = option.segments + block.segments, hull((option.box, block.box))
            option = joined[-1] = replace(option, segments=segments, box=box)
        else:
            option = None
            joined.append(block)
    return joined


def _is_said_of(option: DraftBlock, block: DraftBlock) -> bool:
    """Whether a text stands right below an option and further right: "ON: ...", "OFF: ..."."""
    line = option.segments[-1].box
    near = 0 <= block.box[1] - line[3] + _SAME_COLUMN < 2 * (line[3] - line[1])
    right = block.box[0] > option.box[0] + _SAME_COLUMN
    return near and right and block.kind in ("text", "list")


def _shape_of_code(block: DraftBlock) -> str:
    """Return the code in brackets that a text or heading begins with, "[##]" for "[12]"; or ""."""
    code = _BRACKETED.match(block.text) if block.kind in ("heading", "text", "list") else None
    return re.sub(r"\d", "#", code[0]) if code else ""


def legend_entries(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Return the entries of legends in columns, each with its lines: "1 – Lid   4 – Key".

    Each is one text block of the PDF, and the numbers of its entries count on.
    """
    found: list[list[Segment]] = []
    for block in dict.fromkeys(segment.block for segment in segments if segment.block >= 0):
        own = [segment for segment in segments if segment.block == block]
        matches = ((segment, _ENTRY.match(segment.text)) for segment in own)
        begun = {segment: int(match[1]) for segment, match in matches if match}
        numbers = sorted(begun.values())
        beside = sum(sum(s in begun for s in row) > 1 for row in visual_rows(own)) if begun else 0
        counts_on = numbers[:1] and numbers == list(range(numbers[0], numbers[0] + len(begun)))
        if len(begun) < _LEAST_ENTRIES or beside < 2 or not counts_on:
            continue
        entries = {segment: [segment] for segment in begun}
        for segment in own:
            left, top, _, _ = segment.box
            over = (s for s in begun if s.box[0] - _SAME_COLUMN <= left < s.box[2])
            above = [s for s in over if s.box[1] < top]
            if segment not in begun and above:
                entries[max(above, key=lambda s: s.box[1])].append(segment)
        found += [entries[segment] for segment in sorted(begun, key=begun.__getitem__)]
    return found


def _goes_on(row: Sequence[Segment], below: Sequence[Segment]) -> bool:
    height = max(s.box[3] - s.box[1] for s in row)
    return (
        gap_between(row, below) < _NEXT_LINE * height
        and abs(max(s.size for s in row) - max(s.size for s in below)) < 1
    )


_SAME_COLUMN = 3.0  # points
# "6.9 Boot modes", "CHAPTER 4: THE BOARD"
_NUMBERED = re.compile(
    r"^(?:\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+(?!(?:[GMk]Hz|Ohm|VDC|VAC)\b)[^\W\d_a-z][\w/-]{2,}"
    r"|(?:CHAPTER|Chapter|KAPITEL|Kapitel)\s+\d)"
)
_LONGEST_HEADING = 12  # words
_COLUMNS = 3
_LEAST_PROSE = 5  # words
_LEAST_CELL = 3
"""Words in a line of a column of text on the whole; cells have fewer."""
_LEAST_MARKS = 3
_ENTRY = re.compile(r"\(?(\d{1,2})\)?\s?[–—=:.)-]\s?(?=[^\W\d])")
_LEAST_ENTRIES = 4  # of a legend
_BRACKETED = re.compile(r"\[\d{1,4}\]")
_LEAST_HANGING, _NEARLY_ALL, _MOST_OF_NAME = 3, 0.8, 3
"""Entries of a list with hanging lines; of its lines, so many are as they should be; words."""


def is_numbered_heading(text: str) -> bool:
    """Whether a line reads like a heading; on a scan its font does not tell."""
    if len(text.split()) > _LONGEST_HEADING or text.endswith((".", ":", ";", ",")):
        return False
    return bool(_NUMBERED.match(text))


def loose_groups(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Group segments without a region: lines of one block, or close lines below each other."""
    groups: list[list[Segment]] = []
    for segment in segments:
        # Lines of two columns take turns where OCR read them.
        near = groups[-1:] if segment.block >= 0 else groups[: -_COLUMNS - 1 : -1]
        group = next((group for group in near if _belongs(group[-1], segment)), None)
        if group is None:
            groups.append([segment])
        else:
            group.append(segment)
    return _with_rows_together(groups)


def _with_rows_together(groups: Sequence[list[Segment]]) -> list[list[Segment]]:
    """Put rows of one table together that the PDF wrote as a text block each."""
    joined: list[list[Segment]] = []
    for group in groups:
        if joined and _is_next_row(joined[-1], group):
            joined[-1] = joined[-1] + group
        else:
            joined.append(group)
    return joined


def _is_next_row(above: Sequence[Segment], row: Sequence[Segment]) -> bool:
    """Whether a line of cells stands close below another one, in the same columns."""
    last = visual_rows(above)[-1]
    if len(row) < 2 or len(last) != len(row) or len(visual_rows(row)) > 1:
        return False
    height = max(segment.box[3] - segment.box[1] for segment in last)
    cells = sorted(row, key=lambda segment: segment.box[0])
    return -height < gap_between(last, row) < height and all(
        abs(one.box[0] - other.box[0]) < _SAME_COLUMN
        for one, other in zip(last, cells, strict=True)
    )


def _belongs(previous: Segment, segment: Segment) -> bool:
    if previous.block != segment.block:
        return False
    if segment.block >= 0:
        return True
    if is_numbered_heading(segment.text) or is_numbered_heading(previous.text):
        return False
    height = max(previous.box[3] - previous.box[1], 1.0)
    gap = segment.box[1] - previous.box[3]
    beside = abs(segment.centre[1] - previous.centre[1]) < 0.5 * height
    beside = beside and not (_is_prose(previous) and _is_prose(segment))
    overlap = min(previous.box[2], segment.box[2]) - max(previous.box[0], segment.box[0])
    same_size = 0.7 < segment.size / max(previous.size, 1.0) < 1.4
    return beside or (same_size and gap < 0.75 * height and overlap > 0)


def _is_prose(segment: Segment) -> bool:
    """Whether a piece is a line of text rather than a cell."""
    return len(segment.text.split()) >= _LEAST_PROSE


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
LONGEST_HEADING = 20
"""Words; what is longer was set, or seen, as a heading, but is a paragraph."""
_LEAST_ROWS, _LEAST_EXPLAINED = 3, 2
# A picture with so many columns and rows between lines, most of them filled, is a table.
_LEAST_COLUMNS, _LEAST_GRID, _MOST_FILLED = 3, 6, 0.75
_LARGELY = 0.75  # of a shape: so much of it in a figure makes it a part of it
_NAMED = 0.6
"""Of some lines of text: so many have a value beside them."""
_TO_STEP = 2.0  # heights of its number
_TO_REST = 0.75  # heights of the line above
_SAME_SIZE = 0.5  # points
_TITLE = 1.18
"""Of the size of the text below it: from there on a line in bold is its title."""
_ENDS = ".!?:;"
_OPENING = f" «»‹›„“”\"'{DRAWN_SIGN}"
"""What may stand before the first word of a line, a drawn sign in quotation marks too."""
_NUMBER_ALONE = re.compile(r"^(?:[A-Z]\.?)?\d{1,2}(?:\.\d{1,2})*\.?$")


@dataclass(frozen=True, slots=True)
class DraftBlock:
    """A block before it knows its section: segments are in reading order.

    rules, fences: of a table, the heights of the lines drawn through it, and the upright ones.
    cuts: those that part only some of its columns, with the others, see `column_cuts`.
    """

    kind: BlockKind
    segments: tuple[Segment, ...]
    box: BoxTuple
    warning: str = ""
    rules: tuple[float, ...] = ()
    fences: tuple[Fence, ...] = ()
    cuts: tuple[Cut, ...] = ()

    @property
    def text(self) -> str:
        """Its words, one line of the page after the other."""
        return " ".join(segment.text for segment in self.segments)


def draft_blocks(
    raw: RawPage, segments: Sequence[Segment], style: DocumentStyle
) -> list[DraftBlock]:
    """Return the page's blocks in reading order; furniture must be left out of segments."""
    regions = [region for region in raw.regions if region.kind in _KINDS]
    regions = mended_regions(regions, segments)
    regions = with_grids(regions, raw.drawings, segments)
    entries = legend_entries(segments)
    taken = {segment for entry in entries for segment in entry}
    groups, rest = _by_region([s for s in segments if s not in taken], regions)
    blocks = [_block("list", entry, style) for entry in entries]
    for region, group in _with_values_beside(list(zip(regions, groups, strict=True))):
        box = region.box
        if _KINDS[region.kind] in ("text", "list"):
            parts = text_columns(group) or hanging_entries(group)
            if parts:
                blocks += [_block("list", part, style) for part in parts]
                continue
            group, outside = _without_outdented(region, group)
            blocks += [_block("text", outside, style)] if outside else []
            titled = _below_titles(group)
            titled = titled if len(titled) > 1 else _below_codes(group)
            if len(titled) > 1:
                blocks += [_block(kind, part, style) for kind, part in titled]
                continue
        if region.kind == "picture":
            box = _with_whole_shapes(box, raw.drawings)
            group, listed = without_list(group)
            if listed:
                blocks.append(_block("list", listed, style))
                box = _beside(box, blocks[-1].box, group)
            group, caption = without_caption(group)
            if caption:
                blocks.append(_block("caption", caption, style))
                box = beside_caption(box, blocks[-1].box)
        if group or region.kind == "picture":
            blocks.append(_block(_KINDS[region.kind], group, style, box))
    for box in () if raw.ocr else _bare_images(raw, blocks):
        seen = [s for s in rest if s.block < 0 and s.stands_in(box)]
        if seen:  # words that OCR read in the picture
            rest = [segment for segment in rest if segment not in seen]
            kind: BlockKind = "table" if looks_tabular(seen, _LEAST_ROWS) else "figure"
            blocks.append(_block(kind, seen, style, box))
    for group in loose_groups(rest):
        blocks += [_block(kind, part, style) for kind, part in _below_codes(group)]
    blocks += [DraftBlock("figure", (), box) for box in _bare_images(raw, blocks)]
    blocks = [_ruled(block, raw) for block in blocks]
    blocks = _with_known_headings(blocks)
    headings = [n for n, block in enumerate(blocks) if block.kind == "heading"]
    opened = ((n, NUMBER.match(block.text)) for n, block in enumerate(blocks))
    numbers = {n: int(match[2]) for n, match in opened if match}
    order = reading_order([block.box for block in blocks], raw.drawings, headings, numbers)
    ordered = [blocks[index] for index in order]
    ordered = _with_table_titles(_with_numbers(ordered))
    return _with_messages(_without_cut_headings(_without_options(ordered)))


def _ruled(block: DraftBlock, raw: RawPage) -> DraftBlock:
    """Give tables, and figures that may be one, the rules that are drawn through them."""
    if block.kind not in ("table", "figure"):
        return block
    if block.kind == "figure":
        if not _is_ruled_table(block, raw):
            return replace(block, rules=row_rules(block.box, raw.drawings))
        block = replace(block, kind="table", box=hull(s.box for s in block.segments))
    fences = column_fences(block.box, raw.drawings)
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


def _with_numbers(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Put the number of a heading or a step that stands apart before its words."""
    joined: list[DraftBlock] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if last is not None and _is_number_of(last, block):
            segments, box = last.segments + block.segments, hull((last.box, block.box))
            kind: BlockKind = "heading" if block.kind == "heading" else "list"
            joined[-1] = DraftBlock(kind, segments, box)
        else:
            joined.append(block)
    return [replace(block, kind="text") if _says_nothing(block) else block for block in joined]


def _says_nothing(block: DraftBlock) -> bool:
    """Whether a heading is but signs, numbers and single letters, which cannot name a section."""
    lettered = [word for word in block.text.split() if any(map(str.isalpha, word))]
    return block.kind == "heading" and all(sum(map(str.isalnum, w)) < 2 for w in lettered)


def _without_cut_headings(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Take a heading for text whose last word is cut off: the line below goes on in small letters.

    As the name in a list of values does that needs two lines.
    """
    cut = {n for n, pair in enumerate(pairwise(blocks)) if _is_cut_by(*pair)}
    return [replace(b, kind="text") if n in cut else b for n, b in enumerate(blocks)]


def _is_cut_by(heading: DraftBlock, below: DraftBlock) -> bool:
    if heading.kind != "heading" or below.kind not in ("text", "list", "table"):
        return False
    last, first = heading.segments[-1], visual_rows(below.segments)[0][0]
    near = gap_between([last], [first]) < _TO_REST * (last.box[3] - last.box[1])
    alike = first.bold == last.bold and abs(first.size - last.size) < _SAME_SIZE
    beside = abs(first.box[0] - last.box[0]) <= _SAME_COLUMN
    begun = first.text[:2]
    return near and alike and beside and len(begun) == 2 and begun.isalpha() and begun.islower()


def _is_number_of(number: DraftBlock, block: DraftBlock) -> bool:
    if not _NUMBER_ALONE.match(number.text) or block.box[0] < number.box[2]:
        return False
    kinds = {number.kind, block.kind}
    height = number.box[3] - number.box[1]
    of_step = kinds <= {"heading", "text", "list"} and block.kind != "heading"
    if kinds != {"heading"} and not (of_step and block.box[0] - number.box[2] < _TO_STEP * height):
        return False
    return abs(block.segments[0].centre[1] - number.segments[-1].centre[1]) < 0.5 * height


def _is_rest(item: DraftBlock, block: DraftBlock) -> bool:
    """Whether a block in lower case stands right below an item whose sentence is not over."""
    if item.kind != "list" or block.kind not in ("text", "list") or item.text[-1:] in _ENDS:
        return False
    line = item.segments[-1].box
    overlaps = min(line[2], block.box[2]) > max(line[0], block.box[0])
    near = abs(block.box[1] - line[3]) < _TO_REST * (line[3] - line[1])
    return near and overlaps and _begins_small(block.text)


def _begins_small(text: str) -> bool:
    begun = text.lstrip(_OPENING)[:2]
    return len(begun) == 2 and begun.isalpha() and begun.islower()


def _is_in_next_column(text: DraftBlock, block: DraftBlock) -> bool:
    """Whether a text in lower case stands on top of the column right of one that is not over."""
    if text.kind != "text" or block.kind != "text" or text.warning or text.text[-1:] in _ENDS:
        return False
    last, first = text.segments[-1], block.segments[0]
    alike = first.bold == last.bold and abs(first.size - last.size) < _SAME_SIZE
    beside = block.box[0] > text.box[2] - _SAME_COLUMN and block.box[1] < text.box[3]
    return alike and beside and _is_prose(last) and _begins_small(first.text)


def _with_messages(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Give each safety word that stands alone its message, and each sentence all of its lines."""
    joined: list[DraftBlock] = []
    for block in blocks:
        last = joined[-1] if joined else block
        goes_on = _is_rest(last, block) or _is_in_next_column(last, block)
        if (last.warning and _is_message(last, block)) or goes_on:
            segments, box = last.segments + block.segments, hull((last.box, block.box))
            joined[-1] = replace(last, segments=segments, box=box)
        else:
            joined.append(block)
    return joined


def _is_message(signal: DraftBlock, block: DraftBlock) -> bool:
    if not is_signal_word(signal.text) or block.warning:
        return False
    if block.kind not in ("text", "list", "table"):
        return False
    line = signal.segments[-1].box
    height = line[3] - line[1]
    near = block.box[1] - signal.box[3] < 2 * height
    beside = min(block.box[2], signal.box[2]) - max(block.box[0], signal.box[0]) > -6 * height
    return near and beside


def _by_region(
    segments: Sequence[Segment], regions: Sequence[RawRegion]
) -> tuple[list[list[Segment]], list[Segment]]:
    """Give each segment to the smallest region that holds its centre."""
    groups: list[list[Segment]] = [[] for _ in regions]
    rest = []
    for segment in segments:
        holders = [
            (Box(*region.box).area, index)
            for index, region in enumerate(regions)
            if segment.stands_in(region.box, margin=2)
        ]
        if holders:
            groups[min(holders)[1]].append(segment)
        else:
            rest.append(segment)
    for region, group in zip(regions, groups, strict=True):
        if region.kind not in _ANY_DIRECTION:
            rest += _take_across(group)
    return groups, rest


_ANY_DIRECTION = frozenset({"table", "picture"})


def _take_across(group: list[Segment]) -> list[Segment]:
    """Remove and return the segments that run across most others: a number in the margin."""
    turned = sum(segment.turned for segment in group)
    across = [s for s in group if s.turned == (2 * turned <= len(group))] if turned else []
    if len(across) < len(group):
        group[:] = [segment for segment in group if segment not in across]
        return across
    return []


def _with_values_beside(
    regions: Sequence[tuple[RawRegion, list[Segment]]],
) -> list[tuple[RawRegion, list[Segment]]]:
    """Join a column of names and the values beside it, which were seen as texts of their own."""
    ordered = sorted(regions, key=lambda pair: pair[0].box[0])
    taken: set[int] = set()
    joined: list[tuple[RawRegion, list[Segment]]] = []
    named: list[tuple[RawRegion, list[Segment]]] = []
    for index, (region, group) in enumerate(ordered):
        if index in taken:
            continue
        beside = {
            other: values
            for other, (seen, values) in enumerate(ordered)
            if other > index and other not in taken and _are_values_of(region, group, seen, values)
        }
        values = [segment for segments in beside.values() for segment in segments]
        if values and _name(group, values):
            taken.update(beside)
            group = [*group, *values]
            region = RawRegion("text", hull((region.box, *(ordered[at][0].box for at in beside))))
            named.append((region, group))
        else:
            joined.append((region, group))
    return joined + _one_below_the_other(named)


def _one_below_the_other(
    regions: Sequence[tuple[RawRegion, list[Segment]]],
) -> list[tuple[RawRegion, list[Segment]]]:
    """Join names and values with those right below that begin at the same place."""
    joined: list[tuple[RawRegion, list[Segment]]] = []
    for region, group in sorted(regions, key=lambda pair: pair[0].box[1]):
        above, before = joined[-1] if joined else (region, [])
        height = max(s.box[3] - s.box[1] for s in group)
        beside = abs(above.box[0] - region.box[0]) <= _SAME_COLUMN
        if before and beside and abs(region.box[1] - above.box[3]) < height:
            joined[-1] = RawRegion("text", hull((above.box, region.box))), before + group
        else:
            joined.append((region, group))
    return joined


def _are_values_of(
    region: RawRegion, names: Sequence[Segment], beside: RawRegion, values: Sequence[Segment]
) -> bool:
    """Whether each line of one text is level with a line of another, and on its right."""
    if region.kind != "text" or beside.kind not in ("text", "list-item"):
        return False
    if not (names and values):
        return False
    if beside.box[1] > region.box[3] or beside.box[3] < region.box[1]:
        return False
    left, right = visual_rows(names), visual_rows(values)
    level = [[name for name in left if _on_one_line(line[0], name[0])] for line in right]
    ends = [name[-1].box[2] for names in level for name in names]
    return all(level) and beside.box[0] >= max(ends)


def _name(names: Sequence[Segment], values: Sequence[Segment]) -> bool:
    """Whether text names what stands beside it: no prose, or each of several lines a value."""
    left, right = visual_rows(names), visual_rows(values)
    if not any(_is_prose(line[0]) for line in left):
        return True
    several = len(right) >= max(_LEAST_ROWS, _NAMED * len(left))
    return several and not any(_is_prose(line[0]) for line in right)


def _on_one_line(one: Segment, other: Segment) -> bool:
    height = min(one.box[3] - one.box[1], other.box[3] - other.box[1])
    return one.block == other.block and abs(one.centre[1] - other.centre[1]) < 0.3 * height


def _block(
    kind: BlockKind,
    segments: Sequence[Segment],
    style: DocumentStyle,
    box: BoxTuple | None = None,
) -> DraftBlock:
    ordered = tuple(s for row in visual_rows(segments) for s in row)
    text = " ".join(segment.text for segment in ordered)
    level = warning_level(text) if kind in ("text", "list", "heading") else ""
    if kind == "figure" and looks_like_grid(ordered):
        kind = "table"
    if kind == "table" and _is_panel(ordered):
        level = warning_level(text)
    if level:
        kind = "warning"
    elif kind in ("text", "list", "caption", "heading"):
        kind = _text_kind(kind, ordered, text, style, recognised=box is not None)
    whole = hull([s.box for s in ordered] + ([box] if box and kind == "figure" else []))
    return DraftBlock(kind, ordered, whole if ordered else box or whole, level)


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
    style: DocumentStyle,
    *,
    recognised: bool,
) -> BlockKind:
    if is_caption(text):
        return "caption"
    if kind == "heading" and len(text.split()) > LONGEST_HEADING:
        kind = "text"
    if kind == "heading" or (kind == "caption" and not is_about_figure(text)):
        return kind
    kind = "text" if kind == "caption" else kind
    # The layout model's word for "text" counts: only clear columns overrule it, or names each with
    # its value.
    least = 2 if not recognised or _names_values(segments) else 4
    is_table = looks_tabular(segments, least) or _explains_names(segments)
    if is_table and not starts_item(text):
        return "table"
    if kind == "text" and _is_heading(segments, text, style):
        return "heading"
    return "list" if starts_item(text) else kind


def _names_values(segments: Sequence[Segment]) -> bool:
    """Whether every line is a name, most of them with a value beside it."""
    lines = visual_rows(segments)
    named = sum(len(line) >= 2 for line in lines)
    return named * 2 > len(lines) and not any(_is_prose(line[0]) for line in lines)


def _explains_names(segments: Sequence[Segment]) -> bool:
    """Whether names with a colon stand in one column, and on all lines of another what each is."""
    lines = visual_rows(segments)
    named = [line for line in lines if len(line) > 1]
    if len(named) < _LEAST_EXPLAINED or not all(line[0].text.endswith(":") for line in named):
        return False
    left = min(line[1].box[0] for line in named)
    begins = [line[1] if len(line) > 1 else line[0] for line in lines]
    return all(abs(segment.box[0] - left) <= _SAME_COLUMN for segment in begins)


def _is_heading(segments: Sequence[Segment], text: str, style: DocumentStyle) -> bool:
    if not style.body_size or len(text.split()) > 14 or text.endswith((".", ";", ",")):
        return False
    if not any(character.isalpha() for character in text):
        return False
    rows = len(visual_rows(segments))
    if all(s.block < 0 for s in segments) and is_numbered_heading(text):
        return rows == 1
    larger = all(s.size >= _TITLE * style.body_size for s in segments)
    bold = all(s.bold for s in segments) and all(s.size >= style.body_size for s in segments)
    announces = text.endswith(":") and not (larger and bold)
    return rows <= 2 and (larger or bold) and not announces


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


def _overlap(one: BoxTuple, other: BoxTuple) -> float:
    """Return the share of the smaller box that lies in the other."""
    first, second = Box(*one), Box(*other)
    smaller = min(first.area, second.area)
    return first.intersection(second).area / smaller if smaller else 0.0
