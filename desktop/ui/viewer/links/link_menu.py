"""What is offered for links: jumping within the manual, and copying an address out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QWidget

    from desktop.core.structure.values import PageLink

_LONGEST = 80


def address_menu(parent: QWidget, address: str) -> QMenu:
    """Return a menu that shows where a link leads and can copy that; nothing opens it."""
    menu = _menu(parent)
    shown = menu.addAction(_line(address))
    shown.setEnabled(False)
    why = menu.addAction(_tr("Leads out of the manual. Groundwork does not open it."))
    why.setEnabled(False)
    menu.addSeparator()
    copy = menu.addAction(_tr("Copy Address"))
    copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(address))
    menu.setActiveAction(copy)
    return menu


def links_menu(
    parent: QWidget, links: Iterable[tuple[PageLink, str]], follow: Callable[[PageLink], None]
) -> QMenu:
    """Return a menu of links with the words that stand for each of them."""
    menu = _menu(parent)
    for link, words in links:
        entry = menu.addAction(_line(words))
        entry.triggered.connect(lambda _=False, link=link: follow(link))
    if menu.isEmpty():
        menu.addAction(_tr("There are no links on this page")).setEnabled(False)
    return menu


def _menu(parent: QWidget) -> QMenu:
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def _line(text: str) -> str:
    short = " ".join(text.split())
    if len(short) > _LONGEST:
        short = f"{short[: _LONGEST // 2]} … {short[-_LONGEST // 3 :]}"
    return short.replace("&", "&&")


def _tr(text: str) -> str:
    return QCoreApplication.translate("LinkMenu", text)
