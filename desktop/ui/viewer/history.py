"""Where one has been: back and forward over manuals and pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.ui.viewer.page_layout import PagePoint

_KEPT = 200


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a document."""

    document_id: int
    point: PagePoint


class History:
    """Two stacks, as in a browser."""

    def __init__(self) -> None:
        self._back: list[Location] = []
        self._forward: list[Location] = []

    @property
    def can_go_back(self) -> bool:
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        return bool(self._forward)

    def leave(self, location: Location) -> None:
        """Remember a place that a jump leaves; the way forward is lost."""
        self._forward.clear()
        if self._back and _same_page(self._back[-1], location):
            self._back.pop()
        self._back.append(location)
        del self._back[:-_KEPT]

    def back(self, here: Location | None) -> Location | None:
        """Return the place to go back to; `here` becomes reachable by `forward`."""
        return _move(self._back, self._forward, here)

    def forward(self, here: Location | None) -> Location | None:
        """Return the place that `back` left."""
        return _move(self._forward, self._back, here)

    def forget_document(self, document_id: int) -> None:
        for stack in (self._back, self._forward):
            stack[:] = [place for place in stack if place.document_id != document_id]


def _move(source: list[Location], target: list[Location], here: Location | None) -> Location | None:
    while len(source) > 1 and _same_page(source[-1], here):
        source.pop()  # stepping through highlights of one page leaves it again and again
    if not source:
        return None
    if here is not None:
        target.append(here)
    return source.pop()


def _same_page(one: Location, other: Location | None) -> bool:
    return other is not None and (
        (one.document_id, one.point.page) == (other.document_id, other.point.page)
    )
