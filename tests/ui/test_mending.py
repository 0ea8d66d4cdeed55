"""A damaged library in the window: what is offered, and that it works."""

from __future__ import annotations

from contextlib import ExitStack

from PySide6.QtWidgets import QPushButton

from desktop.core.store.database import Database
from desktop.ui.design.notices import ProblemPage
from desktop.ui.window.main_window import MainWindow
from desktop.ui.window.opening import Opening
from tests.ui.fake_workspace import FakeViewer, fake_workspace, manual


def _buttons(window):
    page = window.centre.currentWidget()
    assert isinstance(page, ProblemPage)
    return {button.text(): button for button in page.findChildren(QPushButton)}


def _damaged(tmp_path, *, backup):
    folder = tmp_path / "library"
    with Database.open(folder) as database:
        database.write(
            lambda c: c.execute("INSERT INTO conversations VALUES(1, 'Pump', '', '', '[]')")
        )
        if backup:
            database.keep_backup("daily")
    (folder / "originals").mkdir()
    (folder / "originals" / "a.pdf").write_bytes(b"%PDF-")
    with (folder / "library.db").open("r+b") as file:
        file.write(bytes(100))
    return folder


def _open(qtbot, tmp_path, folder):
    window = MainWindow(folder=folder, viewer_factory=FakeViewer)
    window.build()
    qtbot.addWidget(window)
    window.show()

    def factory():
        Database.open(folder).close()
        return fake_workspace(tmp_path, manual(1, "Pump"))

    opening = Opening(factory, folder)
    opening.serve(window)
    opening.begin()
    qtbot.waitUntil(lambda: isinstance(window.centre.currentWidget(), ProblemPage))
    return window, opening


def test_a_damaged_library_is_repaired_from_the_window(qtbot, tmp_path):
    folder = _damaged(tmp_path, backup=False)
    window, opening = _open(qtbot, tmp_path, folder)
    with ExitStack() as ending:
        ending.callback(opening.close)
        ending.callback(window.close)
        buttons = _buttons(window)
        assert "Repair the library" in buttons
        assert not any("Restore" in text for text in buttons)
        buttons["Repair the library"].click()
        assert not buttons["Repair the library"].isEnabled()
        qtbot.waitUntil(lambda: bool(window.findChildren(FakeViewer)))
        assert any("intact again" in text for text in window.library_panel.notices.texts())


def test_a_backup_is_offered_with_its_time_and_restored(qtbot, tmp_path):
    folder = _damaged(tmp_path, backup=True)
    window, opening = _open(qtbot, tmp_path, folder)
    with ExitStack() as ending:
        ending.callback(opening.close)
        ending.callback(window.close)
        (restore,) = [b for text, b in _buttons(window).items() if "Restore" in text]
        assert restore.accessibleName() or restore.text()
        restore.click()
        qtbot.waitUntil(lambda: bool(window.findChildren(FakeViewer)))
    with Database.open(folder, read_only=True) as database:
        assert database.read(lambda c: c.execute("SELECT title FROM conversations").get) == "Pump"


def test_a_library_that_cannot_be_repaired_says_so(qtbot, tmp_path):
    folder = _damaged(tmp_path, backup=False)
    (folder / "library.db").write_bytes(bytes(1 << 16))
    window, opening = _open(qtbot, tmp_path, folder)
    with ExitStack() as ending:
        ending.callback(opening.close)
        ending.callback(window.close)
        first = window.centre.currentWidget()
        _buttons(window)["Repair the library"].click()
        qtbot.waitUntil(lambda: window.centre.currentWidget() is not first)
        assert "Repair the library" in _buttons(window)
