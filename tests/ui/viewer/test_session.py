"""What was open and marked comes back in a new viewer, without what is gone since."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from desktop.core.events import PageRegion
from desktop.core.geometry import Box
from desktop.ui.viewer.session import read_session
from tests.ui.viewer.fakes import FakeLibrary

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.ui.viewer.panel import ViewerPanel


def left_open(panel: ViewerPanel, qtbot: QtBot) -> str:
    """Read two manuals, zoom and scroll in the first, mark a line in it; return the session."""
    panel.open_document(2)
    qtbot.waitUntil(lambda: panel.current_location() == (2, 0))
    panel.show_regions([PageRegion(1, "manual.pdf", 4, "2-1", (Box(72, 150, 300, 165),))])
    qtbot.waitUntil(lambda: panel.current_location() == (1, 4))
    panel.view.set_zoom(1.5)
    panel.view.go_to_page(7)
    return panel.session().model_dump_json()


@pytest.fixture
def again(make_panel: Callable[..., ViewerPanel], manual: Path, second_manual: Path) -> ViewerPanel:
    """A viewer of the next start."""
    return make_panel(FakeLibrary(manual, second_manual))


def test_tabs_place_zoom_and_marks_come_back(panel, again, qtbot):
    assert again.restore(read_session(left_open(panel, qtbot)).only({1, 2}))
    qtbot.waitUntil(lambda: again.current_location() == (1, 7))
    assert again.tabs.document_ids() == [2, 1]
    assert again.view.zoom == pytest.approx(1.5)
    assert [mark.page for mark in again.view.overlays.highlights] == [4]
    again.tabs.setCurrentIndex(0)
    qtbot.waitUntil(lambda: again.current_location() == (2, 0))


def test_a_manual_that_is_gone_does_not_come_back(panel, again, qtbot):
    assert again.restore(read_session(left_open(panel, qtbot)).only({2}))
    qtbot.waitUntil(lambda: again.current_location() == (2, 0))
    assert again.tabs.document_ids() == [2]
    assert len(again.view.overlays.highlights) == 0


def test_a_report_does_not_come_back_and_a_manual_is_in_front_instead(panel, again, qtbot):
    panel.open_document(1, 3)
    qtbot.waitUntil(lambda: panel.current_location() == (1, 3))
    panel.show_report(QWidget(), "Is it 24 Nm?")
    assert panel.current_location() is None
    assert again.restore(read_session(panel.session().model_dump_json()).only({1, 2}))
    qtbot.waitUntil(lambda: again.current_location() == (1, 3))
    assert again.tabs.count() == 1


@pytest.mark.parametrize("broken", ["", "nonsense", "[]", '{"tabs": [{"document": "x"}]}'])
def test_what_cannot_be_read_restores_nothing(panel, broken):
    assert not panel.restore(read_session(broken).only({1, 2}))
    assert panel.tabs.document_ids() == []
