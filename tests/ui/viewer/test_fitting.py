"""How the viewer copes with pages, regions and windows of uncommon sizes."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import pymupdf
import pytest
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton

from desktop.core.events import PageRegion
from desktop.core.geometry import Box
from tests.ui.viewer.fakes import FakeLibrary

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.ui.viewer.panel import ViewerPanel


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """An upright page, a wide drawing, an upright page."""
    with pymupdf.open() as pdf:
        for width, height in ((595, 842), (1190, 842), (595, 842)):
            pdf.new_page(width=width, height=height).insert_text((72, 100), "Connect the cable")
        pdf.save(tmp_path / "mixed.pdf")
    return tmp_path / "mixed.pdf"


@pytest.fixture
def mixed_panel(
    make_panel: Callable[[FakeLibrary], ViewerPanel], mixed: Path, second_manual: Path
) -> ViewerPanel:
    return make_panel(FakeLibrary(mixed, second_manual))


def test_each_cited_page_is_fitted_and_centred_whatever_its_size(
    mixed_panel: ViewerPanel, qtbot: QtBot
):
    for page in (1, 2, 1, 0):
        region = PageRegion(1, "mixed.pdf", page, "", (Box(72, 90, 200, 104),))
        mixed_panel.show_regions([region])
        qtbot.waitUntil(partial(_is_at, mixed_panel, page))
        area, room = mixed_panel.view.page_frame(page).area, mixed_panel.view.viewport().width()
        assert room - 40 <= area.width() <= room
        assert abs(area.center().x() - room / 2) <= 1


def _is_at(panel: ViewerPanel, page: int) -> bool:
    return panel.current_location() == (1, page)


@pytest.mark.parametrize("width", [900, 500, 360])
def test_the_controls_never_lie_on_each_other(opened: ViewerPanel, width: int):
    opened.resize(width, 700)
    controls = [
        each
        for kind in (QToolButton, QLineEdit)
        for each in opened.toolbar.findChildren(kind)
        if each.isVisible() and each.parent() is opened.toolbar
    ]
    places = sorted((each.geometry() for each in controls), key=lambda area: area.left())
    assert all(left.right() < right.left() for left, right in pairwise(places))
    assert places[-1].right() < width
    assert opened.toolbar.page_field.isVisible()


def test_showing_another_manual_leaves_the_keyboard_where_it_is(opened: ViewerPanel, qtbot: QtBot):
    question = QLineEdit()
    qtbot.addWidget(question)
    question.show()
    question.activateWindow()
    question.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is question)
    opened.open_document(2)
    qtbot.waitUntil(lambda: opened.current_location() == (2, 0))
    assert QApplication.focusWidget() is question
