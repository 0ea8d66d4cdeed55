from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFontMetrics
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton, QToolButton

from desktop.core.errors import DiskFull
from desktop.core.library.values import (
    DocumentChanged,
    DuplicateFound,
    FileRefused,
    PassProgress,
)
from desktop.ui.design.controls import cut_to_lines
from desktop.ui.library.rows import LibraryRows
from tests.ui.fake_workspace import fake_workspace, manual


def shown_rows(window):
    rows = window.library_panel.rows.model()
    return [rows.index(place, 0).data(LibraryRows.ViewRole) for place in range(rows.rowCount())]


def shown_titles(window):
    return [row.title for row in shown_rows(window)]


def drag(window, *paths, drop=True):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    where = QPoint(700, 400)
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    enter = QDragEnterEvent(where, Qt.DropAction.CopyAction, data, left, none)
    QApplication.sendEvent(window, enter)
    announced = window.overlay.title if window.overlay.isVisible() else ""
    if drop:
        dropped = QDropEvent(where, Qt.DropAction.CopyAction, data, left, none)
        QApplication.sendEvent(window, dropped)
    return announced


def button(window, name, kind=QToolButton):
    return next(each for each in window.findChildren(kind) if each.accessibleName() == name)


def test_a_pdf_dropped_anywhere_is_announced_added_and_becomes_ready(window, qtbot, tmp_path):
    workspace = fake_workspace(tmp_path)
    window.open_workspace(workspace)

    announced = drag(window, Path("/media/usb/pump P-200.pdf"))

    assert announced == "Add “pump P-200.pdf”"
    assert not window.overlay.isVisible()
    qtbot.waitUntil(lambda: shown_titles(window) == ["pump P-200"])
    qtbot.waitUntil(lambda: shown_rows(window)[0].detail == "40 pages")
    assert workspace.ingestion.enqueued == [Path("/media/usb/pump P-200.pdf")]


def test_the_overlay_says_that_other_files_are_not_manuals(window, tmp_path):
    window.open_workspace(fake_workspace(tmp_path))
    assert drag(window, "/tmp/film.mp4", drop=False) == (
        "Groundwork does not read this kind of file"
    )


def test_a_click_into_the_drop_zone_asks_for_files(window, tmp_path, monkeypatch, qtbot):
    window.open_workspace(fake_workspace(tmp_path))
    asked = []
    window.library_panel.add_wanted.connect(lambda: asked.append(1))
    monkeypatch.setattr("desktop.ui.files.choose_files", lambda *_: None)
    zone = window.library_panel.drop_zone
    assert zone.accessibleName()
    qtbot.mouseClick(zone, Qt.MouseButton.LeftButton)
    qtbot.keyClick(zone, Qt.Key.Key_Return)
    assert asked == [1, 1]


@pytest.mark.parametrize("title", ["Pump " * 40, "CM0432_installation_" * 12])
def test_a_title_without_room_ends_in_an_ellipsis(qapp, title):
    font = QApplication.font()
    lines = cut_to_lines(title, font, 160, 3).split("\n")
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert max(QFontMetrics(font).horizontalAdvance(line) for line in lines) <= 160
    assert cut_to_lines("Pump", font, 160, 3) == "Pump"


def test_an_empty_library_offers_to_add_manuals(window, tmp_path):
    window.open_workspace(fake_workspace(tmp_path))
    add = [each for each in window.findChildren(QPushButton) if each.text() == "Add manuals…"]
    assert add
    assert add[0].isVisible()


def test_a_row_shows_pass_pages_and_time_left(window, qtbot, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Techman", "indexing", 1293))
    workspace.ingestion.hold.clear()
    workspace.ingestion.unfinished = True
    workspace.ingestion.script = [PassProgress(1, "text", 812, 1293, 412.0, 42.0)]
    window.open_workspace(workspace)

    qtbot.waitUntil(lambda: "812" in shown_rows(window)[0].detail)
    row = shown_rows(window)[0]
    assert row.detail.replace("\u00a0", " ").replace("\u2060", "") == ("Reading page 812 of 1,293")
    assert row.read == 812 / 1293 / 3
    qtbot.waitUntil(lambda: "Techman" in window.status.work.text())
    workspace.ingestion.hold.set()


def test_unfinished_work_goes_on_by_itself_at_the_start(window, qtbot, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Techman", "indexing"))
    workspace.ingestion.unfinished = True
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: shown_rows(window)[0].detail == "40 pages")
    assert workspace.ingestion.runs == 1


def test_work_enqueued_while_a_run_ends_gets_a_run_of_its_own(window, qtbot, tmp_path):
    workspace = fake_workspace(tmp_path)
    window.open_workspace(workspace)
    drag(window, "/tmp/one.pdf")
    qtbot.waitUntil(lambda: len(shown_titles(window)) == 1)
    drag(window, "/tmp/two.pdf")
    qtbot.waitUntil(lambda: [row.detail for row in shown_rows(window)] == ["40 pages"] * 2)


def test_a_locked_manual_asks_for_its_password_and_unlocks(window, qtbot, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Secret", "needs_password", 0))
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: window.findChildren(QToolButton, "") and _has(window, "Secret"))

    button(window, "Enter the password for Secret").click()
    dialog = window.findChild(QDialog)
    field = dialog.findChild(QLineEdit)
    assert field.echoMode() == QLineEdit.EchoMode.Password
    workspace.ingestion.passwords[1] = "hunter2"
    field.setText("hunter1")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(dialog.fault.isVisible)
    assert dialog.isVisible()  # nobody has to open it again
    assert dialog.fault.text() == "Wrong password"
    assert field.hasFocus() or field.isEnabled()

    field.setText("hunter2")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.findChild(QDialog) is None)
    assert ("unlock", (1, "hunter2")) in workspace.ingestion.calls


def _has(window, title):
    names = [each.accessibleName() for each in window.findChildren(QToolButton)]
    return any(title in name for name in names)


def test_a_failed_manual_says_why_and_can_be_tried_again(window, qtbot, tmp_path):
    broken = manual(1, "Old scan", "failed", 0, reason="The PDF has no pages.")
    workspace = fake_workspace(tmp_path, broken)
    window.open_workspace(workspace)
    assert shown_rows(window)[0].detail == (
        "The PDF has no pages. Try again, or add a better copy of the file."
    )
    qtbot.waitUntil(lambda: _has(window, "Old scan"))
    button(window, "Try Old scan again").click()
    qtbot.waitUntil(lambda: ("retry", 1) in workspace.ingestion.calls)


def test_indexing_one_manual_can_be_stopped_from_its_row(window, qtbot, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Techman", "indexing"))
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: _has(window, "Techman"))
    button(window, "Stop indexing Techman").click()
    qtbot.waitUntil(lambda: shown_rows(window)[0].detail.startswith("Stopped"))


def test_a_refused_file_and_a_duplicate_are_said_in_place(window, qtbot, tmp_path):
    known = manual(1, "Pump")
    workspace = fake_workspace(tmp_path, known)
    workspace.ingestion.unfinished = True
    workspace.ingestion.script = [
        FileRefused(Path("/tmp/<b>photo.jpg"), "It is not a PDF."),
        DuplicateFound(Path("/tmp/copy.pdf"), known),
    ]
    window.open_workspace(workspace)
    notices = window.library_panel.notices
    qtbot.waitUntil(lambda: len(notices.texts()) == 2)
    assert notices.texts() == [
        "<b>photo.jpg was not added: It is not a PDF.",
        "“Pump” is already in the library.",
    ]


def test_a_broken_run_is_explained_and_not_repeated_forever(window, qtbot, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Pump", "indexing"))
    workspace.ingestion.unfinished = True
    workspace.ingestion.failure = DiskFull("full", 50 * 2**20)
    window.open_workspace(workspace)
    notices = window.library_panel.notices
    qtbot.waitUntil(lambda: bool(notices.texts()))
    assert notices.texts()[0].startswith("The disk is full. Free at least 50 MB")
    qtbot.wait(100)
    assert workspace.ingestion.runs == 1


def test_removing_a_manual_can_be_undone(window, qtbot, tmp_path, viewer):
    workspace = fake_workspace(tmp_path, manual(1, "Pump"), manual(2, "Boiler"))
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: viewer() is not None)
    window.library_panel.rows.select(1)
    window.library.do_selected("remove")
    assert shown_titles(window) == ["Boiler"]
    assert viewer().closed == [1]

    button(window, "Undo", QPushButton).click()
    assert shown_titles(window) == ["Boiler", "Pump"]
    window.close()
    assert workspace.library.deleted == []


def test_a_removal_nobody_undid_is_final_when_the_window_closes(window, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Pump"), manual(2, "Boiler"))
    window.open_workspace(workspace)
    window.library_panel.rows.select(1)
    window.library.do_selected("remove")
    window.close()
    assert workspace.library.deleted == [1]


def test_the_filter_narrows_the_list_and_says_when_nothing_matches(window, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Pump"), manual(2, "Boiler"))
    window.open_workspace(workspace)
    window.focus_filter()
    window.library_panel.filter_field.setText("boil")
    assert shown_titles(window) == ["Boiler"]
    window.library_panel.filter_field.setText("zzz")
    assert window.library_panel._no_match.text() == "No manual is called “zzz”."


def test_a_click_and_the_return_key_open_a_manual(window, qtbot, tmp_path, viewer):
    workspace = fake_workspace(tmp_path, manual(1, "Pump"), manual(2, "Boiler"))
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: viewer() is not None)
    rows = window.library_panel.rows
    spot = rows.visualRect(rows.model().index(0, 0)).center()
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    rows.select(1)
    qtbot.keyClick(rows, Qt.Key.Key_Return)
    assert [place[0] for place in viewer().opened] == [2, 1]


def test_a_new_state_of_a_manual_keeps_one_row(window, qtbot, tmp_path):
    first = manual(1, "pump", "indexing")
    workspace = fake_workspace(tmp_path, first)
    workspace.ingestion.unfinished = True
    workspace.ingestion.script = [DocumentChanged(replace(first, title="Pump P-200"))]
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: shown_rows(window)[0].detail == "40 pages")
    assert len(shown_rows(window)) == 1


def test_the_first_manual_of_an_empty_library_opens_once_it_can_be_read(
    window, viewer, qtbot, tmp_path
):
    workspace = fake_workspace(tmp_path)
    queued = manual(1, "Pump", "queued")
    read = replace(queued, state="indexing", done=(1, 0, 0))
    workspace.ingestion.unfinished = True
    workspace.ingestion.script = [
        DocumentChanged(queued),
        DocumentChanged(read),
        DocumentChanged(replace(read, id=2, title="Valve")),
    ]
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: viewer() is not None and bool(viewer().opened))
    assert [place[0] for place in viewer().opened] == [1]


def test_a_scan_says_that_it_can_be_asked_only_when_words_of_it_were_read(window, qtbot, tmp_path):
    scan = manual(1, "Scan", "indexing", done=(40, 0, 0), has_words=False)
    blank = manual(2, "Blank", has_words=False)
    workspace = fake_workspace(tmp_path, scan, blank)
    workspace.ingestion.hold.clear()
    workspace.ingestion.unfinished = True
    workspace.ingestion.script = [PassProgress(1, "layout", 5, 40, 1.0, 35.0)]
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: "Scan" in window.status.work.text())
    said = {row.title: row.detail.replace("\u00a0", " ") for row in shown_rows(window)}
    assert said["Scan"] == "Reading page 5 of 40"
    assert said["Blank"] == "40 pages, no words found"
    assert window.status.ready.text() == "0 of 1 manual read"
    workspace.ingestion.hold.set()


def test_a_manual_that_waits_for_another_one_says_that_it_can_be_asked(window, qtbot, tmp_path):
    waits = manual(1, "Pump", "indexing", done=(40, 0, 0))
    reads = manual(2, "Valve", "indexing", done=(40, 0, 0))
    workspace = fake_workspace(tmp_path, waits, reads)
    workspace.ingestion.hold.clear()
    workspace.ingestion.unfinished = True
    workspace.ingestion.script = [
        PassProgress(1, "text", 40, 40, 66.0, 2.0),
        PassProgress(2, "layout", 5, 40, 1.0, 35.0),
    ]
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: "Valve" in window.status.work.text())
    said = {row.title: row.detail for row in shown_rows(window)}
    assert said["Pump"] == "You can ask now"
    assert said["Valve"].replace("\u00a0", " ") == "You can ask now"
    workspace.ingestion.hold.set()


def covered(window):
    rows = window.library_panel.rows
    return {each.id for each in window._model.records() if rows.cover(each.id) is not None}


def test_rows_in_view_show_the_covers_of_their_manuals_once_they_are_drawn(window, qtbot, tmp_path):
    manuals = [manual(number, f"Manual {number:04}") for number in range(1, 2001)]
    locked = manual(2001, "Aardvark", "needs_password")
    workspace = fake_workspace(tmp_path, locked, *manuals)
    window.open_workspace(workspace)
    rows = window.library_panel.rows
    qtbot.waitUntil(lambda: {1, 2, 3} <= covered(window))
    qtbot.wait(200)
    seen = covered(window)
    assert 2001 not in seen  # its lock says more
    assert len(seen) <= rows.viewport().height() / 50 + 1
    picture = rows.grab().toImage()
    row = rows.visualRect(rows.rows.index(rows.rows.row_of(1)))
    place = QPoint(row.left() + 12 + 12, row.top() + 8 + 6) * rows.devicePixelRatioF()
    assert picture.pixelColor(place).name() == "#ffffff"  # the page that is drawn is white
    rows.scrollToBottom()
    qtbot.waitUntil(lambda: 2000 in covered(window))
    assert len(covered(window)) <= 2 * len(seen) + 2


def test_a_manual_whose_cover_cannot_be_drawn_keeps_its_icon(window, qtbot, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Operator"))
    asked = []

    def draw(path, page, scale, clip=None, password=None):
        asked.append(page)
        raise OSError("gone")

    workspace.parser.draw = draw
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: asked == [0])
    qtbot.waitUntil(lambda: window.library_panel.rows._uncovered == {1})
    window.library_panel.rows._wish_for_covers()
    qtbot.wait(50)
    assert asked == [0]
    assert covered(window) == set()
