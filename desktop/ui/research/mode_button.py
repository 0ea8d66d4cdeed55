"""The switch in the composer: an answer, or a research in one of its modes."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton

from desktop.ui.controls import make_flat, plain_tooltip
from desktop.ui.icons import icon
from desktop.ui.research.modes import ASK, ICONS, MODES, mode_advice, mode_name, short_name


class ModeButton(QToolButton):
    """changed(mode): "" for an ordinary question, else strict, discovery or monitor."""

    changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.mode = ASK
        make_flat(self, ICONS[ASK], self.tr("How to ask"), caption=True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self)
        self._menu.setToolTipsVisible(True)
        group = QActionGroup(self._menu)
        self._actions = {}
        for mode in MODES:
            action = self._menu.addAction(icon(ICONS[mode]), mode_name(mode))
            action.setCheckable(True)
            action.setToolTip(plain_tooltip(mode_advice(mode)))
            action.setStatusTip(mode_advice(mode))
            action.triggered.connect(lambda _=False, mode=mode: self.choose(mode))
            group.addAction(action)
            self._actions[mode] = action
            if mode == ASK:
                self._menu.addSeparator()
        self.setMenu(self._menu)
        self.choose(ASK)

    def choose(self, mode: str) -> None:
        """Ask in this way from now on."""
        self.mode = mode
        self._actions[mode].setChecked(True)
        self.setText(f" {short_name(mode)}")
        self.setIcon(icon(ICONS[mode]))
        self.setAccessibleName(self.tr("How to ask: {mode}").format(mode=mode_name(mode)))
        self.setToolTip(plain_tooltip(mode_advice(mode)))
        self.changed.emit(mode)

    def allow_research(self, allowed: bool) -> None:
        """Show the switch only where there is something to switch."""
        self.setVisible(allowed)
        if not allowed:
            self.choose(ASK)
