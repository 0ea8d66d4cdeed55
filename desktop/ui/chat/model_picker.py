"""The chip in the composer that says what writes the answers, and lets a person choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QToolButton

from desktop.ui.controls import make_flat, plain_tooltip
from desktop.ui.language import told
from desktop.ui.popups import Menu

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.models.overview import ProfileStatus


class ModelPicker(QToolButton):
    """Hidden while only one profile can answer: there is nothing to pick.

    chosen(id): answer with this profile from now on. models_wanted(): see what is installed.
    """

    chosen = Signal(str)
    models_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        make_flat(self, "sparkles", self.tr("What writes the answers"), caption=True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = Menu(self)
        self._menu.setToolTipsVisible(True)
        self._group = QActionGroup(self._menu)
        self._shown: tuple[tuple[str, bool], ...] = ()
        self.setMenu(self._menu)
        self.hide()

    def show_profiles(self, profiles: Sequence[ProfileStatus]) -> None:
        """Offer the profiles whose models are installed."""
        ready = [each for each in profiles if each.chosen or not each.missing]
        shown = tuple((each.id, each.chosen) for each in ready)
        if shown == self._shown:
            return
        self._shown = shown
        self._menu.clear()
        for each in ready:
            title = told(each.title)
            action = self._menu.addAction(title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(each.chosen)
            action.setToolTip(plain_tooltip(told(each.summary)))
            action.triggered.connect(lambda _=False, id_=each.id: self.chosen.emit(id_))
            self._group.addAction(action)
            if each.chosen:
                self.setText(f" {title.replace('&', '&&')}")
                self.setAccessibleName(
                    self.tr("What writes the answers: {title}").format(title=title)
                )
                self.setToolTip(plain_tooltip(told(each.summary)))
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Models…")).triggered.connect(self.models_wanted)
        self.setVisible(len(ready) > 1)
