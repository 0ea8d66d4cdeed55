from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtWidgets import QApplication

from desktop.core.power import Battery, should_wait
from desktop.ui.library.indexing import LaptopController
from tests.ui.fake_workspace import fake_workspace, manual


@dataclass
class Laptop:
    """A battery that a test empties."""

    battery: Battery | None


@pytest.fixture
def laptop(window):
    """The window on a laptop of the test's own."""
    laptop = Laptop(Battery(80.0, plugged=False))
    window.laptop.close()
    window.laptop = LaptopController(
        window.library.indexing,
        window.settings,
        window.status,
        window,
        battery=lambda: laptop.battery,
    )
    window._parts = tuple(
        window.laptop if isinstance(part, LaptopController) else part for part in window._parts
    )
    return laptop


@pytest.fixture
def indexing(window, laptop, qtbot, tmp_path):
    """A workspace whose indexing goes on until its hold is set."""
    workspace = fake_workspace(tmp_path, manual(1, "Techman", "indexing"))
    workspace.ingestion.hold.clear()
    workspace.ingestion.unfinished = True
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: workspace.ingestion.runs == 1)
    yield workspace.ingestion
    workspace.ingestion.hold.set()


def running(window):
    return window.library.indexing.running


def test_a_low_battery_stops_indexing_says_why_and_the_plug_starts_it_again(
    window, laptop, indexing, qtbot
):
    window.laptop.look()
    assert running(window)

    laptop.battery = Battery(19.0, plugged=False)
    indexing.unfinished = True  # what a stopped run leaves behind
    window.laptop.look()
    qtbot.waitUntil(lambda: not running(window))
    qtbot.waitUntil(lambda: "19 %" in window.status.work.text())
    assert "plugged in" in window.status.work.text()
    assert not window.status.bar.isVisible()
    window.library.indexing.wake()
    QApplication.processEvents()
    assert indexing.runs == 1

    laptop.battery = Battery(19.0, plugged=True)
    window.laptop.look()
    qtbot.waitUntil(lambda: indexing.runs == 2)
    assert "19 %" not in window.status.work.text()


def test_the_level_is_a_setting_that_counts_at_once(window, laptop, indexing, qtbot):
    laptop.battery = Battery(40.0, plugged=False)
    indexing.unfinished = True
    window.laptop.look()
    assert running(window)
    window.settings.change(("ingestion", "battery_percent"), 50)
    qtbot.waitUntil(lambda: not running(window))
    window.settings.change(("ingestion", "battery_percent"), 0)
    qtbot.waitUntil(lambda: indexing.runs == 2)


def test_without_a_battery_or_on_the_plug_nothing_waits():
    assert not should_wait(None, 100)
    assert not should_wait(Battery(1.0, plugged=True), 100)
    assert not should_wait(Battery(30.0, plugged=False), 30)
    assert should_wait(Battery(29.0, plugged=False), 30)
