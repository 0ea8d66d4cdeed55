"""The real window on the real library: what a person does in their first ten minutes."""

from __future__ import annotations

import gc
import itertools
import shutil
import sys
import tempfile
import weakref

import pymupdf
import pytest
from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QScrollArea,
)
from shiboken6 import isValid

from desktop.app import open_workspace
from desktop.core.settings.sections import Settings
from desktop.ui.asking.report_view import ReportView
from desktop.ui.chat.quoted_card import QuotedTable
from desktop.ui.window.main_window import MainWindow
from tests.ui.fake_workspace import fake_workspace, manual
from tests.ui.real_window import LONG_MS, TORQUE, ask, drop, id_of, open_manual, row, rows


@pytest.fixture(autouse=True)
def copies(tmp_path, monkeypatch):
    """Where copies for other programs are put, so that the tests leave none behind."""
    folder = tmp_path / "copies"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))


def test_files_and_folders_dropped_anywhere_are_taken_in_or_refused_with_a_reason(
    real_window, qtbot, tmp_path
):
    folder = tmp_path / "usb"
    folder.mkdir()
    for name in ("one", "two", "three", "four"):
        with pymupdf.open() as pdf:
            pdf.new_page().insert_text((72, 72), f"Manual {name}")
            pdf.save(tmp_path / f"{name}.pdf")
    with pymupdf.open() as pdf:
        pdf.new_page().insert_text((72, 72), "secret torque 24 Nm")
        pdf.save(folder / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="u")
    (folder / "damaged.pdf").write_bytes(b"%PDF-1.7 and nothing that could be read")
    window = real_window(tmp_path / "library")
    viewer = window.centre._viewer
    field = window.chat.composer.field

    drop(window.library_panel, folder)
    drop(viewer.view.viewport(), tmp_path / "one.pdf")
    drop(viewer.pill.page_field, tmp_path / "two.pdf")
    drop(window.chat, tmp_path / "three.pdf")
    drop(field.viewport(), tmp_path / "four.pdf")

    qtbot.waitUntil(lambda: len(rows(window)) == 6, timeout=LONG_MS)
    qtbot.waitUntil(lambda: all(each.action != "cancel" for each in rows(window)), timeout=LONG_MS)
    assert field.toPlainText() == ""
    assert "two" not in viewer.pill.page_field.text()  # of the first manual, which is open now
    ready = {each.title for each in rows(window) if each.icon == "file-text"}
    assert ready == {"Manual one", "Manual two", "Manual three", "Manual four"}
    assert (row(window, "damaged").tone, row(window, "damaged").action) == ("bad", "retry")
    assert row(window, "damaged").detail
    assert row(window, "locked").action == "unlock"
    assert "All manuals (4)" in window.chat.composer.scope.text()

    # a wrong manual goes, for good once the window closes; the locked one opens
    window._workspace.ingestion.unlock(id_of(window, "locked"), "u")
    window.library.indexing.wake()
    qtbot.waitUntil(
        lambda: sum(each.icon == "file-text" and not each.action for each in rows(window)) == 5,
        timeout=LONG_MS,
    )
    window.library_panel.rows.select(id_of(window, "damaged"))
    window.library.do_selected("remove")
    assert row(window, "damaged") is None


def test_a_folder_is_taken_in_tagged_filtered_and_gone_through_by_keyboard(
    real_window, qtbot, tmp_path
):
    folder = tmp_path / "usb" / "station"
    folder.mkdir(parents=True)
    for mark, torque in (("B", "1.0"), ("C", "1.2")):
        with pymupdf.open() as pdf:
            page = pdf.new_page()
            page.insert_text((72, 90), "Tightening torque", fontsize=18, fontname="hebo")
            page.insert_text((72, 130), f"The torque for terminal X2 is {torque} Nm.")
            page = pdf.new_page()
            page.insert_text((72, 90), "Replacing the battery", fontsize=18, fontname="hebo")
            page.insert_text((72, 130), "Open the cover and lift the battery out of its tray.")
            pdf.set_metadata({"title": f"Pump manual Rev {mark}"})
            pdf.save(folder / f"pump_rev{mark}.pdf")
    shutil.copy(folder / "pump_revC.pdf", folder / "zz_same_again.pdf")
    with pymupdf.open() as pdf:
        pdf.new_page().insert_text((72, 72), "locked away")
        pdf.save(folder / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="u")
    (folder / "damaged.pdf").write_bytes(b"%PDF-1.7 and nothing that could be read")
    window = real_window(tmp_path / "library")
    drop(window.library_panel, tmp_path / "usb")

    # each file is one row that says how it stands, the copy is none; that is told for a while
    qtbot.waitUntil(
        lambda: any(
            "already in the library" in str(each.property("text"))
            for each in window.library_panel.notices.findChildren(QFrame)
        ),
        timeout=LONG_MS,
    )
    qtbot.waitUntil(lambda: len(rows(window)) == 4, timeout=LONG_MS)
    qtbot.waitUntil(
        lambda: sum(each.icon in ("file-text", "info") and each.read is None
                    for each in rows(window)) == 2,
        timeout=LONG_MS,
    )  # fmt: skip
    assert row(window, "locked").action == "unlock"
    assert row(window, "damaged").action == "retry"
    old, new = id_of(window, "revB"), id_of(window, "revC")
    qtbot.waitUntil(lambda: row(window, "Pump manual Rev B").icon == "info", timeout=LONG_MS)

    # the newer revision answers
    turn = ask(window, qtbot, "What is the torque for terminal X2?")
    assert "1.2 Nm" in turn.text
    assert {each.source.document_id for each in turn.citations} == {new}

    # tag two of them, and show those alone
    window.catalogue.edit([old, new])
    dialog = next(each for each in window.findChildren(QDialog) if each.isVisible())
    dialog.tags.line.setText("hall 3")
    qtbot.keyClick(dialog.tags.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window._model.record(old).tags == ("hall 3",))
    window.focus_filter()
    qtbot.keyClicks(window.library_panel.filter_field, "#hall")
    assert {each.title for each in rows(window)} == {"Pump manual Rev B", "Pump manual Rev C"}
    window.library_panel.filter_field.clear()

    # delete, and think better of it
    window.library_panel.rows.select(old)
    qtbot.keyClick(window.library_panel.rows, Qt.Key.Key_Delete)
    assert row(window, "Pump manual Rev B") is None
    window.library.removals.undo()
    assert row(window, "Pump manual Rev B").tags == ("hall 3",)

    # the palette goes to a heading of the newer one
    window.palette_panel.show()
    palette = window.palette_panel.panel
    qtbot.keyClicks(palette.field, "rev c replacing bat")
    qtbot.waitUntil(lambda: palette.model.rowCount() >= 2, timeout=LONG_MS)
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.centre.place() == (new, 1))
    qtbot.waitUntil(lambda: window._model.record(new).used_at != "")


def test_a_question_shows_its_steps_its_page_and_its_region(filled, qtbot):
    viewer, chosen = open_manual(filled, qtbot)
    turn = ask(filled, qtbot)
    assert "1.2 Nm" in turn.text
    qtbot.waitUntil(lambda: filled.centre.place() == (chosen, 8))
    assert viewer.highlight_rects(8)
    assert not viewer.highlight_bar.isVisible()  # a single one needs none over its page
    qtbot.waitUntil(lambda: filled.trace.timeline.finished)
    steps = filled.trace.timeline.steps
    assert [step.title for step in steps[:2]] == ["Searched your manuals", "Quoted the manuals"]
    assert any(step.milliseconds for step in steps)
    assert steps[0].thought
    assert steps[0].inputs == (("searched for", TORQUE),)
    assert steps[0].evidence[0].score
    assert filled.trace.isHidden()
    turn.reasoning.click()
    assert filled.trace.isVisible()

    # the source opens its page again, by Enter and by Space and by the mouse
    source = turn.answer.cards[0].crop
    for press in (
        lambda: qtbot.keyClick(source, Qt.Key.Key_Return),
        lambda: qtbot.keyClick(source, Qt.Key.Key_Space),
        lambda: qtbot.mouseClick(source, Qt.MouseButton.LeftButton),
    ):
        viewer.open_document(chosen, 0)
        assert filled.centre.place() == (chosen, 0)
        press()
        assert filled.centre.place() == (chosen, 8)

    # stepping on one page is no journey: back leaves it at once
    viewer.actions_by_name["next_highlight"].trigger()
    viewer.actions_by_name["back"].trigger()
    assert filled.centre.place() == (chosen, 0)
    viewer.actions_by_name["forward"].trigger()
    assert filled.centre.place() == (chosen, 8)

    # a new conversation leaves the page, but no marks of the old one on it
    filled.conversations.new()
    assert filled.centre.place() == (chosen, 8)
    assert not viewer.highlight_rects(8)


def test_only_the_chosen_manual_is_searched(filled, qtbot):
    operator = id_of(filled, "operator")
    filled.chat.composer.scope.select([operator])
    turn = ask(filled, qtbot)
    places = [each.source.document_id for each in turn.citations]
    places += [each.document_id for each in turn.nearest_pages]
    assert set(places) <= {operator}
    assert "1.2 Nm" not in turn.text


def test_labels_numbers_find_and_copy_work_on_the_scanned_page(filled, qtbot):
    viewer, chosen = open_manual(filled, qtbot)
    field = viewer.pill.page_field
    for typed, page in (("5-1", 14), ("#5", 4), ("5-3", 16)):
        field.setFocus()
        field.selectAll()
        qtbot.keyClicks(field, typed)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert filled.centre.place() == (chosen, page)
    field.setText("99")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert filled.status.message.text() == "There is no page “99” in this manual"

    viewer.actions_by_name["select_page"].trigger()
    qtbot.waitUntil(lambda: viewer.view.overlays.selection is not None)
    QApplication.clipboard().clear()
    viewer.actions_by_name["copy"].trigger()
    qtbot.waitUntil(lambda: "Commissioning checklist" in QApplication.clipboard().text())

    viewer.actions_by_name["find"].trigger()
    qtbot.keyClicks(viewer.find_bar.field, "insulation resistance")
    qtbot.waitUntil(lambda: " of " in viewer.find_bar.count.text())
    assert filled.centre.place() == (chosen, 16)


def test_the_original_leaves_the_library_under_its_own_name(filled, qtbot, monkeypatch):
    opened: list[QUrl] = []

    def take(url: QUrl) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", take)
    monkeypatch.setattr(sys, "platform", "linux")
    chosen = id_of(filled, "operator")
    filled.library.do("original", chosen)
    filled.library.do("reveal", chosen)
    qtbot.waitUntil(lambda: len(opened) == 2)
    file, folder = (url.toLocalFile() for url in opened)
    assert file.endswith("/hx200_operator_manual.pdf")
    assert file.startswith(folder)
    stored = filled._workspace.library.original_path(chosen)
    with open(file, "rb") as copy:
        assert copy.read() == stored.read_bytes()


def test_an_original_that_is_gone_or_cannot_be_shown_is_said(filled, qtbot, monkeypatch):
    notices = filled.library_panel.notices
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    filled.library.do("original", id_of(filled, "operator"))
    qtbot.waitUntil(lambda: len(notices.texts()) == 1)
    assert "could not show hx200_operator_manual.pdf" in notices.texts()[0]
    gone = id_of(filled, "installation")
    filled._workspace.library.original_path(gone).unlink()
    filled.library.do("original", gone)
    qtbot.waitUntil(lambda: len(notices.texts()) == 2)


def test_a_narrow_toolbar_has_no_line_without_a_button_before_it(filled, qtbot):
    viewer, _ = open_manual(filled, qtbot)
    toolbar = viewer.toolbar
    for width in range(320, 900, 20):
        toolbar.resize(width, toolbar.height())
        kinds = [
            isinstance(widget, QFrame)
            for at in range(toolbar.row.count())
            if (widget := toolbar.row.itemAt(at).widget()) and not widget.isHidden()
        ]
        assert not kinds[0]
        assert not any(a and b for a, b in itertools.pairwise(kinds))


def test_a_research_is_read_in_a_tab_and_its_pages_in_those_of_their_manuals(filled, qtbot):
    viewer, before = open_manual(filled, qtbot, "operator")
    viewer.view.go_to_page(2)
    filled.chat.composer.mode.choose("strict")
    turn = ask(filled, qtbot, "Verify whether the torque for terminals X2:1 to X2:6 is 0.6 Nm.")
    assert turn.research.progress.isHidden()
    assert "•" not in turn.text
    assert turn.text.count("1.2 Nm") == 1  # what two statements quote alike is said once
    place = (turn.citations[0].source.document_id, turn.citations[0].source.page)
    qtbot.waitUntil(lambda: filled.centre.place() == place)
    turn.research.report_button.click()
    (report,) = filled.findChildren(ReportView)
    tabs, actions = viewer.tabs, viewer.actions_by_name
    assert report.isVisible()
    assert tabs.count() == 3
    assert tabs.tabText(2) == turn.question
    assert filled.centre.place() is None
    assert not viewer.pill.isVisible()
    assert not actions["find"].isEnabled()
    assert not actions["print"].isEnabled()
    area = report.findChild(QScrollArea)
    qtbot.waitUntil(area.hasFocus)
    filled.resize(filled.width(), 560)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 40)
    area.verticalScrollBar().setValue(40)

    filled.centre.clear_regions()
    (card,) = report.text.cards
    assert "1.2 Nm" in card.findChild(QuotedTable).accessibleName()
    next(iter(card.chips.values())).click()
    qtbot.waitUntil(lambda: filled.centre.place() == place)
    assert viewer.highlight_rects(place[1])
    assert not report.isVisible()
    assert viewer.pill.isVisible()

    tabs.setCurrentIndex(2)
    assert report.isVisible()
    assert area.verticalScrollBar().value() == 40
    report.buttons["report"].setFocus()
    qtbot.keyClick(report.buttons["report"], Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: filled.centre.place() == place)
    qtbot.waitUntil(viewer.view.hasFocus)

    viewer.open_document(before)
    qtbot.waitUntil(lambda: filled.centre.place() == (before, 2))
    tabs.setCurrentIndex(2)
    qtbot.keyClick(report, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: filled.centre.place() == (before, 2))
    qtbot.waitUntil(lambda: not isValid(report))
    assert tabs.count() == 2


def test_the_recorded_reasoning_is_there_after_a_restart(real_window, shelf, qtbot, tmp_path):
    folder = shutil.copytree(shelf, tmp_path / "library")
    first = real_window(folder)
    ask(first, qtbot)
    qtbot.waitUntil(lambda: first.trace.timeline.finished)
    steps = first.trace.timeline.steps
    assert steps
    first.close()
    first._workspace.close()
    second = real_window(folder)
    qtbot.waitUntil(lambda: second.trace.timeline.finished, timeout=LONG_MS)
    assert [step.title for step in second.trace.timeline.steps] == [s.title for s in steps]


def test_a_closed_window_is_let_go_of_though_a_model_was_loaded_beside_it(shelf, qtbot, tmp_path):
    workspace = open_workspace(shutil.copytree(shelf, tmp_path / "library"), settings=Settings())
    window = MainWindow(workspace)
    window.show()
    ask(window, qtbot)  # loads the text model
    window.close()
    workspace.close()
    window.deleteLater()
    QApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)
    gone = weakref.ref(window)
    del window

    def is_let_go_of() -> bool:
        gc.collect()
        return gone() is None

    qtbot.waitUntil(is_let_go_of)  # calls to it may still be on their way


def test_layout_page_and_manual_come_back_after_a_restart(real_window, qtbot, shelf, tmp_path):
    folder = shutil.copytree(shelf, tmp_path / "library")
    first = real_window(folder)
    viewer, chosen = open_manual(first, qtbot)
    viewer.open_document(chosen, 12)
    first.trace.hide()
    workspace = first._workspace
    first.close()
    workspace.close()
    second = real_window(folder)
    qtbot.waitUntil(lambda: second.centre.place() == (chosen, 12))
    assert second.trace.isHidden()


def test_a_ready_manual_says_what_it_lacks(window, tmp_path):
    reason = "Found by words only: the text model is not installed."
    window.open_workspace(fake_workspace(tmp_path, manual(1, "Pump", reason=reason)))
    assert row(window, "Pump").detail == f"40 pages. {reason}"
    index = window.library_panel.rows.model().index(0, 0)
    assert reason in index.data(Qt.ItemDataRole.ToolTipRole)
