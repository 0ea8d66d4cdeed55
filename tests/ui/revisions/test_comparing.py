"""Comparing two manuals in the window: begun in the library, both pages marked, saved, left."""

from __future__ import annotations

import pytest

from desktop.ui.library.lists import manual_menu, several_menu
from tests.core.revisions.test_changes import STEPS, TORQUES, pages
from tests.fakes.bookcase import bookcase_at
from tests.ui.real_window import row


@pytest.fixture
def window(real_window, tmp_path, qtbot):
    torques = (TORQUES[0], ("Housing lid", "1.5 Nm", "PZ 2"), *TORQUES[2:])
    with bookcase_at(tmp_path) as bookcase:
        for mark, sheets in (("A", pages()), ("B", pages(torques=torques, steps=STEPS[:3]))):
            title = f"HX-200 service manual Rev {mark}"
            bookcase.add(f"pump_rev_{mark}.pdf", sheets, title=title)
        bookcase.add("other.pdf", pages(remark="Keep the housing clean."), title="Boiler")
        bookcase.library.read_sources()
    return real_window(tmp_path / "library")


def compare(window, qtbot, title="HX-200 service manual Rev A"):
    """Choose it in the menu of a manual, and wait for the list."""
    rows = window.library_panel.rows
    view = row(window, title)
    chosen = next(r.id for r in window._model.records() if r.title == title)
    menu = manual_menu(window.library_panel, view, lambda name: rows.wanted.emit(name, chosen))
    text = "Compare with the other revision"
    next(entry for entry in menu.actions() if entry.text() == text).trigger()
    panel = window.revisions.panel
    qtbot.waitUntil(lambda: panel.state == "2 changes")
    return panel


def titles(panel):
    return [view.title for view in panel.list.views()]


def test_changes_are_listed_by_groups_and_shown_on_both_pages(window, qtbot):
    panel = compare(window, qtbot)
    assert panel.isVisible()
    assert titles(panel) == [
        "Values (1)",
        "1.2 Nm → 1.5 Nm",
        "Steps (1)",
        "4. Press the new filter in until it clicks.",
    ]
    panel.step(1)
    left, right = window.centre._viewer, window.centre.beside
    qtbot.waitUntil(lambda: left.current_location() == (1, 2))
    qtbot.waitUntil(lambda: right.current_location() == (2, 2))
    assert left.highlight_rects(2)
    assert right.highlight_rects(2)
    panel.step(1)  # what was removed is marked in the old one only
    qtbot.waitUntil(lambda: left.current_location() == (1, 1))
    assert left.highlight_rects(1)
    assert not right.highlight_rects(2)


def test_a_group_folds_and_unfolds(window, qtbot):
    panel = compare(window, qtbot, "HX-200 service manual Rev B")
    panel.list.chosen.emit("group:value")
    assert titles(panel)[:2] == ["Values (1)", "Steps (1)"]
    panel.list.chosen.emit("group:value")
    assert titles(panel)[1] == "1.2 Nm → 1.5 Nm"


def test_any_two_manuals_can_be_compared_and_one_without_revision_offers_nothing(window, qtbot):
    rows = window.library_panel.rows
    menu = several_menu(rows, 2, lambda name: rows.several_wanted.emit(name, [1, 3]))
    next(e for e in menu.actions() if e.text() == "Compare these two manuals").trigger()
    panel = window.revisions.panel
    qtbot.waitUntil(lambda: panel.state == "One change")
    menu = manual_menu(window.library_panel, row(window, "Boiler"), lambda _: None)
    assert not [entry for entry in menu.actions() if entry.text().startswith("Compare")]


def test_the_list_closes_and_the_pages_stay(window, qtbot):
    panel = compare(window, qtbot)
    panel.close_button.click()
    qtbot.waitUntil(panel.isHidden)
    assert window.centre.beside is not None
    window.notes.toggle()
    qtbot.waitUntil(lambda: window.notes.is_open)
    compare(window, qtbot)
    assert not window.notes.is_open  # there is room for one of them


def test_the_report_is_saved_where_one_says(window, qtbot, tmp_path):
    panel = compare(window, qtbot)
    window.revisions._save(window.revisions._comparison, tmp_path / "changes.md")
    qtbot.waitUntil(lambda: any("changes.md" in text for text in panel.notices.texts()))
    assert "1.2 Nm → 1.5 Nm" in (tmp_path / "changes.md").read_text("utf-8")
