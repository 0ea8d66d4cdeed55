"""How a page marks what an answer points to, the same in the window and in every picture of it."""

from __future__ import annotations

from typing import Final

ANSWER_PEN: Final = "#ffe066"
"""Multiplied into the page like a marker pen: black text under it stays black. What is seen on
white paper is paler, see `on_white`. Paper is white in the dark window, too, so there is one pen.
None of the pens people highlight with (`OWN_PENS`) may look like it."""
OPACITY: Final = 0.45


def on_white() -> tuple[int, int, int]:
    """Return the pen's red, green and blue as they are seen on white paper, 0 to 255."""
    red, green, blue = (
        round(255 - OPACITY * (255 - part)) for part in bytes.fromhex(ANSWER_PEN[1:])
    )
    return red, green, blue
