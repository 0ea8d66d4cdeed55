"""The left side of the window: the person and the place, every domain, every broken file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, Qt, Signal
from PySide6.QtWidgets import QListView

from desktop.ui.domains import words
from desktop.ui.library.delegate import LibraryDelegate
from desktop.ui.library.model import ROOT, LibraryModel, RowIndex
from desktop.ui.library.row import RowView
from desktop.ui.library.rows import LibraryRows

if TYPE_CHECKING:
    from collections.abc import Collection

    from desktop.core.library.domain_desk import KnownDomains

ABOUT = "about"
"""The key of the entry about the person and the place; a domain's is "domain:<name>"."""
NEW = "new"
ICONS = {"proposed": "sparkles", "own": "pen-line", "built_in": "book-open"}


def domain_key(name: str) -> str:
    """Return the key of a domain's entry."""
    return f"domain:{name}"


def file_key(name: str) -> str:
    """Return the key of a broken file's entry."""
    return f"file:{name}"


class _Entries(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.entries: list[tuple[str, RowView]] = []

    def rowCount(self, parent: RowIndex = ROOT) -> int:
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: RowIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.entries):
            return None
        view = self.entries[index.row()][1]
        match role:
            case LibraryModel.ViewRole:
                return view
            case LibraryRows.DepthRole:
                return 0
            case Qt.ItemDataRole.DisplayRole:
                return view.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return view.spoken
            case _:
                return None

    def replace(self, entries: list[tuple[str, RowView]]) -> None:
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()


class EntryList(QListView):
    """chosen(key): a person went to an entry."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._model = _Entries()
        self.setModel(self._model)
        self.setItemDelegate(LibraryDelegate(self))
        self.setProperty("kind", "flat")
        self.setAccessibleName(self.tr("What Groundwork knows"))
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self._showing = False
        self.selectionModel().currentChanged.connect(self._changed)

    @property
    def key(self) -> str:
        """The entry the keyboard is on."""
        index = self.currentIndex()
        return self._model.entries[index.row()][0] if index.isValid() else ""

    def all_keys(self) -> list[str]:
        """Return every entry, from the top."""
        return [key for key, _ in self._model.entries]

    def views(self) -> list[RowView]:
        """Return what the entries say."""
        return [view for _, view in self._model.entries]

    def show_known(self, known: KnownDomains, edited: Collection[str], *, new: bool) -> None:
        """Show every entry; the keyboard stays where it is. edited: keys with unsaved changes."""
        stays = self.key
        about = self.tr("About you and this place")
        entries = [(ABOUT, _row(about, self.tr("Told with every question"), "user-round"))]
        if new:
            entries.append((NEW, _row(self.tr("New product"), self.tr("Not saved yet"), "plus")))
        for broken in known.broken:
            row = _row(broken.path.name, self.tr("Cannot be used"), "octagon-alert", "bad")
            entries.append((file_key(broken.path.name), row))
        for each in known.domains:
            tone = "attention" if each.origin == "proposed" and each.covered else ""
            row = _row(each.domain.title, words.short_state(each), ICONS[each.origin], tone)
            entries.append((domain_key(each.domain.name), row))
        marked = [
            (key, _edited(view, self.tr("Not saved yet")) if key in edited else view)
            for key, view in entries
        ]
        self._showing = True
        self._model.replace(marked)
        self._showing = False
        self.go_to(stays if stays in self.all_keys() else "", quietly=True)

    def go_to(self, key: str, *, quietly: bool = False) -> None:
        """Put the keyboard on an entry."""
        if key in self.all_keys():
            self._showing = quietly
            index = self._model.index(self.all_keys().index(key))
            self.setCurrentIndex(index)
            self.scrollTo(index)
            self._showing = False

    def _changed(self) -> None:
        if not self._showing and self.key:
            self.chosen.emit(self.key)


def _row(title: str, detail: str, icon: str, tone: str = "") -> RowView:
    return RowView(title, detail, tone, icon, (), "")


def _edited(view: RowView, detail: str) -> RowView:
    return RowView(view.title, detail, view.tone, view.icon, (), "")
