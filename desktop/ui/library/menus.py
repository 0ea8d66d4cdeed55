"""The menus of the list: of one manual, of several, and of a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.ui import wording
from desktop.ui.icons import icon
from desktop.ui.popups import make_menu

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMenu, QWidget

    from desktop.ui.library.row import RowView
    from desktop.ui.places.grouping import Group

    Do = Callable[[str], object]


def manual_menu(parent: QWidget, view: RowView, do: Do) -> QMenu:
    """Return everything that can be done with a manual; `do` gets the action."""
    menu = _menu(parent)
    primary = {
        "cancel": parent.tr("Stop Indexing"),
        "retry": parent.tr("Try Again"),
        "unlock": parent.tr("Enter Password…"),
    }
    if view.action:
        _entry(menu, primary[view.action], view.action, do)
        menu.addSeparator()
    _entry(menu, parent.tr("Open"), "open", do)
    _entry(menu, parent.tr("Search Only This Manual"), "only", do)
    menu.addSeparator()
    _entry(menu, parent.tr("Site and Asset…"), "place", do)
    _entry(menu, parent.tr("Tags, Trust and Revision…"), "source", do)
    _entry(menu, parent.tr("Rename…"), "rename", do)
    menu.addSeparator()
    if view.action != "cancel":
        _entry(menu, parent.tr("Read Again from the Start"), "anew", do)
    _entry(menu, parent.tr("Open Original"), "original", do)
    _entry(menu, wording.reveal(), "reveal", do)
    _entry(menu, parent.tr("Properties"), "properties", do)
    menu.addSeparator()
    _entry(menu, parent.tr("Remove from Library"), "remove", do).setIcon(icon("trash-2"))
    return menu


def several_menu(parent: QWidget, count: int, do: Do) -> QMenu:
    """Return what can be done with several manuals at once."""
    menu = _menu(parent)
    menu.addSection(wording.manuals(count))
    _entry(menu, parent.tr("Search Only These Manuals"), "only", do)
    _entry(menu, parent.tr("Site and Asset…"), "place", do)
    _entry(menu, parent.tr("Tags and Trust…"), "source", do)
    menu.addSeparator()
    _entry(menu, parent.tr("Read Again from the Start"), "anew", do)
    menu.addSeparator()
    _entry(menu, parent.tr("Remove from Library"), "remove", do).setIcon(icon("trash-2"))
    return menu


def place_menu(parent: QWidget, group: Group, do: Do) -> QMenu:
    """Return what can be done with a heading: actions here, everywhere, place, fold, fold_all."""
    menu = _menu(parent)
    if group.active:
        _entry(menu, parent.tr("Ask All Manuals Again"), "everywhere", do)
    elif group.place:
        here = parent.tr("I Am Here: Ask Only These Manuals")
        _entry(menu, here, "here", do).setIcon(icon("map-pin"))
    rename = parent.tr("Rename or Move…") if group.place else parent.tr("Site and Asset…")
    _entry(menu, rename, "place", do)
    menu.addSeparator()
    fold = parent.tr("Unfold") if group.collapsed else parent.tr("Fold")
    _entry(menu, fold, "fold", do)
    _entry(menu, parent.tr("Fold All"), "fold_all", do)
    return menu


def _menu(parent: QWidget) -> QMenu:
    menu = make_menu(parent)
    menu.setToolTipsVisible(True)
    return menu


def _entry(menu: QMenu, text: str, action: str, do: Do) -> QAction:
    entry = menu.addAction(text)
    entry.triggered.connect(lambda: do(action))
    return entry
