"""What of a page can stand in an answer: sentences, rows, steps, and lists or paragraphs whole.

The reader weighs all of them, a single step beside the procedure it is of, so that how much is
quoted is part of what it has learnt.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from desktop.core.retrieval.grounding import STEP, Quote, quotes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.retrieval.evidence import Passage

LIST, PASSAGE = "list", "passage"
"""Kinds of unit that are made of others: the items of a list, the sentences of a paragraph."""

# A heading names a place and says nothing: of 454 questions of the labels (choose) one was answered
# by it, and none of the three for which it was best.
_NOT_QUOTED = frozenset({"picture", "window", "heading"})
_MOST_PARTS = 40
_LEADER_DOTS = re.compile(r"(?:\.\s?){4,}|(?:…\s?){2,}")


def answer_units(passages: Sequence[Passage], words: PageWords) -> list[Quote]:
    """Return everything on a page that can be quoted, in reading order, no repeats.

    passages: all units of the page, in any order.
    """
    ordered = sorted(
        (p for p in passages if p.kind not in _NOT_QUOTED), key=lambda p: (p.unit_id, _top(p))
    )
    found: dict[tuple[str, object], Quote] = {}
    for (context, listed), members in groupby(ordered, key=lambda p: (p.context, is_item(p))):
        run = list(members)
        singles = [quotes_of(passage, words) for passage in run]
        units = [
            unit
            for passage, quotes in zip(run, singles, strict=True)
            for unit in (*quotes, *_whole(passage, quotes))
        ]
        if listed:
            units += _list(context, [quote for quotes in singles for quote in quotes])
        for unit in units:
            if unit.boxes and not is_line_of_contents(unit.text):
                found.setdefault((unit.text, unit.boxes), unit)
    return list(found.values())


def is_item(passage: Passage) -> bool:
    """Whether it is an item of a list or a numbered step."""
    return passage.kind == "item" or (
        passage.kind == "paragraph" and STEP.match(passage.text) is not None
    )


def is_line_of_contents(text: str) -> bool:
    """Whether it is a line of a table of contents: its dots lead to a page and answer nothing."""
    return _LEADER_DOTS.search(text) is not None


def _top(passage: Passage) -> float:
    return passage.boxes[0].y0 if passage.boxes else 0.0


def _whole(passage: Passage, quotes: Sequence[Quote]) -> Iterator[Quote]:
    """Yield a paragraph of several sentences as one unit."""
    if 1 < len(quotes) <= _MOST_PARTS:
        yield _joined(PASSAGE, passage.context, quotes, " ")


def _list(context: str, quotes: Sequence[Quote]) -> Iterator[Quote]:
    """Yield the items of a list as one unit."""
    if 1 < len(quotes) <= _MOST_PARTS:
        yield _joined(LIST, context, quotes, "\n")


def _joined(kind: str, context: str, parts: Sequence[Quote], between: str) -> Quote:
    return Quote(
        between.join(part.text for part in parts),
        kind,
        context,
        tuple(line for part in parts for line in part.lines),
        tuple(box for part in parts for box in part.boxes),
        tuple(index for part in parts for index in part.indices),
        parts=tuple(parts),
    )
