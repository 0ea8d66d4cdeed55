"""Lines of a paragraph: `**bold**` marks, wrapping to a width, setting on a canvas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .theme import INK, Colour, Style, width_of

if TYPE_CHECKING:
    from .canvas import Canvas


@dataclass(frozen=True, slots=True)
class Run:
    """Words of one style that stand next to each other on one line."""

    text: str
    style: Style


Line = tuple[Run, ...]


def _words(text: str, base: Style) -> list[list[Run]]:
    """Split into words; a word is several runs where a mark changes inside it."""
    words: list[list[Run]] = [[]]
    bold = False
    for part_number, part in enumerate(text.split("**")):
        bold = part_number % 2 == 1
        for piece_number, piece in enumerate(part.split(" ")):
            if piece_number:
                words.append([])
            if piece:
                words[-1].append(Run(piece, "bold" if bold else base))
    return [word for word in words if word]


def _width(runs: list[Run], size: float) -> float:
    return sum(width_of(run.text, size, run.style) for run in runs)


def _joined(words: list[list[Run]]) -> Line:
    """Join words into the fewest runs; the space takes the style of the word before it."""
    runs: list[Run] = []
    for number, word in enumerate(words):
        if number:
            runs[-1] = Run(runs[-1].text + " ", runs[-1].style)
        for run in word:
            if runs and runs[-1].style == run.style:
                runs[-1] = Run(runs[-1].text + run.text, run.style)
            else:
                runs.append(run)
    return tuple(runs)


def wrap(text: str, width: float, size: float, base: Style = "regular") -> list[Line]:
    """Break a text into lines no wider than `width` points; its own line breaks stay."""
    lines: list[Line] = []
    for paragraph in text.split("\n"):
        line: list[list[Run]] = []
        used = 0.0
        for word in _words(paragraph, base):
            needed = _width(word, size) + (width_of(" ", size, base) if line else 0.0)
            if line and used + needed > width:
                lines.append(_joined(line))
                line, used, needed = [], 0.0, _width(word, size)
            line.append(word)
            used += needed
        lines.append(_joined(line))
    return lines


def set_lines(
    canvas: Canvas,
    x: float,
    y: float,
    lines: list[Line],
    size: float,
    leading: float,
    colour: Colour = INK,
) -> float:
    """Set lines below y (the top of the first line) and return the bottom of the last."""
    for number, line in enumerate(lines):
        at = x
        for run in line:
            baseline = y + number * leading + (leading + size * 0.66) / 2
            at += canvas.text(at, baseline, run.text, size, run.style, colour)
    return y + len(lines) * leading
