"""Which short blocks of a page are headings: a model learnt from labelled pages.

A logistic regression over the observations below (`scripts/learn_structure.py`), and what it makes
of other blocks in the same print; nothing overrides it. Eight rules about numbers, codes and print,
which it replaces, told 0.895 of 1,079 blocks on 119 pages of 40 manuals that nobody had seen; it
tells 0.904. Of the 3,480 it learnt from, on 355 pages, each manual left out once: 0.959, the rules
0.941 (many of these pages had been looked at when they were written), and before the layout model
has seen a page 0.927 and 0.870.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import replace
from statistics import fmean, median
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from desktop.core.structure.blocks import SAME_SIZE, TO_REST, DraftBlock
from desktop.core.structure.raw import gap_between, hull, visual_rows
from desktop.core.structure.text_parts import SAME_LEFT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from desktop.core.structure.raw import DocumentStyle, RawPage, Segment
    from desktop.core.structure.values import BoxTuple

OBSERVATIONS: Final = (
    "larger",  # logarithm of its size over that of most text
    "bolder",  # share of its text in bold, times the share of the page that is not
    "seen",  # the layout model calls it a heading
    "listed",  # the layout model calls it an item of a list
    "unseen",  # it is in no region of the layout model
    "unasked",  # the layout model was not asked yet about the page
    "underlined",
    "section",  # it begins with the number of a section: "6.4.3 Reset", "Chapter 2"
    "words",  # tens of them
    "one_word",
    "stop",  # it ends a sentence
    "comma",  # it ends with one
    "announces",  # it ends with a colon and has several words
    "small",  # it begins with a small letter
    "digits",  # share of its signs
    "signs",  # it sets a value, is an address, begins as code does or is all in brackets
    "inner_stop",  # a sentence ends inside it, or a part of one
    "cells",  # it has several pieces in a line
    "apart",  # by how many of its heights it is further from what is above than from what is below
    "prose_above",
    "list_above",
    "table_above",
    "prose_below",
    "list_below",
    "table_below",
    "figure_below",
    "left_of_below",  # it begins left of what is below
    "level_with_below",
    "beside_below",  # what is told next stands at its height
    "outline",  # the document's outline has it
    "scanned",
)
# Learnt from the pages of `scripts/labels/headings.json`.
_WEIGHTS: Final = (
    3.90, 2.59, 2.13, -0.92, -2.15, 0.88, 2.56, 3.56, -2.15,
    -1.36, -2.34, -5.95, -1.69, -1.02, -3.80, -2.27, -1.14, -0.73,
    0.51, 0.54, -0.63, 1.30, 0.75, -0.78, 1.85, 0.27, 1.75,
    0.78, -1.84, 1.45, 2.27,
)  # fmt: skip
_BIAS: Final = -1.33
_OF_OTHERS, _MORE = (0.47, 0.66), -0.17
"""Weights of what `of_others` returns."""

LONGEST_HEADING = 20
"""Words; what is longer was set, or seen, as a heading, but is a paragraph."""
_LONGEST_TITLE = 12
"""Words of a line of a scan that its number makes a heading."""
_MOST_LINES = 3
_PROSE, _ANNOUNCING = 12, 4  # words
_THIN, _BELOW = 2.5, 4.0  # points: of a line, and of the way down to it
_UNDERLINED = (0.8, 1.25)  # of the width of a text
# "6.9 Boot modes", "CHAPTER 4: THE BOARD"
_SECTION = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+(?!(?:[GMk]Hz|Ohm|VDC|VAC)\b)[^\W\d_a-z][\w/-]{2,}"
    r"|(?i:chapter|kapitel|section|abschnitt|chapitre|cap[ií]tulo|capitolo|hoofdstuk|rozdział"
    r"|annex|appendix|anhang|annexe|anexo|allegato)\s+[\dA-Z])"
)
_INNER_STOP = re.compile(r".{4}.*[.:;] \S")
_NUMBER = re.compile(r"((?:\d{1,2}\.)*)(\d{1,2})[.)]?\s+\S")
_UNTITLED = ("=", "://", "@")
_OPENS_CODE = tuple("/{}#")
_OPENS, _CLOSES = "([{<", ")]}>"
_SMALLEST, _LARGEST, _AS_SCANNED = -0.5, 1.0, 0.5
_NEAREST, _FURTHEST = -1.0, 4.0
_MOST_APART = (-2.0, 3.0)
_SURE = 4.0


def with_headings(
    blocks: Sequence[DraftBlock], raw: RawPage, style: DocumentStyle
) -> list[DraftBlock]:
    """Return the blocks of a page in reading order, those that are headings told as such."""
    sure = {
        at: math.fsum(map(float.__mul__, _WEIGHTS, seen)) + _BIAS
        for at, seen in observed(blocks, raw, style).items()
    }
    others = of_others(sure, blocks)
    heads = {at for at, own in sure.items() if own + _more(others[at]) > 0}
    return [
        replace(block, kind="heading" if at in heads else "text")
        if at in heads or block.kind == "heading"
        else block
        for at, block in enumerate(blocks)
    ]


def observed(
    blocks: Sequence[DraftBlock], raw: RawPage, style: DocumentStyle
) -> dict[int, list[float]]:
    """Return the observations of each block that may be a heading, by its place."""
    segments = [segment for block in blocks for segment in block.segments]
    letters = Counter[float]()
    for segment in segments:
        letters[segment.size] += len(segment.text)
    of_most = style.body_size or next((size for size, _ in letters.most_common(1)), 1.0)
    bold = _bold(segments)
    scanned = all(segment.block < 0 for segment in segments)
    height = median(s.box[3] - s.box[1] for s in segments) if segments else 1.0
    outline = {_title(entry.title) for entry in style.outline}
    drawn = np.array(raw.drawings, np.float64).reshape(-1, 4)
    drawn = drawn[drawn[:, 3] - drawn[:, 1] <= _THIN]
    found = {}
    for at, block in enumerate(blocks):
        if not _may_be_heading(block):
            continue
        own = _observed_alone(block, raw, drawn)
        size = max(segment.size for segment in block.segments)
        line = block.segments[0].box[3] - block.segments[0].box[1]
        larger = _AS_SCANNED * _log(line, height) if scanned else _log(size, of_most)
        own["larger"] = _bounded(larger, _SMALLEST, _LARGEST)
        own["bolder"] = _bold(block.segments) * (1 - bold)
        own["outline"] = float(_title(block.text) in outline)
        own["scanned"] = float(scanned)
        above = blocks[at - 1] if at else None
        own |= _observed_beside(block, above, blocks[at + 1] if at + 1 < len(blocks) else None)
        found[at] = [own[name] for name in OBSERVATIONS]
    return found


def _more(of_others: tuple[float, float]) -> float:
    return math.fsum(map(float.__mul__, _OF_OTHERS, of_others)) + _MORE


def _may_be_heading(block: DraftBlock) -> bool:
    short = len(block.text.split()) <= LONGEST_HEADING
    lettered = [word for word in block.text.split() if any(map(str.isalpha, word))]
    worded = any(sum(map(str.isalnum, word)) > 1 for word in lettered)
    told = block.kind in ("text", "list", "heading") and short and worded
    return told and len(visual_rows(block.segments)) <= _MOST_LINES


def _observed_alone(
    block: DraftBlock, raw: RawPage, drawn: NDArray[np.float64]
) -> dict[str, float]:
    text, first = block.text, block.segments[0]
    words = text.split()
    kinds = {region.kind for region in raw.regions if first.stands_in(region.box)}
    asked = bool(raw.regions) or raw.ocr
    return {
        "seen": float("section-header" in kinds),
        "listed": float("list-item" in kinds),
        "unseen": float(not kinds and asked),
        "unasked": float(not asked),
        "underlined": float(_is_underlined(block.segments[-1].box, drawn)),
        "section": float(_SECTION.match(text) is not None),
        "words": len(words) / 10,
        "one_word": float(len(words) == 1),
        "stop": float(text[-1] in ".!;"),
        "comma": float(text[-1] == ","),
        "announces": float(text[-1] == ":" and len(words) >= _ANNOUNCING),
        "small": float(next(filter(str.isalpha, text)).islower()),
        "digits": sum(map(str.isdigit, text)) / len(text),
        "signs": float(
            text.startswith(_OPENS_CODE)
            or any(sign in text for sign in _UNTITLED)
            or (text[0] in _OPENS and text[-1] == _CLOSES[_OPENS.index(text[0])])
        ),
        "inner_stop": float(_INNER_STOP.match(text) is not None),
        "cells": float(max(map(len, visual_rows(block.segments))) > 1),
    }


def _is_underlined(line: BoxTuple, drawn: NDArray[np.float64]) -> bool:
    """Whether one of the lines drawn across the page is right below words, as wide as they are."""
    least, most = (share * (line[2] - line[0]) for share in _UNDERLINED)
    wide = drawn[:, 2] - drawn[:, 0]
    near = (abs(drawn[:, 1] - line[3]) <= _BELOW) & (abs(drawn[:, 0] - line[0]) <= _BELOW)
    return bool((near & (least <= wide) & (wide <= most)).any())


def _observed_beside(
    block: DraftBlock, above: DraftBlock | None, below: DraftBlock | None
) -> dict[str, float]:
    height = max(block.segments[0].box[3] - block.segments[0].box[1], 1.0)
    over = _FURTHEST - 1 if above is None else (block.box[1] - above.box[3]) / height
    under = _FURTHEST - 1 if below is None else (below.box[1] - block.box[3]) / height
    over, under = (_bounded(gap, _NEAREST, _FURTHEST) for gap in (over, under))
    kind_above, kind_below = (each.kind if each is not None else "" for each in (above, below))
    begins = below.box[0] - block.box[0] if below is not None and below.segments else math.nan
    return {
        "apart": _bounded(over - under, *_MOST_APART),
        "prose_above": float(_is_prose(above)),
        "list_above": float(kind_above == "list"),
        "table_above": float(kind_above == "table"),
        "prose_below": float(_is_prose(below)),
        "list_below": float(kind_below == "list"),
        "table_below": float(kind_below == "table"),
        "figure_below": float(kind_below == "figure"),
        "left_of_below": float(begins > SAME_LEFT),
        "level_with_below": float(abs(begins) <= SAME_LEFT),
        "beside_below": float(
            below is not None and bool(below.segments) and below.box[1] < block.box[3] - height / 2
        ),
    }


def of_others(
    sure: Mapping[int, float], blocks: Sequence[DraftBlock]
) -> dict[int, tuple[float, float]]:
    """Return of each block how sure the surest one like it is a heading, and those beside it.

    Alike are others in the same print that begin at the same place; beside it are those numbered
    right before and after it. 0 where there is none. sure: how sure each block by itself is.
    """
    alike = defaultdict[tuple[float, bool, str], list[int]](list)
    numbered = defaultdict[_Numbered, list[int]](list)
    numbers: dict[int, _Numbered] = {}
    for at in sure:
        first, number = blocks[at].segments[0], _NUMBER.match(blocks[at].text)
        alike[first.size, first.bold, first.font].append(at)
        if number:
            numbers[at] = _Numbered(first.size, first.bold, number[1], int(number[2]))
            numbered[numbers[at]].append(at)
    surest = {at: 0.0 for at in sure}
    for members in alike.values():
        for at in members:
            level = (
                sure[other]
                for other in members
                if other != at and abs(blocks[other].box[0] - blocks[at].box[0]) <= SAME_LEFT
            )
            surest[at] = max(level, default=0.0)
    found = {}
    for at, of_alike in surest.items():
        own = numbers.get(at)
        places = (own._replace(last=own.last + step) for step in (-1, 1)) if own else ()
        beside = [sure[other] for place in places for other in numbered.get(place, ())]
        of_siblings = fmean(beside) if beside else 0.0
        found[at] = (_bounded(of_alike, -_SURE, _SURE), _bounded(of_siblings, -_SURE, _SURE))
    return found


class _Numbered(NamedTuple):
    """The number of a block in a print: "6.4." and 3."""

    size: float
    bold: bool
    chapter: str
    last: int


def _bold(segments: Sequence[Segment]) -> float:
    """Return the share of text that is bold."""
    letters = sum(len(segment.text) for segment in segments)
    return sum(len(segment.text) for segment in segments if segment.bold) / max(1, letters)


def _is_prose(block: DraftBlock | None) -> bool:
    if block is None or block.kind not in ("text", "list"):
        return False
    return len(block.text.split()) > _PROSE


def _title(text: str) -> str:
    """Return a title as it is compared: without its number, in small letters."""
    return " ".join(text.split()).casefold().lstrip("0123456789. ")


def _bounded(value: float, least: float, most: float) -> float:
    return min(most, max(least, value))


def _log(one: float, other: float) -> float:
    return math.log(max(one, 1.0) / max(other, 1.0))


def is_numbered_heading(text: str) -> bool:
    """Whether a line reads like a heading; on a scan its font does not tell."""
    if len(text.split()) > _LONGEST_TITLE or text.endswith((".", ":", ";", ",")):
        return False
    return _SECTION.match(text) is not None


def with_whole_headings(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Join a heading with the one right below it that goes on in small letters, in one print."""
    joined: list[DraftBlock] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if last and last.kind == block.kind == "heading" and _goes_on(last, block):
            segments = (*last.segments, *block.segments)
            joined[-1] = replace(last, segments=segments, box=hull((last.box, block.box)))
        else:
            joined.append(block)
    return joined


def _goes_on(heading: DraftBlock, below: DraftBlock) -> bool:
    """Whether what is right below a heading, in the same print, begins with a small letter."""
    if not below.segments:
        return False
    last, first = heading.segments[-1], visual_rows(below.segments)[0][0]
    near = -TO_REST < gap_between([last], [first]) / (last.box[3] - last.box[1]) < TO_REST
    alike = first.bold == last.bold and abs(first.size - last.size) < SAME_SIZE
    begun = first.text[:2]
    return near and alike and len(begun) == 2 and begun.isalpha() and begun.islower()
