"""The chosen look and language, given to the application, and the menu that changes them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QApplication

from desktop.ui.language import language_in_force, speak
from desktop.ui.popups import Menu
from desktop.ui.theme import SCHEMES, Look, apply_theme

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu

    from desktop.core.settings.file import Appearance
    from desktop.core.settings.sections import WindowSettings
    from desktop.ui.main_window import MainWindow


CONTRAST = {"system": None, "on": True, "off": False}


def look_of(window: Appearance | WindowSettings) -> Look:
    """Return what the theme is told."""
    return Look(
        scheme=SCHEMES[window.scheme],
        high_contrast=CONTRAST[window.high_contrast],
        text=window.text_percent / 100,
        still=window.reduced_motion,
        gloves=window.glove_mode,
        dim_pages=window.dim_pages,
    )


def dress(application: QApplication, window: Appearance | WindowSettings) -> None:
    """Look and speak as a person has chosen; before the first widget is made."""
    speak(application, language_in_force(window.language))
    apply_theme(application).wear(look_of(window))


def wear(window: WindowSettings) -> None:
    """Look as a person has chosen just now."""
    application = QApplication.instance()
    if isinstance(application, QApplication):
        apply_theme(application).wear(look_of(window))


def look_menu(window: MainWindow, parent: QMenu) -> QMenu:
    """Return the menu "Appearance"."""
    settings = window.settings
    menu = Menu(window.tr("Appearance"), parent)
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
