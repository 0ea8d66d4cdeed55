"""How a page marks what an answer points to, the same in the window and in every picture of it."""

from __future__ import annotations

from typing import Final

ANSWER_PEN: Final = "#ffe066"
"""Multiplied into the page like a marker pen: black text under it stays black."""
OPACITY: Final = 0.45
