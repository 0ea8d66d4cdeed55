from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QRadioButton

from desktop.core.settings.file import settings_file
from desktop.core.settings.storage import load_settings
from desktop.ui.window.welcome import WelcomePage
from tests.ui import scripts
from tests.ui.fake_workspace import FakeViewer, fake_workspace, manual


def opened(window, qtbot, tmp_path, *manuals):
    workspace = fake_workspace(tmp_path, *manuals)
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: window.findChild(FakeViewer) is not None)
    return workspace


def test_the_first_page_says_what_fits_this_computer_and_begins_with_manuals(
    window, qtbot, tmp_path
):
    opened(window, qtbot, tmp_path)
    page = window.welcome.page
    assert window.centre.currentWidget() is page
    qtbot.waitUntil(lambda: "GB of memory" in page.fitting.text())
    qtbot.waitUntil(lambda: window.focusWidget() is page.add)
    buttons = page.findChildren(QAbstractButton)
    assert [each.accessibleName() for each in buttons if each.accessibleName()] == [
        "Add manuals…",
        "Open the sample manuals",
        "Models…",
        "Skip",
    ]


def test_the_first_page_recommends_what_the_models_page_recommends(window, qtbot, tmp_path):
    opened(window, qtbot, tmp_path)
    said = window.welcome.page.fitting
    qtbot.waitUntil(lambda: "GB of memory" in said.text())
    now, largest = window._workspace.models.profiles()[:2]
    assert (now.recommended, largest.largest) == (True, True)
    assert f"“{now.title}” is recommended now. {now.summary}" in said.text()
    window.models.show_page()
    marked = {each.accessibleName() for each in window.models.page.findChildren(QRadioButton)}
    assert marked >= {
        f"{now.title} (Recommended now)",
        f"{largest.title} (The largest that fits this computer)",
    }


def test_beside_an_open_library_in_a_small_window_nothing_is_cut_off(window, qtbot, tmp_path):
    opened(window, qtbot, tmp_path)
    page = window.findChild(WelcomePage)
    window.resize(1024, 700)
    window.library_panel.fold(False)
    qtbot.waitUntil(lambda: page.widget().width() <= page.viewport().width())
    zone = window.library_panel.drop_zone
    for words in zone.findChildren(QLabel):
        if words.text():
            qtbot.waitUntil(lambda told=words: told.height() >= told.heightForWidth(told.width()))


def test_skipping_leads_to_the_question_and_the_page_stays_away(window, qtbot, tmp_path):
    workspace = opened(window, qtbot, tmp_path)
    window.welcome.page.skip.click()
    assert window.welcome.page is None
    assert window.centre.findChild(FakeViewer).isVisible()
    assert window.focusWidget() is window.chat.composer.field
    window.close()
    assert load_settings(settings_file()).settings.window.welcome_seen
    assert workspace.settings.window.welcome_seen


def test_the_samples_lead_away_from_it(window, qtbot, tmp_path):
    workspace = opened(window, qtbot, tmp_path)
    window.welcome.page.samples.click()
    qtbot.waitUntil(lambda: window.welcome.page is None)
    assert len(workspace.ingestion.enqueued) == 2
    assert workspace.settings.window.welcome_seen


def test_a_library_with_manuals_is_not_welcomed(window, qtbot, tmp_path):
    opened(window, qtbot, tmp_path, manual(1, "Pump"))
    assert window.welcome.page is None


def test_who_has_seen_it_finds_it_in_the_help_menu(window, qtbot, tmp_path):
    workspace = fake_workspace(tmp_path)
    workspace.settings.window.welcome_seen = True
    window.open_workspace(workspace)
    assert window.welcome.page is None
    window.welcome.show_page()
    assert window.centre.currentWidget() is window.welcome.page


def test_the_models_page_opens_from_it(window, qtbot, tmp_path):
    opened(window, qtbot, tmp_path)
    window.welcome.page.models.click()
    assert window.models.page is not None
    assert window.models.page.isVisible()


def test_from_the_first_page_to_the_first_answer_by_keyboard_alone(window, qtbot, tmp_path):
    workspace = opened(window, qtbot, tmp_path)
    workspace.answer = scripts.answered()
    page = window.welcome.page
    qtbot.waitUntil(lambda: window.focusWidget() is page.add)
    qtbot.keyClick(page.add, Qt.Key.Key_Tab)
    assert window.focusWidget() is page.samples
    qtbot.keyClick(page.samples, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.welcome.page is None)
    window.chat.focus_question()  # Ctrl+L
    field = window.chat.composer.field
    assert window.focusWidget() is field
    qtbot.keyClicks(field, "How long does the battery test last?")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(window.chat.turns) and not window.chat.turns[-1].running)
    assert "24 hours" in window.chat.turns[-1].text
    assert len(workspace.asked) == 1
