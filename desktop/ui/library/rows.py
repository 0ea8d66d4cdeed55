"""The rows of the list: manuals below the headings of their places, as far as they are shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, get_args

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop.core.library.places import EVERYWHERE, Place
from desktop.ui import wording
from desktop.ui.design.controls import plain_tooltip
from desktop.ui.language import tr

if TYPE_CHECKING:
    from desktop.core.library.values import DocumentRecord
    from desktop.ui.library.model import LibraryModel, RowView


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


Order = Literal["name", "added", "pages", "used"]
ORDERS: tuple[Order, ...] = get_args(Order)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person has typed and ticked.

    text: every word of it must stand in a manual's title, file name, place, kind, revision or
    tags; "#pump" in its tags. tags: casefolded, one of them is enough. tiers: as tags. newest:
    older revisions are left out.
    """

    text: str = ""
    tags: frozenset[str] = frozenset()
    tiers: frozenset[int] = frozenset()
    newest: bool = False
    order: Order = "name"

    @property
    def ticked(self) -> int:
        """How many ticks in the menu narrow the list."""
        return len(self.tags) + len(self.tiers) + self.newest

    @property
    def narrows(self) -> bool:
        """Whether it can leave anything out."""
        return bool(self.text.strip() or self.ticked)

    def of(self, manuals: Iterable[DocumentRecord], older: Collection[int]) -> list[DocumentRecord]:
        """Return which manuals, sorted by name, are shown. older: ids of older revisions."""
        words = self.text.casefold().split()
        shown = [each for each in manuals if self._fits(each, words, older)]
        match self.order:
            case "added":
                shown.sort(key=lambda each: (each.added_at, each.id), reverse=True)
            case "pages":
                shown.sort(key=lambda each: -each.page_count)
            case "used":
                shown.sort(key=lambda each: each.used_at, reverse=True)
            case "name":
                pass
        return shown

    def _fits(self, manual: DocumentRecord, words: list[str], older: Collection[int]) -> bool:
        if self.newest and manual.id in older:
            return False
        if self.tiers and manual.tier not in self.tiers:
            return False
        if self.tags and self.tags.isdisjoint(tag.casefold() for tag in manual.tags):
            return False
        if not words:
            return True
        said = searched(manual)
        return all(word in said for word in words)


EVERYTHING = Choice()


def searched(manual: DocumentRecord) -> str:
    """Return the text in which a filter's words are looked for."""
    tags = "".join(f" #{tag}" for tag in manual.tags)
    return (
        f"{manual.title} {manual.name} {manual.site} {manual.asset} {manual.source_type}"
        f" {manual.revision}{tags}".casefold()
    )


RowIndex = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


class LibraryRows(QAbstractListModel):
    """Arranges the manuals of a `LibraryModel` for a list.

    rearranging(), rearranged(): rows come, go or move in between.
    """

    ViewRole = Qt.ItemDataRole.UserRole + 1
    IdRole = Qt.ItemDataRole.UserRole + 2
    GroupRole = Qt.ItemDataRole.UserRole + 3
    DepthRole = Qt.ItemDataRole.UserRole + 4

    rearranging = Signal()
    rearranged = Signal()

    def __init__(self, model: LibraryModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._entries: list[Entry] = []
        self._collapsed: set[PlaceKey] = set()
        self._active = EVERYWHERE
        self.choice = EVERYTHING
        self._rows: dict[int, int] = {}
        model.redrawn.connect(self._redraw)
        model.listed.connect(self.rearrange)
        model.revised.connect(self.rearrange)
        self.rearrange()

    @property
    def collapsed(self) -> frozenset[PlaceKey]:
        """The headings that are folded."""
        return frozenset(self._collapsed)

    @property
    def has_places(self) -> bool:
        """Whether there are headings."""
        return any(isinstance(each, Group) for each in self._entries)

    def set_collapsed(self, keys: Iterable[PlaceKey]) -> None:
        """Fold exactly these headings."""
        self._collapsed = set(keys)
        self.rearrange()

    def fold(self, place: Place, folded: bool) -> None:
        """Fold or unfold one heading."""
        self._collapsed.discard(place.key)
        if folded:
            self._collapsed.add(place.key)
        self.rearrange()

    def fold_all(self) -> None:
        """Fold every heading."""
        places = (record.place for record in self._model.records())
        self.set_collapsed(key for each in places for key in (Place(each.site).key, each.key))

    def reveal(self, document_id: int) -> None:
        """Unfold the headings above a manual."""
        record = self._model.record(document_id)
        if record is not None:
            above = {Place(record.site).key, record.place.key}
            if above & self._collapsed:
                self._collapsed -= above
                self.rearrange()

    def set_active(self, place: Place) -> None:
        """Mark the place that questions are about."""
        self._active = place
        self.rearrange()

    def choose(self, choice: Choice) -> None:
        """Show only what matches, in its order; while anything is left out, nothing is folded."""
        self.choice = choice
        self.rearrange()

    def row_of(self, document_id: int) -> int:
        """Return a manual's row, -1 when it is not shown."""
        if not self._rows:
            entries = enumerate(self._entries)
            self._rows = {each.id: row for row, each in entries if isinstance(each, Shelved)}
        return self._rows.get(document_id, -1)

    def view_at(self, row: int) -> tuple[RowView | None, int]:
        """Return how a manual is drawn, None for a heading, and how deep it stands."""
        entry = self._entries[row]
        view = self._model.view(entry.id) if isinstance(entry, Shelved) else None
        return view, entry.depth

    def urgent(self) -> list[int]:
        """Return the rows of the manuals that offer something by themselves."""
        waiting = [each.id for each in self._model.records() if each.state != "ready"]
        return [row for row in map(self.row_of, waiting) if row >= 0]

    def heading_of(self, row: int) -> int:
        """Return the row of the heading that a row stands below, -1 if there is none."""
        depth = self._entries[row].depth
        above = range(row - 1, -1, -1)
        groups = (at for at in above if isinstance(self._entries[at], Group))
        return next((at for at in groups if self._entries[at].depth < depth), -1)

    def place_at(self, row: int) -> Place:
        """Return the place of a heading or of a manual."""
        entry = self._entries[row]
        if isinstance(entry, Group):
            return entry.place
        record = self._model.record(entry.id)
        return record.place if record is not None else EVERYWHERE

    def rearrange(self) -> None:
        """Bring the rows up to date; those that stay where they are are not touched."""
        shown = self.choice.of(self._model.records(), self._model.older)
        folded = () if self.choice.narrows else self._collapsed
        new = arrange(shown, folded, self._active)
        if list(map(_key, new)) != list(map(_key, self._entries)):
            self.rearranging.emit()
            self._replace(new)
            self.rearranged.emit()
        for row, entry in enumerate(new):
            if self._entries[row] != entry:
                self._entries[row] = entry
                self.dataChanged.emit(self.index(row), self.index(row))

    def rowCount(self, parent: RowIndex = ROOT) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: RowIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._entries):
            return None
        entry = self._entries[index.row()]
        if role == self.DepthRole:
            return entry.depth
        if isinstance(entry, Shelved):
            return self._of_manual(entry.id, role)
        if role == self.GroupRole:
            return entry
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return entry.spoken
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(entry.title)
        return None

    def flags(self, index: RowIndex) -> Qt.ItemFlag:
        usual = super().flags(index)
        return usual | Qt.ItemFlag.ItemIsDragEnabled if index.data(self.IdRole) else usual

    def _of_manual(self, document_id: int, role: int) -> Any:
        if role == self.IdRole:
            return document_id
        view = self._model.view(document_id)
        if view is None or role == self.ViewRole:
            return view
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return view.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return view.spoken
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip(f"{view.title}\n{view.detail}")
            case _:
                return None

    def _redraw(self, document_ids: list[int]) -> None:
        self.rearrange()
        for row in map(self.row_of, document_ids):
            if row >= 0:
                self.dataChanged.emit(self.index(row), self.index(row))

    def _replace(self, new: list[Entry]) -> None:
        """Replace only what lies between the matching beginning and end."""
        old = self._entries
        shorter = min(len(old), len(new))
        start = next((i for i in range(shorter) if _key(old[i]) != _key(new[i])), shorter)
        left = shorter - start
        end = next((i for i in range(left) if _key(old[-1 - i]) != _key(new[-1 - i])), left)
        removed, added = len(old) - end, len(new) - end
        if removed > start:
            self.beginRemoveRows(ROOT, start, removed - 1)
            self._entries = old[:start] + old[removed:]
            self._rows.clear()
            self.endRemoveRows()
        if added > start:
            self.beginInsertRows(ROOT, start, added - 1)
            self._entries = new[:added] + old[removed:]
            self._rows.clear()
            self.endInsertRows()


def _key(entry: Entry) -> object:
    if isinstance(entry, Group):
        return (entry.place.key, entry.depth)
    return (entry.id, entry.depth)
