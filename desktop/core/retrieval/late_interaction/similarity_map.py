"""Where on a page a question matches: a map over the patch grid, and boxes from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.geometry import Box

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_WARM = 0.5  # of the hottest patch: what belongs to a region
_MOST_BOXES = 3
_LEAST_SHARE = 0.25  # of the best region's heat


@dataclass(frozen=True, slots=True, eq=False)
class HeatMap:
    """How well each patch of a page matches a question, for the viewer to lay over the page.

    values: float32, shape (rows, columns), 0 to 1, row by row from the top-left corner of the
    page as displayed. The patches divide the page evenly.
    """

    values: NDArray[np.float32]


def token_maps(
    question: NDArray[np.float32], patches: NDArray[np.float32], rows: int, columns: int
) -> NDArray[np.float32]:
    """Return the similarity of each question vector with each patch.

    Args:
        question: shape (n_tokens, dimension).
        patches: shape (rows * columns, dimension).
        rows: of the patch grid.
        columns: of the patch grid.

    Returns: float32, shape (n_tokens, rows, columns).
    """
    return np.asarray(question @ patches.T, np.float32).reshape(len(question), rows, columns)


def heat_map(maps: NDArray[np.float32]) -> HeatMap:
    """Combine the maps of all question vectors, float32, shape (n_tokens, rows, columns).

    A vector counts by how far its best patch stands out from the page: one that is equally
    near to everything, like those of filler words, says nothing about the place.
    """
    _, rows, columns = maps.shape
    if not maps.size:
        return HeatMap(np.zeros((rows, columns), np.float32))
    middle = np.median(maps, axis=(1, 2), keepdims=True)
    above = np.maximum(maps - middle, 0)
    stands_out = above.max(axis=(1, 2), keepdims=True)
    # squared, so that the ground between the median and a peak stays cold
    sharp = (above / np.maximum(stands_out, 1e-9)) ** 2
    heat = (sharp * stands_out).sum(axis=0)
    return HeatMap(np.asarray(heat / max(float(heat.max()), 1e-9), np.float32))


def similarity_boxes(
    maps: NDArray[np.float32], rows: int, columns: int, page_size: tuple[float, float]
) -> tuple[Box, ...]:
    """Return where a question matches a page, best region first.

    Args:
        maps: float32, shape (n_tokens, rows, columns).
        rows: of the patch grid.
        columns: of the patch grid.
        page_size: width and height of the page as displayed, in points.

    Returns: at most three boxes in points, top-left origin; none if nothing stands out.
    """
    return heat_boxes(heat_map(maps.reshape(-1, rows, columns)), page_size)


def heat_boxes(heat: HeatMap, page_size: tuple[float, float]) -> tuple[Box, ...]:
    """Return the warm regions of a map as boxes in points, the one of the best patch first."""
    values = heat.values
    rows, columns = values.shape
    found = []
    for patches in _regions(values >= _WARM):
        row, column = np.array(patches).T
        heats = values[row, column]
        found.append((float(heats.max()), float(heats.sum()), row, column))
    if not found or values.max() <= 0:
        return ()
    most = max(heat for _, heat, _, _ in found)
    hottest = max(range(len(found)), key=lambda place: found[place][0])
    kept = [found.pop(hottest)]
    found.sort(key=lambda region: -region[1])
    kept += [region for region in found if region[1] >= _LEAST_SHARE * most]
    width, height = page_size[0] / columns, page_size[1] / rows
    return tuple(
        Box(
            float(column.min()) * width,
            float(row.min()) * height,
            float(column.max() + 1) * width,
            float(row.max() + 1) * height,
        )
        for _, _, row, column in kept[:_MOST_BOXES]
    )


def _regions(warm: NDArray[np.bool_]) -> Iterator[list[tuple[int, int]]]:
    """Yield the patches of each connected region; corners connect."""
    left = {(int(row), int(column)) for row, column in np.argwhere(warm)}
    while left:
        region = [left.pop()]
        for row, column in region:  # grows while it is walked through
            around = {(row + y, column + x) for y in (-1, 0, 1) for x in (-1, 0, 1)} & left
            left -= around
            region += around
        yield region
