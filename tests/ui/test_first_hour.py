"""The first hour with Groundwork, in the real window on the real library."""

from __future__ import annotations

import itertools
import shutil

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QToolButton

from desktop.ui.library import controller
from tests.fakes.manuals import TERMINALS, excerpt
from tests.ui.reach import Survey
from tests.ui.real_window import LONG_MS, TORQUE, ask, drop, id_of, rows

BATTERY = "How is the internal battery G1 replaced?"
DROPS = "How many drops per minute may a mechanical seal lose?"
PRESSES = 400


def again_button(turn):
    return next(b for b in turn.findChildren(QToolButton) if b.accessibleName() == "Answer again")


def press_until(window, qtbot, wanted, key=Qt.Key.Key_Tab):
    """Press a key, mostly Tab, until the keyboard is there."""
    for _ in range(PRESSES):
        if wanted(window.focusWidget()):
            return
        qtbot.keyClick(window.focusWidget(), key)
    raise AssertionError("the keyboard did not get there")


def test_from_the_first_page_to_the_cited_page_by_keyboard_alone(
    real_window, qtbot, tmp_path, monkeypatch
):
    samples = [excerpt(tmp_path / f"{page}.pdf", page) for page in (0, TERMINALS)]  # 2 of 38
    monkeypatch.setattr(controller, "sample_manuals", lambda: samples)
    window = real_window(tmp_path / "library")
    window.activateWindow()
    qtbot.waitUntil(lambda: window.isActiveWindow())
    page = window.welcome.page
    qtbot.waitUntil(lambda: window.focusWidget() is page.add)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    assert window.focusWidget().accessibleName() == "Open the sample manuals"
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Return)

    # they can be asked as soon as they are read, the question is a key away
    qtbot.waitUntil(
        lambda: len(rows(window)) == 2 and all(each.action == "" for each in rows(window)),
        timeout=4 * LONG_MS,
    )
    qtbot.keyClick(
        window.focusWidget() or window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier
    )
    field = window.chat.composer.field
    assert window.focusWidget() is field
    qtbot.keyClicks(field, TORQUE)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    turn = window.chat.turns[-1]
    qtbot.waitUntil(lambda: not turn.running, timeout=LONG_MS)
    assert "1.2 Nm" in turn.text

    # and Tab leads to the source, Enter to its page
    source = turn.answer.cards[0].crop
    press_until(window, qtbot, lambda widget: widget is source)
    qtbot.keyClick(source, Qt.Key.Key_Return)
    cited = turn.citations[0].source
    qtbot.waitUntil(lambda: window.centre.place() == (cited.document_id, cited.page))
    assert window.centre._viewer.highlight_rects(cited.page)


def test_tab_goes_round_the_whole_window_and_back(filled, qtbot):
    ask(filled, qtbot)
    qtbot.waitUntil(lambda: filled.centre.place() is not None)
    start = filled.chat.composer.field
    start.setFocus(Qt.FocusReason.TabFocusReason)
    gone_through = [start]
    for _ in range(PRESSES):
        qtbot.keyClick(filled.focusWidget(), Qt.Key.Key_Tab)
        if filled.focusWidget() is start:
            break
        gone_through.append(filled.focusWidget())
    assert filled.focusWidget() is start
    # panel by panel, as it is read; an answer has one stop for each of its links
    names = [each.accessibleName() for each in gone_through]
    panels = ("Manuals", "Manual pages", "Page", "Helpful", "Answer again")
    assert [name for name, _ in itertools.groupby(names) if name in panels] == list(panels)
    assert Survey().look().faults() == {}
    # and Shift+Tab the same way back
    qtbot.keyClick(start, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert filled.focusWidget() is gone_through[-1]


def test_three_citations_are_followed_and_back_leads_the_whole_way(filled, qtbot):
    viewer = filled.centre._viewer
    answers = [ask(filled, qtbot, each) for each in (TORQUE, BATTERY, DROPS)]
    buttons = {
        (citation.source.document_id, citation.source.page): card.chips[citation.number]
        for turn in answers
        for card in turn.sources.cards
        for citation in turn.citations
        if citation.number in card.chips
    }
    places = list(buttons)[:3]
    assert len(places) == 3  # on three pages, or coming back would prove nothing
    filled.centre.open_document(places[0][0], 0)
    begun = filled.centre.place()
    for place in places:
        qtbot.mouseClick(buttons[place], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda place=place: filled.centre.place() == place)
        assert viewer.highlight_rects(place[1])
    back, forward = (viewer.actions_by_name[name] for name in ("back", "forward"))
    for place in (places[1], places[0], begun):
        back.trigger()
        qtbot.waitUntil(lambda place=place: filled.centre.place() == place)
    for place in places:
        forward.trigger()
        qtbot.waitUntil(lambda place=place: filled.centre.place() == place)
    assert not forward.isEnabled()


def test_an_answer_is_stopped_and_then_made_again(filled, qtbot):
    button = filled.chat.composer.button
    filled.chat.composer.write(TORQUE)
    button.click()
    turn = filled.chat.turns[-1]
    assert button.accessibleName() == "Stop"
    button.click()
    qtbot.waitUntil(lambda: not turn.running, timeout=LONG_MS)
    assert turn.outcome == "cancelled"
    assert "Stopped by you." in [
        each.text() for each in turn.findChildren(QLabel) if each.isVisible()
    ]
    assert button.accessibleName() == "Ask"

    qtbot.mouseClick(again_button(turn), Qt.MouseButton.LeftButton)
    again = filled.chat.turns[-1]
    assert again.question == TORQUE
    qtbot.waitUntil(lambda: not again.running, timeout=LONG_MS)
    assert again.outcome == "answered"
    assert "1.2 Nm" in again.text


def test_closing_while_everything_runs_leaves_nothing_and_what_was_there_comes_back(
    real_window, shelf, qtbot, tmp_path
):
    folder = shutil.copytree(shelf, tmp_path / "library")
    first = real_window(folder)
    turn = ask(first, qtbot)
    chosen = id_of(first, "installation")
    first.centre.open_document(chosen, 12)
    qtbot.waitUntil(lambda: first.centre.place() == (chosen, 12))

    # a manual is read, pages are looked for words, a research runs, a draft is written
    drop(first, excerpt(tmp_path / "another.pdf", 0, 2, TERMINALS))
    qtbot.waitUntil(lambda: len(rows(first)) == 3, timeout=LONG_MS)
    viewer = first.centre._viewer
    viewer.actions_by_name["find"].trigger()
    qtbot.keyClicks(viewer.find_bar.field, "pump")
    first.notes.toggle()
    first.chat.composer.mode.choose("strict")
    first.chat.ask("Verify whether the torque for terminals X2:1 to X2:6 is 0.6 Nm.")
    first.chat.composer.write("And what about the PE stud")
    first.close()  # the fixture looks for threads and processes
    first._workspace.close()

    second = real_window(folder)
    qtbot.waitUntil(lambda: second.centre.place() == (chosen, 12), timeout=LONG_MS)
    qtbot.waitUntil(lambda: len(second.chat.turns) == 2, timeout=LONG_MS)
    assert second.chat.turns[0].text == turn.text
    assert second.chat.composer.field.toPlainText() == "And what about the PE stud"
    # the manual that was being read is read on
    qtbot.waitUntil(
        lambda: len(rows(second)) == 3 and all(each.action == "" for each in rows(second)),
        timeout=4 * LONG_MS,
    )
