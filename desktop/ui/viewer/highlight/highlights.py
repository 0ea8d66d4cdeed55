"""The regions an answer points to, one of them current, stepped through in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.geometry import Box


class PageRegionLike(Protocol):
    """What `PageRegion` looks like to the viewer."""

    @property
    def document_id(self) -> int: ...

    @property
    def page(self) -> int: ...

    @property
    def regions(self) -> Sequence[Box]: ...


@dataclass(frozen=True, slots=True)
class NumberedRegion:
    """A region with the number of its citation, where those of pages are not 1, 2, 3."""

    number: int
    place: PageRegionLike

    @property
    def document_id(self) -> int:
        return self.place.document_id

    @property
    def page(self) -> int:
        return self.place.page

    @property
    def regions(self) -> Sequence[Box]:
        return self.place.regions


def numbered(places: Sequence[PageRegionLike], numbers: Sequence[int]) -> list[PageRegionLike]:
    """Return places that the viewer numbers like these citations: notes take numbers too."""
    if list(numbers) == list(range(1, len(places) + 1)):
        return list(places)
    return [NumberedRegion(*pair) for pair in zip(numbers, places, strict=True)]


@dataclass(frozen=True, slots=True)
class Highlight:
    """One region, as shown: numbered like its citation, else from 1 over all regions."""

    number: int
    document_id: int
    page: int
    boxes: tuple[Box, ...]


class Highlights:
    """All regions of an answer, possibly in several manuals."""

    def __init__(self, regions: Sequence[PageRegionLike] = (), current: int = 0) -> None:
        self._all = tuple(
            Highlight(
                region.number if isinstance(region, NumberedRegion) else place,
                region.document_id,
                region.page,
                tuple(region.regions),
            )
            for place, region in enumerate(regions, start=1)
        )
        self._current = min(max(current, 0), max(len(self._all) - 1, 0))

    def __len__(self) -> int:
        return len(self._all)

    @property
    def current(self) -> Highlight | None:
        return self._all[self._current] if self._all else None

    @property
    def number(self) -> int:
        """Which one is current, from 1."""
        return self._current + 1

    def step(self, by: int) -> Highlight | None:
        """Make the next (or previous) region current, round and round."""
        if self._all:
            self._current = (self._current + by) % len(self._all)
        return self.current

    def point_at(self, number: int) -> bool:
        """Make the region of a citation current; returns whether there is one."""
        place = next((at for at, mark in enumerate(self._all) if mark.number == number), None)
        if place is not None:
            self._current = place
        return place is not None

    def on_page(self, document_id: int, page: int) -> list[Highlight]:
        """Return the regions on a page, the current one last so that it is drawn on top."""
        found = [
            mark for mark in self._all if mark.document_id == document_id and mark.page == page
        ]
        return sorted(found, key=lambda mark: mark is self.current)

    def without_document(self, document_id: int) -> Highlights:
        """Return the highlights that remain when a document goes."""
        left = Highlights()
        left._all = tuple(mark for mark in self._all if mark.document_id != document_id)
        return left
