"""Tables: ruled, open (no lines) and banded, measured first and drawn row by row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from .rich_text import Line, set_lines, wrap
from .theme import (
    ACCENT,
    ACCENT_TINT,
    HAIRLINE,
    INK,
    PALE,
    TABLE_LEADING,
    TABLE_SIZE,
    Colour,
    Style,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .canvas import Canvas

Look = Literal["ruled", "open", "banded"]
_PAD_X = 6.0
_PAD_Y = 4.2


@dataclass(slots=True)
class Row:
    """One measured row; a row of a single cell in a wider table is a band."""

    cells: list[list[Line]]
    height: float
    kind: Literal["head", "band", "body"]
    number: int = 0


@dataclass(slots=True)
class Table:
    """Content and look of a table; `widths` are shares of the column."""

    columns: Sequence[str]
    widths: Sequence[float]
    content: Sequence[Sequence[str]]
    look: Look = "ruled"
    first_bold: bool = True
    head: Row = field(init=False)
    rows: list[Row] = field(init=False)
    _x: list[float] = field(init=False)

    def fit(self, width: float) -> None:
        """Measure every row for a column of this width."""
        total = sum(self.widths)
        self._x = [0.0]
        for share in self.widths:
            self._x.append(self._x[-1] + width * share / total)
        self.head = self._measure(self.columns, "head")
        self.rows = []
        number = 0
        for cells in self.content:
            is_band = len(cells) == 1 and len(self.columns) > 1
            number = 0 if is_band else number + 1
            self.rows.append(self._measure(cells, "band" if is_band else "body", number))

    def height_of_start(self) -> float:
        """Height of the head and the first two rows, which stay together."""
        return self.head.height + sum(row.height for row in self.rows[:2])

    def _measure(
        self, cells: Sequence[str], kind: Literal["head", "band", "body"], number: int = 0
    ) -> Row:
        lines: list[list[Line]] = []
        for index, cell in enumerate(cells):
            right = self._x[-1] if kind == "band" else self._x[index + 1]
            style: Style = (
                "bold" if kind != "body" or (index == 0 and self.first_bold) else "regular"
            )
            lines.append(wrap(cell, right - self._x[index] - 2 * _PAD_X, TABLE_SIZE, style))
        pad = 2.6 if self.look == "open" else _PAD_Y
        height = max(map(len, lines)) * TABLE_LEADING + 2 * pad
        return Row(lines, height, kind, number)

    def draw_row(self, canvas: Canvas, x: float, y: float, row: Row) -> None:
        """Draw one row with its top-left corner at (x, y)."""
        right = x + self._x[-1]
        if self.look != "open":
            self._ground(canvas, (x, y, right, y + row.height), row)
        pad = 2.6 if self.look == "open" else _PAD_Y
        inset = 0.0 if self.look == "open" else _PAD_X
        colour: Colour = ACCENT if row.kind != "body" else INK
        for index, lines in enumerate(row.cells):
            at = x + self._x[index] + inset
            set_lines(canvas, at, y + pad, lines, TABLE_SIZE, TABLE_LEADING, colour)

    def _ground(self, canvas: Canvas, box: tuple[float, float, float, float], row: Row) -> None:
        x0, y0, x1, y1 = box
        fill = {"head": ACCENT_TINT, "band": PALE, "body": None}[row.kind]
        if self.look == "banded" and row.kind == "body" and row.number % 2 == 0:
            fill = PALE
        if fill is not None:
            canvas.rect(box, fill=fill, colour=None)
        if self.look == "banded":
            if row.kind == "head":
                canvas.line([(x0, y1), (x1, y1)], ACCENT, 1.0)
            return
        canvas.line([(x0, y0), (x1, y0)], HAIRLINE, 0.6)
        edges = [0.0, self._x[-1]] if row.kind == "band" else self._x
        for edge in edges:
            canvas.line([(x0 + edge, y0), (x0 + edge, y1)], HAIRLINE, 0.6)

    def close(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw the line under the last row."""
        if self.look == "open":
            return
        colour, width = (HAIRLINE, 0.6) if self.look == "ruled" else (ACCENT, 0.8)
        canvas.line([(x, y), (x + self._x[-1], y)], colour, width)
