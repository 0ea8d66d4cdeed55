"""The zoom at which a row of pages fits the viewport."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.ui.viewer.pages.zoom import Fit, fitted

if TYPE_CHECKING:
    from PySide6.QtCore import QSize

    from desktop.ui.viewer.manuals.open_document import OpenDocument, ViewState


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
