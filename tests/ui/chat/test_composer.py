"""The composer, one rounded field with all of a question in it; and how answers appear."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from desktop.models.overview import ProfileStatus
from desktop.models.speed import Speed
from desktop.ui.chat.composer import LONGEST_TITLE
from desktop.ui.design.theme import Fade, Look, colours, theme
from desktop.ui.design.tokens import Size
from tests.ui import scripts
from tests.ui.fake_workspace import fake_workspace, manual

LONG = "Operation and maintenance manual of the horizontal multistage pump, series P-200 to P-400"


@pytest.fixture
def opened(window, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, LONG), manual(2, "Installer"), hold=True)
    workspace.answer = scripts.answered()
    workspace.deep_research = object()
    window.held_runs = [workspace.hold]
    window.open_workspace(workspace)
    return workspace


@pytest.fixture
def composer(window, opened):
    return window.chat.composer


@pytest.fixture
def still():
    theme().wear(Look(still=True))
    yield
    theme().wear(Look())


def profile(id_, *, chosen=False, missing=()):
    return ProfileStatus(id_, id_.title(), f"About {id_}.", "", True, False, chosen, missing)


def place(widget: QWidget, frame: QWidget) -> QRect:
    return QRect(widget.mapTo(frame, QPoint(0, 0)), widget.size())


def test_text_chips_and_the_round_button_stand_in_one_frame(composer, qtbot):
    (frame,) = [each for each in composer.findChildren(QFrame) if each.objectName() == "composer"]
    for part in (composer.field, composer.scope, composer.mode, composer.button):
        assert part.isVisible()
        assert frame.rect().contains(place(part, frame))
    assert composer.button.width() == composer.button.height()
    chips = (place(composer.scope, frame), place(composer.mode, frame))
    assert not chips[0].intersects(chips[1])
    assert not any(place(composer.button, frame).intersects(each) for each in chips)


def test_a_click_anywhere_in_the_frame_goes_to_the_text(composer, window, qtbot):
    window.activateWindow()
    window.library_panel.rows.setFocus()
    qtbot.mouseClick(composer._frame, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    qtbot.waitUntil(composer.field.hasFocus)
    assert composer._frame.property("lit") is True


def test_models_can_be_picked_where_several_are_installed(composer, qtbot):
    picker = composer.model
    chosen: list[str] = []
    picker.chosen.connect(chosen.append)
    picker.show_profiles([profile("lite", chosen=True), profile("field")])
    assert picker.isVisible()
    assert picker.accessibleName() == "Profile: Lite"
    titles = [each.text() for each in picker.menu().actions() if not each.isSeparator()]
    assert titles == ["Lite", "Field", "Models…"]
    picker.menu().actions()[1].trigger()
    assert chosen == ["field"]


def test_where_only_one_profile_can_answer_its_chip_leads_to_the_models(composer, window, qtbot):
    picker = composer.model
    picker.show_profiles([profile("lite", chosen=True), profile("field")])
    picker.show_profiles([profile("lite", chosen=True), profile("field", missing=("Qwen3",))])
    assert picker.isVisible()
    assert picker.text().strip() == "Lite"
    qtbot.mouseClick(picker, Qt.MouseButton.LeftButton)
    assert QApplication.activePopupWidget() is None
    assert window.models.page is not None
    window.models.page.close()


def test_the_chip_and_its_rows_say_how_fast_a_model_is_here(window, opened, qtbot):
    manager = opened.models
    manager.choices = [
        replace(each, missing=(), chosen=each.id == "field", speed=Speed(812, 9.1))
        if each.id == "field"
        else replace(each, chosen=False)
        for each in manager.choices
    ]
    manager.tell()
    picker = window.chat.composer.model
    qtbot.waitUntil(lambda: "writes 9.1 tokens a second" in picker.toolTip())
    lite, field = picker.menu().actions()[:2]
    assert "writes 9.1 tokens a second" in field.toolTip()
    assert "tokens" not in lite.toolTip()


def test_a_long_title_in_the_scope_menu_ends_in_dots_and_is_whole_in_its_tooltip(composer):
    composer.scope._fill()
    entry = next(a for a in composer.scope.menu().actions() if a.text().startswith("Operation"))
    assert entry.text().endswith("…")
    assert len(entry.text()) <= LONGEST_TITLE
    assert LONG in entry.toolTip()


def test_lines_stand_for_the_answer_until_its_first_word(window, opened, qtbot):
    opened.answer = scripts.answered()[-1:]  # it is held before its end
    window.chat.ask("How long?")
    turn = window.chat.turns[-1]
    qtbot.waitUntil(turn.skeleton.isVisible)
    assert turn.skeleton.pulse.state() == turn.skeleton.pulse.State.Running
    for event in scripts.answered():
        turn.take(event)
    assert not turn.skeleton.isVisible()
    assert turn.skeleton.pulse.state() == turn.skeleton.pulse.State.Stopped


def test_the_answer_fades_in_and_nothing_is_left_of_the_fade(window, opened, qtbot):
    window.chat.ask("How long?")
    turn = window.chat.turns[-1]
    qtbot.waitUntil(lambda: bool(turn.answer.prose))
    qtbot.waitUntil(lambda: not turn.findChildren(Fade))
    opened.hold.set()
    qtbot.waitUntil(lambda: not turn.running)


def test_with_reduced_motion_the_lines_stand_still_and_nothing_fades(window, opened, still, qtbot):
    opened.answer = scripts.answered()[-1:]  # it is held before its end
    window.chat.ask("How long?")
    turn = window.chat.turns[-1]
    qtbot.waitUntil(turn.skeleton.isVisible)
    assert turn.skeleton.pulse.state() == turn.skeleton.pulse.State.Stopped
    for event in scripts.answered()[:-1]:
        turn.take(event)
    turn.answer.draw()
    assert turn.answer.prose
    assert not turn.findChildren(Fade)


def test_all_that_can_be_done_with_an_answer_stands_in_one_row(window, opened, qtbot):
    opened.hold.set()
    window.chat.ask("How long?")
    turn = window.chat.turns[-1]
    qtbot.waitUntil(lambda: not turn.running)
    footer = turn._footer
    buttons = (footer.helpful_button, footer.wrong_button, footer.again_button)
    qtbot.waitUntil(lambda: all(each.isVisible() for each in buttons))
    tops = {place(each, footer).top() for each in (*buttons, footer.sheet_button)}
    assert len(tops) == 1


def test_the_ask_button_and_those_below_an_answer_can_be_hit_without_aiming(
    window, opened, composer, qtbot
):
    opened.hold.set()
    window.chat.ask("How long?")
    turn = window.chat.turns[-1]
    qtbot.waitUntil(lambda: not turn.running)
    footer = turn._footer
    qtbot.waitUntil(footer.again_button.isVisible)
    buttons = (footer.helpful_button, footer.wrong_button, footer.again_button, composer.button)
    assert min(each.height() for each in buttons) >= Size.GLOVE
    assert composer.speak.height() >= Size.BAR - 1
    composer.field.setPlainText("How long?")
    picture = composer.grab().toImage()
    left = composer.button.mapTo(composer, QPoint(0, composer.button.height() // 2))
    accent = QColor(colours().accent)
    assert picture.pixelColor(left + QPoint(10, 0)) == accent
    assert picture.pixelColor(left + QPoint(2, 0)) != accent  # it looks as small as before
