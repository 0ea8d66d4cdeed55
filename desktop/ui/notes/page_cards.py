"""The pages a note is linked to, and a button that links the one in view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui.controls import label, push_button
from desktop.ui.notes.page_card import LinkedPage, PageCard
from desktop.ui.tokens import Space

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from knowledge.pieces import PageLink


class PageCards(QWidget):
    """changed(): a page was linked or unlinked. page_wanted(link): show it.

    link_wanted(): link the page in view, with the words that are selected there.
    """

    changed = Signal()
    page_wanted = Signal(object)
    link_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[PageCard] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.XS)
        self._column.addWidget(label(self.tr("Linked page"), bold=True))
        self.link_button = push_button(self.tr("Link the Page in View"), name="link-2")
        self.link_button.clicked.connect(self.link_wanted)
        self._column.addWidget(self.link_button, 0, Qt.AlignmentFlag.AlignLeft)

    @property
    def links(self) -> tuple[PageLink, ...]:
        """The linked pages, in the order they were linked in."""
        return tuple(card.linked.link for card in self.cards)

    def show_links(self, links: Iterable[PageLink], names: Mapping[PageLink, str]) -> None:
        """Show other links. names: of the pages whose manuals are in the library."""
        while self.cards:
            self._take(self.cards[-1])
        for link in links:
            self._put(LinkedPage(link, names.get(link, "")))

    def add(self, link: PageLink, name: str) -> None:
        """Link one more page, unless it is linked already."""
        if link not in self.links:
            self._put(LinkedPage(link, name))
            self.changed.emit()

    def _put(self, linked: LinkedPage) -> None:
        card = PageCard(linked)
        card.open_wanted.connect(self.page_wanted)
        card.unlink_wanted.connect(lambda _: self._unlink(card))
        self.cards.append(card)
        self._column.insertWidget(self._column.count() - 1, card)

    def _unlink(self, card: PageCard) -> None:
        self._take(card)
        self.link_button.setFocus()
        self.changed.emit()

    def _take(self, card: PageCard) -> None:
        self.cards.remove(card)
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()
