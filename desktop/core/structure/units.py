"""Searchable units: every row, sentence group, caption and label with what gives it meaning.

A unit is what is found and quoted; its context (title, section, table header, lead-in)
is searched with it. Windows of neighbouring blocks catch what only the whole passage
says and are the units that get text vectors.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Protocol

from desktop.core.structure.captions import caption_beside, text_about
from desktop.core.structure.charts import words_of_chart
from desktop.core.structure.header_rows import (
    below_codes,
    header_row,
    is_bold,
    is_bold_above,
    names_between_lines,
    names_rows,
    row_below_head,
    title_row,
)
from desktop.core.structure.raw import Segment, hull, visual_rows
from desktop.core.structure.sentences import sentence_spans
from desktop.core.structure.signs import (
    CELL_SEPARATOR,
    CONTEXT_SEPARATOR,
    NUMBER,
    shape_of,
    starts_item,
)
from desktop.core.structure.table_columns import fenced_columns
from desktop.core.structure.table_heads import TableHead, numbered_groups
from desktop.core.structure.table_rows import TableRow, at_leaders, table_rows, with_names
from desktop.core.structure.unruled_tables import looks_tabular
from desktop.core.structure.values import BoxTuple, Unit, UnitKind
from desktop.core.whole_words import whole_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.structure.blocks import DraftBlock

# Sentences are put together up to this many words: enough to say one thing.
_UNIT_WORDS = 40
_NEXT_LINE = 0.5  # heights of a line
_ABOVE_TABLE, _SAID_ABOVE = 2.2, 24
"""Heights of a line between a table and the sentence above it; words of that."""
_LEAST_HEADS = 3
"""Cells in bold of a row that heads what stands on the next page."""
_LEAST_LINES = 3
_ENDS = (".", "!", "?", ":", ";")
_POINTER = re.compile(r"\W*(?:\d{1,2}|[^\W\d_])\W*")
"""What leads from a part of a drawing to its legend and says nothing by itself: "12", "b"."""
_SAME_LEFT, _INDENT, _MOST_HANGING = 3.0, 40.0, 90.0  # points
# A window stays below what the text model reads (256 pieces) with its context.
_WINDOW_WORDS = 110
# Headings and captions go with either.
_SIDES = {"figure": "drawing", "heading": "", "caption": ""}


@dataclass(frozen=True, slots=True)
class _Piece:
    """A unit in the making."""

    kind: UnitKind
    text: str
    boxes: tuple[BoxTuple, ...]
    header: str
    header_boxes: tuple[BoxTuple, ...]
    block: int


_Under = tuple[tuple[TableRow, ...], TableHead]
"""The rows that name those below them, and the headings there."""


def without_title(context: str) -> str:
    """Return a unit's context without the document's title, its first part."""
    return context.partition(CONTEXT_SEPARATOR)[2]


def column_headings(context: str) -> list[str]:
    """Return the headings of a row's columns, the last part of its context."""
    return context.rpartition(CONTEXT_SEPARATOR)[2].split(CELL_SEPARATOR)


def row_with_headings(text: str, context: str) -> str:
    """Return a row with each cell after its column heading; as it is where headings do not fit."""
    cells, headings = text.split(CELL_SEPARATOR), column_headings(context)
    if len(cells) != len(headings) or len(cells) < 2:
        return text
    return "; ".join(map(headed_cell, headings, cells))


def headed_cell(heading: str, cell: str) -> str:
    """Return a cell after the heading of its column, if that has one."""
    return f"{heading}: {cell}" if heading else cell


class StandsOnPage(Protocol):
    """A unit, or what is quoted of one."""

    @property
    def kind(self) -> str:
        """Of the unit."""

    @property
    def text(self) -> str:
        """Its words."""

    @property
    def context(self) -> str:
        """The heading above it."""


def as_read(found: StandsOnPage) -> str:
    """Return it as it is compared: of a row each cell with its heading, others as they are."""
    return row_with_headings(found.text, found.context) if found.kind == "row" else found.text


def page_units(
    blocks: Sequence[DraftBlock],
    paths: Sequence[tuple[str, ...]],
    words: PageWords,
    title: str,
    head: TableHead | None = None,
) -> list[Unit]:
    """Return all units of a page in reading order, windows last.

    head: of a table that the page before ends with; it may go on at the top of this one.
    """
    pieces = [
        piece
        for position, block in enumerate(blocks)
        for piece in _block_pieces(
            position, block, blocks, words, _head_above(position, head, blocks)
        )
    ]
    pieces = [piece for piece in pieces if _says_something(piece)]
    units = [_unit(piece, title, paths[piece.block]) for piece in pieces]
    return units + list(_windows(pieces, blocks, paths, title))


def open_table(blocks: Sequence[DraftBlock], head: TableHead | None) -> TableHead | None:
    """Return the head of the table that a page ends with, None if it ends otherwise.

    Notes may stand below one whose columns are drawn: by these it is known again.

    head: of the table that the page before ends with.
    """
    notes = ("text", "list")
    last = max((n for n, block in enumerate(blocks) if block.kind not in notes), default=-1)
    if last < 0 or blocks[last].kind != "table":
        return None
    here = _table_head(last, _head_above(last, head, blocks), blocks, alone=True)[1]
    return here if here.text and (here.drawn or last == len(blocks) - 1) else None


def _says_something(piece: _Piece) -> bool:
    """Whether there is something to find or quote.

    Icon fonts leave only private glyphs, chapter tabs a bare number.
    """
    if piece.kind in ("paragraph", "item"):
        return any(character.isalpha() for character in piece.text)
    if piece.kind == "row" and _points(piece.text) and piece.text[:1].isalpha():
        headings = piece.header.rpartition(CONTEXT_SEPARATOR)[2]
        return bool(headings) and not _points(headings)
    return any(character.isalnum() for character in piece.text + piece.header)


def _unit(piece: _Piece, title: str, path: tuple[str, ...]) -> Unit:
    context = CONTEXT_SEPARATOR.join(part for part in (title, *path, piece.header) if part)
    return Unit(
        piece.kind,
        whole_text(piece.text),
        whole_text(context),
        piece.boxes,
        piece.header_boxes,
        piece.block,
        embed=False,
    )


def _block_pieces(
    position: int,
    block: DraftBlock,
    blocks: Sequence[DraftBlock],
    words: PageWords,
    head: TableHead | None,
) -> Iterator[_Piece]:
    if block.kind == "table":
        yield from _row_pieces(position, block, blocks, head)
    elif block.kind == "figure":
        yield from _figure_pieces(position, block, blocks, words)
    elif block.kind == "caption":
        pictures = tuple(_without_words(position, blocks, words))
        around = _figure_words(position, blocks)
        around = around or (text_about(block.text, blocks) if pictures else "")
        yield _Piece("caption", block.text, (*_lines(block), *pictures), around, (), position)
    elif block.kind == "heading":
        yield _Piece("heading", block.text, _lines(block), "", (), position)
    else:
        yield from _prose_pieces(position, block, _lead_in(position, blocks), words)


def _lines(block: DraftBlock) -> tuple[BoxTuple, ...]:
    return tuple(hull(s.box for s in row) for row in visual_rows(block.segments))


def _row_pieces(
    position: int, block: DraftBlock, blocks: Sequence[DraftBlock], head: TableHead | None
) -> Iterator[_Piece]:
    rows, own, heads = _table_head(position, head, blocks)
    headed_above = own.headings not in ("", rows[0].text)
    if len(rows) == 2 and not headed_above and (coded := below_codes(*rows)):
        for each in coded:
            yield _Piece("row", each.text, each.boxes, own.caption, (), position)
        return
    section = _title_above(position, blocks)
    outdented: tuple[TableRow, ...] = ()
    over: list[tuple[TableRow, _Under]] = []
    under, ends_in_bold = own, False
    for row, following in zip_longest(rows, rows[1:]):
        if row not in heads:
            below = under.below(row, rows, block.fences)
            heads_others = any(below.parts) or below.named != under.named
            outdented = tuple(each for each in outdented if each.left < row.left - _SAME_LEFT)
            over_it = (*section, *outdented)
            if following is not None and following.is_indented_below(row, own.columns):
                outdented = (*outdented, row)
            elif below.named == under.named and (
                (stands_out := is_bold_above(row, following))
                or names_rows(row, rows, len(own.columns), drawn=own.drawn or bool(block.rules))
            ):
                section, outdented, over_it = (row,), (), ()
                ends_in_bold = stands_out
            elif ends_in_bold and is_bold(row):
                section, over_it = (), outdented
            over.append((row, (over_it, under if heads_others else below)))
            under = below
    for each, (named_by, under), above in _side_by_side(over, own, heads):
        name = CONTEXT_SEPARATOR.join(map(_as_name, named_by))
        header = under.over(each, name, block.fences)
        named = len(column_headings(header)) == len(each.cells) > 1
        boxes = tuple(box for row in above for box in row.boxes) if named else ()
        boxes += tuple(box for name_above in named_by for box in name_above.boxes)
        for part in at_leaders(each):
            yield _Piece("row", part.text, part.boxes, header, boxes, position)


def _as_name(row: TableRow) -> str:
    """Return a row as it names others."""
    return " ".join(part.text for part in at_leaders(row)).replace(CELL_SEPARATOR, " ")


def _title_above(position: int, blocks: Sequence[DraftBlock]) -> tuple[TableRow, ...]:
    """Return the only cell of a table right above this one, which it names; () if there is none."""
    above, block = blocks[position - 1] if position else None, blocks[position]
    if above is None or above.kind != "table" or len(above.segments) != 1:
        return ()
    (only,) = above.segments
    near = 0 <= block.box[1] - above.box[3] < _ABOVE_TABLE * (only.box[3] - only.box[1])
    return (TableRow(((only,),)),) if near and len(visual_rows(block.segments)) > 1 else ()


def _side_by_side(
    rows: Sequence[tuple[TableRow, _Under]], own: TableHead, heads: Sequence[TableRow]
) -> Iterator[tuple[TableRow, _Under, Sequence[TableRow]]]:
    """Yield each row with what it is under; of groups of columns one after the other."""
    alone = not heads and len(rows) > 1
    plain = [row for row, _ in rows]
    groups = own.repeated() or own.spanned(plain)
    groups = groups or (numbered_groups(plain, own.columns) if alone else ())
    parted = [(row.parts(groups) if groups else [], row, under) for row, under in rows]
    for place in range(max(1, len(groups))):
        above = [parts[place] for row in heads if groups and (parts := row.parts(groups))]
        for parts, row, under in parted:
            if parts and parts[place].cells:
                yield parts[place], under, above
            elif not parts and not place:
                yield row, under, heads


def _table_head(
    position: int, head: TableHead | None, blocks: Sequence[DraftBlock], *, alone: bool = False
) -> tuple[list[TableRow], TableHead, list[TableRow]]:
    """Return the rows of a table, what they are called, and which of them say that.

    head: of a table that the page before ends with. alone: a row in bold may be the head of what
    stands on the next page.
    """
    block = blocks[position]
    columns = fenced_columns(block.box, block.fences, visual_rows(block.segments))
    rows = table_rows(block.segments, block.rules, columns, block.fences, block.cuts)
    is_rest = position > 0 and head is not None and not columns and head.heads_some(rows)
    if head is not None and (is_rest or head.heads(rows, block.fences, columns)):
        if head.drawn and len(columns) == len(head.columns):
            head = replace(head, columns=columns)
        elif head.drawn:
            rows = table_rows(block.segments, block.rules, head.columns)
        again = rows[: len(head.rows)] if rows[0].text in head.rows else []
        heads = [row for row in again if row.text in head.rows]
        return with_names(rows, heads, head.columns, drawn=head.drawn), head, heads
    title = title_row(rows)
    header = header_row(rows[1:] if title else rows, block.rules, drawn=bool(columns))
    if alone and len(rows) == 1 and len(rows[0].cells) >= _LEAST_HEADS and is_bold(rows[0]):
        header = rows[0]
    below = row_below_head(header, rows, columns, block.fences) if header else None
    if header is None and (columns or block.rules) and title in names_between_lines(rows):
        title = None  # the first of the names of its parts
    heads = [row for row in (title, header, below) if row is not None]
    caption = caption_beside(position, blocks) or _said_above(position, blocks)
    caption = CONTEXT_SEPARATOR.join(filter(None, (caption, title.text if title else "")))
    own = TableHead.of(caption, header, rows, columns, block.fences, below)
    named = with_names(rows, heads, own.columns, drawn=own.drawn) if header else rows
    return named, own, heads


def _said_above(position: int, blocks: Sequence[DraftBlock]) -> str:
    """Return the sentence right above a table, which says what it shows or when that is so.

    "When the external voltage is 12 V:". "" if there is none, or a long one.
    """
    above, table = blocks[position - 1] if position else None, blocks[position]
    if above is None or above.kind != "text":
        return ""
    line = above.segments[-1].box
    if not 0 <= table.box[1] - above.box[3] < _ABOVE_TABLE * (line[3] - line[1]):
        return ""
    words = above.text.split()
    first, last = sentence_spans(words)[-1]
    is_sentence = words[last - 1].endswith((":", "."))
    return " ".join(words[first:last]) if is_sentence and last - first <= _SAID_ABOVE else ""


def _head_above(
    position: int, head: TableHead | None, blocks: Sequence[DraftBlock]
) -> TableHead | None:
    """Return the head of the table that a block may go on with, None if it cannot.

    head: of a table that the page before ends with. A scanned table may be found in two pieces, one
    right below the other; in bold a table has a head of its own.
    """
    if not position:
        return head
    above, block = blocks[position - 1], blocks[position]
    if above.kind != "table" or block.kind != "table" or not block.segments:
        return None
    first = min(block.segments, key=lambda segment: segment.box[1])
    gap = block.box[1] - above.box[3]
    if first.bold or not 0 <= gap <= first.box[3] - first.box[1]:
        return None
    return _table_head(position - 1, _head_above(position - 1, head, blocks), blocks)[1]


def _figure_pieces(
    position: int, block: DraftBlock, blocks: Sequence[DraftBlock], words: PageWords
) -> Iterator[_Piece]:
    """One unit for the whole figure, and one for each label, or row of a table, inside it.

    The figure as a whole is also found by what the page says about it; one without words has no
    unit, its caption stands for it.
    """
    segments = words_of_chart(block.segments, words)
    caption = caption_beside(position, blocks)
    if segments:
        parts = (text_about(caption, blocks), caption)
        about = CONTEXT_SEPARATOR.join(part for part in parts if part)
        text = " ".join(segment.text for segment in segments)
        yield _Piece("label", text, (block.box,), about, (), position)
    labels = [TableRow((tuple(group),)) for group in _labels(segments)]
    rows = table_rows(segments, block.rules) if looks_tabular(segments, _LEAST_LINES) else labels
    rows = [part for row in rows for part in at_leaders(row)]
    if len(rows) > 1:
        for row in rows:
            if not _points(row.text):
                yield _Piece("row", row.text, row.boxes, caption, (), position)


def _points(text: str) -> bool:
    """Whether a row is nothing but what leads to a legend: "A | G"."""
    return all(_POINTER.fullmatch(cell) for cell in text.split(CELL_SEPARATOR))


def _without_words(
    caption: int, blocks: Sequence[DraftBlock], words: PageWords
) -> Iterator[BoxTuple]:
    """Yield the boxes of the figures that a caption names and in which nothing is written."""
    name = blocks[caption].text
    for position, block in enumerate(blocks):
        is_bare = block.kind == "figure" and not words_of_chart(block.segments, words)
        if is_bare and caption_beside(position, blocks) == name:
            yield block.box


def _labels(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Return the labels of a drawing: lines close below each other that have a side in common."""
    labels: list[list[Segment]] = []
    for segment in (s for row in visual_rows(segments) for s in row):
        home = next((label for label in labels if _is_below(label[-1], segment)), None)
        if home is None:
            labels.append([segment])
        else:
            home.append(segment)
    return labels


def _is_below(above: Segment, segment: Segment) -> bool:
    height = min(above.box[3] - above.box[1], segment.box[3] - segment.box[1])
    (left, _, right, bottom), (x0, top, x1, _) = above.box, segment.box
    sides = (left - x0, right - x1, (left + right - x0 - x1) / 2)
    near = -_NEXT_LINE * height < top - bottom < _NEXT_LINE * height
    return near and min(map(abs, sides)) <= _SAME_LEFT and above.bold == segment.bold


def _prose_pieces(
    position: int, block: DraftBlock, lead: _Piece | None, words: PageWords
) -> Iterator[_Piece]:
    kind: UnitKind = "item" if block.kind == "list" else "paragraph"
    for segments in _items(block.segments):
        if any(segment.cells for segment in segments):
            for row in at_leaders(TableRow((tuple(segments),))):
                yield _Piece("row", row.text, row.boxes, "", (), position)
            continue
        indices = [index for segment in segments for index in segment.words]
        texts = [words.texts[index] for index in indices]
        for first, last in _sentence_groups(texts):
            part = indices[first:last]
            yield _Piece(
                kind,
                " ".join(texts[first:last]),
                word_line_boxes(words, part),
                lead.text if lead else "",
                lead.boxes if lead else (),
                position,
            )


def _items(segments: Sequence[Segment]) -> Iterator[Sequence[Segment]]:
    """Split a block into its list items; one without bullets is one item, or has one in each line.

    Marks stand at its left, or right of a label: there, below each other, or before lines that
    hang behind them.
    """
    marks = [
        segment
        for n, segment in enumerate(segments)
        if starts_item(segment.text) and not _refers(segment, segments[:n])
    ]
    if not marks and (starts := _entries(segments)):
        yield from (segments[i:j] for i, j in pairwise([*starts, len(segments)]))
        return
    start = 0
    for index, segment in enumerate(segments):
        is_mark = segment in marks and not _is_in_bracket(segments[start:index])
        if index > start and is_mark and _opens(index, segments, marks):
            yield segments[start:index]
            start = index
    if segments:
        yield segments[start:]


def _refers(segment: Segment, before: Sequence[Segment]) -> bool:
    """Whether a line goes on with the number of a part, in brackets: "the bevel lever / (20)"."""
    match = NUMBER.match(segment.text)
    if match is None or not (match[1] and match[3]) or not before:
        return False
    counted = [NUMBER.match(each.text) for each in before]
    follows = any(each and each[1] and int(each[2]) + 1 == int(match[2]) for each in counted)
    return not follows and before[-1].text[-1:] not in _ENDS


def _is_in_bracket(before: Sequence[Segment]) -> bool:
    """Whether a bracket is open where a line ends: "(Control" goes on with "2) and"."""
    last = before[-1].text if before else ""
    return last.rfind("(") > last.rfind(")")


def _entries(segments: Sequence[Segment]) -> list[int]:
    """Return where the entries of a list without marks begin, [] if it is none.

    They begin at the left, in capitals or with a number. The rest of a long one hangs below it; if
    none is long, the line above each had room for its first word, or is alike but for its numbers.
    """
    if any(not _is_next(*pair) for pair in pairwise(segments)):
        return []
    shapes = Counter(shape_of(segment.text) for segment in segments)
    if len(segments) >= _LEAST_LINES and min(shapes.values()) > 1:
        return list(range(len(segments)))
    left, right = min(s.box[0] for s in segments), max(s.box[2] for s in segments)
    starts = [n for n, s in enumerate(segments) if s.box[0] - left <= _SAME_LEFT]
    if len(starts) < _LEAST_LINES or starts[0]:
        return []
    firsts = [segments[n].text[0] for n in starts]
    if not all(first.isupper() or first.isdigit() for first in firsts):
        return []
    fits = [_has_room(*pair, right) for pair in pairwise(segments)]
    hanging = [n for n in range(1, len(segments)) if n not in starts]
    near = all(segments[n].box[0] - left <= _MOST_HANGING for n in hanging)
    if hanging:
        return starts if near and not any(fits[n - 1] for n in hanging) else []
    return starts if all(fits) else []


def _is_next(above: Segment, segment: Segment) -> bool:
    return above.box[3] - segment.box[1] < 0.5 * (above.box[3] - above.box[1])


def _has_room(above: Segment, segment: Segment, right: float) -> bool:
    """Whether the first word of a line had room in the one above it."""
    word = len(segment.text.split()[0]) + 1
    wide = (segment.box[2] - segment.box[0]) * word / max(len(segment.text), word)
    return above.box[2] + wide <= right


def _opens(index: int, segments: Sequence[Segment], marks: Sequence[Segment]) -> bool:
    """Whether a mark is that of an item, by where it stands."""
    left = segments[index].box[0]
    below = sum(abs(left - mark.box[0]) <= _SAME_LEFT for mark in marks) > 1
    rest = segments[index + 1].box[0] if index + 1 < len(segments) else left
    hangs = _SAME_LEFT < rest - left <= _INDENT
    return below or hangs or left <= segments[0].box[0] + _INDENT


def _sentence_groups(texts: Sequence[str]) -> list[tuple[int, int]]:
    groups: list[tuple[int, int]] = []
    for first, last in sentence_spans(texts):
        if groups and last - groups[-1][0] <= _UNIT_WORDS:
            groups[-1] = (groups[-1][0], last)
        else:
            groups.append((first, last))
    return groups


def word_line_boxes(words: PageWords, indices: Sequence[int]) -> tuple[BoxTuple, ...]:
    """Return one box per line for some words of a page."""
    return tuple(words.hull(line).as_tuple() for line in words.visual_lines(indices))


def _lead_in(position: int, blocks: Sequence[DraftBlock]) -> _Piece | None:
    """Return the sentence a list continues: the nearest text above that ends with a colon."""
    if blocks[position].kind != "list":
        return None
    for above in range(position - 1, max(-1, position - 12), -1):
        block = blocks[above]
        if block.kind in ("heading", "table", "figure"):
            return None
        if block.kind in ("text", "warning") and block.text.rstrip().endswith(":"):
            last = block.segments[-1]
            return _Piece("paragraph", block.text[-240:], (last.box,), "", (), above)
    return None


def _figure_words(position: int, blocks: Sequence[DraftBlock]) -> str:
    for other in (position - 1, position + 1):
        if 0 <= other < len(blocks) and blocks[other].kind == "figure":
            return blocks[other].text[:400]
    return ""


def _windows(
    pieces: Sequence[_Piece],
    blocks: Sequence[DraftBlock],
    paths: Sequence[tuple[str, ...]],
    title: str,
) -> Iterator[Unit]:
    """Put neighbouring pieces of one section together, for vectors and wide matches.

    Prose and the words of a drawing stay apart: each would blur what the other is about.
    """
    group: list[_Piece] = []
    side = ""
    for piece in pieces:
        size = sum(len(p.text.split()) for p in group)
        other_section = bool(group) and paths[group[0].block] != paths[piece.block]
        here = _SIDES.get(blocks[piece.block].kind, "prose")
        apart = other_section or bool(side and here and side != here)
        if group and (apart or size + len(piece.text.split()) > _WINDOW_WORDS):
            yield _window(group, paths, title)
            group, side = [], ""
        group.append(piece)
        side = side or here
    if group:
        yield _window(group, paths, title)


def _window(group: Sequence[_Piece], paths: Sequence[tuple[str, ...]], title: str) -> Unit:
    first = group[0]
    parts = (title, *paths[first.block], first.header[:200])
    context = CONTEXT_SEPARATOR.join(part for part in parts if part)
    return Unit(
        "window",
        "\n".join(whole_text(piece.text) for piece in group if piece.text),
        whole_text(context),
        tuple(box for piece in group for box in piece.boxes),
        (),
        first.block,
        embed=True,
    )
