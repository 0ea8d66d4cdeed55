"""The battery bay behind the left flap of the control unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .theme import ACCENT, INK, MUTED, PALE, STEEL, WHITE, WIRE_RED

if TYPE_CHECKING:
    from .canvas import Canvas

Rect = tuple[float, float, float, float]


def draw_battery_bay(canvas: Canvas, box: Rect) -> None:
    """Draw battery, plug, strap and flap in a box about 470 by 180 points."""
    x0, y0, x1, y1 = box
    left, right = x0 + 76, x1 - 150
    canvas.rect((left, y0 + 6, right, y1 - 10), fill=STEEL, width=1.1, radius=6)
    canvas.rect((left + 14, y0 + 20, right - 14, y1 - 24), fill=PALE, width=0.7, radius=3)
    battery = (left + 30, y0 + 52, left + 150, y1 - 32)
    canvas.rect(battery, fill=INK, colour=INK, radius=3)
    canvas.rect((battery[0] + 12, battery[1] + 24, battery[2] - 12, battery[3] - 14), WHITE, None)
    middle = (battery[0] + battery[2]) / 2
    canvas.text(middle, battery[1] + 44, "G1", 13, "bold", ACCENT, "centre")
    canvas.text(middle, battery[1] + 57, "12 V  2.9 Ah", 8, colour=MUTED, align="centre")
    for x, colour in ((battery[0] + 20, WIRE_RED), (battery[2] - 20, INK)):
        canvas.rect((x - 5, battery[1] - 7, x + 5, battery[1]), fill=colour, colour=INK, width=0.5)
        top = y0 + (32 if colour == WIRE_RED else 38)
        plug_y = top + 6
        canvas.line(
            [(x, battery[1] - 7), (x, top), (right - 50, top), (right - 50, plug_y)], colour, 1.4
        )
    canvas.rect((right - 62, y0 + 38, right - 34, y0 + 58), fill=WHITE, width=0.9, radius=2)
    canvas.text(right - 48, y0 + 51.4, "X9", 8.2, "bold", INK, "centre")
    strap = battery[3] - 12
    canvas.rect((battery[0] - 8, strap, battery[2] + 8, strap + 7), fill=ACCENT, colour=INK)
    canvas.polygon(
        [(right, y0 + 6), (right + 62, y0 - 2), (right + 62, y1 - 20), (right, y1 - 10)],
        fill=WHITE,
        width=1.0,
    )
    canvas.circle(right + 48, (y0 + y1) / 2 - 10, 5, STEEL, INK, 0.8)
    canvas.circle(right + 48, (y0 + y1) / 2 - 10, 1.6, INK, INK, 0.4)
    canvas.callout("1", (left - 30, y0 + 92), (battery[0] + 8, y0 + 92), ACCENT)
    canvas.callout("2", (right - 20, y0 + 88), (right - 42, y0 + 55), ACCENT)
    canvas.callout("3", (left - 30, y1 - 30), (battery[0] - 4, strap + 3), ACCENT)
    canvas.callout("4", (right + 96, y0 + 56), (right + 52, (y0 + y1) / 2 - 14), ACCENT)
