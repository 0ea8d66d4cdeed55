"""Two small drawings of the installer's manual: the CU-20 board and the RS-485 bus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .theme import ACCENT, ACCENT_TINT, INK, MUTED, PALE, STEEL, WHITE

if TYPE_CHECKING:
    from .canvas import Canvas

Rect = tuple[float, float, float, float]


def draw_board(canvas: Canvas, box: Rect) -> None:
    """Draw the board with its jumpers, fuse and battery in a box about 470 by 190 points."""
    x0, y0, x1, y1 = box
    left, right = x0 + 26, x1 - 26
    canvas.rect((left, y0 + 4, right, y1 - 4), fill=ACCENT_TINT, colour=ACCENT, radius=5)
    for x, y in (
        (left + 9, y0 + 13),
        (right - 9, y0 + 13),
        (left + 9, y1 - 13),
        (right - 9, y1 - 13),
    ):
        canvas.circle(x, y, 3.4, WHITE, INK, 0.7)
    strip = y1 - 38
    width = (right - left - 60) / 6
    for number, block in enumerate(("X3", "X4", "X5", "X6", "X7", "X8")):
        x = left + 30 + number * width
        canvas.rect((x, strip, x + width - 8, strip + 20), fill=WHITE, width=0.7)
        canvas.text(x + width / 2 - 4, strip + 13.4, block, 8.4, "bold", ACCENT, "centre")
    canvas.rect((left + 26, y0 + 24, left + 126, y0 + 82), fill=PALE, width=0.9, radius=3)
    canvas.text(left + 76, y0 + 49, "G1", 11, "bold", ACCENT, "centre")
    canvas.text(left + 76, y0 + 62, "12 V  2.9 Ah", 7.6, colour=MUTED, align="centre")
    canvas.rect((left + 140, y0 + 30, left + 186, y0 + 44), fill=WHITE, width=0.8, radius=6)
    canvas.text(left + 163, y0 + 56, "F3  T 2 A", 7.6, "bold", INK, "centre")
    canvas.rect((left + 205, y0 + 22, left + 265, y0 + 74), fill=INK, colour=INK, radius=2)
    canvas.text(left + 235, y0 + 51, "CPU", 8.4, "bold", WHITE, "centre")
    for jumper, column in (("J3", 2.3), ("J5", 2.85), ("J7", 3.4), ("J9", 4.4)):
        x = left + 30 + column * width
        top = strip - 44
        canvas.rect((x - 7, top, x + 7, top + 22), fill=STEEL, width=0.8)
        canvas.circle(x, top + 6, 2, WHITE, INK, 0.5)
        canvas.circle(x, top + 16, 2, WHITE, INK, 0.5)
        canvas.text(x, top - 4, jumper, 8.4, "bold", ACCENT, "centre")
    for relay, x in (("K1", right - 102), ("K2", right - 58)):
        canvas.rect((x, y0 + 32, x + 36, y0 + 66), fill=PALE, width=0.9)
        canvas.text(x + 18, y0 + 52.6, relay, 8.8, "bold", INK, "centre")


def draw_bus(canvas: Canvas, box: Rect) -> None:
    """Draw three stations on the RS-485 line in a box about 470 by 110 points."""
    x0, y0, x1, _ = box
    wire_a, wire_b = y0 + 74, y0 + 84
    canvas.line([(x0 + 66, wire_a), (x1 - 66, wire_a)], ACCENT, 1.2)
    canvas.line([(x0 + 66, wire_b), (x1 - 66, wire_b)], INK, 1.2)
    canvas.text(
        (x0 + x1) / 2,
        wire_b + 16,
        "line of at most 800 m, no stubs longer than 1 m",
        7.8,
        colour=MUTED,
        align="centre",
    )
    span = (x1 - x0 - 132) / 3
    names = (
        ("BMS", "master"),
        ("HX-200", "address 17"),
        ("HX-200", "address 18"),
        ("HX-200", "address 19"),
    )
    for number, (name, role) in enumerate(names):
        x = x0 + 66 + number * span
        canvas.rect((x - 36, y0 + 6, x + 36, y0 + 46), fill=PALE, width=0.9, radius=3)
        canvas.text(x, y0 + 23, name, 9, "bold", ACCENT, "centre")
        canvas.text(x, y0 + 35, role, 7.4, colour=MUTED, align="centre")
        canvas.line([(x - 6, y0 + 46), (x - 6, wire_a)], ACCENT, 1.0)
        canvas.line([(x + 6, y0 + 46), (x + 6, wire_b)], INK, 1.0)
    for x, side in ((x0 + 40, "left"), (x1 - 40, "right")):
        inner = x0 + 66 if side == "left" else x1 - 66
        canvas.line([(inner, wire_a), (x, wire_a), (x, wire_b), (inner, wire_b)], MUTED, 0.8)
        canvas.rect((x - 5, wire_a - 4, x + 5, wire_b + 4), fill=WHITE, width=0.8)
        canvas.text(x, wire_b + 16, "120 Ω", 7.6, "bold", INK, "centre")
