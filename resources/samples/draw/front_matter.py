"""Cover and table of contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .figure_station import draw_station
from .identity import MAKER, PRODUCT, PRODUCT_LINE, Identity
from .theme import ACCENT, HAIRLINE, INK, MUTED, PALE, WHITE, Style

if TYPE_CHECKING:
    from .canvas import Canvas
    from .manual import Manual, OutlineEntry

_GUTTER = 34.0


def draw_cover(manual: Manual) -> None:
    """Add the title page; it is page i and carries no printed margins."""
    canvas = manual.page(margins=False)
    frame, identity = canvas.frame, manual.identity
    canvas.rect((0, 0, frame.width, 292), fill=ACCENT, colour=None)
    canvas.text(frame.left, 76, MAKER, 12.5, "bold", WHITE)
    canvas.text(frame.left, 176, PRODUCT, 58, "bold", WHITE)
    canvas.text(frame.left, 206, PRODUCT_LINE, 19, colour=WHITE)
    canvas.text(frame.left, 262, identity.title, 25, "bold", WHITE)
    canvas.rect((frame.left, 336, frame.right, 672), fill=PALE, colour=None, radius=6)
    draw_station(canvas, (frame.left + 40, 352, frame.right - 40, 656))
    _imprint(canvas, identity)


def _imprint(canvas: Canvas, identity: Identity) -> None:
    frame = canvas.frame
    canvas.text(frame.left, 712, identity.audience, 11, "bold", INK)
    canvas.text(frame.left, 730, f"{identity.number}  |  {identity.edition}", 9.4, colour=MUTED)
    canvas.line([(frame.left, 762), (frame.right, 762)], HAIRLINE, 0.6)
    canvas.text(
        frame.left,
        780,
        "Translation of the original instructions. Keep for later use.",
        8.4,
        colour=MUTED,
    )
    canvas.text(frame.right, 780, "i", 10.5, "bold", ACCENT, "right")


def draw_contents(manual: Manual, canvas: Canvas) -> None:
    """Fill the reserved contents page, in two columns, once all page labels are known."""
    frame = canvas.frame
    canvas.text(frame.left, frame.top + 22, "Contents", 25, "bold", INK)
    canvas.line([(frame.left, frame.top + 36), (frame.left + 54, frame.top + 36)], ACCENT, 2.4)
    half = sum(map(_entry_height, manual.outline)) / 2
    width = (frame.column - _GUTTER) / 2
    x, y, used = frame.left, frame.top + 54, 0.0
    for entry in manual.outline:
        if entry.level == 1 and used >= half and x == frame.left:
            x, y = frame.left + width + _GUTTER, frame.top + 54
        height = _entry_height(entry)
        y += height
        used += height
        _set_entry(canvas, entry, manual.sheets[entry.page].label, (x, x + width), y)


def _entry_height(entry: OutlineEntry) -> float:
    return 25.0 if entry.level == 1 else 14.6


def _set_entry(
    canvas: Canvas, entry: OutlineEntry, label: str, span: tuple[float, float], y: float
) -> None:
    is_chapter = entry.level == 1
    style: Style = "bold" if is_chapter else "regular"
    colour = ACCENT if is_chapter else INK
    size = 10.2 if is_chapter else 9.0
    x = span[0] if is_chapter else span[0] + 12
    end = x + canvas.text(x, y, entry.title, size, style, colour) + 6
    dots_end = span[1] - canvas.text(span[1], y, label, size, style, colour, "right") - 6
    canvas.line([(end, y - 2), (dots_end, y - 2)], HAIRLINE, 0.7, "[0.6 3] 0")
