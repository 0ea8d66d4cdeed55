"""Signs that are no words: of symbol fonts, which no other font can show, bullets, separators."""

from __future__ import annotations

import re

CELL_SEPARATOR = " | "
CONTEXT_SEPARATOR = " › "
"""Between the cells of a row in a unit's text; between the parts of its context, headings last."""
_KNOWN = str.maketrans(
    {
        "\uf0b7": "•",
        "\uf0a7": "▪",
        "\uf0d8": "➢",
        "\uf0e0": "→",
        "\uf0fc": "✓",
        "\uf0b0": "°",
        "\uf0b1": "±",
        "\uf0b4": "×",
        "\uf0a3": "≤",
        "\uf0b3": "≥",
    }
)
"""What Symbol and Wingdings, the fonts of most office programs, draw there."""
_ICON = re.compile("[\ue000-\uf8ff]+ ?")

_BULLET = re.compile(r"^(?:[•▪■●◦·‣➢➤✓→*–—-] +|[-=]> *)(?=\S)")


def with_plain_signs(text: str) -> str:
    """Return a text with the signs that are known, without those that would show as a box."""
    return _ICON.sub("", text.translate(_KNOWN))


def without_bullet(text: str) -> str:
    """Return a text without the bullet or arrow that it begins with; "-5 °C" has none."""
    return _BULLET.sub("", text, count=1)


def cells_apart(text: str) -> str:
    """Return quoted words as a person writes them: the cells of a table's row apart."""
    return with_plain_signs(text).strip().replace(CELL_SEPARATOR, " · ")
