from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QSpinBox

from desktop.core.settings.describing import describe
from desktop.core.settings.file import newest_version, settings_file
from desktop.core.settings.sections import Settings
from desktop.core.settings.storage import load_settings, save_settings
from desktop.ui.design.theme import Look, colours, theme
from desktop.ui.language import speak
from desktop.ui.settings.page import in_file_only
from tests.ui.fake_workspace import fake_workspace, manual


@pytest.fixture
def page(window, qtbot, tmp_path):
    """The settings of an open library."""
    window.open_workspace(fake_workspace(tmp_path, manual(1, "Pump")))
    window.settings.show_page()
    yield window.settings.page
    theme().wear(Look())


def stored() -> Settings:
    return load_settings(settings_file()).settings


def said(row):
    return " ".join(each.text() for each in row.findChildren(QLabel) if not each.isHidden())


def control(page, *path):
    return page.row(*path).editor.control


def test_six_plain_panes_and_advanced_without_json_and_machinery(page):
    names = [page.areas.item(row).text() for row in range(page.areas.count())]
    assert names == [
        "Appearance",
        "Manuals",
        "Answers",
        "Models",
        "Research",
        "Privacy and backups",
        "Advanced",
    ]
    fields = [row.field for row in page.rows]
    assert len({field.path for field in fields}) == len(fields)
    assert not [field.path for field in fields if field.kind == "json"]
    assert ("ingestion", "embedding_batch") not in {field.path for field in fields}
    assert all(field.title and field.description for field in fields)


def test_every_setting_is_in_a_pane_or_left_to_the_file_on_purpose(page):
    shown = {row.field.path for row in page.rows}
    missing = {
        ".".join(field.path)
        for section in describe(Settings)
        for field in section.fields
        if field.path not in shown
    }
    assert {path for path in missing if not in_file_only(path)} == set()
    assert {"ingestion.commit_pages", "source_tiers.table"} <= missing


def test_the_settings_come_up_at_the_same_place_every_time(page, window, qtbot):
    places = []
    for _ in range(3):
        page.hide()
        window.settings.show_page()
        qtbot.wait(10)
        places.append(page.pos())
    assert len(set(map(str, places))) == 1


def test_a_change_counts_at_once_and_is_on_the_disk_after_closing(page, window):
    box = control(page, "ingestion", "battery_percent")
    assert isinstance(box, QSpinBox)
    assert (box.minimum(), box.maximum()) == (0, 100)
    box.setValue(45)
    assert window._workspace.settings.ingestion.battery_percent == 45
    window.close()
    assert stored().ingestion.battery_percent == 45
    assert json.loads(settings_file().read_text())["version"] == newest_version()


def test_a_value_goes_back_to_the_default(page, window):
    row = page.row("agent", "max_iterations")
    assert row.reset.isHidden()
    assert "Default" not in said(row)
    row.editor.control.setValue(9)
    assert not row.reset.isHidden()
    assert "Default: 6." in said(row)
    row.reset.click()
    assert "Default" not in said(row)
    assert window._workspace.settings.agent.max_iterations == 6
    assert row.editor.control.value() == 6
    assert row.reset.isHidden()


def test_a_whole_area_goes_back_to_the_defaults(page, window):
    settings = window._workspace.settings
    page.go_to("research")
    assert page.reset_all.isHidden()  # nothing to reset
    control(page, "reasoning", "max_sources").setValue(3)
    assert not page.reset_all.isHidden()
    control(page, "agent", "max_iterations").setValue(9)
    page.reset_all.click()
    assert settings.reasoning == Settings().reasoning
    assert settings.agent.max_iterations == 9
    assert page.reset_all.isHidden()


def test_the_search_finds_by_title_by_description_and_by_name(page):
    def found(words):
        page.search.setText(words)
        return [row.field.path for row in page.rows if not row.isHidden()]

    assert found("battery") == [("ingestion", "battery_percent")]
    assert found("no animation") == [("window", "reduced_motion")]
    assert found("parser.memory_gib") == [("parser", "memory_gib")]
    assert found("no such words") == []
    assert page.nothing.isVisible()
    page.search.clear()
    assert not page.row("window", "scheme").isHidden()
    assert page.row("parser", "ocr").isHidden()


def test_a_setting_says_when_a_restart_is_needed(page):
    control(page, "window", "scheme").setCurrentIndex(1)
    assert page.notices.texts() == []
    control(page, "parser", "ocr").click()
    assert any("restart Groundwork" in text for text in page.notices.texts())


def test_the_look_changes_at_once(page, window):
    QApplication.instance()
    box = control(page, "window", "high_contrast")
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(box.findData("on"))
    assert colours().contrast
    before = QApplication.font().pointSizeF()
    control(page, "window", "text_percent").setValue(150)
    assert QApplication.font().pointSizeF() == pytest.approx(1.5 * before)
    flag = control(page, "window", "reduced_motion")
    assert isinstance(flag, QCheckBox)
    flag.click()
    assert theme().look.still


def test_the_menu_and_the_page_show_the_same(page, window):
    window.settings.use_scheme("dark")
    assert control(page, "window", "scheme").currentData() == "dark"
    window.settings.scale_text(1)
    window.settings.scale_text(1)
    assert control(page, "window", "text_percent").value() == 120
    for _ in range(30):
        window.settings.scale_text(1)
    assert window._workspace.settings.window.text_percent == 200
    window.settings.scale_text(0)
    assert window._workspace.settings.window.text_percent == 100
    window.settings.toggle_contrast()
    assert window.settings.settings.window.high_contrast == "on"


def test_a_setting_that_may_be_empty_can_be_emptied(page, window):
    box = control(page, "models", "memory_gib")
    box.setValue(12.0)
    assert window._workspace.settings.models.memory_gib == 12.0
    box.setValue(0)
    assert window._workspace.settings.models.memory_gib is None
    assert box.text() == "Automatic"


def test_a_wheel_over_a_number_scrolls_and_changes_nothing(page, qtbot):
    box = control(page, "window", "text_percent")
    before = box.value()
    point = QPointF(box.rect().center())
    event = QWheelEvent(
        point,
        box.mapToGlobal(point),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(box, event)
    assert box.value() == before


def test_settings_can_be_changed_while_the_library_cannot_be_opened(window):
    window.show_problem(OSError("gone"))
    window.settings.use_scheme("dark")
    window.close()
    assert stored().window.scheme == "dark"
    theme().wear(Look())


def test_the_chosen_look_is_there_from_the_start(qapp, monkeypatch):
    from desktop.ui.window.start import make_application

    settings = Settings()
    settings.window.scheme = "dark"
    settings.window.text_percent = 120
    save_settings(settings_file(), settings)
    make_application([])
    assert colours().dark
    assert theme().look.text == 1.2
    theme().wear(Look())


def test_the_choices_of_a_list_are_as_tall_as_a_button(page):
    box = control(page, "window", "scheme")
    box.showPopup()
    assert box.view().visualRect(box.model().index(1, 0)).height() >= 28
    box.hidePopup()


def test_the_search_finds_words_of_the_windows_language(page, qapp):
    speak(qapp, "de")
    try:
        page.search.setText("Sprache")
        assert ("window", "language") in [r.field.path for r in page.rows if not r.isHidden()]
    finally:
        speak(qapp, "en")
