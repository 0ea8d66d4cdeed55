from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QWidget

from desktop.core.diagnostics.licences import Part
from desktop.ui.window.help import LicencesDialog, about_dialog


def test_about_leads_to_the_licences_of_every_part(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    about = about_dialog(window)
    about.show()
    button = next(b for b in about.findChildren(QPushButton) if b.text().startswith("Licences"))
    button.click()
    licences = about.findChild(LicencesDialog)
    assert licences is not None
    assert licences.list.count() > 50
    assert licences.list.item(0).text().startswith("groundwork ")
    assert "AGPL-3.0-or-later" in licences.wording.toPlainText()
    about.close()


def test_a_licence_is_shown_as_the_plain_text_it_is(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = LicencesDialog(parent, [Part("odd", "1", "<b>MIT</b>", "<i>x</i>", False)])
    assert "Licence: <b>MIT</b>" in dialog.wording.toPlainText()
    assert "In Groundwork: <i>x</i>" in dialog.wording.toPlainText()
    dialog.close()
