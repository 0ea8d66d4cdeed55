"""The left side of the window: the person and the place, every domain, every broken file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.ui.domains import words
from desktop.ui.keyed_list import KeyedList
from desktop.ui.library.row import RowView

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


class EntryList(KeyedList):
    """chosen(key): a person went to an entry."""

    def __init__(self) -> None:
        super().__init__(QCoreApplication.translate("EntryList", "What Groundwork knows"))

    def show_known(self, known: KnownDomains, edited: Collection[str], *, new: bool) -> None:
        """Show every entry; the keyboard stays where it is. edited: keys with unsaved changes."""
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
        self.show_rows(marked)


def _row(title: str, detail: str, icon: str, tone: str = "") -> RowView:
    return RowView(title, detail, tone, icon, (), "")


def _edited(view: RowView, detail: str) -> RowView:
    return RowView(view.title, detail, view.tone, view.icon, (), "")
