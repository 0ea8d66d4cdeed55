"""The parts of a text that was seen as one: columns, entries, titles and what is below each."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby, pairwise
from statistics import median
from typing import TYPE_CHECKING

from desktop.core.structure.raw import RawRegion, Segment, hull, visual_rows
from desktop.core.structure.signs import starts_item

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from desktop.core.structure.values import BlockKind

SAME_LEFT = 3.0
"""Points: texts that begin no further apart stand below each other."""
_LEAST_PROSE = 5  # words
_LEAST_CELL = 3
"""Words in a line of a column of text on the whole; cells have fewer."""
_ENTRY = re.compile(r"\(?(\d{1,2})\)?\s?[–—=:.)-]\s?(?=[^\W\d])")
_LEAST_ENTRIES = 4  # of a legend
BRACKETED_CODE = re.compile(r"\[\d{1,4}\]")
"""What options are numbered with: "[12]"."""
_LEAST_HANGING, _NEARLY_ALL, _MOST_OF_NAME = 3, 0.8, 3
"""Entries of a list with hanging lines; of its lines, so many are as they should be; words."""
TITLE_SIZE = 1.18
"""Of the size of the text below it: from there on a line in bold is its title."""
_LEAST_TITLES, _MOST_AS_HEADINGS = 3, 0.2
"""Titles at the left of a text; the share of other text that is set as headings are."""
_LINES_OF_TITLE, _WORDS_OF_TITLE = 2, 10
_LISTED = re.compile(r"[*•▪●–-]")
ENDS = ".!?:;"
"""What a sentence ends with, or the part of one that has a line of its own."""


def text_columns(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Return the columns of a text whose lines are at one height, [] if they are rows.

    Columns are written one after the other, each a text block of the PDF, and have several words
    in a line; rows of a table are written across, or have values in a column.
    """
    columns = _blocks_beside(segments)
    words = [[len(s.text.split()) for s in column] for column in columns]
    prose = all(len(each) > 2 and sum(each) >= _LEAST_CELL * len(each) for each in words)
    down = all(all(a.centre[1] < b.centre[1] for a, b in pairwise(column)) for column in columns)
    return columns if prose and down else []


def numbered_columns(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Return the items of a list that stands in columns, [] if it is none.

    Columns are written one after the other, each a text block of the PDF that begins with a number.
    """
    columns = _blocks_beside(segments)
    if not all(_opens_numbered(column[0]) for column in columns):
        return []
    items: list[list[Segment]] = []
    for segment in (segment for column in columns for segment in column):
        if _opens_numbered(segment):
            items.append([segment])
        else:
            items[-1].append(segment)
    return items


def _opens_numbered(segment: Segment) -> bool:
    return starts_item(segment.text) and segment.text.lstrip("(")[:1].isdigit()


def _blocks_beside(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Return the text blocks of the PDF, each right of the one before, [] if they are not."""
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
    return columns


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
        if line[0].box[0] - outer <= SAME_LEFT:
            entries.append([line])
        elif entries:
            entries[-1].append(line)
            inner.append(line[0].box[0])
    if len(entries) < _LEAST_HANGING or len(inner) < _LEAST_HANGING:
        return []
    left = median(inner)
    level = sum(abs(x - left) <= SAME_LEFT for x in inner) >= _NEARLY_ALL * len(inner)
    named = sum(_stands_out(entry[0]) for entry in entries) >= _NEARLY_ALL * len(entries)
    ended = sum(entry[-1][-1].text[-1:] in ENDS for entry in entries[:-1])
    if not (level and named and ended >= _NEARLY_ALL * (len(entries) - 1)):
        return []
    return [[segment for line in entry for segment in line] for entry in entries]


def _stands_out(line: Sequence[Segment]) -> bool:
    """Whether a line begins with a name: in bold, or with a colon behind few words."""
    begun = " ".join(line[0].text.split()[:_MOST_OF_NAME])
    return line[0].bold or ":" in begun


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
            over = (s for s in begun if s.box[0] - SAME_LEFT <= left < s.box[2])
            above = [s for s in over if s.box[1] < top]
            if segment not in begun and above:
                entries[max(above, key=lambda s: s.box[1])].append(segment)
        found += [entries[segment] for segment in sorted(begun, key=begun.__getitem__)]
    return found


def without_outdented(
    region: RawRegion, segments: list[Segment]
) -> tuple[list[Segment], list[Segment]]:
    """Return an item without the lines at its end that begin left of its bullet, and these."""
    lines = visual_rows(segments) if region.kind == "list-item" else []
    left = lines[0][0].box[0] - SAME_LEFT if lines else 0.0
    end = next((n for n, line in enumerate(lines) if line[0].box[0] < left), len(lines))
    outside = [segment for line in lines[end:] for segment in line]
    is_item = bool(outside) and starts_item(lines[0][0].text)
    if not is_item or any(starts_item(segment.text) for segment in outside):
        return segments, []
    return [segment for line in lines[:end] for segment in line], outside


def below_titles(segments: Sequence[Segment]) -> list[tuple[BlockKind, list[Segment]]]:
    """Return a text in parts, cut around the lines in bold larger print: "(4e) POWER LED".

    Below each of them stands prose, or several stand below each other at the left: the words of a
    drawing, or of a cover, are no titles.
    """
    plain = [segment.size for segment in segments if not segment.bold]
    least = TITLE_SIZE * max(plain, default=0.0)
    parts = _parted(segments, lambda line: bool(plain) and line[0].size >= least)
    texts = [part for kind, part in parts if kind == "text"]
    if all(any(map(is_prose, text)) for text in texts):
        return parts
    left = min((segment.box[0] for segment in segments), default=0.0)
    titles = [part for kind, part in parts if kind == "heading"]
    outermost = all(title[0].box[0] - left <= SAME_LEFT for title in titles)
    return parts if len(titles) >= _LEAST_TITLES and outermost else []


def below_bold_codes(segments: Sequence[Segment]) -> list[tuple[BlockKind, list[Segment]]]:
    """Return a text in parts, cut around its lines in bold that begin with a code: "[420] Baud"."""
    plain = any(not segment.bold for segment in segments)
    return _parted(segments, lambda line: plain and bool(BRACKETED_CODE.match(line[0].text)))


def below_bold_lines(segments: Sequence[Segment]) -> list[tuple[BlockKind, list[Segment]]]:
    """Return a text in parts, cut around its lines in bold between what ends and what begins.

    "... adjust stand. / Cut is not square / *Stops not adjusted": of 130 such lines in 25 manuals
    all that were looked at (60) head what is below them.
    """
    lines = visual_rows(segments)
    # of larger ones `below_titles` knows
    most = TITLE_SIZE * max((s.size for s in segments if not s.bold), default=0.0)
    bold = [all(segment.bold and segment.size < most for segment in line) for line in lines]
    titles: set[int] = set()
    for is_bold, numbers in groupby(range(len(lines)), bold.__getitem__):
        at, *others = numbers
        end = at + len(others) + 1
        if not is_bold or end - at > _LINES_OF_TITLE or end == len(lines):
            continue
        said = " ".join(segment.text for line in lines[at:end] for segment in line)
        before, below = lines[at - 1][-1].text if at else "", lines[end][0].text
        listed = _LISTED.match(below) is not None
        ended = at == 0 or before[-1:] in ENDS or listed
        short = len(said.split()) <= _WORDS_OF_TITLE and said[-1:] not in f"{ENDS},"
        if ended and short and said[0].isupper() and (listed or below[:1].isupper()):
            titles.update(range(at, end))
    return _cut_around(lines, titles)


Print = tuple[str, float]
"""A font and its size, which all words of a line are set in."""


def prints_of_headings(
    regions: Sequence[RawRegion], groups: Sequence[Sequence[Segment]]
) -> frozenset[Print]:
    """Return the prints of a page's headings that little of its other text is set in."""
    heads, others = set[Print](), Counter[Print]()
    for region, group in zip(regions, groups, strict=True):
        if region.kind == "section-header":
            heads.update(map(_print_of, group))
        else:
            others.update(map(_print_of, group))
    most = _MOST_AS_HEADINGS * others.total()
    return frozenset(each for each in heads if each[0] and others[each] <= most)


def below_headings(
    segments: Sequence[Segment], prints: frozenset[Print]
) -> list[tuple[BlockKind, list[Segment]]]:
    """Return a text in parts, cut around its lines that are set as the page's headings are.

    The model saw some of the lines that name a setting, and others with the setting above.
    """
    lines = visual_rows(segments)
    set_alike = [all(_print_of(segment) in prints for segment in line) for line in lines]
    if all(set_alike):
        return []
    titles: set[int] = set()
    for alike, numbers in groupby(range(len(lines)), set_alike.__getitem__):
        run = list(numbers)
        if alike and len(run) <= _LINES_OF_TITLE and _may_head([s for n in run for s in lines[n]]):
            titles.update(run)
    return _cut_around(lines, titles)


def _cut_around(
    lines: Sequence[Sequence[Segment]], titles: Collection[int]
) -> list[tuple[BlockKind, list[Segment]]]:
    """Return lines in parts, those that are titles apart from what is below them."""
    return [
        ("heading" if heads else "text", [segment for n in numbers for segment in lines[n]])
        for heads, numbers in groupby(range(len(lines)), titles.__contains__)
    ]


def _may_head(line: Sequence[Segment]) -> bool:
    said = " ".join(segment.text for segment in line)
    begins = said[:1].isupper() or said[:1].isdecimal()
    short = len(said.split()) <= _WORDS_OF_TITLE and said[-1:] not in f"{ENDS},"
    return begins and short and not starts_item(said)


def _print_of(segment: Segment) -> Print:
    return segment.font, segment.size


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


def is_prose(segment: Segment) -> bool:
    """Whether a piece is a line of text rather than a cell."""
    return len(segment.text.split()) >= _LEAST_PROSE
