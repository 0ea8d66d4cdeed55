"""The wiring diagram of the control cabinet on one landscape sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .theme import ACCENT, ACCENT_TINT, INK, MUTED, PALE, STEEL, WHITE, WIRE_RED

if TYPE_CHECKING:
    from .canvas import Canvas

Rect = tuple[float, float, float, float]
_PITCH = 14.7
_GAP = 8.6
_DROP = 138.0

_BLOCKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("X1", ("1", "2", "3", "4", "PE")),
    ("X2", ("1", "2", "3", "4", "5", "6", "PE")),
    ("X3", ("1", "2", "3", "4")),
    ("X4", ("1", "2", "3", "4")),
    ("X5", ("1", "2", "3", "4", "5", "6")),
    ("X6", ("1", "2", "3", "4")),
    ("X7", ("1", "2", "3", "4", "5", "6", "7", "8")),
    ("X8", ("1", "2", "3", "4", "5")),
)


def _place_terminals(canvas: Canvas, left: float, top: float) -> dict[str, float]:
    """Draw the strip and return the x of every terminal, by name such as "X5:2"."""
    places: dict[str, float] = {}
    x = left
    for block, terminals in _BLOCKS:
        canvas.text(x, top - 4, block, 8.6, "bold", ACCENT)
        for terminal in terminals:
            canvas.rect((x, top, x + _PITCH, top + 22), fill=WHITE, width=0.7)
            canvas.text(x + _PITCH / 2, top + 9, terminal, 6.8, "bold", INK, "centre")
            canvas.circle(x + _PITCH / 2, top + 16, 2.5, STEEL, INK, 0.5)
            places[f"{block}:{terminal}"] = x + _PITCH / 2
            x += _PITCH
        x += _GAP
    return places


def _device(canvas: Canvas, box: Rect, tag: str, name: str) -> None:
    canvas.rect(box, fill=PALE, width=0.8, radius=2)
    middle = (box[0] + box[2]) / 2
    canvas.text(middle, box[1] + 14, tag, 8.6, "bold", ACCENT, "centre")
    canvas.text(middle, box[1] + 24, name, 6.8, colour=MUTED, align="centre")


def _inside(canvas: Canvas, box: Rect, places: dict[str, float], strip: float) -> None:
    """Draw what sits in the cabinet above the terminal strip."""
    top = box[1] + 28
    q1 = (places["X1:1"] - 8, top + 6, places["X1:PE"] + 8, top + 40)
    _device(canvas, q1, "Q1", "mains switch")
    u1 = (places["X2:1"] - 8, top + 6, places["X2:3"] + 6, top + 40)
    u2 = (places["X2:4"] - 6, top + 6, places["X2:6"] + 8, top + 40)
    _device(canvas, u1, "U1", "drive P1")
    _device(canvas, u2, "U2", "drive P2")
    for terminal in ("X1:1", "X1:2", "X1:3", "X1:4", *(f"X2:{n}" for n in range(1, 7))):
        canvas.line([(places[terminal], top + 40), (places[terminal], strip - 12)], INK, 0.8)
    board = (places["X3:1"] - 8, top, places["X8:5"] + 8, top + 52)
    canvas.rect(board, fill=ACCENT_TINT, colour=ACCENT, width=1.0, radius=3)
    canvas.text(board[0] + 12, top + 20, "CU-20", 12, "bold", ACCENT)
    canvas.text(board[0] + 12, top + 32, "control unit with backup battery G1", 7.4, colour=MUTED)
    for terminal, x in places.items():
        if terminal[:2] not in ("X1", "X2"):
            canvas.line([(x, top + 52), (x, strip - 12)], INK, 0.5)
    for jumper, terminal in (("J3", "X5:2"), ("J5", "X5:5"), ("J7", "X6:2"), ("J9", "X7:2")):
        x = places[terminal]
        canvas.rect((x - 9, top + 36, x + 9, top + 47), fill=WHITE, width=0.7)
        canvas.text(x, top + 44.4, jumper, 7.2, "bold", INK, "centre")
    for relay, terminal in (("K1", "X8:2"), ("K2", "X8:4")):
        x = places[terminal]
        canvas.rect((x - 9, top + 8, x + 9, top + 24), fill=WHITE, width=0.7)
        canvas.text(x, top + 19, relay, 7.6, "bold", INK, "centre")


def _motor(canvas: Canvas, places: dict[str, float], first: int, tag: str, y: float) -> None:
    wires = [places[f"X2:{n}"] for n in range(first, first + 3)]
    middle = wires[1]
    for phase, x in zip("UVW", wires, strict=True):
        canvas.line([(x, y - _DROP), (x, y - 12)], INK, 0.9)
        canvas.text(x - 2, y - 34, phase, 6.6, colour=MUTED, align="right")
    canvas.circle(middle, y, 19, WHITE, INK, 1.1)
    canvas.text(middle, y - 1, "M", 10, "bold", INK, "centre")
    canvas.text(middle, y + 9, "3 ~", 7.2, align="centre")
    canvas.text(middle, y + 33, tag, 8.6, "bold", ACCENT, "centre")
    canvas.text(middle, y + 43, "4.0 kW", 7.0, colour=MUTED, align="centre")


def _pair(
    canvas: Canvas, places: dict[str, float], ends: tuple[str, str], y: float, tag: str, name: str
) -> None:
    """Draw a two-wire device below its terminals."""
    a, b = places[ends[0]], places[ends[1]]
    middle = (a + b) / 2
    canvas.line([(a, y - _DROP), (a, y)], INK, 0.8)
    canvas.line([(b, y - _DROP), (b, y)], INK, 0.8)
    canvas.rect((a - 4, y, b + 4, y + 15), fill=WHITE, width=0.9)
    canvas.text(middle, y + 26, tag, 7.4, "bold", ACCENT, "centre")
    for row, line in enumerate(name.split("\n")):
        canvas.text(middle, y + 35 + row * 8.2, line, 6.2, colour=MUTED, align="centre")


def _transmitter(canvas: Canvas, places: dict[str, float], first: int, tag: str, y: float) -> None:
    plus, signal, shield = (places[f"X5:{n}"] for n in range(first, first + 3))
    canvas.line([(plus, y - _DROP), (plus, y - 8)], WIRE_RED, 0.9)
    canvas.line([(signal, y - _DROP), (signal, y - 8)], INK, 0.9)
    canvas.line([(shield, y - _DROP), (shield, y - 26), (plus - 4, y - 26)], MUTED, 0.7, "[3 2] 0")
    canvas.circle(signal - _PITCH / 2, y + 4, 14, WHITE, INK, 1.0)
    canvas.text(signal - _PITCH / 2, y + 3, "p", 8.2, "bold", INK, "centre")
    canvas.text(signal - _PITCH / 2, y + 11, "I", 7.2, "bold", INK, "centre")
    canvas.text(signal - _PITCH / 2, y + 30, tag, 8.6, "bold", ACCENT, "centre")
    canvas.text(signal - _PITCH / 2, y + 39, "4–20 mA", 6.8, colour=MUTED, align="centre")


def _bus(canvas: Canvas, places: dict[str, float], y: float) -> None:
    a, b = places["X6:1"], places["X6:2"]
    ground, shield = places["X6:3"], places["X6:4"]
    for x in (a, b, ground):
        canvas.line([(x, y - _DROP), (x, y)], INK, 0.8)
    canvas.line([(shield, y - _DROP), (shield, y)], MUTED, 0.7, "[3 2] 0")
    for step in range(5):
        top = y - 104 + step * 18
        canvas.line([(a, top), (b, top + 9)], ACCENT, 0.7)
        canvas.line([(b, top), (a, top + 9)], ACCENT, 0.7)
    canvas.rect((a - 6, y, shield + 6, y + 17), fill=ACCENT, colour=ACCENT)
    middle = (a + shield) / 2
    canvas.text(middle, y + 11.6, "RS-485", 7.8, "bold", WHITE, "centre")
    canvas.text(middle, y + 28, "Modbus RTU", 6.8, colour=MUTED, align="centre")
    canvas.text(middle, y + 37, "to the BMS", 6.8, colour=MUTED, align="centre")


def _relay_outputs(canvas: Canvas, places: dict[str, float], y: float) -> None:
    for terminal, name in (("1", "COM"), ("2", "NO"), ("3", "NC"), ("4", "COM"), ("5", "NO")):
        x = places[f"X8:{terminal}"]
        canvas.line([(x, y - _DROP), (x, y - 38)], INK, 0.8)
        canvas.text(x + 2.2, y - 34, name, 6.4, "bold", INK, "right", 90)
    for first, last in (("1", "3"), ("4", "5")):
        ends = (places[f"X8:{first}"] - 4, places[f"X8:{last}"] + 4)
        canvas.line([(ends[0], y - 8), (ends[1], y - 8)], ACCENT, 1.4)
    alarm, run = places["X8:2"], (places["X8:4"] + places["X8:5"]) / 2
    canvas.text(alarm, y + 5, "K1", 8.0, "bold", ACCENT, "centre")
    canvas.text(alarm, y + 14, "fault", 6.6, colour=MUTED, align="centre")
    canvas.text(run, y + 5, "K2", 8.0, "bold", ACCENT, "centre")
    canvas.text(run, y + 14, "run", 6.6, colour=MUTED, align="centre")


def draw_wiring(canvas: Canvas, box: Rect) -> None:
    """Draw the diagram in a box about 724 by 340 points."""
    x0, y0, x1, _ = box
    strip = y0 + 126
    canvas.rect((x0, y0, x1, strip + 34), None, MUTED, 0.9, 4, "[5 3] 0")
    canvas.text(x0 + 10, y0 + 16, "Control cabinet A1", 9.2, "bold", MUTED)
    places = _place_terminals(canvas, x0 + 12, strip)
    _inside(canvas, (x0, y0, x1, strip), places, strip)
    y = strip + 22 + _DROP
    for terminal, phase in (("1", "L1"), ("2", "L2"), ("3", "L3"), ("4", "N"), ("PE", "PE")):
        x = places[f"X1:{terminal}"]
        canvas.arrow((x, y - 8), (x, y - _DROP + 2), INK, 0.9)
        canvas.text(x, y + 2, phase, 7.0, "bold", INK, "centre")
    mains = places["X1:3"]
    canvas.text(mains, y + 16, "Mains", 8.6, "bold", ACCENT, "centre")
    canvas.text(mains, y + 26, "3/N/PE 400 V 50 Hz", 6.8, colour=MUTED, align="centre")
    canvas.text(mains, y + 35, "W1  5 × 4 mm²", 6.8, colour=MUTED, align="centre")
    _motor(canvas, places, 1, "P1", y)
    _motor(canvas, places, 4, "P2", y)
    earth = places["X2:PE"]
    canvas.line([(earth, y - _DROP), (earth, y - 60)], INK, 0.8)
    for step, half in enumerate((6, 4, 2)):
        canvas.line([(earth - half, y - 60 + step * 3), (earth + half, y - 60 + step * 3)])
    _pair(canvas, places, ("X3:1", "X3:2"), y, "PTC", "P1")
    _pair(canvas, places, ("X3:3", "X3:4"), y, "PTC", "P2")
    _pair(canvas, places, ("X4:1", "X4:2"), y, "G2", "battery\n24 V")
    _pair(canvas, places, ("X4:3", "X4:4"), y, "24 V", "aux.\noutput")
    _transmitter(canvas, places, 1, "B1", y)
    _transmitter(canvas, places, 4, "B2", y)
    _bus(canvas, places, y)
    for first, tag, name in (
        (1, "S-130", "dry\nrun"),
        (3, "S-110", "ext.\noff"),
        (5, "S-140", "flow"),
        (7, "spare", ""),
    ):
        _pair(canvas, places, (f"X7:{first}", f"X7:{first + 1}"), y, tag, name)
    _relay_outputs(canvas, places, y)
    for cable, terminal in (
        ("W1", "X1:1"),
        ("W2", "X2:1"),
        ("W6", "X4:1"),
        ("W3", "X5:1"),
        ("W4", "X6:1"),
        ("W5", "X7:1"),
        ("W7", "X8:1"),
    ):
        canvas.text(places[terminal] - 4, y - 92, cable, 7.2, "bold", MUTED, "centre", 90)
