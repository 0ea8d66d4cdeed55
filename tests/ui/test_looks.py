"""Whatever is shown when the look changes looks as if it had been opened in the new one."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QFileDialog

from desktop.ui.design.controls import ElidedLabel, label
from desktop.ui.design.theme import Look
from desktop.ui.design.tokens import Signal
from tests.ui.every_window import opened_window
from tests.ui.take_pictures import settle

LIGHT, DARK = Look(Qt.ColorScheme.Light), Look(Qt.ColorScheme.Dark, high_contrast=True)
SHOWN = (
    "first run",
    "every setting",
    "help",
    "damaged",
    "dialogs of the library",
    "answer",
    "not found",
    "asked back",
    "complaint",
    "domains-proposal",
    "notes-read",
    "notes-first",
    "models-full",
)


@pytest.mark.parametrize("name", SHOWN)
def test_nothing_keeps_a_colour_of_the_look_that_was_left(theme, name, tmp_path):
    theme.wear(LIGHT)
    left = inks_of(theme.colours)
    with opened_window(name, tmp_path):
        assert any(left & colours_in(each) for each in pictures().values())
        theme.wear(DARK)
        left -= inks_of(theme.colours)
        settle(0.3)
        kept = {title: left & colours_in(each) for title, each in pictures().items()}
    assert len(left) > 15
    assert {title: names for title, names in kept.items() if names} == {}


def pictures():
    """Every window that is shown, by its title."""
    return {
        top.windowTitle(): top.grab().toImage()
        for top in QApplication.topLevelWidgets()
        if top.isVisible() and not isinstance(top, QFileDialog) and top.windowTitle()
    }


def inks_of(look):
    """The colours of a look, as numbers."""
    values = [getattr(look, each.name) for each in fields(look)]
    names = [each for each in values if isinstance(each, str)]
    signals = [each for each in values if isinstance(each, Signal)]
    names += [name for each in signals for name in (each.band, each.ink, each.wash)]
    return {QColor(name).rgb() for name in names}


def colours_in(image):
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), np.uint32)
    return set(np.unique(pixels | 0xFF000000).tolist())


@pytest.mark.parametrize("made", [label, ElidedLabel])
def test_a_label_that_has_no_room_yet_keeps_its_margins(theme, qtbot, made):
    hidden = made()
    qtbot.addWidget(hidden)
    hidden.ensurePolished()
    hidden.setContentsMargins(12, 8, 12, 4)
    hidden.resize(0, 0)
    theme.wear(DARK)
    margins = hidden.contentsMargins()
    assert (margins.left(), margins.top(), margins.right(), margins.bottom()) == (12, 8, 12, 4)
