"""Nameplates drawn as a camera sees them, and small manuals of made-up machines."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pymupdf
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from desktop.resources import resource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

Row = tuple[str, str]


@dataclass(frozen=True)
class DrawnPlate:
    """maker: in large print. rows: label and value. turned: degrees. contrast: 1 is black."""

    maker: str
    rows: tuple[Row, ...]
    beside: bool = True
    turned: float = 0.0
    contrast: float = 1.0
    noise: float = 0.0
    perspective: float = 0.0
    shadow: bool = False

    def jpeg(self) -> bytes:
        """Return the photo."""
        picture = self._plate()
        if self.perspective:
            picture = _leaning(picture, self.perspective)
        wall = Image.new("RGB", (picture.width + 260, picture.height + 260), (120, 124, 118))
        wall.paste(picture, (130, 130))
        wall = wall.rotate(self.turned, expand=True, fillcolor=(120, 124, 118))
        values: np.ndarray = np.asarray(wall, np.float32)
        if self.shadow:
            values *= np.linspace(0.45, 1.0, values.shape[1], dtype=np.float32)[None, :, None]
        if self.noise:
            generator = np.random.default_rng(7)
            values = values + generator.normal(0, self.noise, values.shape)
        final = Image.fromarray(np.clip(values, 0, 255).astype(np.uint8))
        out = io.BytesIO()
        final.filter(ImageFilter.GaussianBlur(0.7)).save(out, "JPEG", quality=82)
        return out.getvalue()

    def _plate(self) -> Image.Image:
        ground = 205
        ink = (int(ground - 185 * self.contrast),) * 3
        height = 190 + 62 * len(self.rows) * (1 if self.beside else 2)
        picture = Image.new("RGB", (980, height), (ground, ground, ground + 3))
        pen = ImageDraw.Draw(picture)
        pen.rectangle((8, 8, 971, height - 9), outline=ink, width=4)
        for x, y in ((30, 30), (950, 30), (30, height - 30), (950, height - 30)):
            pen.ellipse((x - 12, y - 12, x + 12, y + 12), outline=ink, width=3)
        pen.text((70, 40), self.maker, fill=ink, font=_font(64))
        down = 150
        for label, value in self.rows:
            if self.beside:
                pen.text((70, down), label, fill=ink, font=_font(34))
                pen.text((430, down), value, fill=ink, font=_font(36))
                down += 62
            else:
                pen.text((70, down), label, fill=ink, font=_font(28))
                pen.text((70, down + 40), value, fill=ink, font=_font(40))
                down += 124
        return picture


def write_manuals(folder: Path, manuals: Mapping[str, Sequence[str]]) -> list[Path]:
    """Write PDFs of the given titles, one page a text, each under a running head of its title."""
    paths = []
    folder.mkdir(parents=True, exist_ok=True)
    for title, pages in manuals.items():
        pdf = pymupdf.open()
        for text in pages:
            page = pdf.new_page()
            page.insert_text((72, 60), title, fontsize=9)
            page.insert_textbox((72, 90, 520, 760), text, fontsize=11)
        pdf.set_metadata({"title": title})
        paths.append(folder / f"{title.casefold().replace(' ', '_').replace(',', '')}.pdf")
        pdf.save(paths[-1])
        pdf.close()
    return paths


def _font(size: int) -> ImageFont.FreeTypeFont:
    fonts = sorted(resource("fonts").rglob("*.ttf"))
    return ImageFont.truetype(str(next(f for f in fonts if "Mono" not in f.name)), size)


def _leaning(picture: Image.Image, share: float) -> Image.Image:
    """Return the picture as seen from the side: its right edge is shorter by twice a share."""
    width, height = picture.size
    down = share * height
    there = [(0, 0), (width, down), (width, height - down), (0, height)]
    here = [(0, 0), (width, 0), (width, height), (0, height)]
    rows, wanted = [], []
    for (x, y), (u, v) in zip(there, here, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        wanted += [u, v]
    solved = np.linalg.solve(np.array(rows, float), np.array(wanted, float))
    return picture.transform(
        (width, height),
        Image.Transform.PERSPECTIVE,
        tuple(solved),
        Image.Resampling.BICUBIC,
        fillcolor=(120, 124, 118),
    )
