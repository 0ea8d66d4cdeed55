"""The look of the sample manuals: page geometry, colours and typefaces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import pymupdf

Colour = tuple[float, float, float]
Style = Literal["regular", "bold", "italic"]

PAGE_WIDTH = 595.0
PAGE_HEIGHT = 842.0
BODY_SIZE = 9.6
BODY_LEADING = 13.6
TABLE_SIZE = 8.6
TABLE_LEADING = 11.4
CAPTION_SIZE = 8.6


def _hex(code: str) -> Colour:
    red, green, blue = (int(code[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return (red, green, blue)


INK = _hex("1D2529")
MUTED = _hex("65747B")
HAIRLINE = _hex("C5CFD3")
ACCENT = _hex("0B5C6B")
ACCENT_TINT = _hex("E3EFF1")
PALE = _hex("F4F7F8")
WHITE = _hex("FFFFFF")
STEEL = _hex("DDE4E7")
WATER = _hex("2F7FB5")
WIRE_RED = _hex("B3261E")

NOTICE_COLOURS: dict[str, tuple[Colour, Colour]] = {
    "DANGER": (_hex("B3261E"), _hex("FBECEA")),
    "WARNING": (_hex("C65D00"), _hex("FDF1E4")),
    "CAUTION": (_hex("8A6A00"), _hex("FBF6DF")),
    "NOTE": (ACCENT, ACCENT_TINT),
}

_FACES: dict[Style, str] = {"regular": "figo", "bold": "figbo", "italic": "figit"}
RESOURCE_NAMES: dict[Style, str] = {"regular": "GwR", "bold": "GwB", "italic": "GwI"}


@cache
def face(style: Style) -> pymupdf.Font:
    """Return the typeface of a style (FiraGO, from pymupdf-fonts)."""
    return pymupdf.Font(_FACES[style])


def width_of(text: str, size: float, style: Style = "regular") -> float:
    """Return the set width of a text in points."""
    return float(face(style).text_length(text, size))


@dataclass(frozen=True, slots=True)
class Frame:
    """The sheet as displayed and the column that text may fill, in points, origin top left."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float

    @property
    def column(self) -> float:
        """Width of the text column in points."""
        return self.right - self.left


PORTRAIT = Frame(PAGE_WIDTH, PAGE_HEIGHT, 68.0, 539.0, 92.0, 772.0)
LANDSCAPE = Frame(PAGE_HEIGHT, PAGE_WIDTH, 62.0, 786.0, 84.0, 534.0)
