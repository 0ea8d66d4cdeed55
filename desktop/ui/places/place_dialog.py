"""Asks where manuals belong: a site and an asset, known ones to choose from or new ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QHBoxLayout, QVBoxLayout, QWidget

from desktop.core.library.places import EVERYWHERE, LONGEST_NAME, Place
from desktop.ui import wording
from desktop.ui.controls import label, push_button
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
        self.site = _field(self.tr("Site"), self.tr("For example SITE 12"))
        self.asset = _field(self.tr("Asset"), self.tr("For example Pump P-200"))
        self.site.addItems(sorted({each.site for each in known if each.site}))
        self.site.setCurrentText(now.site)
        self._offer_assets()
        self.asset.setCurrentText(now.asset)
        self.site.currentTextChanged.connect(self._offer_assets)
        self._lay_out(_about(self, manuals))
        self.site.setFocus()

    @property
    def place(self) -> Place:
        """The place as it stands in the fields."""
        return Place.named(self.site.currentText(), self.asset.currentText())

    def _offer_assets(self) -> None:
        """Offer the assets of the site that is named; what was typed stays."""
        typed = self.asset.currentText()
        site = self.site.currentText().strip().casefold()
        there = {each.asset for each in self._known if each.site.casefold() == site}
        self.asset.clear()
        self.asset.addItems(sorted(asset for asset in there if asset))
        self.asset.setCurrentText(typed)

    def _lay_out(self, about: str) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.S)
        column.addWidget(label(about, factor=Type.LEAD, bold=True, wrap=True))
        for field in (self.site, self.asset):
            caption = label(field.accessibleName())
            caption.setBuddy(field)
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


def _field(name: str, example: str) -> QComboBox:
    field = QComboBox()
    field.setProperty("kind", "field")
    field.setEditable(True)
    field.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    field.setAccessibleName(name)
    field.setMinimumHeight(Size.TARGET)
    line = field.lineEdit()
    if line is not None:
        line.setPlaceholderText(example)
        line.setMaxLength(LONGEST_NAME)
        line.setAccessibleName(name)
    return field
