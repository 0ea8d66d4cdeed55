"""A map of how well patches match, as a picture to lay over the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from desktop.core.retrieval.visual_search import HeatMap

_MOST = 0.62
"""Opacity of the hottest patch: the words below it stay readable."""

_COLD = 0.12  # below this nothing is painted, so that a page does not look stained
_MILD = np.array([255, 176, 0], np.float32)
_HOT = np.array([200, 20, 60], np.float32)


def heat_picture(heat: HeatMap) -> QImage:
    """Return one pixel a patch, from clear over amber to crimson; smooth when it is enlarged."""
    values = np.clip((heat.values - _COLD) / (1 - _COLD), 0, 1)
    alpha = _MOST * values**0.8
    colour = _MILD + values[..., None] * (_HOT - _MILD)
    pixels = np.empty((*values.shape, 4), np.uint8)
    # premultiplied, or scaling would bleed the colour of clear pixels into warm ones
    pixels[..., :3] = np.rint(colour * alpha[..., None])
    pixels[..., 3] = np.rint(255 * alpha)
    rows, columns = values.shape
    picture = QImage(
        pixels.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_RGBA8888_Premultiplied
    )
    return picture.copy()  # the bytes are not kept
