"""The ways a question can be asked, and the switch between them in the composer."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QToolButton

from desktop.ui.design.controls import make_flat, plain_tooltip
from desktop.ui.design.icons import icon
from desktop.ui.design.popups import menu_of
from desktop.ui.language import tr

ASK = ""
MODES = (ASK, "strict", "discovery", "monitor")
ICONS = {ASK: "search", "strict": "telescope", "discovery": "telescope", "monitor": "telescope"}


def mode_name(mode: str) -> str:
    """Return what a mode is called on a button."""
    names = {
        ASK: tr("Quick answer"),
        "strict": tr("Research: strict"),
        "discovery": tr("Research: discovery"),
        "monitor": tr("Research: monitor"),
    }
    return names[mode]


def short_name(mode: str) -> str:
    """Return what a mode is called where there is little room."""
    names = {
        ASK: tr("Quick"),
        "strict": tr("Strict"),
        "discovery": tr("Discovery"),
        "monitor": tr("Monitor"),
    }
    return names[mode]


def mode_offered(mode: str) -> str:
    """Return a mode and what it does, as it stands in the menu."""
    offered = {
        ASK: tr("Quick answer: in seconds, from the best pages"),
        "strict": tr("Research: strict – only makers, standards and procedures"),
        "discovery": tr("Research: discovery – all sources, weak ones flagged"),
        "monitor": tr("Research: monitor – the site’s notes against the manuals"),
    }
    return offered[mode]


def mode_advice(mode: str) -> str:
    """Return what a mode is for, in a sentence."""
    advice = {
        ASK: tr("An answer in seconds, from the best pages."),
        "strict": tr(
            "Searches in several rounds. Only makers' manuals, standards, bulletins and "
            "procedures count."
        ),
        "discovery": tr("Searches everything in several rounds and flags weak sources."),
        "monitor": tr("Compares what the site's notes say with what the maker says."),
    }
    return advice[mode]


class ModeButton(QToolButton):
    """changed(mode): "" for an ordinary question, else strict, discovery or monitor."""

    changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.mode = ASK
        make_flat(self, ICONS[ASK], self.tr("How to ask"), caption=True)
        self._menu = menu_of(self)
        self._menu.setToolTipsVisible(True)
        self._group = QActionGroup(self._menu)
        self._actions = {}
        for mode in MODES:
            action = self._menu.addAction(icon(ICONS[mode]), mode_offered(mode))
            action.setCheckable(True)
            action.setToolTip(plain_tooltip(mode_advice(mode)))
            action.setStatusTip(mode_advice(mode))
            action.triggered.connect(lambda _=False, mode=mode: self.choose(mode))
            self._group.addAction(action)
            self._actions[mode] = action
            if mode == ASK:
                self._menu.addSeparator()
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
