"""Tags, trust, revisions, order and properties of manuals, as a person meets them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
)

from desktop.core.events import PageRegion
from desktop.core.library.values import PageRecord
from desktop.ui.library.catalogue import CatalogueController
from desktop.ui.library.model import row_view
from desktop.ui.library.properties import PropertiesDialog, SourceDialog
from desktop.ui.library.rows import LibraryRows
from tests.ui.fake_workspace import fake_workspace, manual

SHELF = (
    manual(1, "Boiler B7", tags=("boiler", "hall 3"), added_at="2026-01-02", pages=10),
    manual(2, "Pump P-200", tags=("pump",), added_at="2026-01-03", pages=30, revision="Rev B"),
    manual(3, "Pump P-200 Rev C", added_at="2026-01-01", pages=20, revision="Rev C"),
    manual(4, "Bulletin 12", tier=2, source_type="bulletin", pages=4),
    manual(5, "Training", tier=3, source_type="training", tags=("Pump",), pages=4),
    manual(6, "Display", pages=46),
)


def test_a_row_says_whose_a_manual_is_only_where_that_is_known():
    unknown = replace(manual(7, "Unknown"), tier=5, source_type="unverified")
    assert row_view(unknown, {}).detail == row_view(manual(8, "Maker's"), {}).detail
    assert "Training" in row_view(SHELF[4], {}).detail


@pytest.fixture
def shelf(window, tmp_path):
    window.open_workspace(fake_workspace(tmp_path, *SHELF))
    return window


def titles(window):
    rows = window.library_panel.rows.rows
    return [rows.index(at).data() for at in range(rows.rowCount())]


def row(window, id_):
    return window._model.view(id_)


def filter_by(window, text):
    window.library_panel.filter_field.setText(text)
    return titles(window)


def tick(window, text):
    """Tick an entry of the menu beside the filter."""
    menu = window.library_panel.choice_button.menu()
    menu.aboutToShow.emit()
    next(each for each in menu.actions() if each.text() == text).trigger()


def dialog_of(window, kind, qtbot):
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(kind)))
    return next(each for each in window.findChildren(kind) if each.isVisible())


def press(dialog, text):
    next(b for b in dialog.findChildren(QPushButton) if b.text() == text).click()


def test_the_filter_finds_words_in_any_order_and_tags_and_kinds(shelf):
    assert filter_by(shelf, "p-200 pump") == ["Pump P-200", "Pump P-200 Rev C"]
    assert filter_by(shelf, "#pump") == ["Pump P-200", "Training"]
    assert filter_by(shelf, "bulletin") == ["Bulletin 12"]
    assert filter_by(shelf, "rev c") == ["Pump P-200 Rev C"]
    assert len(filter_by(shelf, "  ")) == 6


def test_tags_and_trust_are_ticked_beside_the_filter(shelf):
    button = shelf.library_panel.choice_button
    tick(shelf, "pump")
    assert titles(shelf) == ["Pump P-200", "Training"]
    tick(shelf, "3 · Training material")
    assert titles(shelf) == ["Training"]
    assert button.accessibleName() == "Sort and filter: 2 ticked"
    filter_by(shelf, "boiler")
    assert not shelf.library_panel.rows.isVisible()
    press(shelf.library_panel, "Show all manuals")
    assert len(titles(shelf)) == 6
    assert shelf.library_panel.filter_field.text() == ""
    assert button.accessibleName() == "Sort and filter"


def test_manuals_stand_in_the_order_that_was_chosen_also_next_time(shelf, qtbot, tmp_path):
    tick(shelf, "Most pages")
    assert titles(shelf)[:3] == ["Display", "Pump P-200", "Pump P-200 Rev C"]
    tick(shelf, "Added last")
    assert titles(shelf)[:2] == ["Pump P-200", "Boiler B7"]
    shelf.centre.manual_in_view.emit(4)
    qtbot.waitUntil(lambda: shelf._model.record(4).used_at != "")
    tick(shelf, "Used last")
    assert titles(shelf)[0] == "Bulletin 12"

    again = CatalogueController(shelf.library_panel, shelf._model, shelf.centre, shelf)
    shelf.library_panel.choose(replace(shelf.library_panel.rows.rows.choice, order="name"))
    shelf.catalogue.memory.library_order = "pages"
    again.open_workspace(shelf._workspace)
    assert titles(shelf)[0] == "Display"
    again.close()


def test_an_older_revision_says_so_in_its_row_and_where_it_is_cited(shelf):
    assert row(shelf, 2).detail.startswith("Older revision; Rev C is here")
    assert "Rev C" in row(shelf, 3).detail
    assert not row(shelf, 3).detail.startswith("Older")
    cited = shelf._title_of(PageRegion(2, "pump.pdf", 0, "1", ()))
    assert cited == "Pump P-200 (older revision, Rev C is here)"
    assert shelf._title_of(PageRegion(3, "pump.pdf", 0, "1", ())) == "Pump P-200 Rev C"
    tick(shelf, "Leave out older revisions")
    assert "Pump P-200" not in titles(shelf)

    # the newer one goes: the older one is the newest there is
    shelf._model.hide(3)
    assert not row(shelf, 2).detail.startswith("Older")
    assert "Pump P-200" in titles(shelf)


def test_tags_trust_and_revision_of_a_manual_are_edited_and_undone(shelf, qtbot):
    shelf.library_panel.rows.select(6)
    shelf.catalogue.edit_selected()
    dialog = dialog_of(shelf, SourceDialog, qtbot)
    qtbot.keyClicks(dialog.tags.line, "display, #hall 3, Display")
    dialog.tier.setCurrentIndex(dialog.tier.findData(5))
    dialog.date.setText("in May")
    press(dialog, "OK")
    assert dialog.isVisible()  # it says what is wrong with the date, and stays
    dialog.date.setText("2026-05")
    press(dialog, "OK")
    qtbot.waitUntil(lambda: shelf._model.record(6).tags == ("display", "hall 3"))
    record = shelf._model.record(6)
    assert (record.tier, record.revision_date) == (5, "2026-05")
    assert row(shelf, 6).tags == ("display", "hall 3")
    press(shelf.library_panel.notices, "Undo")
    qtbot.waitUntil(lambda: shelf._model.record(6).tags == ())
    assert (shelf._model.record(6).tier, shelf._model.record(6).revision_date) == (1, "")


def test_several_manuals_get_tags_and_lose_others_and_keep_the_rest(shelf, qtbot):
    shelf.catalogue.edit([1, 2, 5])
    dialog = dialog_of(shelf, SourceDialog, qtbot)
    assert dialog.tier.currentData() == 0
    dialog.tags.line.setText("urgent, boiler")
    dialog.fewer_tags.choose("pump")
    press(dialog, "OK")
    qtbot.waitUntil(lambda: "urgent" in shelf._model.record(5).tags)
    assert shelf._model.record(1).tags == ("boiler", "hall 3", "urgent")
    assert shelf._model.record(2).tags == ("urgent", "boiler")
    assert shelf._model.record(5).tags == ("urgent", "boiler")
    assert [shelf._model.record(each).tier for each in (1, 2, 5)] == [1, 1, 3]


def test_the_rules_can_be_asked_again(shelf, qtbot):
    shelf.catalogue.edit([5])
    press(dialog_of(shelf, SourceDialog, qtbot), "Let the rules decide again")
    qtbot.waitUntil(lambda: shelf._model.record(5).tier == 1)


def test_properties_tell_what_is_known_and_open_a_page_that_failed(shelf, qtbot, viewer):
    def page(number, *passes, reason=""):
        return PageRecord(number, f"4-{number}", 9.0, 9.0, passes, reason, False, False)

    done = ("done", "done", "done")
    shelf._workspace.library.pages = lambda _id: [
        page(0, *done),
        page(1, "done", "failed", "pending", reason="It took too long."),
        page(2, "done", "pending", "pending"),
    ]
    qtbot.waitUntil(lambda: viewer() is not None)
    shelf.catalogue.show_properties(4)
    dialog = dialog_of(shelf, PropertiesDialog, qtbot)
    said = " ".join(each.accessibleName() for each in dialog.findChildren(QLabel))
    for part in ("bulletin-12.pdf", "2 · Bulletin or company procedure"):
        assert part in said
    lines = {each.accessibleName(): each.text() for each in dialog.findChildren(QLineEdit)}
    assert lines["SHA-256"] == shelf._model.record(4).sha256  # whole, to be copied
    assert lines["Original"].endswith("4.pdf")
    shown = [each.text() for each in dialog.findChildren(QLabel)]
    assert "4 pages · 1 ready · 1 found by their words · 1 waiting · 1 not fully read" in shown
    assert dialog.problems.item(0).text() == "Page 4-1: It took too long."
    dialog.problems.setFocus()
    dialog.problems.itemActivated.emit(dialog.problems.item(0))
    assert viewer().opened[-1] == (4, 1)


def test_a_manual_can_be_read_again_from_its_first_page(shelf, qtbot):
    assert shelf.library.can("anew", 6)
    shelf.library_panel.rows.select(6)
    shelf.library.do_selected("anew")
    qtbot.waitUntil(lambda: ("anew", 6) in shelf._workspace.ingestion.calls)


def test_a_view_of_the_model_is_the_one_of_the_rows(shelf):
    rows = shelf.library_panel.rows.rows
    for at in range(rows.rowCount()):
        assert rows.view_at(at)[0] is rows.index(at).data(LibraryRows.ViewRole)


def test_the_dialogs_are_worked_by_keyboard_and_every_control_has_a_name(shelf, qtbot):
    shelf._workspace.library.pages = lambda _id: []
    shelf.catalogue.edit([1])
    shelf.catalogue.edit([1, 2])
    shelf.catalogue.show_properties(1)
    qtbot.waitUntil(lambda: shelf.findChildren(PropertiesDialog) != [])
    dialogs = [*shelf.findChildren(SourceDialog), *shelf.findChildren(PropertiesDialog)]
    assert len(dialogs) == 3
    # the list of problems, of which there are none, is no window of its own
    assert not [each for each in QApplication.topLevelWidgets() if isinstance(each, QListWidget)]
    for dialog in dialogs:
        kinds = (QAbstractButton, QLineEdit, QComboBox, QListWidget)
        controls = [each for kind in kinds for each in dialog.findChildren(kind)]
        shown = [each for each in controls if each.isVisible()]
        assert len(shown) >= 4
        assert [each for each in shown if not each.accessibleName()] == []
        assert [each for each in shown if not each.focusPolicy() & Qt.FocusPolicy.TabFocus] == []
