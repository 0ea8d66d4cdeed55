"""Asks where manuals belong: a site and an asset, known ones to choose from or new ones."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCompleter,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.core.library.places import EVERYWHERE, LONGEST_NAME, Place
from desktop.ui import wording
from desktop.ui.controls import flat_button, label, push_button
from desktop.ui.popups import Menu
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from desktop.core.library.values import DocumentRecord

WIDTH = 460


def ask_for_place(
    parent: QWidget,
    manuals: Sequence[DocumentRecord],
    known: Collection[Place],
    on_answer: Callable[[Place], object],
) -> QDialog:
    """Show the dialog for some manuals; `on_answer` gets the place, also no place at all.

    known: the places to choose from.
    """
    dialog = _PlaceDialog(parent.window(), manuals, known)
    dialog.accepted.connect(lambda: on_answer(dialog.place))
    dialog.open()
    return dialog


class _PlaceDialog(QDialog):
    def __init__(
        self, parent: QWidget, manuals: Sequence[DocumentRecord], known: Collection[Place]
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Site and asset"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(WIDTH)
        self._known = known
        places = {each.place for each in manuals}
        now = places.pop() if len(places) == 1 else EVERYWHERE
        self.site = NameField(self.tr("Site"), self.tr("For example SITE 12"))
        self.asset = NameField(self.tr("Asset"), self.tr("For example Pump P-200"))
        self.site.offer({each.site for each in known})
        self.site.line.setText(now.site)
        self._offer_assets()
        self.asset.line.setText(now.asset)
        self.site.line.textChanged.connect(self._offer_assets)
        self._lay_out(_about(self, manuals))
        self.site.setFocus()

    @property
    def place(self) -> Place:
        """The place as it stands in the fields."""
        return Place.named(self.site.name, self.asset.name)

    def _offer_assets(self) -> None:
        """Offer the assets of the site that is named."""
        site = self.site.name.strip().casefold()
        self.asset.offer({each.asset for each in self._known if each.site.casefold() == site})

    def _lay_out(self, about: str) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.S)
        column.addWidget(label(about, factor=Type.LEAD, bold=True, wrap=True))
        for field in (self.site, self.asset):
            caption = label(field.line.accessibleName())
            caption.setBuddy(field.line)
            column.addSpacing(Space.XS)
            column.addWidget(caption)
            column.addWidget(field)
        hint = self.tr("Leave both empty for a manual that belongs to no site.")
        column.addWidget(label(hint, factor=Type.SMALL, tone="muted", wrap=True))
        accept = push_button(self.tr("OK"), kind="primary")
        accept.setDefault(True)
        accept.clicked.connect(self.accept)
        cancel = push_button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(accept)
        column.addSpacing(Space.M)
        column.addLayout(buttons)


def _about(parent: QWidget, manuals: Sequence[DocumentRecord]) -> str:
    if len(manuals) != 1:
        return parent.tr("Where do these {manuals} belong?").format(
            manuals=wording.manuals(len(manuals))
        )
    title = manuals[0].title.strip() or manuals[0].name
    return parent.tr("Where does “{title}” belong?").format(title=title)


class NameField(QWidget):
    """A line for a name, with the known ones in a menu beside it."""

    def __init__(self, name: str, example: str) -> None:
        super().__init__()
        self.line = QLineEdit()
        self.line.setProperty("kind", "field")
        self.line.setPlaceholderText(example)
        self.line.setMaxLength(LONGEST_NAME)
        self.line.setAccessibleName(name)
        self.line.setMinimumHeight(Size.TARGET)
        self._known = flat_button("chevron-down", self.tr("Known: {name}").format(name=name))
        self._known.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = Menu(self)
        self._known.setMenu(self._menu)
        self.setFocusProxy(self.line)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.XS)
        row.addWidget(self.line, 1)
        row.addWidget(self._known)

    @property
    def name(self) -> str:
        """What stands in the line."""
        return self.line.text()

    def offer(self, names: Collection[str]) -> None:
        """Offer known names, and complete them while one is typed."""
        self._menu.clear()
        wanted = sorted(name for name in names if name)
        for name in wanted:
            entry = self._menu.addAction(name.replace("&", "&&"))
            entry.triggered.connect(partial(self.choose, name))
        self._known.setEnabled(bool(wanted))
        if not self.completes():
            return
        completer = QCompleter(wanted, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.line.setCompleter(completer)

    def choose(self, name: str) -> None:
        """Take a known name."""
        self.line.setText(name)

    def completes(self) -> bool:
        """Whether known names are completed while one is typed."""
        return True
