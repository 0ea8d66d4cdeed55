"""Zoom steps and fits. A zoom of 1.0 shows the page in its printed size."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QSize

    from desktop.ui.viewer.manuals.open_documents import OpenDocument, ViewState


LARGEST = 8.0
SMALLEST = 0.1
STEPS = (
    *(0.1, 0.25, 0.33, 0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5),
    *(1.75, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0),
)
_NEAR = 1.01


class Fit(Enum):
    """What the zoom follows when the viewer's size changes."""

    NONE = auto()
    WIDTH = auto()
    PAGE = auto()


def larger(zoom: float) -> float:
    """Return the next step above."""
    return next((step for step in STEPS if step > zoom * _NEAR), LARGEST)


def smaller(zoom: float) -> float:
    """Return the next step below; a fitted huge page may be below all steps already."""
    return next((step for step in reversed(STEPS) if step < zoom / _NEAR), min(zoom, SMALLEST))


def clamped(zoom: float) -> float:
    """Return the zoom within the limits."""
    return min(max(zoom, SMALLEST), LARGEST)


def fitted(
    fit: Fit, page: tuple[float, float], room: tuple[float, float], pixels_per_point: float
) -> float:
    """Return the zoom at which the page (points) fills the room (pixels).

    It may be smaller than `SMALLEST`: a page of 200 inches is to be seen whole too.
    """
    across = max(room[0], 1.0) / (max(page[0], 1.0) * pixels_per_point)
    if fit is Fit.WIDTH:
        return min(across, LARGEST)
    down = max(room[1], 1.0) / (max(page[1], 1.0) * pixels_per_point)
    return min(across, down, LARGEST)


def row_points(document: OpenDocument, state: ViewState, page: int) -> tuple[float, float]:
    """Return width and height in points of the row that a page stands in, as it is turned."""
    place = min(page, len(document.pages) - 1) + state.empty_places
    first = place // state.across * state.across - state.empty_places
    row = [(p.width, p.height) for p in document.pages[max(0, first) : first + state.across]]
    if state.turn % 2:
        row = [(height, width) for width, height in row]
    # a page that stands alone keeps its side of the row
    missing = (state.across - len(row)) * row[-1][0]
    return sum(width for width, _ in row) + missing, max(height for _, height in row)


def fitted_zoom(
    document: OpenDocument,
    state: ViewState,
    page: int,
    room: QSize,
    gap: int,
    pixels_per_point: float,
    fit: Fit | None = None,
) -> float:
    """Return the zoom for a page's row; `fit` in place of the state's asks "what if".

    room: logical pixels of the viewport. gap: pixels between and around pages.
    """
    return fitted(
        fit or state.fit,
        row_points(document, state, page),
        (room.width() - (state.across + 1) * gap, room.height() - 2 * gap),
        pixels_per_point,
    )
