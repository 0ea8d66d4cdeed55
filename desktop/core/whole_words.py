"""Words that the end of a line cuts in two, as stored, and whole again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

CUT = "\N{SOFT HYPHEN}"
"""Ends a word that the end of a line cuts in two; the next word of the page is its rest."""


def whole_text(text: str) -> str:
    """Return a text with the words whole that the ends of lines cut in two."""
    return text.replace(f"{CUT} ", "").replace(f"{CUT}\n", "").replace(CUT, "-")


def text_of(texts: Iterable[str]) -> str:
    """Return words as a text, as `whole_text` does."""
    return whole_text(" ".join(texts))
