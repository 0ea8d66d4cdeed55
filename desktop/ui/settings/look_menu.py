"""The menu that makes the window light or dark, of high contrast, its text larger or smaller."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from desktop.ui.popups import make_menu

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu

    from desktop.ui.main_window import MainWindow


def look_menu(window: MainWindow, parent: QMenu) -> QMenu:
    """Return the menu "Appearance"."""
    settings = window.settings
    menu = make_menu(window.tr("Appearance"), parent)
    group = QActionGroup(menu)
    schemes = {}
    for name, text in (
        ("system", window.tr("System")),
        ("light", window.tr("Light")),
        ("dark", window.tr("Dark")),
    ):
        schemes[name] = _add(menu, text, partial(settings.use_scheme, name))
        schemes[name].setCheckable(True)
        group.addAction(schemes[name])
    menu.addSeparator()
    contrast = _add(menu, window.tr("High Contrast"), settings.toggle_contrast)
    contrast.setCheckable(True)
    gloves = _add(menu, window.tr("Glove Mode"), settings.toggle_gloves)
    gloves.setCheckable(True)
    menu.addSeparator()
    _add(menu, window.tr("Larger Text"), partial(settings.scale_text, 1), "Ctrl+Alt++")
    _add(menu, window.tr("Smaller Text"), partial(settings.scale_text, -1), "Ctrl+Alt+-")
    _add(menu, window.tr("Ordinary Text"), partial(settings.scale_text, 0), "Ctrl+Alt+0")

    def tick() -> None:
        schemes[settings.scheme].setChecked(True)
        contrast.setChecked(settings.high_contrast)
        gloves.setChecked(settings.gloves)

    menu.aboutToShow.connect(tick)
    return menu


def _add(menu: QMenu, text: str, slot: Callable[[], object], key: str = "") -> QAction:
    action = QAction(text, menu)
    if key:
        action.setShortcut(QKeySequence(key))
    action.triggered.connect(lambda _checked=False: slot())
    action.setMenuRole(QAction.MenuRole.NoRole)
    menu.addAction(action)
    return action
