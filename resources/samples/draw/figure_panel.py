"""The front panel of the CU-20 with callouts, and its menu tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .theme import ACCENT, ACCENT_TINT, HAIRLINE, INK, MUTED, PALE, STEEL, WHITE, WIRE_RED, Colour

if TYPE_CHECKING:
    from .canvas import Canvas

Rect = tuple[float, float, float, float]
GREEN: Colour = (0.25, 0.62, 0.33)
AMBER: Colour = (0.86, 0.6, 0.1)
BLUE: Colour = (0.2, 0.45, 0.8)

_LIGHTS: tuple[tuple[str, str, Colour], ...] = (
    ("H1", "POWER", GREEN),
    ("H2", "PUMP 1", GREEN),
    ("H3", "PUMP 2", GREEN),
    ("H4", "WARN", AMBER),
    ("H5", "FAULT", WIRE_RED),
    ("H6", "BUS", BLUE),
    ("H7", "BATT", AMBER),
)


def _display(canvas: Canvas, x: float, y: float) -> None:
    canvas.rect((x, y, x + 150, y + 84), fill=INK, colour=INK, radius=4)
    canvas.rect((x + 7, y + 7, x + 143, y + 77), fill=ACCENT_TINT, colour=None)
    canvas.text(x + 13, y + 19, "AUTO", 7.4, "bold", ACCENT)
    canvas.text(x + 137, y + 19, "14:32", 7.4, "bold", ACCENT, "right")
    canvas.text(x + 74, y + 46, "4.5 bar", 20, "bold", INK, "centre")
    canvas.text(x + 13, y + 68, "P1 62 %", 7.4)
    canvas.text(x + 137, y + 68, "P2 stop", 7.4, align="right")


def _key(canvas: Canvas, x: float, y: float, label: str, width: float = 28) -> None:
    canvas.rect((x, y, x + width, y + 22), fill=WHITE, width=0.8, radius=4)
    canvas.text(x + width / 2, y + 14.2, label, 7.8, "bold", INK, "centre")


def _selector(canvas: Canvas, x: float, y: float, label: str) -> None:
    canvas.circle(x, y, 18, PALE, INK, 1.0)
    canvas.line([(x, y + 9), (x, y - 13)], INK, 4.0)
    canvas.text(x, y - 23, "0", 7.2, "bold", INK, "centre")
    canvas.text(x - 22, y - 13, "HAND", 6.6, "bold", INK, "right")
    canvas.text(x + 22, y - 13, "AUTO", 6.6, "bold", INK)
    canvas.text(x, y + 30, label, 7.4, "bold", MUTED, "centre")


def draw_panel(canvas: Canvas, box: Rect) -> None:
    """Draw the panel in a box about 470 by 260 points."""
    x0, y0, x1, y1 = box
    left, top, right, bottom = x0 + 42, y0 + 8, x1 - 42, y1 - 8
    canvas.rect((left, top, right, bottom), fill=STEEL, width=1.2, radius=10)
    canvas.rect((left + 8, top + 8, right - 8, bottom - 8), fill=PALE, width=0.6, radius=7)
    canvas.text(left + 22, top + 28, "LYDMOOR", 9.5, "bold", ACCENT)
    canvas.text(right - 22, top + 28, "CU-20", 9.5, "bold", MUTED, "right")
    _display(canvas, left + 22, top + 40)
    key_top = top + 136
    for number, label in enumerate(("ESC", "UP", "DOWN", "OK")):
        _key(canvas, left + 22 + number * 40, key_top, label, 32)
    for number, (tag, name, colour) in enumerate(_LIGHTS):
        y = top + 48 + number * 16.6
        canvas.circle(left + 200, y, 4.2, colour, INK, 0.6)
        canvas.text(left + 210, y + 2.8, tag, 7.6, "bold")
        canvas.text(left + 226, y + 2.8, name, 7.2, colour=MUTED)
    _selector(canvas, right - 66, top + 72, "PUMP P1")
    _selector(canvas, right - 66, top + 150, "PUMP P2")
    canvas.circle(left + 214, bottom - 46, 15, WIRE_RED, INK, 0.9)
    canvas.text(left + 214, bottom - 43, "RESET", 6.6, "bold", WHITE, "centre")
    canvas.rect((left + 22, bottom - 56, left + 50, bottom - 40), fill=INK, colour=INK, radius=2)
    canvas.text(left + 56, bottom - 45, "SERVICE", 6.8, "bold", MUTED)
    canvas.rect((left + 112, bottom - 66, left + 152, bottom - 30), WHITE, INK, 0.8, radius=3)
    canvas.rect((left + 120, bottom - 60, left + 144, bottom - 36), fill=AMBER, width=0.7)
    canvas.line([(left + 132, bottom - 57), (left + 132, bottom - 39)], INK, 3.0)
    canvas.text(left + 158, bottom - 33, "Q1", 7.2, "bold", MUTED)
    for key, bubble, target in (
        ("1", (left - 22, top + 60), (left + 30, top + 76)),
        ("2", (left - 22, key_top + 10), (left + 26, key_top + 11)),
        ("3", (left + 90, top - 2), (left + 196, top + 46)),
        ("4", (right + 22, top + 60), (right - 50, top + 72)),
        ("5", (right + 22, top + 140), (right - 50, top + 150)),
        ("6", (left + 262, bottom - 4), (left + 224, bottom - 36)),
        ("7", (left - 22, bottom - 44), (left + 24, bottom - 48)),
        ("8", (left + 92, bottom + 2), (left + 118, bottom - 32)),
    ):
        canvas.callout(key, bubble, target, ACCENT)


_TREE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("10 Status", ("11 Pressures", "12 Pump speeds", "13 Running hours", "14 Alarm log")),
    ("20 Setpoints", ("21 Setpoint", "22 Night setpoint", "23 Night hours", "24 Inlet limit")),
    ("30 Pumps", ("31 Mode", "32 Changeover", "33 Test run", "34 Stop delay")),
    (
        "40 Batteries",
        (
            "41 Charge state",
            "42 Voltages",
            "43 Internal test",
            "44 External test",
            "45 Last results",
        ),
    ),
    ("50 Interfaces", ("51 Bus address", "52 Baud rate", "53 Relay K2")),
    ("60 Service", ("61 Range B1", "62 Range B2", "63 Rotation test", "64 Factory reset")),
)


def draw_menu_tree(canvas: Canvas, box: Rect) -> None:
    """Draw the six menu groups with their menus below them."""
    x0, y0, x1, _ = box
    width = (x1 - x0) / len(_TREE)
    middle = (x0 + x1) / 2
    canvas.rect((middle - 60, y0, middle + 60, y0 + 24), ACCENT, ACCENT, radius=4)
    canvas.text(middle, y0 + 15.6, "Home screen", 9, "bold", WHITE, "centre")
    canvas.line([(middle, y0 + 24), (middle, y0 + 38)], HAIRLINE, 1.0)
    canvas.line([(x0 + width / 2, y0 + 38), (x1 - width / 2, y0 + 38)], HAIRLINE, 1.0)
    for column, (group, menus) in enumerate(_TREE):
        left = x0 + column * width + 3
        right = left + width - 6
        centre = (left + right) / 2
        canvas.line([(centre, y0 + 38), (centre, y0 + 50)], HAIRLINE, 1.0)
        canvas.rect((left, y0 + 50, right, y0 + 72), ACCENT_TINT, ACCENT, 0.8, radius=3)
        canvas.text(centre, y0 + 64.2, group, 8.2, "bold", ACCENT, "centre")
        for row, menu in enumerate(menus):
            top = y0 + 80 + row * 24
            canvas.rect((left, top, right, top + 19), WHITE, HAIRLINE, 0.8, radius=2)
            canvas.text(centre, top + 12.4, menu, 6.9, align="centre")
