"""Which manuals are shown, in which order, and the button with which one chooses."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QToolButton

from desktop.ui import wording
from desktop.ui.design.controls import make_flat, plain_tooltip, set_property
from desktop.ui.design.popups import menu_of

if TYPE_CHECKING:
    from desktop.core.library.values import DocumentRecord
    from desktop.ui.library.model import LibraryModel


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


MOST_TAGS = 40
"""A menu of more tags than this is no menu; the rest is found by typing "#"."""


class ChoiceButton(QToolButton):
    """chosen(choice): a person ticked something."""

    chosen = Signal(object)

    def __init__(self, model: LibraryModel) -> None:
        super().__init__()
        make_flat(self, "list-filter", self.tr("Sort and filter"))
        self._model = model
        self._choice = EVERYTHING
        self._menu = menu_of(self)
        self._menu.aboutToShow.connect(self._fill)

    def show_choice(self, choice: Choice) -> None:
        """Tell how much is ticked."""
        self._choice = choice
        text = self.tr("Sort and filter")
        if choice.ticked:
            text = self.tr("Sort and filter: {n} ticked").format(n=choice.ticked)
        self.setAccessibleName(text)
        self.setToolTip(plain_tooltip(text))
        set_property(self, "chosen", bool(choice.ticked))

    def _fill(self) -> None:
        self._menu.clear()
        self._menu.addSection(self.tr("Sort by"))
        group = QActionGroup(self._menu)
        texts: dict[Order, str] = {
            "name": self.tr("Name"),
            "added": self.tr("Added last"),
            "pages": self.tr("Most pages"),
            "used": self.tr("Used last"),
        }
        for order, text in texts.items():
            chosen = replace(self._choice, order=order)
            group.addAction(self._tick(text, self._choice.order == order, chosen))
        self._add_tiers()
        self._add_tags()
        self._menu.addSeparator()
        newest = replace(self._choice, newest=not self._choice.newest)
        self._tick(self.tr("Leave out older revisions"), self._choice.newest, newest)
        if self._choice.ticked:
            everything = replace(EVERYTHING, text=self._choice.text, order=self._choice.order)
            entry = self._menu.addAction(self.tr("Show all manuals"))
            entry.triggered.connect(lambda: self.chosen.emit(everything))

    def _add_tiers(self) -> None:
        there = {each.tier for each in self._model.records()}
        if len(there | self._choice.tiers) < 2:
            return
        self._menu.addSection(self.tr("Trust"))
        for tier in sorted(there | self._choice.tiers):
            toggled = replace(self._choice, tiers=self._choice.tiers ^ {tier})
            self._tick(wording.tier_title(tier), tier in self._choice.tiers, toggled)

    def _add_tags(self) -> None:
        tags = self._model.tags()[:MOST_TAGS]
        if not tags:
            return
        self._menu.addSection(self.tr("Tags"))
        for tag in tags:
            key = tag.casefold()
            toggled = replace(self._choice, tags=self._choice.tags ^ {key})
            self._tick(tag.replace("&", "&&"), key in self._choice.tags, toggled)

    def _tick(self, text: str, ticked: bool, choice: Choice) -> QAction:
        entry = self._menu.addAction(text)
        entry.setCheckable(True)
        entry.setChecked(ticked)
        entry.triggered.connect(lambda: self.chosen.emit(choice))
        return entry
