"""What can be quoted from a page: sentences, rows, steps, and whole lists or paragraphs.

The reader weighs all of them, a single step beside its whole procedure, so that how
much to quote is part of what it has learnt.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from desktop.core.reader.quotes import Quote, quotes_of
from desktop.core.reader.steps import OF_PICTURES, runs_of, steps_of
from desktop.core.structure.sentences import words_in
from desktop.core.structure.signs import LEADERS, is_numbered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.library.units import Passage
    from desktop.core.page_words import PageWords

LIST, PASSAGE = "list", "passage"
"""Kinds of unit that are made of others: the items of a list, the sentences of a paragraph."""

_NOT_QUOTED = frozenset({"picture", "window"})
COLONS = (":", "\uff1a")
_MOST_LEAD_WORDS = 15
_MOST_PARTS = 40
_CONTENTS_LINES = 5
_RISING = 0.9
_LAST_PAGE = re.compile(r"(?<=[\s.])(?:\d{1,2}[-–])?\d{1,4}$")


def answer_units(passages: Sequence[Passage], words: PageWords) -> list[Quote]:
    """Return everything on a page that can be quoted, in reading order, no repeats.

    passages: all units of the page, in any order.
    """
    ordered = sorted(
        (p for p in passages if p.kind not in _NOT_QUOTED),
        key=lambda p: (p.unit_id, p.boxes[0].y0 if p.boxes else 0.0),
    )
    led = list(_led(ordered, words))
    quoted = [(passage, quotes_of(passage, words)) for passage in ordered]
    # A heading names a place and says nothing: of 454 questions of the labels (choose) one was
    # answered by it, and none of the three for which it was best. Of 648 asked end to end one more
    # and one less were, when headings with a number or a colon in them could be quoted.
    below = _lists_whole([each for each in quoted if each[0].kind != "heading"])
    found: dict[tuple[str, object], Quote] = {}
    for (context, listed), members in groupby(below, key=_list_of):
        run = list(members)
        units: list[Quote] = []
        for _, quotes in run:  # and a paragraph of several sentences as one
            units += [*quotes, *_made_of(PASSAGE, context, quotes)]
        if listed:
            for items in _begun_anew([quote for _, quotes in run for quote in quotes]):
                units += _made_of(LIST, context, items)
        for unit in units:
            if unit.boxes and not is_line_of_contents(unit.text):
                found.setdefault((unit.text, unit.boxes), unit)
    lists = [set(unit.indices) for unit in found.values() if unit.kind == LIST]
    every = [quote for _, quotes in quoted for quote in quotes]
    for procedure in runs_of(every):  # whatever stands between its steps
        steps = steps_of(procedure, every)
        for unit in _made_of(LIST, steps[0].context, steps):
            inside = any(known.issuperset(unit.indices) for known in lists)
            if not inside and not is_line_of_contents(unit.text):
                found.setdefault((unit.text, unit.boxes), unit)
    for unit in led:
        found.setdefault((unit.text, unit.boxes), unit)
    return list(found.values())


def _begun_anew(items: Sequence[Quote]) -> Iterator[Sequence[Quote]]:
    """Yield the items of each list where several stand below each other: numbers begin anew."""
    runs = runs_of(items)
    cuts = [
        run.places[0]
        for at, run in enumerate(runs)
        if at and run.first == 1 and max(r.places[-1] for r in runs[:at]) < run.places[0]
    ]
    for start, end in pairwise((0, *cuts, len(items))):
        yield items[start:end]


def _list_of(passage: tuple[Passage, object]) -> tuple[str, bool]:
    return passage[0].context, is_item(passage[0])


def _lists_whole(
    passages: Sequence[tuple[Passage, tuple[Quote, ...]]],
) -> list[tuple[Passage, tuple[Quote, ...]]]:
    """Return passages with the words of a picture that parts a list behind the list."""
    found: list[tuple[Passage, tuple[Quote, ...]]] = []
    pictures: list[tuple[Passage, tuple[Quote, ...]]] = []
    for each in passages:
        in_list = bool(found) and is_item(found[-1][0])
        if in_list and each[0].kind in OF_PICTURES:
            pictures.append(each)
            continue
        if pictures and _list_of(each) != _list_of(found[-1]):
            found += pictures
            pictures = []
        found.append(each)
    return found + pictures


def _led(ordered: Sequence[Passage], words: PageWords) -> Iterator[Quote]:
    """Yield what a line with a colon announces, together with that line: "Mute: press 4"."""
    for lead, after in pairwise(ordered):
        announces = lead.kind in ("heading", "paragraph") and lead.text.rstrip().endswith(COLONS)
        if not announces or after.kind != "paragraph":
            continue
        line = replace(lead, kind="paragraph")
        first = quotes_of(line, words)[-1:] + quotes_of(after, words)[:1]
        if len(first) == 2 and len(first[0].text.split()) <= _MOST_LEAD_WORDS:
            yield from _made_of(PASSAGE, lead.context, first)


def is_item(passage: Passage) -> bool:
    """Whether it is an item of a list or a numbered step."""
    return passage.kind == "item" or (passage.kind == "paragraph" and is_numbered(passage.text))


def is_line_of_contents(text: str) -> bool:
    """Whether it is a line of a table of contents: its dots lead to a page and answer nothing."""
    return LEADERS.search(text) is not None


def is_contents(lines: Sequence[str]) -> bool:
    """Whether the lines of a page are a table of contents: with dots, or rising page numbers."""
    if sum(map(is_line_of_contents, lines)) >= _CONTENTS_LINES:
        return True
    ends = filter(None, map(_LAST_PAGE.search, lines))  # "Lights - 2-1", "Lights | 17"
    known = [[int(part) for part in words_in(end.group())] for end in ends]
    if len(set(map(tuple, known))) < _CONTENTS_LINES or 2 * len(known) < len(lines):
        return False
    rising = sum(before <= after for before, after in pairwise(known))
    return rising >= _RISING * (len(known) - 1)


def _made_of(kind: str, context: str, parts: Sequence[Quote]) -> Iterator[Quote]:
    """Yield several quotes as one unit, if they are not too many."""
    if 1 < len(parts) <= _MOST_PARTS:
        yield Quote(
            ("\n" if kind == LIST else " ").join(part.text for part in parts),
            kind,
            context,
            tuple(line for part in parts for line in part.lines),
            tuple(box for part in parts for box in part.boxes),
            tuple(index for part in parts for index in part.indices),
            parts=tuple(parts),
        )
