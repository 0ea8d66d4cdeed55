"""The chosen look and language, given to the application, and the menu that changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.ui.design.theme import SCHEMES, Look, apply_theme
from desktop.ui.language import language_in_force, speak

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from desktop.core.settings.file import Appearance
    from desktop.core.settings.sections import WindowSettings


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
    """Apply the chosen look and language, before the first widget is made."""
    speak(application, language_in_force(window.language))
    apply_theme(application).wear(look_of(window))
