"""DANGER, WARNING, CAUTION and NOTE boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .rich_text import set_lines, wrap
from .theme import BODY_SIZE, NOTICE_COLOURS, WHITE, Colour

if TYPE_CHECKING:
    from .canvas import Canvas

_LEADING = 13.0
_TEXT_INSET = 44.0
_PADDING = 9.0


class Notice:
    """A tinted box with a coloured edge, a sign, the signal word and its text."""

    def __init__(self, word: str, content: str, width: float) -> None:
        self._word = word
        self._width = width
        self._lines = wrap(content, width - _TEXT_INSET - 12, BODY_SIZE - 0.2)
        self.height = 2 * _PADDING + 14 + len(self._lines) * _LEADING

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw the box with its top-left corner at (x, y)."""
        edge, tint = NOTICE_COLOURS[self._word]
        bottom = y + self.height
        canvas.rect((x, y, x + self._width, bottom), fill=tint, colour=None)
        canvas.rect((x, y, x + 4, bottom), fill=edge, colour=None)
        _sign(canvas, x + 24, y + _PADDING + 8, edge, is_hazard=self._word != "NOTE")
        canvas.text(x + _TEXT_INSET, y + _PADDING + 9.5, self._word, 9.8, "bold", edge)
        set_lines(
            canvas, x + _TEXT_INSET, y + _PADDING + 14, self._lines, BODY_SIZE - 0.2, _LEADING
        )


def _sign(canvas: Canvas, x: float, y: float, colour: Colour, is_hazard: bool) -> None:
    if is_hazard:
        canvas.polygon([(x, y - 9), (x + 10.5, y + 9), (x - 10.5, y + 9)], colour, colour, 1.4)
    else:
        canvas.circle(x, y, 9.0, colour, colour)
    canvas.line([(x, y - 3.2), (x, y + 2.6)], WHITE, 2.0)
    canvas.circle(x, y + 6.0, 1.15, WHITE, WHITE, 0.2)
