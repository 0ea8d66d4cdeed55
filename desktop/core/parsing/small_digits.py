"""Digits that stand smaller beside others, told by the size and the height of their print."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from desktop.core.raised_digits import fraction, raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CANDIDATE = re.compile(r"\d\d|\d[-+\u2212\u2013]\d")
_POWER = re.compile(r"[-+\u2212\u2013]?\d+")
_FRACTION = re.compile(r"(\d+)[/\u2044\u2215](\d+)")
_SMALL = 0.85
"""Of the size of the number before: small print is at most so large."""
_HIGH = 0.15
"""Of that size: so much higher stands what is raised."""
_INSIDE = 0.2
"""Of its own size: this far right of and above its origin a digit is surely inked."""


def with_small_digits(rows: Sequence[tuple[Any, ...]], textpage: Any) -> list[tuple[Any, ...]]:
    """Return words in which raised digits and fractions are written as they are printed.

    rows: of MuPDF: x0, y0, x1, y1, text, block, line, word; not yet turned with the page.
    textpage: the text page that they are of.
    """
    written = list(rows)
    if not any(_CANDIDATE.search(row[4]) for row in rows):
        return written
    for block in textpage.extractDICT()["blocks"]:
        for line in block.get("lines", ()):
            for before, small, meant, point in _small_runs(line):
                _write(written, before, small, meant, point)
    return written


def _small_runs(line: dict[str, Any]) -> Iterator[tuple[str, str, str, tuple[float, float]]]:
    """Yield the number before, the small digits after it, what they mean, a point on them."""
    right, down = line["dir"]
    spans = line["spans"]
    for index in range(1, len(spans)):
        before, here = spans[index - 1], spans[index]
        if not before["text"][-1:].isdecimal() or here["size"] > _SMALL * before["size"]:
            continue
        size = before["size"]
        small = here["text"]
        for span in spans[index + 1 :]:
            if span["size"] > _SMALL * size and span["text"] not in ("/", "\u2044", "\u2215"):
                break
            small += span["text"]
        (x, y), (x_before, y_before) = here["origin"], before["origin"]
        rise = (x - x_before) * down - (y - y_before) * right
        over, power = _FRACTION.match(small), _POWER.match(small)
        if over is not None:
            told, meant = over[0], fraction(over[1], over[2])
        elif power is not None and rise >= _HIGH * size:
            told, meant = power[0], raised(power[0])
        else:
            continue
        ink = _INSIDE * here["size"]
        point = (x + ink * (right + down), y + ink * (down - right))
        yield before["text"].split()[-1], told, meant, point


def _write(
    rows: list[tuple[Any, ...]], before: str, told: str, meant: str, point: tuple[float, float]
) -> None:
    """Put what is meant into the word that has the point, right after the number before."""
    x, y = point
    for index, (x0, y0, x1, y1, text, *place) in enumerate(rows):
        if not (x0 <= x <= x1 and y0 <= y <= y1):
            continue
        at = text.find(before + told)
        if at >= 0:
            at += len(before)
            changed = text[:at] + meant + text[at + len(told) :]
            rows[index] = (x0, y0, x1, y1, changed, *place)
            return
