"""The ways a question can be asked, and the switch between them in the composer."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QToolButton

from desktop.ui.design.controls import make_flat, plain_tooltip
from desktop.ui.design.icons import icon
from desktop.ui.design.popups import menu_of
from desktop.ui.language import tr

ASK = ""
MODES = (ASK, "strict", "discovery", "monitor")


class Mode(NamedTuple):
    """How a mode is called on a button and where there is little room, and what it does.

    offered: as it stands in the menu. advice: in a sentence.
    """

    name: str
    short: str
    offered: str
    advice: str
    icon: str = "telescope"


def mode_of(mode: str) -> Mode:
    """Return how one of the `MODES` is put to people."""
    return {
        ASK: Mode(
            tr("Quick answer"),
            tr("Quick"),
            tr("Quick answer: in seconds, from the best pages"),
            tr("An answer in seconds, from the best pages."),
            "search",
        ),
        "strict": Mode(
            tr("Research: official sources"),
            tr("Official sources"),
            tr("Research in official sources: makers’ manuals, standards, procedures"),
            tr(
                "Searches in several rounds. Only makers' manuals, standards, bulletins and "
                "procedures count."
            ),
        ),
        "discovery": Mode(
            tr("Research: all sources"),
            tr("All sources"),
            tr("Research in all sources: weak ones are flagged"),
            tr("Searches everything in several rounds and flags weak sources."),
        ),
        "monitor": Mode(
            tr("Research: check of notes"),
            tr("Check of notes"),
            tr("Check of notes: what the site’s notes say against the manuals"),
            tr("Compares what the site's notes say with what the maker says."),
        ),
    }[mode]


class ModeButton(QToolButton):
    """changed(mode): "" for an ordinary question, else strict, discovery or monitor."""

    changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.mode = ASK
        make_flat(self, mode_of(ASK).icon, self.tr("How to ask"), caption=True)
        self._menu = menu_of(self)
        self._menu.setToolTipsVisible(True)
        self._group = QActionGroup(self._menu)
        self._actions = {}
        for mode in MODES:
            told = mode_of(mode)
            action = self._menu.addAction(icon(told.icon), told.offered)
            action.setCheckable(True)
            action.setToolTip(plain_tooltip(told.advice))
            action.setStatusTip(told.advice)
            action.triggered.connect(lambda _=False, mode=mode: self.choose(mode))
            self._group.addAction(action)
            self._actions[mode] = action
            if mode == ASK:
                self._menu.addSeparator()
        self.choose(ASK)

    def choose(self, mode: str) -> None:
        """Ask in this way from now on."""
        self.mode, told = mode, mode_of(mode)
        self._actions[mode].setChecked(True)
        self.setText(f" {told.short}")
        self.setIcon(icon(told.icon))
        self.setAccessibleName(self.tr("How to ask: {mode}").format(mode=told.name))
        self.setToolTip(plain_tooltip(told.advice))
        self.changed.emit(mode)

    def allow_research(self, allowed: bool) -> None:
        """Show the switch only where there is something to switch."""
        self.setVisible(allowed)
        if not allowed:
            self.choose(ASK)
