"""Packs of manuals in the window: attach, be told what is refused, update, detach."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton

from desktop.ui.library.properties import PropertiesDialog
from tests.core.manual_packs.conftest import MIXER, PUMP, Company
from tests.ui.real_window import row


@pytest.fixture
def company(tmp_path):
    company = Company(tmp_path / "company")
    company.write("pump.pdf", PUMP, title="Pump")
    company.write("hall 2/mixer.pdf", MIXER, title="Mixer")
    company.release()
    return company


@pytest.fixture
def window(real_window, tmp_path):
    return real_window(tmp_path / "library")


def _open(window):
    menu = window._menus._file
    next(each for each in menu.actions() if each.text() == "Packs of manuals…").trigger()
    return window.packs.dialog


def _button(dialog, name):
    found = [each for each in dialog.findChildren(QPushButton) if each.accessibleName() == name]
    return next((each for each in found if each.isVisible()), None)


def _press(qtbot, parent, name):
    qtbot.waitUntil(lambda: _button(parent, name) is not None)
    _button(parent, name).click()


def _choose(dialog, button, path):
    button.click()
    chooser = dialog.findChild(QFileDialog)
    chooser.filesSelected.emit([str(path)])
    chooser.close()
    chooser.setParent(None)


def _says(qtbot, strip, words):
    qtbot.waitUntil(lambda: any(words in text for text in strip.texts()))


def _trust(qtbot, dialog, company):
    _choose(dialog, dialog.trust, company.key.with_suffix(".pub"))
    _says(qtbot, dialog.notices, "The key company is trusted from now on")


def _attach(qtbot, dialog, company):
    _choose(dialog, dialog.attach, company.pack.root)
    qtbot.waitUntil(lambda: _button(dialog, "Detach: Plant") is not None)


def test_a_pack_is_attached_shown_and_detached(window, company, qtbot):
    dialog = _open(window)
    _choose(dialog, dialog.attach, company.pack.root)
    _says(qtbot, dialog.notices, "which this computer does not trust")
    assert row(window, "Pump") is None
    _trust(qtbot, dialog, company)
    _attach(qtbot, dialog, company)
    _says(qtbot, dialog.notices, "Plant, release 1: 2 added.")
    qtbot.waitUntil(lambda: row(window, "Pump") is not None)
    assert row(window, "Pump").detail.startswith("3 pages")
    assert row(window, "Pump").detail.endswith("pack Plant")
    assert any("2 manuals · 5 pages" in each.text() for each in dialog.findChildren(QLabel))
    _press(qtbot, dialog, "Detach: Plant")
    _says(qtbot, dialog.notices, "kept and come back with them")
    _press(qtbot, dialog.notices, "Detach")
    qtbot.waitUntil(lambda: row(window, "Pump") is None)
    qtbot.waitUntil(lambda: _button(dialog, "Detach: Plant") is None)


def test_a_private_key_is_not_taken_for_the_public_one(window, company, qtbot):
    dialog = _open(window)
    _choose(dialog, dialog.trust, company.key)
    _says(qtbot, dialog.notices, "company.key is the private key, which stays with its owner")


def test_a_manual_of_a_pack_says_why_it_is_not_removed_by_itself(window, company, qtbot):
    dialog = _open(window)
    _trust(qtbot, dialog, company)
    _attach(qtbot, dialog, company)
    dialog.accept()
    qtbot.waitUntil(lambda: row(window, "Pump") is not None)
    pump = next(each.id for each in window._model.records() if each.title == "Pump")
    rows = window.library_panel.rows
    rows.select(pump)
    assert not window.library.can_selected("remove")
    assert not window.library.can_selected("anew")
    rows.wanted.emit("remove", pump)
    strip = window.library_panel.notices
    _says(qtbot, strip, "“Pump” belongs to the pack Plant. A pack's manuals come and go together")
    assert row(window, "Pump") is not None
    _press(qtbot, strip, "Packs…")
    assert dialog.isVisible()
    dialog.accept()
    window.catalogue.show_properties()
    qtbot.waitUntil(lambda: window.findChild(PropertiesDialog) is not None)
    properties = window.findChild(PropertiesDialog)
    assert any(each.text() == "Plant" for each in properties.findChildren(QLabel))
    assert _button(properties, "Read again") is None
    properties.accept()


def test_only_a_part_of_a_pack_is_taken_and_an_update_keeps_to_it(window, company, qtbot):
    dialog = _open(window)
    _trust(qtbot, dialog, company)
    dialog.only.setText("hall 2, turbine")
    _attach(qtbot, dialog, company)
    qtbot.waitUntil(lambda: row(window, "Mixer") is not None)
    assert row(window, "Pump") is None
    company.write("hall 2/valve.pdf", ["The valve."], title="Valve")
    company.release()
    _press(qtbot, dialog, "Update: Plant")
    qtbot.waitUntil(lambda: row(window, "Valve") is not None)
    assert row(window, "Pump") is None


def test_an_expired_pack_is_told_when_the_window_opens(real_window, company, tmp_path, qtbot):
    window = real_window(tmp_path / "library")
    company.release(expires_at=datetime.now(UTC) + timedelta(days=1))
    dialog = _open(window)
    _trust(qtbot, dialog, company)
    _attach(qtbot, dialog, company)
    past = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    window._workspace.database.write(
        lambda c: c.execute("UPDATE packs SET expires_at = ?", (past,))
    )
    window.close()
    window._workspace.close()
    again = real_window(tmp_path / "library")
    _says(qtbot, again.library_panel.notices, "Pack Plant: The pack expired on")
    assert row(again, "Pump") is not None
