"""Draws the program's icon: a manual's page with one region marked, in a Mac's rounded tile.

Usage: python -m scripts.bundle.draw_icon [FOLDER]. Writes groundwork.icns and groundwork.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "app"
SIZE = 1024
PNG_SIZE = 256
FINER = 4
"""Drawn so many times larger, then reduced: smooth edges."""

TILE = (100, 100, 924, 924)  # Apple's grid: 824 of 1024 points
TILE_RADIUS = 185
TOP, BOTTOM = (18, 112, 158), (7, 62, 99)
PAPER, FOLD = (250, 250, 247), (205, 216, 222)
INK = (150, 166, 176)
MARK, MARK_EDGE = (255, 200, 46), (222, 150, 0)
PAGE = (300, 232, 724, 792)
CORNER = 104
LINES = ((332, 560), (388, 660), (638, 660), (694, 600))
"""Height and right end of the lines of text around the marked region."""
REGION = (346, 448, 678, 578)


def main(arguments: list[str]) -> int:
    """Write both files; returns the exit code."""
    folder = Path(arguments[0]) if arguments else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    picture = draw()
    picture.save(folder / "groundwork.icns")
    picture.resize((PNG_SIZE, PNG_SIZE), Image.Resampling.LANCZOS).save(
        folder / "groundwork.png", optimize=True
    )
    return 0


def draw() -> Image.Image:
    """Return the icon, 1024 by 1024 pixels with transparent surroundings."""
    large = SIZE * FINER
    picture = Image.new("RGBA", (large, large), (0, 0, 0, 0))
    tile = Image.new("L", (large, large), 0)
    ImageDraw.Draw(tile).rounded_rectangle(_scaled(TILE), TILE_RADIUS * FINER, fill=255)
    picture.paste(_gradient(large), (0, 0), tile)
    picture = Image.alpha_composite(picture, _shadow(large))
    _page(ImageDraw.Draw(picture))
    return picture.resize((SIZE, SIZE), Image.Resampling.LANCZOS)


def _gradient(side: int) -> Image.Image:
    column = Image.new("RGB", (1, side))
    for y in range(side):
        share = y / side
        mixed = [round(a + (b - a) * share) for a, b in zip(TOP, BOTTOM, strict=True)]
        column.putpixel((0, y), (mixed[0], mixed[1], mixed[2]))
    return column.resize((side, side))


def _shadow(side: int) -> Image.Image:
    shadow = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    left, top, right, bottom = PAGE
    ImageDraw.Draw(shadow).rounded_rectangle(
        _scaled((left, top + 14, right, bottom + 14)), 20 * FINER, fill=(0, 20, 40, 120)
    )
    return shadow.filter(ImageFilter.GaussianBlur(16 * FINER))


def _page(pen: ImageDraw.ImageDraw) -> None:
    left, top, right, bottom = PAGE
    sheet = [
        (left, top), (right - CORNER, top), (right, top + CORNER), (right, bottom), (left, bottom),
    ]  # fmt: skip
    pen.polygon([(x * FINER, y * FINER) for x, y in sheet], fill=PAPER)
    fold = [(right - CORNER, top), (right - CORNER, top + CORNER), (right, top + CORNER)]
    pen.polygon([(x * FINER, y * FINER) for x, y in fold], fill=FOLD)
    pen.rounded_rectangle(
        _scaled(REGION), 18 * FINER, fill=MARK, outline=MARK_EDGE, width=12 * FINER
    )
    for y, end in LINES:
        pen.rounded_rectangle(_scaled((left + 46, y, end, y + 26)), 13 * FINER, fill=INK)
    for y, end in ((480, 620), (528, 560)):
        pen.rounded_rectangle(_scaled((REGION[0] + 40, y, end, y + 24)), 12 * FINER, fill=BOTTOM)


def _scaled(box: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    left, top, right, bottom = box
    return left * FINER, top * FINER, right * FINER, bottom * FINER


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
