"""Front elevation of the station: as an overview, with callouts, and with dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .theme import ACCENT, INK, MUTED, PALE, STEEL, WATER, WHITE

if TYPE_CHECKING:
    from .canvas import Canvas, Point

Rect = tuple[float, float, float, float]
_WIDTH, _HEIGHT = 330.0, 250.0


class _Pen:
    """Maps the drawing's own units (330 by 250, origin top left) into a box."""

    def __init__(self, canvas: Canvas, box: Rect) -> None:
        x0, y0, x1, y1 = box
        self.canvas = canvas
        self.scale = min((x1 - x0) / _WIDTH, (y1 - y0) / _HEIGHT)
        self.x0 = (x0 + x1 - _WIDTH * self.scale) / 2
        self.y0 = (y0 + y1 - _HEIGHT * self.scale) / 2

    def at(self, x: float, y: float) -> Point:
        return (self.x0 + x * self.scale, self.y0 + y * self.scale)

    def block(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        fill: tuple[float, float, float],
        radius: float = 0.0,
    ) -> None:
        box = (*self.at(x, y), *self.at(x + w, y + h))
        self.canvas.rect(box, fill=fill, width=0.8, radius=radius * self.scale)


def _pump(pen: _Pen, x: float) -> None:
    pen.block(x - 9, 22, 18, 8, ACCENT, 3)
    pen.block(x - 16, 30, 32, 52, PALE, 4)
    for rib in range(5):
        start, end = pen.at(x - 16, 40 + rib * 8), pen.at(x + 16, 40 + rib * 8)
        pen.canvas.line([start, end], MUTED, 0.5)
    pen.block(x + 16, 46, 9, 16, STEEL, 1)
    pen.block(x - 11, 82, 22, 16, STEEL)
    pen.block(x - 14, 98, 28, 76, PALE, 2)
    for stage in range(6):
        start, end = pen.at(x - 14, 109 + stage * 11), pen.at(x + 14, 109 + stage * 11)
        pen.canvas.line([start, end], MUTED, 0.4)
    pen.block(x - 20, 174, 40, 26, STEEL, 3)


def draw_station(canvas: Canvas, box: Rect) -> None:
    """Draw the station without any lettering."""
    pen = _Pen(canvas, box)
    pen.block(14, 214, 302, 10, STEEL)
    for foot in (24, 150, 290):
        pen.block(foot, 224, 16, 8, INK)
    pen.block(8, 182, 196, 14, WATER, 2)
    pen.block(2, 178, 6, 22, STEEL)
    for x in (68, 140):
        _pump(pen, x)
        pen.block(x - 26, 200, 52, 14, STEEL)
    pen.block(30, 150, 182, 12, WATER, 2)
    pen.block(212, 146, 6, 20, STEEL)
    for x in (68, 140):
        pen.block(x + 18, 156, 8, 26, STEEL)
        pen.block(x + 14, 166, 16, 7, ACCENT)
    pen.block(30, 92, 1.6, 58, STEEL)
    pen.block(16, 62, 30, 50, WATER, 12)
    pen.block(192, 134, 6, 16, STEEL)
    pen.canvas.circle(*pen.at(195, 129), 6.5 * pen.scale, WHITE, INK, 0.8)
    pen.block(236, 120, 8, 94, STEEL)
    pen.block(292, 120, 8, 94, STEEL)
    pen.block(222, 14, 92, 124, WHITE, 3)
    pen.block(228, 20, 80, 112, PALE, 2)
    pen.block(248, 30, 40, 24, ACCENT, 2)
    for light in range(5):
        canvas.circle(*pen.at(252 + light * 8, 64), 1.9 * pen.scale, WATER, INK, 0.5)
    pen.canvas.circle(*pen.at(268, 104), 9 * pen.scale, WHITE, INK, 0.8)
    pen.block(266, 96, 4, 16, INK, 1)


_CALLOUTS: tuple[tuple[str, Point, Point], ...] = (
    ("1", (96, 8), (84, 40)),
    ("2", (168, 8), (156, 40)),
    ("3", (-14, 152), (16, 186)),
    ("4", (206, 196), (204, 158)),
    ("5", (-14, 60), (20, 80)),
    ("6", (180, 96), (195, 128)),
    ("7", (346, 40), (310, 60)),
    ("8", (346, 104), (277, 104)),
    ("9", (104, 128), (98, 168)),
    ("10", (346, 196), (310, 218)),
)


def draw_station_with_callouts(canvas: Canvas, box: Rect) -> None:
    """Draw the station with numbers for the legend below the figure."""
    draw_station(canvas, box)
    pen = _Pen(canvas, box)
    for number, bubble, target in _CALLOUTS:
        canvas.callout(number, pen.at(*bubble), pen.at(*target), ACCENT)


def _dimension(pen: _Pen, start: Point, end: Point, label: str, upright: bool) -> None:
    canvas = pen.canvas
    a, b = pen.at(*start), pen.at(*end)
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    canvas.arrow(middle, a, INK, 0.6)
    canvas.arrow(middle, b, INK, 0.6)
    if upright:
        canvas.text(middle[0] - 4, middle[1], label, 8.2, "bold", INK, "centre", 90)
    else:
        canvas.text(middle[0], middle[1] - 4, label, 8.2, "bold", INK, "centre")


def draw_dimensions(canvas: Canvas, box: Rect) -> None:
    """Draw the station with its main dimensions in millimetres."""
    x0, y0, x1, y1 = box
    inner = (x0 + 40, y0, x1 - 20, y1 - 26)
    draw_station(canvas, inner)
    pen = _Pen(canvas, inner)
    for x, y in ((2, 202), (316, 226)):
        canvas.line([pen.at(x, y), pen.at(x, 262)], MUTED, 0.4)
    _dimension(pen, (2, 256), (316, 256), "1180", upright=False)
    for y, x in ((14, 220), (232, 22)):
        canvas.line([pen.at(x, y), pen.at(-34, y)], MUTED, 0.4)
    _dimension(pen, (-28, 14), (-28, 232), "1420", upright=True)
    canvas.line([pen.at(0, 189), pen.at(-16, 189)], MUTED, 0.4)
    _dimension(pen, (-12, 189), (-12, 232), "270", upright=True)
    canvas.line([pen.at(219, 156), pen.at(338, 156)], MUTED, 0.4)
    canvas.line([pen.at(306, 232), pen.at(338, 232)], MUTED, 0.4)
    _dimension(pen, (332, 156), (332, 232), "480", upright=True)
