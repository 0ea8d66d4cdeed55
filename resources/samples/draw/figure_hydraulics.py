"""The hydraulic layout: break tank, suction side, two pumps, discharge side, vessel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .theme import ACCENT, INK, MUTED, PALE, WATER, WHITE

if TYPE_CHECKING:
    from .canvas import Canvas

Rect = tuple[float, float, float, float]
_PIPE = 2.6


def _label(canvas: Canvas, x: float, y: float, tag: str, name: str) -> None:
    canvas.text(x, y, tag, 8.2, "bold", ACCENT)
    canvas.text(x, y + 10, name, 7.4, colour=MUTED)


def _valve(canvas: Canvas, x: float, y: float, upright: bool = False) -> None:
    """Draw an isolating valve as two triangles tip to tip."""
    a, b = (6.0, 9.0) if upright else (9.0, 6.0)
    if upright:
        canvas.polygon([(x - a, y - b), (x + a, y - b), (x, y)])
        canvas.polygon([(x - a, y + b), (x + a, y + b), (x, y)])
    else:
        canvas.polygon([(x - a, y - b), (x - a, y + b), (x, y)])
        canvas.polygon([(x + a, y - b), (x + a, y + b), (x, y)])


def _check_valve(canvas: Canvas, x: float, y: float) -> None:
    """Draw a non-return valve that lets water pass upwards."""
    canvas.rect((x - 8, y - 8, x + 8, y + 8), fill=WHITE)
    canvas.arrow((x, y + 7), (x, y - 7), INK, 1.0)


def _instrument(canvas: Canvas, x: float, y: float, letters: str) -> None:
    canvas.circle(x, y, 11, WHITE, INK, 0.9)
    canvas.text(x, y + 2.8, letters, 7.6, "bold", INK, "centre")


def _pump_branch(canvas: Canvas, x: float, suction: float, discharge: float, number: int) -> None:
    canvas.line([(x, suction), (x, discharge)], WATER, _PIPE)
    middle = (suction + discharge) / 2 + 14
    _valve(canvas, x, suction - 28, upright=True)
    _label(canvas, x + 14, suction - 30, f"HV{number}", "isolating")
    canvas.circle(x, middle, 19, PALE, INK, 1.1)
    canvas.polygon([(x, middle - 17), (x + 14, middle + 8), (x - 14, middle + 8)], WHITE)
    _label(canvas, x + 26, middle - 2, f"P{number}", "4.0 kW")
    _check_valve(canvas, x, middle - 50)
    _label(canvas, x + 14, middle - 52, f"NV{number}", "non-return")
    _valve(canvas, x, discharge + 24, upright=True)
    _label(canvas, x + 14, discharge + 22, f"HV{number + 2}", "isolating")


def _break_tank(canvas: Canvas, x: float, y: float) -> None:
    canvas.rect((x, y + 26, x + 84, y + 120), fill=(0.86, 0.93, 0.97), colour=None)
    canvas.line([(x, y), (x, y + 120), (x + 84, y + 120), (x + 84, y)], INK, 1.2)
    canvas.line([(x, y + 26), (x + 84, y + 26)], WATER, 0.8)
    canvas.line([(x + 40, y - 12), (x + 56, y + 84)], INK, 0.7)
    canvas.circle(x + 56, y + 88, 6, ACCENT, INK, 0.7)
    canvas.text(x + 8, y + 80, "S-130", 8.2, "bold", ACCENT)
    canvas.text(x + 8, y + 90, "float", 7.4, colour=MUTED)
    canvas.text(x + 8, y + 108, "Break tank T1", 7.6, "bold")


def draw_hydraulics(canvas: Canvas, box: Rect) -> None:
    """Draw the layout in a box about 470 by 330 points."""
    x0, y0, x1, y1 = box
    canvas.rect(box, fill=None, colour=(0.77, 0.81, 0.83), width=0.6)
    suction, discharge = y1 - 52, y0 + 82
    _break_tank(canvas, x0 + 18, suction - 128)
    canvas.line([(x0 + 60, suction - 8), (x0 + 60, suction), (x1 - 132, suction)], WATER, _PIPE)
    _valve(canvas, x0 + 96, suction)
    _label(canvas, x0 + 84, suction + 18, "HV5", "tank outlet")
    _instrument(canvas, x0 + 142, suction - 38, "PT")
    canvas.line([(x0 + 142, suction - 27), (x0 + 142, suction)], INK, 0.8)
    canvas.text(x0 + 128, suction - 54, "B2", 8.2, "bold", ACCENT)
    for number, x in ((1, x0 + 196), (2, x0 + 296)):
        _pump_branch(canvas, x, suction, discharge, number)
    canvas.line([(x0 + 196, discharge), (x1 - 22, discharge)], WATER, _PIPE)
    canvas.arrow((x1 - 30, discharge), (x1 - 8, discharge), WATER, 2.0)
    canvas.text(x1 - 12, discharge - 10, "To the building", 7.6, "bold", align="right")
    _label(canvas, x0 + 182, suction + 18, "Suction manifold DN 80", "0.2 to 6 bar")
    _label(canvas, x0 + 84, discharge - 2, "Discharge manifold DN 65", "2.0 to 8.0 bar")
    _instrument(canvas, x0 + 244, discharge - 38, "PT")
    canvas.line([(x0 + 244, discharge - 27), (x0 + 244, discharge)], INK, 0.8)
    canvas.text(x0 + 260, discharge - 36, "B1", 8.2, "bold", ACCENT)
    _instrument(canvas, x0 + 330, discharge - 38, "FS")
    canvas.line([(x0 + 330, discharge - 27), (x0 + 330, discharge)], INK, 0.8)
    canvas.text(x0 + 346, discharge - 36, "S-140", 8.2, "bold", ACCENT)
    _vessel(canvas, x1 - 66, discharge)
    canvas.line([(x1 - 132, suction), (x1 - 92, suction), (x1 - 92, suction + 20)], WATER, _PIPE)
    _valve(canvas, x1 - 112, suction)
    _label(canvas, x1 - 84, suction + 6, "DV1", "drain")


def _vessel(canvas: Canvas, x: float, discharge: float) -> None:
    canvas.line([(x, discharge), (x, discharge + 70)], WATER, _PIPE)
    _valve(canvas, x, discharge + 24, upright=True)
    canvas.text(x + 12, discharge + 27, "VV1", 8.2, "bold", ACCENT)
    canvas.rect((x - 21, discharge + 52, x + 21, discharge + 122), PALE, INK, 1.0, radius=18)
    canvas.line([(x - 21, discharge + 88), (x + 21, discharge + 88)], WATER, 1.0, "[3 2] 0")
    canvas.text(x, discharge + 82, "V1", 8.6, "bold", ACCENT, "centre")
    canvas.text(x, discharge + 104, "25 litres", 7.4, colour=MUTED, align="centre")
