"""Numbered steps: which of the quotes of a page are the steps of one procedure.

A number with a dot or bracket ("4.", "4)", "4.)") opens a step anywhere but in a heading. A bare
number ("4 Unload") may be any number: it opens the first step of a procedure only in what
the layout model calls an item of a list.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, TypeVar

from desktop.core.structure.signs import CELL_SEPARATOR, NUMBER, starts_item, without_bullet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.geometry import Box
    from desktop.core.reader.quotes import Quote

_QUOTING = "\"'“”‘„«»‹([<"
"""What a text may begin with before its first word; anything else is the sign of a bullet."""
_STEP_KINDS = frozenset({"item", "paragraph", "row"})
"""What a step may be: a layout model takes some for text or for the row of a table."""
PROSE = frozenset({"item", "paragraph"})
"""What may stand in a procedure without a number."""
OF_PICTURES = frozenset({"label", "caption"})
"""What may stand between two items of a list with the picture that it is of."""


class Quoted(Protocol):
    """A sentence, row or step as it stands on a page."""

    @property
    def text(self) -> str:
        """Its words."""

    @property
    def kind(self) -> str:
        """What it is."""

    @property
    def boxes(self) -> Sequence[Box]:
        """Its lines, in PDF points, top-left origin; () if not known."""


Q = TypeVar("Q", bound=Quoted)


@dataclass(slots=True, eq=False)
class Run:
    """Quotes of a page that are numbered one after the other.

    mark: what stands around the numbers, "" for bare ones. first, last: their numbers.
    places: where the numbered quotes are among those of the page.
    """

    mark: str
    first: int
    last: int
    places: list[int]

    def goes_on_with(self, number: int, mark: str) -> bool:
        """Whether a step with this number is the next one."""
        return mark == self.mark and number == self.last + 1

    def doubles(self, number: int, mark: str, place: int) -> bool:
        """Whether a number is a slip of the writer: the first one again, right below it."""
        first = (mark, number) == (self.mark, self.last) and self.last == self.first == 1
        return first and place == self.places[-1] + 1

    def add(self, number: int, place: int) -> None:
        """Add the next step."""
        self.last = number
        self.places.append(place)


def runs_of(quotes: Sequence[Quoted]) -> list[Run]:
    """Return the numbered runs of a page; the first one may begin on the page before.

    A first number that stands twice, one below the other, is a slip of the writer. A list inside
    a step is a run of its own, after which the other one goes on; of two lists side by side, the
    one goes on that stands above. quotes: in reading order.
    """
    runs: list[Run] = []
    open_runs: list[Run] = []
    for place, quote in enumerate(quotes):
        if quote.kind == "heading":
            open_runs = [run for run in open_runs if run.mark]
        found = _numbered(quote)
        if found is None:
            continue
        number, mark = found
        fitting = [
            run
            for run in open_runs
            if run.goes_on_with(number, mark) or run.doubles(number, mark, place)
        ]
        above = [run for run in fitting if is_below(quotes[run.places[-1]], quote)]
        if fitting:
            within = max(above or fitting, key=lambda run: run.places[-1])
            within.add(number, place)
        elif (mark or quote.kind == "item") and (
            number == 1 or all(run.mark != mark for run in runs)
        ):
            runs.append(Run(mark, number, number, [place]))
            open_runs.append(runs[-1])
    return runs


def numbered_runs(quotes: Sequence[Q]) -> list[list[Q]]:
    """Return the numbered lists of a page, each from its step 1 on, in order."""
    return [
        [quotes[place] for place in run.places]
        for run in runs_of(quotes)
        if run.first == 1 and len(run.places) > 1
    ]


def goes_over(run: Run, quotes: Sequence[Quoted]) -> bool:
    """Whether the next page may go on with the last run of a page; a heading ends bare numbers."""
    return bool(run.mark) or all(quote.kind != "heading" for quote in quotes[run.places[-1] :])


def steps_of(run: Run, quotes: Sequence[Quote]) -> list[Quote]:
    """Return the steps of a run, each with the text that stands below it, and what it lists.

    Notes and lists between two numbers belong to the step above them, headings, pictures and
    tables do not; what is below the last step belongs to it as far as it is one list.
    """
    steps: list[Quote] = []
    for place, end in zip(run.places, (*run.places[1:], None), strict=True):
        step, after = quotes[place], None if end is None else quotes[end]
        # where the next step stands in another column, the text above it belongs here
        over = after if after is not None and not is_below(step, after) else None
        parts = [_as_step(step)]
        for quote in quotes[place + 1 : end]:
            within = is_below(step, quote) or _goes_on_in_line(parts[-1], quote)
            within = within or (over is not None and is_below(quote, over))
            if after is None:
                within = within and quote.kind == "item" and _numbered(quote) is None
            if quote.kind == "heading" or (after is None and not within):
                break
            if within and quote.kind in PROSE:
                parts.append(quote)
        steps += items_of(parts)
    section = steps[0].context  # what a step lists has the step itself for a heading
    return [replace(step, context=section) for step in steps]


def items_of(parts: Sequence[Quote]) -> list[Quote]:
    """Return the quotes of a step as one, but what stands behind a bullet by itself."""
    starts = [n for n, part in enumerate(parts) if n and without_bullet(part.text) != part.text]
    return [joined_quote(parts[a:b]) for a, b in pairwise((0, *starts, len(parts)))]


def list_items(quotes: Sequence[Quote], page: Sequence[Quote]) -> list[Quote]:
    """Return the sentences of a list as its items; page: all quotes, in reading order.

    A sentence goes on with an item in its line, or right below one with a bullet or number.
    """
    places = {quote.indices: place for place, quote in enumerate(page)}
    opens = [
        starts_item(quote.text) or not quote.text.lstrip(_QUOTING)[:1].isalnum() for quote in quotes
    ]
    starts = [
        n
        for n, (before, after) in enumerate(pairwise(quotes), 1)
        if opens[n]
        or places.get(after.indices) != places.get(before.indices, len(page)) + 1
        or not (_goes_on_in_line(before, after) or (any(opens) and _is_next_line(before, after)))
    ]
    return [joined_quote(quotes[a:b]) for a, b in pairwise((0, *starts, len(quotes))) if quotes]


def is_below(upper: Quoted, lower: Quoted) -> bool:
    """Whether a quote stands below another one in the same column."""
    if not upper.boxes or not lower.boxes:
        return False
    left, right = _sides(upper)
    other_left, other_right = _sides(lower)
    return upper.boxes[0].y0 <= lower.boxes[0].y0 and left < other_right and other_left < right


def _is_next_line(upper: Quoted, lower: Quoted) -> bool:
    """Whether a quote begins in the line below another one."""
    end, begin = upper.boxes[-1:], lower.boxes[:1]
    return is_below(upper, lower) and begin[0].y0 - end[0].y1 < (end[0].y1 - end[0].y0) / 2


def _goes_on_in_line(before: Quoted, after: Quoted) -> bool:
    """Whether a quote begins in the line that another one ends in, close to it."""
    if not before.boxes or not after.boxes:
        return False
    end, begin = before.boxes[-1], after.boxes[0]
    height = end.y1 - end.y0
    return begin.y0 < (end.y0 + end.y1) / 2 < begin.y1 and 0 <= begin.x0 - end.x1 < height


def _sides(quote: Quoted) -> tuple[float, float]:
    return min(box.x0 for box in quote.boxes), max(box.x1 for box in quote.boxes)


def is_step(quote: Quoted) -> bool:
    """Whether it looks like a numbered step."""
    found = _numbered(quote)
    return found is not None and bool(found[1] or quote.kind == "item")


def begins_anew(step: Quoted, following: Quoted) -> bool:
    """Whether a step is the first of a list, right below a step of another one."""
    found = _numbered(following)
    return is_step(step) and found is not None and found[0] == 1


def _numbered(quote: Quoted) -> tuple[int, str] | None:
    return opening_number(quote.kind, quote.text)


def opening_number(kind: str, text: str) -> tuple[int, str] | None:
    """Return the number that a text opens with, and what stands around it, "" for a bare one."""
    if kind not in _STEP_KINDS:
        return None
    text = text.replace(CELL_SEPARATOR, " ", 1)
    match = NUMBER.match(text)
    if match is None or (not match[3] and text[match.end()].isdigit()):
        return None
    return int(match[2]), match[1] + match[3]


def _as_step(quote: Quote) -> Quote:
    if quote.kind != "row":
        return quote
    text = quote.text.replace(CELL_SEPARATOR, " ")
    return replace(quote, kind="item", text=text, cells=(), header=())


def joined_quote(parts: Sequence[Quote]) -> Quote:
    """Return the quotes of a step as one."""
    if len(parts) == 1:
        return parts[0]
    return replace(
        parts[0],
        text=" ".join(part.text for part in parts),
        lines=tuple(line for part in parts for line in part.lines),
        boxes=tuple(box for part in parts for box in part.boxes),
        indices=tuple(index for part in parts for index in part.indices),
    )
