"""The page of what Groundwork knows, over real files in a library's folder."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QPushButton,
)

from desktop.core.library.domains import is_untouched, proposal_text
from desktop.core.settings.file import settings_file
from desktop.ui.domains.page import ABOUT, NEW, domain_key, file_key
from knowledge.domain_shelf import domain_toml, read_domain, write_domain_file
from tests.ui.domains.take_pictures import BOILER, PUMP, SHELF
from tests.ui.fake_workspace import fake_workspace, manual

PROPOSED, OWN, BUILT_IN = map(domain_key, ("p-200-pump", "boiler", "thorguard"))


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "domains"
    write_domain_file(folder / "p-200-pump.toml", proposal_text(PUMP))
    write_domain_file(folder / "boiler.toml", domain_toml(BOILER))
    return folder


@pytest.fixture
def workspace(window, tmp_path, folder, qtbot):
    workspace = fake_workspace(tmp_path, *SHELF)
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: bool(window.library_panel.notices.texts()))
    return workspace


@pytest.fixture
def page(window, workspace):
    window.domains.show_page()
    return window.domains.page


def test_what_a_language_model_is_told_is_folded_away_until_it_is_wanted(page):
    page.go_to(OWN)
    form = page.editor.form
    assert form.fields["title"].isVisible()
    assert not form.fields["description"].isVisible()
    form.advanced.button.click()
    assert form.fields["description"].isVisible()


def fields(page):
    return page.editor.form.fields


def type_into(field, text):
    editor = field.editor
    editor.setText(text) if isinstance(editor, QLineEdit) else editor.setPlainText(text)


def press(page, name):
    named = [b for b in page.findChildren(QPushButton) if b.accessibleName() == name]
    button = next(b for b in named if b.isVisible())
    assert button.isEnabled()
    button.click()


def faults(page):
    QApplication.processEvents()  # new cards are shown by the event loop
    return [
        label.text()
        for label in page.findChildren(QLabel)
        if label.property("tone") == "bad" and label.isVisible()
    ]


def test_every_domain_of_a_manual_is_listed_with_where_it_comes_from(page):
    rows = [f"{view.title}: {view.detail}" for view in page.entries.views()]
    assert rows == [
        "About you and this place: Included with every question",
        "P-200 Pump: Please check · 2 manuals",
        "Boiler B7: Yours · 1 manual",
        "ThorGuard Intruder Alarm System: Built in · 1 manual",
    ]


def test_a_new_proposal_is_told_once_and_can_be_checked(window, workspace, qtbot, tmp_path):
    notices = window.library_panel.notices
    assert notices.texts() == [
        "Suggested product: “P-200 Pump”, with a manual for installers and one for operators"
    ]
    next(b for b in notices.findChildren(QPushButton) if b.text() == "Check it").click()
    page = window.domains.page
    assert page.isVisible()
    assert page.entries.key == PROPOSED
    assert fields(page)["title"].text == "P-200 Pump"

    window.domains.look()
    qtbot.wait(50)
    assert notices.texts() == []


def test_many_new_proposals_are_told_in_one_sentence(window, tmp_path, qtbot):
    for number in range(3):
        changed = PUMP.model_copy(update={"name": f"p{number}", "title": f"Pump {number}"})
        profiles = tuple(
            PUMP.manuals[0].model_copy(update={"patterns": (f"m{number}-{half}.pdf",)})
            for half in range(2)
        )
        changed = changed.model_copy(update={"manuals": profiles})
        path = tmp_path / "domains" / f"p{number}.toml"
        write_domain_file(path, proposal_text(changed))
    shelf = [
        manual(1 + 2 * n + half, f"M{n}-{half}", name=f"m{n}-{half}.pdf")
        for n in range(3)
        for half in range(2)
    ]
    window.open_workspace(fake_workspace(tmp_path, *shelf))
    notices = window.library_panel.notices
    qtbot.waitUntil(lambda: notices.texts() == ["Suggested products: 3, each with several manuals"])


def test_what_was_read_of_a_single_manual_is_no_news(window, tmp_path, qtbot):
    alone = PUMP.model_copy(update={"manuals": PUMP.manuals[:1]})
    write_domain_file(tmp_path / "domains" / "p.toml", proposal_text(alone))
    name = PUMP.manuals[0].patterns[0].replace("*", "")
    window.open_workspace(fake_workspace(tmp_path, manual(1, "Pump", name=name)))
    qtbot.waitUntil(lambda: window.domains._known is not None)
    assert window.library_panel.notices.texts() == []


def test_a_proposal_that_is_right_is_accepted_with_one_press(page, folder, qtbot):
    assert page.entries.key == PROPOSED
    press(page, "Accept")
    qtbot.waitUntil(lambda: not is_untouched(folder / "p-200-pump.toml"))
    assert not read_domain(folder / "p-200-pump.toml").proposed
    qtbot.waitUntil(lambda: "P-200 Pump: Yours · 2 manuals" in spoken(page))


def spoken(page):
    return [f"{view.title}: {view.detail}" for view in page.entries.views()]


def test_what_is_corrected_is_saved_as_toml(page, folder, qtbot):
    page.go_to(OWN)
    type_into(fields(page)["title"], "Boiler B7 (old)")
    type_into(fields(page)["units"], "bar, °C")
    type_into(fields(page)["glossary"], "setpoint = wanted temperature, Sollwert\nburner")
    card = page.editor.form.cards[0]
    type_into(card.fields["use_for"], "How do I light...\nWhy does it...")
    type_into(card.fields["audience"], "Heating engineers")
    press(page, "Save")
    qtbot.waitUntil(lambda: read_domain(folder / "boiler.toml").title == "Boiler B7 (old)")
    saved = read_domain(folder / "boiler.toml")
    assert saved.units == ("bar", "°C")
    assert saved.glossary["burner"] == ()
    assert saved.manuals[0].use_for == ("How do I light...", "Why does it...")
    assert saved.manuals[0].audience == "Heating engineers"
    qtbot.waitUntil(lambda: "Boiler B7 (old): Yours · 1 manual" in spoken(page))
    assert page.notices.texts() == ["“Boiler B7 (old)” saved. Applies from the next question."]


def test_what_is_wrong_is_said_beside_the_field_and_nothing_is_saved(page, folder, qtbot):
    page.go_to(OWN)
    before = (folder / "boiler.toml").read_text("utf-8")
    type_into(fields(page)["title"], "")
    type_into(page.editor.form.cards[0].fields["patterns"], " ")
    press(page, "Save")
    assert faults(page) == ["Give the product a name.", "Name the file or title you mean."]
    qtbot.wait(30)
    assert (folder / "boiler.toml").read_text("utf-8") == before

    type_into(fields(page)["title"], "Boiler")
    assert faults(page) == []


def test_a_built_in_one_is_changed_as_a_copy_and_can_be_had_back(page, folder, qtbot):
    page.go_to(BUILT_IN)
    assert not page.editor.delete.isVisible()
    assert not page.editor.save.isEnabled()
    type_into(fields(page)["important"], "Ask Anna first.")
    press(page, "Save")
    qtbot.waitUntil((folder / "thorguard.toml").exists)
    qtbot.waitUntil(lambda: page.editor.delete.isVisible())
    press(page, "Reset to built-in")
    qtbot.waitUntil(lambda: not (folder / "thorguard.toml").exists())
    qtbot.waitUntil(lambda: "ThorGuard Intruder Alarm System: Built in · 1 manual" in spoken(page))


def test_deleting_ones_own_can_be_undone(page, folder, qtbot):
    page.go_to(OWN)
    before = (folder / "boiler.toml").read_text("utf-8")
    press(page, "Delete")
    qtbot.waitUntil(lambda: page.notices.texts() == ["Deleted “Boiler B7”."])
    assert not (folder / "boiler.toml").exists()
    press(page.notices, "Undo")
    qtbot.waitUntil((folder / "boiler.toml").exists)
    assert (folder / "boiler.toml").read_text("utf-8") == before


def test_a_new_product_begins_with_the_manuals_that_nobody_described(page, folder, qtbot):
    press(page, "New…")
    (card,) = page.editor.form.cards
    assert card.covers.text() == "In this library: “RS-485 handbook”"
    press(page, "Save")
    assert faults(page) == ["Give the product a name."]
    type_into(fields(page)["title"], "RS-485 bus")
    press(page, "Save")
    qtbot.waitUntil((folder / "rs-485-bus.toml").exists)
    qtbot.waitUntil(lambda: "RS-485 bus: Yours · 1 manual" in spoken(page))
    assert page.entries.key == domain_key("rs-485-bus")


def test_a_new_product_can_be_given_up(page):
    press(page, "New…")
    assert NEW in page.entries.all_keys()
    press(page, "Delete")
    assert NEW not in page.entries.all_keys()


def test_manuals_are_added_and_left_out(page, folder, qtbot):
    page.go_to(OWN)
    press(page, "Add a manual")
    card = page.editor.form.cards[1]
    type_into(card.fields["patterns"], "rs-485*")
    assert card.covers.text() == "In this library: “RS-485 handbook”"
    page.editor.form.cards[0].remove.click()
    press(page, "Save")
    qtbot.waitUntil(lambda: read_domain(folder / "boiler.toml").manuals[0].patterns == ("rs-485*",))


def test_a_broken_file_is_shown_with_its_reason_and_opens(
    window, workspace, folder, qtbot, monkeypatch
):
    opened = []

    def open_with_system(path):
        opened.append(path)
        return True

    monkeypatch.setattr("desktop.ui.domains.controller.open_with_system", open_with_system)
    path = folder / "notes.toml"
    path.write_text('title = "Crane', "utf-8")
    window.domains.look()
    window.domains.show_page()
    page = window.domains.page
    qtbot.waitUntil(lambda: file_key("notes.toml") in page.entries.all_keys())
    page.go_to(file_key("notes.toml"))
    assert page.broken.reason.text().startswith("It is not valid TOML: ")
    press(page, "Open file")
    assert opened == [path]

    path.write_text('title = "Crane"\n[[manuals]]\npatterns = ["crane*"]\n', "utf-8")
    QApplication.sendEvent(page, QEvent(QEvent.Type.WindowActivate))
    qtbot.waitUntil(lambda: "Crane: Yours · no manual here" in spoken(page))


def test_what_is_not_saved_stays_while_one_looks_elsewhere(page, qtbot):
    page.go_to(OWN)
    type_into(fields(page)["description"], "Half a sent")
    assert "Boiler B7: Not saved yet" in spoken(page)
    page.go_to(BUILT_IN)
    page.close()
    page.go_to(OWN)
    assert fields(page)["description"].text == "Half a sent"
    page.editor.revert.click()
    assert fields(page)["description"].text == ""
    assert "Boiler B7: Yours · 1 manual" in spoken(page)


def test_what_is_not_saved_when_the_window_closes_is_saved_then(window, page, folder):
    page.go_to(OWN)
    type_into(fields(page)["description"], "The old one in the cellar.")
    window.close()
    assert read_domain(folder / "boiler.toml").description == "The old one in the cellar."


def test_looking_again_does_not_disturb_what_is_being_written(window, page, qtbot):
    page.go_to(OWN)
    editor = fields(page)["description"].editor
    editor.setFocus()
    editor.setPlainText("Being written")
    window.domains.look()
    qtbot.wait(80)
    assert editor is fields(page)["description"].editor
    assert editor.toPlainText() == "Being written"


def test_what_a_person_tells_is_kept_in_the_settings_and_told_at_once(window, workspace, qtbot):
    window.domains.show_page(ABOUT)
    page = window.domains.page
    assert not page.about.save.isEnabled()
    page.about.you.editor.setPlainText("An electrician.")
    page.about.place.editor.setPlainText("Outdoors.")
    press(page, "Save")
    assert workspace.settings.agent.user_profile == "An electrician."
    qtbot.waitUntil(settings_file().exists)
    qtbot.waitUntil(lambda: bool(page.notices.texts()))
    agent = json.loads(settings_file().read_text("utf-8"))["agent"]
    assert (agent["user_profile"], agent["context"]) == ("An electrician.", "Outdoors.")
    assert not page.about.save.isEnabled()


def test_more_than_the_agent_reads_is_not_taken(window, workspace):
    window.domains.show_page(ABOUT)
    page = window.domains.page
    page.about.you.editor.setPlainText("x" * 2_001)
    assert faults(page) == ["This is longer than 2,000 characters."]
    assert not page.about.save.isEnabled()


def test_the_menu_and_its_keys_open_the_page(window, workspace):
    action = next(a for a in window.findChildren(QAction) if a.text() == "What Groundwork knows…")
    assert action.shortcut().toString() == "Ctrl+Shift+K"
    action.trigger()
    assert window.domains.page.isVisible()


def test_markup_in_titles_is_only_text(window, tmp_path, qtbot):
    rude = BOILER.model_copy(update={"title": "<img src=x> & <b>Boiler</b>"})
    write_domain_file(tmp_path / "domains" / "boiler.toml", domain_toml(rude))
    window.open_workspace(fake_workspace(tmp_path, *SHELF))
    qtbot.waitUntil(lambda: window.domains._known is not None)
    window.domains.show_page(OWN)
    page = window.domains.page
    assert "<img src=x> & <b>Boiler</b>" in [label.text() for label in page.findChildren(QLabel)]
    formats = {label.textFormat() for label in page.findChildren(QLabel)}
    assert formats == {Qt.TextFormat.PlainText}
