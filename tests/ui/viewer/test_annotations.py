"""A person's own highlights and comments, as they are made, found again and taken back."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pymupdf
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from desktop.core.events import PageRegion
from desktop.core.geometry import Box
from desktop.core.library.annotations import Annotation
from desktop.ui.design.tokens import Paper
from desktop.ui.viewer.overlays import Selection, WordPlace
from tests.ui.test_contrast import contrast
from tests.ui.viewer.fakes import FakeLibrary, context_menu

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.ui.viewer.panel import ViewerPanel
    from tests.ui.viewer.fakes import FakeAnnotations

SENTENCE = "Torque of screw S-130 is 24 Nm"


def middle(panel: ViewerPanel, text: str, page: int = 0) -> QPoint:
    """Where a word of a page is in the viewport."""
    words = panel._words.get(1, page)
    assert words is not None
    return panel.view.page_frame(page).rect(words.box(words.texts.index(text))).center().toPoint()


def select(panel: ViewerPanel, qtbot: QtBot, first: str = "Torque", last: str = "Nm") -> None:
    """Drag over the words from one to another."""
    viewport = panel.view.viewport()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=middle(panel, first))
    qtbot.mouseMove(viewport, middle(panel, last))
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=middle(panel, last))


def kept(own_marks: FakeAnnotations) -> list[tuple[str, str, str]]:
    return [(each.pen, each.quote, each.comment) for each in own_marks.kept.values()]


def same(expected: list[tuple[str, str, str]], own_marks: FakeAnnotations) -> bool:
    return kept(own_marks) == expected


def click(panel: ViewerPanel, qtbot: QtBot, word: str) -> None:
    qtbot.mouseClick(
        panel.view.viewport(), Qt.MouseButton.LeftButton, pos=middle(panel, word), delay=1
    )


def listed(panel: ViewerPanel) -> list[str]:
    rows = panel.sidebar.annotations.list
    return [rows.item(row).text() for row in range(rows.count())]


def test_selected_words_offer_four_pens_and_one_click_marks_them(opened, own_marks, qtbot):
    select(opened, qtbot)
    card = opened.annotations.card
    assert card.isVisible()
    assert [pen.accessibleName() for pen in card.pens.values()] == [
        "Green",
        "Orange",
        "Pink",
        "Violet",
    ]
    qtbot.mouseClick(card.pens["pink"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: kept(own_marks) == [("pink", SENTENCE, "")])
    assert not card.isVisible()
    (made,) = own_marks.kept.values()
    assert (made.sha256, made.page) == ("hash of 1", 0)
    qtbot.waitUntil(lambda: len(opened.view.overlays.annotations) == 1)
    frame = opened.view.page_frame(0)
    ground = frame.rect(made.boxes[0]).adjusted(1, 1, -1, -1)
    picture = opened.view.viewport().grab().toImage()
    at = QPointF(ground.left(), ground.top()) * picture.devicePixelRatio()
    assert picture.pixelColor(at.toPoint()).name() == Paper.OWN_PENS["pink"][0]


def test_a_comment_is_written_beside_the_words_and_kept_while_one_writes(opened, own_marks, qtbot):
    select(opened, qtbot, "S-130", "S-130")
    card = opened.annotations.card
    qtbot.mouseClick(card.comment_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: card.field.hasFocus())
    qtbot.keyClicks(card.field, "Seized: needed 30 Nm")
    qtbot.waitUntil(lambda: kept(own_marks) == [("green", "S-130", "Seized: needed 30 Nm")])
    assert card.isVisible()
    qtbot.keyClick(card.field, Qt.Key.Key_Escape)
    assert not card.isVisible()
    assert opened.view.hasFocus()


def test_what_was_written_last_is_kept_when_another_manual_comes(opened, own_marks, qtbot):
    select(opened, qtbot)
    qtbot.keyClick(opened.view, Qt.Key.Key_C)
    qtbot.waitUntil(opened.annotations.card.field.hasFocus)
    qtbot.keyClicks(opened.annotations.card.field, "check")
    opened.open_document(2)
    qtbot.waitUntil(lambda: kept(own_marks) == [("green", SENTENCE, "check")])
    qtbot.waitUntil(lambda: opened.current_location() == (2, 0))
    assert listed(opened) == []
    assert opened.view.overlays.annotations == ()
    opened.open_document(1)
    qtbot.waitUntil(lambda: listed(opened) == [f"check\nPage 1-1 · {SENTENCE}"])


def test_what_was_written_a_moment_before_closing_is_kept_however_busy_the_viewer_is(
    opened, own_marks, qtbot
):
    select(opened, qtbot)
    qtbot.keyClick(opened.view, Qt.Key.Key_C)
    qtbot.waitUntil(opened.annotations.card.field.hasFocus)
    qtbot.waitUntil(lambda: kept(own_marks) == [("green", SENTENCE, "")])
    opened._tasks.run(lambda: time.sleep(0.2))
    qtbot.keyClicks(opened.annotations.card.field, "check")
    opened.shutdown()
    assert kept(own_marks) == [("green", SENTENCE, "check")]


def test_a_click_on_highlighted_words_shows_them_and_changes_pen_and_comment(
    opened, own_marks, qtbot
):
    select(opened, qtbot)
    qtbot.keyClick(opened.view, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: len(opened.annotations.annotations) == 1)
    click(opened, qtbot, "screw")
    card = opened.annotations.card
    assert card.isVisible()
    assert card.pens["green"].isChecked()
    assert card.accessibleName() == f"Highlight: {SENTENCE}"
    qtbot.mouseClick(card.pens["violet"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: kept(own_marks) == [("violet", SENTENCE, "")])
    card.field.setPlainText("oil it")
    qtbot.mouseClick(card.done_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: kept(own_marks) == [("violet", SENTENCE, "oil it")])
    # each step can be taken back with the key, the last one first
    for pen in ("violet", "green"):
        qtbot.keyClick(opened.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        undone = [(pen, SENTENCE, "")]
        qtbot.waitUntil(partial(same, undone, own_marks))
    qtbot.keyClick(opened.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: kept(own_marks) == [])


def test_a_highlight_that_was_removed_comes_back_with_its_comment(opened, own_marks, qtbot):
    select(opened, qtbot)
    qtbot.keyClick(opened.view, Qt.Key.Key_C)
    card = opened.annotations.card
    qtbot.waitUntil(card.field.hasFocus)
    card.field.setPlainText("oil it")
    qtbot.mouseClick(card.remove_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: kept(own_marks) == [])
    qtbot.waitUntil(opened.undo_bar.isVisible)
    assert opened.undo_bar.caption.text() == "Highlight removed"
    qtbot.mouseClick(opened.undo_bar.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: kept(own_marks) == [("green", SENTENCE, "oil it")])
    assert not opened.undo_bar.isVisible()


def test_the_keyboard_alone_selects_highlights_and_finds_again(opened, own_marks, qtbot):
    shift = Qt.KeyboardModifier.ShiftModifier
    opened.view.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left):
        qtbot.keyClick(opened.view, key, shift)
    assert opened.current_location() == (1, 0)
    qtbot.keyClick(opened.view, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: [quote for _, quote, _ in kept(own_marks)] == ["Page 0 Disconnect"])
    opened.actions_by_name["annotations"].trigger()
    rows = opened.sidebar.annotations.list
    qtbot.waitUntil(lambda: rows.count() == 1)
    assert rows.item(0).data(Qt.ItemDataRole.AccessibleTextRole) == (
        "Green: Page 0 Disconnect, Page 1-1"
    )
    opened.view.go_to_page(9)
    rows.setFocus()
    rows.setCurrentRow(0)
    qtbot.keyClick(rows, Qt.Key.Key_F2)
    assert opened.current_location() == (1, 0)
    qtbot.waitUntil(opened.annotations.card.field.hasFocus)
    qtbot.keyClick(opened.annotations.card.field, Qt.Key.Key_Escape)
    rows.setFocus()
    qtbot.keyClick(rows, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: kept(own_marks) == [])
    qtbot.keyClick(rows, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(kept(own_marks)) == 1)


def test_without_a_selection_the_passage_of_the_answer_is_highlighted(opened, own_marks, qtbot):
    words = opened._words.get(1, 0)
    assert words is not None
    at = words.texts.index("Torque")
    boxes = words.line_boxes(at, at + 6)
    opened.show_regions([PageRegion(1, "file.pdf", 0, "1-1", boxes)])
    opened.view.setFocus()
    qtbot.keyClick(opened.view, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: kept(own_marks) == [("green", SENTENCE, "")])
    # again with another pen is another colour, not a second layer
    opened.annotations.highlight("orange")
    qtbot.waitUntil(lambda: kept(own_marks) == [("orange", SENTENCE, "")])


def test_with_nothing_selected_one_is_told_how_to(opened, qtbot):
    with qtbot.waitSignal(opened.status_message) as said:
        opened.actions_by_name["highlight"].trigger()
    assert "Select words first" in said.args[0]


def test_words_over_two_pages_are_highlighted_on_both_and_taken_back_together(
    opened, own_marks, qtbot
):
    opened._selection.select(Selection(WordPlace(0, 7), WordPlace(1, 1)))
    opened.actions_by_name["highlight"].trigger()
    qtbot.waitUntil(lambda: [each.page for each in own_marks.kept.values()] == [0, 1])
    opened.undo()
    qtbot.waitUntil(lambda: kept(own_marks) == [])


def test_the_menu_of_highlighted_words_changes_and_removes_them(opened, own_marks, qtbot):
    select(opened, qtbot)
    opened.actions_by_name["highlight"].trigger()
    qtbot.waitUntil(lambda: len(opened.annotations.annotations) == 1)
    menu = context_menu(opened, middle(opened, "screw"))
    entries = {action.text(): action for action in menu.actions()}
    assert entries["Green"].isChecked()
    entries["Orange"].trigger()
    qtbot.waitUntil(lambda: kept(own_marks) == [("orange", SENTENCE, "")])
    entries["Remove highlight"].trigger()
    qtbot.waitUntil(lambda: kept(own_marks) == [])
    menu.close()


def test_the_sign_of_a_comment_stands_beside_the_page_and_opens_it(opened, own_marks, qtbot):
    (made,) = own_marks.keep(
        [Annotation("hash of 1", 0, (Box(72, 100, 300, 120),), "green", "Page 0", "look here")]
    )
    opened.actions_by_name["fit_page"].trigger()
    opened.annotations.show_document(opened.view.document)
    qtbot.waitUntil(lambda: len(opened.annotations.annotations) == 1)
    frame = opened.view.page_frame(0)
    row = round(frame.rect(made.boxes[0]).center().y())
    beside = QPoint(round(frame.area.left()) - 12, row)
    qtbot.mouseClick(opened.view.viewport(), Qt.MouseButton.LeftButton, pos=beside)
    assert opened.annotations.card.field.toPlainText() == "look here"


def test_the_card_stays_beside_its_words_and_goes_with_them(opened, own_marks, qtbot):
    select(opened, qtbot)
    opened.actions_by_name["comment"].trigger()
    card = opened.annotations.card
    qtbot.waitUntil(card.field.isVisible)
    before = card.y()
    bar = opened.view.verticalScrollBar()
    bar.setValue(bar.value() + 40)
    assert card.y() == before - 40
    assert opened.view.viewport().rect().contains(card.geometry())
    opened.view.go_to_page(8)
    assert not card.isVisible()


def test_what_cannot_be_kept_is_told(opened, own_marks, qtbot):
    own_marks.broken = True
    select(opened, qtbot)
    with qtbot.waitSignal(opened.status_message) as said:
        opened.actions_by_name["highlight"].trigger()
    assert said.args == ["The highlight could not be saved: the library is only read"]


def test_a_copy_with_the_highlights_is_written_and_the_original_is_as_it_was(
    opened, own_marks, manual, tmp_path, qtbot
):
    assert not opened.actions_by_name["save_highlighted"].isEnabled()
    before = manual.read_bytes()
    select(opened, qtbot)
    opened.actions_by_name["comment"].trigger()
    qtbot.waitUntil(opened.annotations.card.field.isVisible)
    opened.annotations.card.field.setPlainText("oil it")
    opened.annotations.close()
    qtbot.waitUntil(lambda: kept(own_marks) == [("green", SENTENCE, "oil it")])
    qtbot.waitUntil(lambda: opened.annotations.annotations[0].comment == "oil it")
    names: list[str] = []

    def choose(name: str, then: Callable[[Path], None]) -> None:
        names.append(name)
        then(tmp_path / "copy.pdf")

    opened.output.choose_file = choose
    with qtbot.waitSignal(
        opened.status_message, check_params_cb=lambda text: text == "Saved as copy.pdf"
    ):
        opened.actions_by_name["save_highlighted"].trigger()
    assert names == ["Pump P-200 with highlights.pdf"]
    assert manual.read_bytes() == before
    with pymupdf.open(tmp_path / "copy.pdf") as pdf:
        page = pdf[0]
        (mark,) = page.annots()
        assert mark.info["content"] == "oil it"


def test_reading_the_manual_again_keeps_the_highlights(show, manual, own_marks, qtbot):
    """The same file comes back as another entry of the library."""
    library = FakeLibrary(manual, manual)
    library.records[2] = replace(library.document(2), sha256="hash of 1")
    panel = show(library)
    select(panel, qtbot)
    panel.actions_by_name["highlight"].trigger()
    qtbot.waitUntil(lambda: len(own_marks.kept) == 1)
    panel.close_document(1)
    panel.open_document(2)
    qtbot.waitUntil(lambda: listed(panel) == [f"{SENTENCE}\nPage 1-1"])


@pytest.mark.parametrize("pen", list(Paper.OWN_PENS))
def test_black_words_are_read_through_every_pen(pen):
    fill, ink = Paper.OWN_PENS[pen]
    assert contrast("#000000", fill) >= 7
    assert contrast(ink, "#ffffff") >= 4.5
