"""The kept icons: each is used, and none keeps the colour of a look that was left."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

import desktop.ui
from desktop.ui.design.icons import IconPicture, icon
from desktop.ui.design.theme import Look
from desktop.ui.design.tokens import DARK, LIGHT

UI = Path(desktop.ui.__file__).parent
ICONS = UI.parents[1] / "resources" / "icons"
INKS = ("-black", "-white")
"""Of icons that style sheets take by their path: Qt cannot tint those."""

COLLECTS_ICONS = """
import gc
from PySide6.QtWidgets import QApplication, QToolButton
from desktop.ui.design.icons import icon

class Part:
    pass

application = QApplication([])
painted = 0
for _ in range(20):
    drawing, button, part = icon("file-text"), QToolButton(), Part()
    button.setIcon(drawing)
    part.itself, part.drawing = part, drawing
    del drawing, part
    gc.collect()
    painted += not button.icon().pixmap(16).isNull()
print(painted, "icons painted")
"""


@pytest.fixture(scope="module")
def sources():
    return {path: ast.parse(path.read_text("utf-8")) for path in UI.rglob("*.py")}


def test_every_kept_icon_is_used(sources):
    said = {
        node.value
        for tree in sources.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    kept = {path.stem for path in ICONS.glob("*.svg")}
    assert len(kept) > 50
    drawn = {name for name in kept if name.endswith(INKS)}
    assert kept - drawn - said == set()
    assert drawn == {
        name + ink for name in ("check", "chevron-down", "minus", "plus") for ink in INKS
    }
    sheets = (UI / "design" / "stylesheet.py").read_text("utf-8")
    assert [name for name in drawn if f'"{name[:-6]}"' not in sheets] == []


def test_no_picture_is_made_of_an_icon_before_it_is_painted(sources):
    made = [
        f"{path.relative_to(UI)}:{node.lineno}"
        for path, tree in sources.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr == "pixmap"
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "icon"
    ]
    assert made == []


@pytest.mark.parametrize("tint", ["good", "danger.ink", ""])
def test_an_icon_that_is_shown_already_follows_a_change_of_the_look(theme, qtbot, tint):
    picture = IconPicture("square", 32, tint)
    qtbot.addWidget(picture)
    theme.wear(Look(Qt.ColorScheme.Light))
    light = inks(picture.grab().toImage())
    theme.wear(Look(Qt.ColorScheme.Dark))
    dark = inks(picture.grab().toImage())
    expected = {
        "good": (LIGHT.good, DARK.good),
        "danger.ink": (LIGHT.danger.ink, DARK.danger.ink),
        "": (LIGHT.text, DARK.text),
    }[tint]
    assert QColor(expected[0]).name() in light
    assert QColor(expected[1]).name() in dark


def test_an_icon_that_is_not_kept_or_a_token_that_is_none_is_an_error(qapp):
    with pytest.raises(FileNotFoundError):
        icon("no-such-icon")
    with pytest.raises(AttributeError):
        icon("square", "no_such_token")


def inks(image):
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


def test_icons_outlive_the_collection_of_what_made_them():
    """The garbage collector may let go of an icon's painter before the icon itself."""
    done = subprocess.run(
        [sys.executable, "-c", COLLECTS_ICONS], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "20 icons painted")
