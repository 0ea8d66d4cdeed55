"""Watched folders in the window: chosen in a dialog, asked about in notices."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton

from desktop.core.library import watched_folders
from tests.fakes.manuals import excerpt
from tests.ui.fake_workspace import fake_workspace
from tests.ui.real_window import LONG_MS, rows


@pytest.fixture(autouse=True)
def looks_often(monkeypatch):
    monkeypatch.setattr(watched_folders, "REST_SECONDS", 0.05)
    monkeypatch.setattr(watched_folders, "LOOK_SECONDS", 0.1)


@pytest.fixture
def share(tmp_path):
    folder = tmp_path / "share"
    folder.mkdir()
    return folder


def watch(window, qtbot, folder):
    """Choose the folder as a person does."""
    window.watched.show()
    dialog = window.watched.dialog
    qtbot.waitUntil(dialog.isVisible)
    dialog.add.click()
    chooser = dialog.findChild(QFileDialog)
    chooser.filesSelected.emit([str(folder)])
    chooser.close()
    return dialog


def folders(dialog):
    return [dialog.list.item(row).text() for row in range(dialog.list.count())]


def told(window):
    return " ".join(window.library_panel.notices.texts())


def press(window, qtbot, text):
    def there():
        buttons = window.library_panel.notices.findChildren(QPushButton)
        return [each for each in buttons if each.text() == text and each.isVisible()]

    qtbot.waitUntil(lambda: bool(there()))
    there()[0].click()


def test_a_folder_is_chosen_and_given_up_in_the_dialog(window, qtbot, tmp_path, share):
    window.open_workspace(fake_workspace(tmp_path / "library"))
    (tmp_path / "library").mkdir(exist_ok=True)
    qtbot.waitUntil(lambda: window.watched._watched is not None)
    dialog = watch(window, qtbot, share)
    qtbot.waitUntil(lambda: folders(dialog) == [f"{share}: 0 manuals"])
    watch(window, qtbot, share)  # a second time makes no sense
    said = dialog.findChild(QLabel, "wrong")
    qtbot.waitUntil(lambda: "is already watched" in said.text())
    dialog.list.setCurrentRow(0)
    assert dialog.remove.isEnabled()
    dialog.remove.click()
    qtbot.waitUntil(lambda: folders(dialog) == [])
    assert not dialog.remove.isEnabled()
    dialog.accept()


def test_a_folder_that_is_not_reachable_is_said_until_it_is(window, qtbot, tmp_path, share):
    (tmp_path / "library").mkdir()
    window.open_workspace(fake_workspace(tmp_path / "library"))
    qtbot.waitUntil(lambda: window.watched._watched is not None)
    dialog = watch(window, qtbot, share)
    qtbot.waitUntil(lambda: folders(dialog) == [f"{share}: 0 manuals"])
    share.rename(tmp_path / "away")
    qtbot.waitUntil(lambda: f"The folder “{share}” cannot be reached." in told(window))
    qtbot.waitUntil(lambda: folders(dialog) == [f"{share}: not reachable at the moment"])
    assert len(window.library_panel.notices.texts()) == 1
    (tmp_path / "away").rename(share)
    qtbot.waitUntil(lambda: told(window) == "")
    dialog.accept()


@pytest.mark.slow
def test_manuals_come_in_by_themselves_and_one_that_is_gone_is_asked_about(
    real_window, qtbot, tmp_path, share
):
    window = real_window(tmp_path / "library")
    excerpt(share / "pump.pdf", 8, title="Pump P-200")
    excerpt(share / "fan.pdf", 9, title="Pump P-200")
    watch(window, qtbot, share).accept()

    def ready(count):
        return [each.action for each in rows(window)] == [""] * count

    qtbot.waitUntil(lambda: ready(2), timeout=LONG_MS)
    assert "already in the library" not in told(window)

    excerpt(
        share / "pump.pdf", 10, title="Pump P-200"
    )  # the file is another one now: a newer edition
    qtbot.waitUntil(lambda: ready(3), timeout=LONG_MS)
    first, last = [each for each in window._model.records() if each.name == "pump.pdf"]
    older, newer = (first, last) if last.replaces else (last, first)
    assert newer.replaces == older.sha256

    shutil.move(share / "fan.pdf", tmp_path / "fan.pdf")
    qtbot.waitUntil(lambda: "is no longer in the folder" in told(window), timeout=LONG_MS)
    press(window, qtbot, "Keep")
    assert len(rows(window)) == 3
    (share / "pump.pdf").unlink()
    excerpt(share / "boiler.pdf", 11, title="Pump P-200")
    qtbot.waitUntil(lambda: "is no longer in the folder" in told(window), timeout=LONG_MS)
    press(window, qtbot, "Remove")
    qtbot.waitUntil(lambda: "Removed" in told(window))
    qtbot.waitUntil(lambda: ready(3), timeout=LONG_MS)  # the boiler came, the pump went
    assert newer.id not in {each.id for each in window._model.records()}
