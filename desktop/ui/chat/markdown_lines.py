"""The small part of Markdown that an answer may use: headings, lists, tables, bold, code.

Nothing here makes markup; it only tells what a line and a stretch of text are. A sign whose
counterpart has not been streamed yet is text like any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

LineKind = Literal["text", "heading", "bullet", "numbered", "row", "rule", "empty"]
Emphasis = Literal["", "bold", "italic", "code"]

_HEADING = re.compile(r"#{1,6} +(?=\S)")
_BULLET = re.compile(r"\s*[-•*] +(?=\S)")
_NUMBERED = re.compile(r"\s*\d{1,2}[.)] +(?=\S)")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_RULE = re.compile(r"\s*\|[\s:|-]*-[\s:|-]*\|\s*$")
# a sign counts only at the edge of a word: "5*3*2" and "__init__" are no emphasis
_INLINE = re.compile(
    r"(?<![\w*])\*\*(?P<bold>[^\s*](?:[^*\n]*[^\s*])?)\*\*(?![\w*])"
    r"|(?<![\w*])\*(?P<italic>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])"
    r"|(?<!`)`(?P<code>[^`\n]+)`(?!`)"
)


@dataclass(frozen=True, slots=True)
class Line:
    """kind of a line, and how many letters at its beginning only say that."""

    kind: LineKind
    sign: int = 0


def line_of(text: str) -> Line:
    """Return what a line is."""
    if not text.strip():
        return Line("empty")
    if _RULE.match(text):
        return Line("rule")
    if _ROW.match(text):
        return Line("row")
    for kind, pattern in (("heading", _HEADING), ("bullet", _BULLET)):
        match = pattern.match(text)
        if match:
            return Line("heading" if kind == "heading" else "bullet", match.end())
    # its number is part of what it says
    return Line("numbered" if _NUMBERED.match(text) else "text")


def cells_of(text: str) -> list[str]:
    """Return the cells of a table's row."""
    return [cell.strip() for cell in text.strip().strip("|").split("|")]


def stretches(text: str) -> Iterator[tuple[Emphasis, str]]:
    """Yield the text in stretches of one emphasis, without the signs that say it."""
    end = 0
    for match in _INLINE.finditer(text):
        if match.start() > end:
            yield "", text[end : match.start()]
        if match["bold"] is not None:
            yield "bold", match["bold"]
        elif match["italic"] is not None:
            yield "italic", match["italic"]
        else:
            yield "code", match["code"]
        end = match.end()
    if end < len(text):
        yield "", text[end:]
