"""Boxes on a page, in the one coordinate system the whole application uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page as displayed.

    Units are PDF points; the origin is the top-left corner of the page after its
    crop box and rotation are applied; x grows to the right and y downwards.
    """

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Horizontal extent in points, never negative."""
        return max(0.0, self.x1 - self.x0)

    @property
    def height(self) -> float:
        """Vertical extent in points, never negative."""
        return max(0.0, self.y1 - self.y0)

    @property
    def area(self) -> float:
        """Area in square points."""
        return self.width * self.height

    def as_tuple(self) -> tuple[float, float, float, float]:
        """Return (x0, y0, x1, y1)."""
        return (self.x0, self.y0, self.x1, self.y1)

    def intersection(self, other: Box) -> Box:
        """Return the overlap; its area is 0 when the boxes do not meet."""
        return Box(
            max(self.x0, other.x0),
            max(self.y0, other.y0),
            min(self.x1, other.x1),
            min(self.y1, other.y1),
        )

    def overlap_share(self, other: Box) -> float:
        """Return the share of this box's area that lies inside `other` (0 to 1)."""
        return self.intersection(other).area / self.area if self.area > 0 else 0.0

    def inflated(self, margin: float) -> Box:
        """Return the box grown by `margin` points on every side."""
        return Box(self.x0 - margin, self.y0 - margin, self.x1 + margin, self.y1 + margin)


def bounding_box(boxes: Iterable[Box]) -> Box:
    """Return the smallest box that holds all of `boxes`.

    Raises: ValueError, if there is no box.
    """
    columns = zip(*(box.as_tuple() for box in boxes), strict=True)
    x0, y0, x1, y1 = columns
    return Box(min(x0), min(y0), max(x1), max(y1))


def near_each_other(boxes: Iterable[Box], apart: float) -> list[list[Box]]:
    """Return boxes from the top down, in groups with less than `apart` points between them."""
    groups: list[list[Box]] = []
    for box in sorted(boxes, key=lambda each: each.y0):
        if groups and box.y0 - max(each.y1 for each in groups[-1]) <= apart:
            groups[-1].append(box)
        else:
            groups.append([box])
    return groups
