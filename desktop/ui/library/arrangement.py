"""How manuals are listed: below their site and asset, or simply one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from desktop.core.library.places import EVERYWHERE, Place
from desktop.ui import wording
from desktop.ui.language import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from desktop.core.library.values import DocumentRecord

PlaceKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Group:
    """A heading of the list. depth: 0 for a site, 1 for an asset of one.

    count: manuals below it, including those folded away. active: the place that
    questions are about.
    """

    place: Place
    title: str
    depth: int
    count: int
    collapsed: bool
    active: bool

    @property
    def spoken(self) -> str:
        """The heading for a screen reader."""
        state = tr("folded") if self.collapsed else tr("unfolded")
        parts = [self.title, wording.manuals(self.count), state]
        return ", ".join([*parts, tr("questions are about this place")] if self.active else parts)


@dataclass(frozen=True, slots=True)
class Shelved:
    """A manual of the list. depth: of its heading, plus one."""

    id: int
    depth: int


Entry = Group | Shelved


def arrange(
    manuals: Sequence[DocumentRecord],
    collapsed: Collection[PlaceKey] = (),
    active: Place = EVERYWHERE,
) -> list[Entry]:
    """Return the rows of the list for manuals in their order.

    Without a single place there are no headings.
    """
    if not any(each.site or each.asset for each in manuals):
        return [Shelved(each.id, 0) for each in manuals]
    rows: list[Entry] = []

    def add(place: Place, depth: int, count: int, below: Iterable[DocumentRecord]) -> bool:
        """Add a heading and the manuals right below it; return whether they are shown."""
        folded = place.key in collapsed
        title = place.asset or place.site or tr("Not at a site")
        is_active = bool(place) and place.key == active.key
        rows.append(Group(place, title, depth, count, folded, is_active))
        if not folded:
            rows.extend(Shelved(each.id, depth + 1) for each in below)
        return not folded

    def add_assets(there: Sequence[DocumentRecord], depth: int) -> None:
        assets = _shelves(there, lambda each: each.asset)
        for asset in _by_name(assets.keys() - {""}):
            of_asset = assets[asset]
            add(of_asset[0].place, depth, len(of_asset), of_asset)

    sites = _shelves(manuals, lambda each: each.site)
    elsewhere = sites.pop("", [])
    for site in _by_name(sites):
        there = sites[site]
        if add(Place(site), 0, len(there), (each for each in there if not each.asset)):
            add_assets(there, 1)
    add_assets(elsewhere, 0)
    nowhere = [each for each in elsewhere if not each.asset]
    if nowhere:
        add(EVERYWHERE, 0, len(nowhere), nowhere)
    return rows


def _shelves(
    manuals: Iterable[DocumentRecord], name: Callable[[DocumentRecord], str]
) -> dict[str, list[DocumentRecord]]:
    shelves: dict[str, list[DocumentRecord]] = {}
    for manual in manuals:
        shelves.setdefault(name(manual), []).append(manual)
    return shelves


def _by_name(names: Iterable[str]) -> list[str]:
    """Return names as people sort them: SITE 7 before SITE 12."""

    def key(name: str) -> list[tuple[int, int, str]]:
        runs = [(digits, "".join(run)) for digits, run in groupby(name.casefold(), str.isdecimal)]
        return [(0, int(run), "") if digits else (1, 0, run) for digits, run in runs]

    return sorted(names, key=key)
