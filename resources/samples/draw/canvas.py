"""One sheet under the pen: text, lines and shapes in points from the top-left corner."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import pymupdf

from .theme import INK, RESOURCE_NAMES, WHITE, Colour, Frame, Style, face, width_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Align = Literal["left", "centre", "right"]
Point = tuple[float, float]


class Canvas:
    """Collects what is drawn on one page and writes it in one stream on `commit`.

    Nothing touches the PDF before that: adding a page makes every older page object of PyMuPDF
    unusable, and the contents page is filled last.
    """

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._strokes: list[Callable[[pymupdf.Shape], object]] = []
        self._styles: set[Style] = set()

    def text(
        self,
        x: float,
        y: float,
        content: str,
        size: float,
        style: Style = "regular",
        colour: Colour = INK,
        align: Align = "left",
        angle: Literal[0, 90, 270] = 0,
    ) -> float:
        """Set one line with its baseline at y and return its width in points."""
        width = width_of(content, size, style)
        back = {"left": 0.0, "centre": width / 2, "right": width}[align]
        at = {0: (x - back, y), 90: (x, y + back), 270: (x, y - back)}[angle]
        name = RESOURCE_NAMES[style]
        self._styles.add(style)
        self._strokes.append(
            lambda shape: shape.insert_text(
                at, content, fontname=name, fontsize=size, color=colour, rotate=angle
            )
        )
        return width

    def line(
        self,
        points: Sequence[Point],
        colour: Colour = INK,
        width: float = 0.8,
        dashes: str | None = None,
    ) -> None:
        """Draw an open line through the points."""
        corners = [pymupdf.Point(p) for p in points]

        def stroke(shape: pymupdf.Shape) -> None:
            shape.draw_polyline(corners)
            shape.finish(
                color=colour, width=width, dashes=dashes, closePath=False, lineCap=1, lineJoin=1
            )

        self._strokes.append(stroke)

    def polygon(
        self,
        points: Sequence[Point],
        fill: Colour | None = WHITE,
        colour: Colour | None = INK,
        width: float = 0.8,
    ) -> None:
        """Draw a closed shape through the points."""
        corners = [pymupdf.Point(p) for p in points]

        def stroke(shape: pymupdf.Shape) -> None:
            shape.draw_polyline(corners)
            shape.finish(color=colour, fill=fill, width=width, closePath=True, lineJoin=1)

        self._strokes.append(stroke)

    def rect(
        self,
        box: tuple[float, float, float, float],
        fill: Colour | None = None,
        colour: Colour | None = INK,
        width: float = 0.8,
        radius: float = 0.0,
        dashes: str | None = None,
    ) -> None:
        """Draw a rectangle; radius is in points."""
        area = pymupdf.Rect(box)
        share = min(0.5, radius / min(area.width, area.height)) if radius else None

        def stroke(shape: pymupdf.Shape) -> None:
            shape.draw_rect(area, radius=share)
            shape.finish(color=colour, fill=fill, width=width, dashes=dashes, lineJoin=0)

        self._strokes.append(stroke)

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        fill: Colour | None = WHITE,
        colour: Colour | None = INK,
        width: float = 0.8,
    ) -> None:
        """Draw a circle around (x, y)."""

        def stroke(shape: pymupdf.Shape) -> None:
            shape.draw_circle((x, y), radius)
            shape.finish(color=colour, fill=fill, width=width)

        self._strokes.append(stroke)

    def arrow(self, start: Point, end: Point, colour: Colour = INK, width: float = 0.8) -> None:
        """Draw a straight line with a filled head at its end."""
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        head = 5.0 + width
        base = (end[0] - head * math.cos(angle), end[1] - head * math.sin(angle))
        self.line([start, base], colour, width)
        side = (head * 0.36 * -math.sin(angle), head * 0.36 * math.cos(angle))
        tips = [(base[0] + side[0], base[1] + side[1]), (base[0] - side[0], base[1] - side[1])]
        self.polygon([end, *tips], fill=colour, colour=colour, width=0.2)

    def callout(self, number: str, centre: Point, target: Point, colour: Colour) -> None:
        """Draw a numbered bubble with a leader to what it names."""
        self.line([centre, target], colour, 0.7)
        self.circle(*target, 1.6, fill=colour, colour=colour, width=0.2)
        self.circle(*centre, 8.2, fill=WHITE, colour=colour, width=1.0)
        self.text(centre[0], centre[1] + 3.1, number, 8.6, "bold", colour, "centre")

    def commit(self, page: pymupdf.Page) -> None:
        """Write everything to the page; shapes lie below text."""
        for style in sorted(self._styles):
            page.insert_font(fontname=RESOURCE_NAMES[style], fontbuffer=face(style).buffer)
        shape = page.new_shape()
        for stroke in self._strokes:
            stroke(shape)
        shape.commit()
