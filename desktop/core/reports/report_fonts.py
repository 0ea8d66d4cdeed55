"""The typefaces of a PDF report: one that is shipped, and the machine's for other scripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.samples import resources_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

REGULAR, BOLD = "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"
"""Latin, Greek, Cyrillic, arrows, and the signs of technical texts."""
FALLBACKS = (
    "/System/Library/Fonts/Supplemental/Arial Unicode.ttf",
    "/Library/Fonts/Arial Unicode.ttf",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
    "/usr/share/fonts/truetype/arphic/uming.ttc",
    "/usr/share/fonts/truetype/unifont/unifont.ttf",
)
"""Typefaces that have Chinese, Japanese and Korean, where systems keep them."""


def shipped(name: str) -> Path:
    """Return the file of a shipped typeface."""
    return resources_folder() / "fonts" / name


def fallbacks() -> Iterator[Path]:
    """Yield those of the machine's typefaces that are there."""
    for path in map(Path, FALLBACKS):
        if path.is_file():
            yield path
