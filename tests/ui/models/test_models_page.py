from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QFont
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QWidget,
)

from desktop.models.errors import DownloadFailed, PackRefused
from desktop.models.packs.download import Offer
from desktop.models.packs.pack_events import PackProgress
from desktop.ui.window.main_window import MainWindow
from tests.fakes.model_manager import GB, FakeManager, FakePacks, memory, model
from tests.ui.fake_workspace import FakeViewer, fake_workspace

if TYPE_CHECKING:
    from pathlib import Path

SMALL = model("qwen3-4b", "Qwen3 4B", state="loaded", summary="Small and quick.")
EYES = model("qwen3-vl", "Qwen3-VL 4B", "vision")
HAD = model("colqwen", "ColQwen2", "pages", state="available", licence="MIT")
HUGE = model("gpt-oss-120b", "gpt-oss 120B", state="available", memory_bytes=65 * GB, fits=False)
BAD = model("broken", "Broken one", state="damaged", problem="model.safetensors is cut off.")


@pytest.fixture
def manager():
    return FakeManager(SMALL, EYES, HAD, HUGE, BAD)


@pytest.fixture
def packs(manager):
    return FakePacks(manager)


@pytest.fixture
def page(window, manager, packs, qtbot, tmp_path):
    """The page over a window with an open library; closed with the window."""
    window.open_workspace(fake_workspace(tmp_path))
    window.models.open(manager, packs)
    window.models.show_page()
    page = window.models.page
    page.resize(1100, 740)
    qtbot.waitUntil(lambda: page.models.row("qwen3-vl") is not None or not manager.there)
    yield page
    packs.hold.set()


def button(page: QWidget, name: str) -> QAbstractButton:
    """The visible button that a screen reader calls `name`."""
    every: list[QAbstractButton] = page.findChildren(QAbstractButton)
    found = [each for each in every if each.accessibleName() == name and each.isVisible()]
    assert len(found) == 1, [each.accessibleName() for each in every]
    return found[0]


def shown(widget: QWidget) -> str:
    """Everything that can be read in a widget."""
    return "\n".join(each.text() for each in widget.findChildren(QLabel) if each.isVisible())


def question(page: QWidget) -> QDialog:
    every: list[QDialog] = page.findChildren(QDialog)
    return next(each for each in every if each.isVisible())


def answer(page: QWidget, text: str) -> None:
    next(each for each in question(page).findChildren(QPushButton) if each.text() == text).click()


def folder(tmp_path: Path, name: str) -> Path:
    path = tmp_path / name
    path.mkdir()
    return path


def drop(widget: QWidget, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    enter = QDragEnterEvent(
        QPoint(200, 200),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(widget, enter)
    QApplication.sendEvent(
        widget,
        QDropEvent(
            QPointF(200, 200),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        ),
    )


def test_each_model_says_what_it_is_for_its_sizes_licence_and_state(page):
    text = shown(page.models.row("qwen3-4b"))
    for part in ("Qwen3 4B", "Small and quick.", "2.3 GB on disk"):
        assert part in text
    for part in ("2.8 GB of memory", "Apache-2.0", "fits this computer", "Loaded"):
        assert part in text
    assert "Finds pages by how they look" in shown(page.models.row("colqwen"))
    assert "model.safetensors is cut off." in shown(page.models.row("broken"))


def test_models_for_larger_computers_stay_away_until_wanted_and_say_why(page):
    assert not page.models.row("gpt-oss-120b").isVisible()
    button(page, "Show 1 model for larger computers").click()
    text = shown(page.models.row("gpt-oss-120b"))
    assert "it needs 65 GB; models may use 12 GB" in text


def test_a_model_that_loads_shows_how_far_it_is(page, manager, qtbot):
    manager.put(replace(EYES, state="loading", progress=0.43))
    row = page.models.row("qwen3-vl")
    qtbot.waitUntil(lambda: "Loading, 43%" in shown(row))
    assert row.findChild(QProgressBar).value() == 43


def test_a_dropped_folder_is_imported_and_comes_into_the_list(page, packs, qtbot, tmp_path):
    drop(page, folder(tmp_path, "granite"))
    qtbot.waitUntil(lambda: page.models.row("granite") is not None)
    assert packs.calls == [("import", "granite")]
    assert page.notices.texts() == ["“granite” is installed as granite."]


def test_the_page_says_what_dropping_will_do(page, tmp_path):
    page.overlay.announce([folder(tmp_path, "granite")])
    assert page.overlay.title == "Import “granite”"
    page.overlay.announce([tmp_path / "photo.jpg"])
    assert page.overlay.title == "This is not a model"


def test_a_file_that_is_no_model_is_refused_with_what_to_drop_instead(page, packs, tmp_path):
    (tmp_path / "photo.jpg").touch()
    drop(page, tmp_path / "photo.jpg")
    assert packs.calls == []
    assert "“photo.jpg” is not a model. Drop a model's folder" in page.notices.texts()[0]


def test_a_refused_import_says_why_and_leaves_the_list_as_it_was(page, manager, qtbot, tmp_path):
    before = list(manager.there)
    drop(page, folder(tmp_path, "refused-one"))
    qtbot.waitUntil(lambda: bool(page.notices.texts()))
    assert page.notices.texts() == [
        "“refused-one” was not imported. The file weights.bin is a pickle, which can run code."
    ]
    assert [each for each in manager.there if page.models.row(each) is None] == []
    assert page.models.row("refused-one") is None
    assert list(manager.there) == before


def test_several_dropped_models_are_imported_one_after_the_other(page, packs, qtbot, tmp_path):
    packs.hold.clear()
    drop(page, folder(tmp_path, "one"), folder(tmp_path, "two"))
    qtbot.waitUntil(
        lambda: (
            page.tasks.texts()
            == [
                "Importing one: copying, 86%",
                "Importing two: waiting",
            ]
        )
    )
    assert packs.calls == [("import", "one")]
    packs.hold.set()
    qtbot.waitUntil(lambda: page.models.row("two") is not None)
    qtbot.waitUntil(lambda: not page.tasks.isVisible())


def test_an_import_can_be_cancelled_and_leaves_nothing(page, packs, qtbot, tmp_path):
    packs.hold.clear()
    drop(page, folder(tmp_path, "granite"))
    qtbot.waitUntil(lambda: page.tasks.texts() == ["Importing granite: copying, 86%"])
    button(page, "Cancel: Importing granite").click()
    qtbot.waitUntil(lambda: not page.tasks.isVisible())
    assert page.notices.texts() == ["Importing “granite” was stopped; nothing was kept."]
    assert page.models.row("granite") is None
    assert packs.left_behind == []


def test_a_waiting_import_that_is_cancelled_never_starts(page, packs, qtbot, tmp_path):
    packs.hold.clear()
    drop(page, folder(tmp_path, "one"), folder(tmp_path, "two"))
    qtbot.waitUntil(lambda: len(page.tasks.texts()) == 2)
    button(page, "Cancel: Importing two").click()
    packs.hold.set()
    qtbot.waitUntil(lambda: page.models.row("one") is not None)
    qtbot.waitUntil(lambda: not page.tasks.isVisible())
    assert packs.calls == [("import", "one")]


def test_closing_the_page_lets_an_import_go_on_and_the_window_tells_its_end(
    window, page, packs, qtbot, tmp_path
):
    packs.hold.clear()
    drop(page, folder(tmp_path, "granite"))
    qtbot.waitUntil(lambda: "copying" in window.status.model_work.text())
    page.close()
    assert window.status.model_work.text() == "Importing granite: copying, 86%"
    assert window.status.model_work.isVisible()
    packs.hold.set()
    qtbot.waitUntil(lambda: bool(window.library_panel.notices.texts()))
    assert window.library_panel.notices.texts() == ["“granite” is installed as granite."]
    button(window.library_panel, "Models").click()
    assert page.isVisible()


def test_closing_the_window_while_importing_stops_it_and_leaves_nothing(
    window, page, packs, qtbot, tmp_path
):
    packs.hold.clear()
    drop(page, folder(tmp_path, "granite"))
    qtbot.waitUntil(lambda: page.tasks.texts() == ["Importing granite: copying, 86%"])
    window.close()
    assert packs.left_behind == []
    assert not page.isVisible()
    ours = "groundwork-models"
    assert not [each for each in threading.enumerate() if each.name.startswith(ours)]


def test_verifying_says_that_all_is_well_or_names_the_bad_file(page, packs, window, qtbot):
    window.models.do("verify", "qwen3-vl")
    qtbot.waitUntil(lambda: bool(page.notices.texts()))
    assert page.notices.texts()[-1] == "All files of “Qwen3-VL 4B” are intact."
    packs.damage = ("model.safetensors is missing.",)
    window.models.do("verify", "qwen3-vl")
    qtbot.waitUntil(lambda: len(page.notices.texts()) == 2)
    assert page.notices.texts()[-1] == (
        "“Qwen3-VL 4B” is damaged: model.safetensors is missing. Remove it and import it again."
    )


def test_a_model_that_is_being_verified_is_not_verified_twice(page, packs, window, qtbot):
    packs.hold.clear()
    window.models.do("verify", "qwen3-vl")
    qtbot.waitUntil(lambda: "Being verified" in shown(page.models.row("qwen3-vl")))
    window.models.do("verify", "qwen3-vl")
    entries = {each.text(): each for each in page.models.row("qwen3-vl").menu().actions()}
    assert not entries["Verify the files"].isEnabled()
    assert packs.calls == [("verify", "qwen3-vl")]


def test_unloading_gives_the_memory_back(page, manager, qtbot):
    button(page, "Unload Qwen3 4B").click()
    qtbot.waitUntil(lambda: "Installed" in shown(page.models.row("qwen3-4b")))
    assert manager.calls == [("unload", "qwen3-4b")]


def test_unloading_a_model_that_works_is_explained(page, manager, qtbot):
    manager.put(replace(SMALL, in_use=True))
    qtbot.waitUntil(lambda: "In use now" in shown(page.models.row("qwen3-4b")))
    button(page, "Unload Qwen3 4B").click()
    assert page.notices.texts()[0].startswith(
        "“Qwen3 4B” is busy right now. It will be unloaded as soon as it finishes"
    )
    qtbot.waitUntil(lambda: ("unload", "qwen3-4b") in manager.calls)


def test_removing_asks_first_and_keeps_the_model_when_told_to(page, packs, manager, qtbot):
    button(page, "Remove Broken one").click()
    assert "2.3 GB" in shown(question(page))
    answer(page, "Keep")
    assert packs.calls == []
    button(page, "Remove Broken one").click()
    answer(page, "Remove")
    qtbot.waitUntil(lambda: page.models.row("broken") is None)
    assert page.notices.texts() == ["“Broken one” was removed; 2.3 GB is free again."]


def test_removing_while_another_model_is_imported_says_to_wait(page, packs, qtbot, monkeypatch):
    def busy(_model_id):
        raise PackRefused("Another model is being imported or removed. Wait until that is done.")

    monkeypatch.setattr(packs, "remove", busy)
    button(page, "Remove Broken one").click()
    answer(page, "Remove")
    qtbot.waitUntil(lambda: bool(page.notices.texts()))
    assert page.notices.texts() == [
        "Another model is being imported or removed. Wait until that is done."
    ]
    assert page.models.row("broken") is not None


@pytest.mark.parametrize("why", ["it works", "it is being copied"])
def test_a_model_with_something_going_on_is_not_removed(
    why, page, packs, manager, window, qtbot, tmp_path
):
    packs.hold.clear()
    if why == "it works":
        manager.put(replace(EYES, state="loaded", in_use=True))
        qtbot.waitUntil(lambda: "In use now" in shown(page.models.row("qwen3-vl")))
    else:
        window.models.do("verify", "qwen3-vl")
    window.models.do("remove", "qwen3-vl")
    assert "“Qwen3-VL 4B”" in page.notices.texts()[0]
    assert ("remove", "qwen3-vl") not in packs.calls
    assert not [each for each in page.findChildren(QDialog) if each.isVisible()]


def test_nothing_is_downloaded_without_consent_to_size_host_and_licence(page, packs, window, qtbot):
    packs.offers["colqwen"] = Offer("huggingface.co", "huggingface.co/vidore/x", 5 * GB, "MIT")
    button(page, "Download ColQwen2").click()
    text = shown(question(page))
    for part in ("huggingface.co/vidore/x", "5 GB", "MIT", "only thing in Groundwork that uses"):
        assert part in text
    answer(page, "Cancel")
    qtbot.wait(20)
    assert packs.calls == []
    assert window.status.offline.text() == "Offline"


def test_a_download_says_that_the_program_is_online_until_it_ends(page, packs, window, qtbot):
    packs.offers["colqwen"] = Offer("huggingface.co", "huggingface.co/vidore/x", 5 * GB, "MIT")
    packs.hold.clear()
    button(page, "Download ColQwen2").click()
    answer(page, "Download 5 GB")
    qtbot.waitUntil(lambda: window.status.offline.text() == "Online: downloading a model")
    packs.hold.set()
    qtbot.waitUntil(lambda: window.status.offline.text() == "Offline")
    qtbot.waitUntil(lambda: "Installed" in shown(page.models.row("colqwen")))


def test_a_broken_off_download_says_what_happened_once(page, packs, window, qtbot, monkeypatch):
    def fail(_model_id, _cancelled):
        yield PackProgress("downloading", 0, GB)
        raise DownloadFailed("huggingface.co cannot be reached. Try again to go on from there.")

    monkeypatch.setattr(packs, "download", fail)
    packs.offers["colqwen"] = Offer("huggingface.co", "huggingface.co/vidore/x", 5 * GB, "MIT")
    button(page, "Download ColQwen2").click()
    answer(page, "Download 5 GB")
    qtbot.waitUntil(lambda: bool(page.notices.texts()))
    assert page.notices.texts() == [
        "“ColQwen2” was not downloaded. huggingface.co cannot be reached. "
        "Try again to go on from there."
    ]


def test_choosing_a_profile_writes_it_and_one_that_needs_more_cannot_be_chosen(
    page, manager, qtbot
):
    radios = {each.text(): each for each in page.profiles.findChildren(QRadioButton)}
    assert radios["Lite"].isChecked()
    assert not radios["Workstation"].isEnabled()
    assert "Still to be installed: Qwen3 4B." in shown(page.profiles)
    radios["Field"].click()
    qtbot.waitUntil(lambda: manager.choices[1].chosen)
    assert manager.calls == [("choose", "field")]


def test_the_window_says_at_once_which_profile_answers(page, manager, window, qtbot):
    radios = {each.text(): each for each in page.profiles.findChildren(QRadioButton)}
    radios["Field"].click()
    qtbot.waitUntil(lambda: window.status.profile.text() == "Field profile")
    radios["Lite"].click()
    qtbot.waitUntil(lambda: window.status.profile.text() == "Lite profile")


def test_a_profile_that_could_not_be_stored_is_not_shown_as_chosen(page, manager, qtbot):
    manager.failure = PermissionError(13, "no", "settings.json")
    radios = {each.text(): each for each in page.profiles.findChildren(QRadioButton)}
    radios["Field"].click()
    qtbot.waitUntil(lambda: bool(page.notices.texts()))
    assert "settings.json" in page.notices.texts()[0]
    assert radios["Lite"].isChecked()
    assert not radios["Field"].isChecked()


def test_without_any_model_the_page_says_how_answers_are_made_and_how_to_get_one(
    page, manager, qtbot
):
    for each in (SMALL, EYES, BAD):
        manager.there.pop(each.id)
    manager.tell()
    qtbot.waitUntil(page.empty.isVisible)
    text = shown(page.empty)
    assert "Answers are quoted from your manuals" in text
    assert "Copy to USB stick" in text


def test_the_page_opens_from_the_menu_and_from_the_meter(window, page):
    page.close()
    window.status.meter.click()
    assert page.isVisible()
    page.close()
    action = next(each for each in window.findChildren(QAction) if each.text() == "Models")
    assert action.shortcut().toString() == "Ctrl+Shift+M"
    action.trigger()
    assert page.isVisible()


def test_looking_at_models_never_happens_on_the_ui_thread(page, manager, qtbot):
    manager.put(replace(SMALL, in_use=True))
    qtbot.waitUntil(lambda: "In use now" in shown(page.models.row("qwen3-4b")))
    assert threading.main_thread().name not in manager.threads


def test_a_folder_that_cannot_be_read_is_said_once(page, manager, qtbot, monkeypatch):
    def fail():
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(manager, "models", fail)
    manager.tell()
    qtbot.waitUntil(lambda: bool(page.notices.texts()))
    assert "Check that the disk is connected" in page.notices.texts()[0]


def test_titles_and_licences_are_shown_literally(page, manager, qtbot):
    nasty = "<b>Bold</b><img src='file:///etc/passwd'> & more"
    manager.put(model("nasty", nasty, licence=nasty, summary=nasty))
    qtbot.waitUntil(lambda: page.models.row("nasty") is not None)
    labels = page.models.row("nasty").findChildren(QLabel)
    assert all(each.textFormat() == Qt.TextFormat.PlainText for each in labels)
    assert nasty in shown(page.models.row("nasty"))


def test_the_keyboard_stays_on_a_row_whose_state_changes(page, manager, qtbot):
    page.activateWindow()
    more = button(page, "More for Qwen3-VL 4B")
    more.setFocus()
    manager.put(replace(EYES, state="loaded"))
    qtbot.waitUntil(lambda: "Loaded" in shown(page.models.row("qwen3-vl")))
    assert page.focusWidget() is more


@pytest.mark.parametrize("width", [1100, 760])
def test_a_row_shows_every_word_and_none_below_its_buttons(width, page, qtbot):
    page.resize(width, 740)
    row = page.models.row("colqwen")
    texts = [each for each in row.findChildren(QLabel) if each.isVisible() and each.text()]
    buttons = [each for each in row.findChildren(QAbstractButton) if each.isVisible()]
    assert texts
    assert buttons

    def fits(text: QLabel) -> bool:
        needed = text.heightForWidth(text.width()) if text.wordWrap() else text.sizeHint().height()
        return text.height() >= needed

    qtbot.waitUntil(lambda: all(map(fits, texts)))
    assert not [
        each.text()
        for each in texts
        for button in buttons
        if each.geometry().intersects(button.geometry())
    ]


@pytest.mark.parametrize("factor", [1.0, 1.6])
def test_nothing_is_cut_off_sideways_at_any_font_size(factor, qtbot, manager, packs, tmp_path):
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    usual = app.font()
    larger = QFont(usual)
    larger.setPointSizeF(usual.pointSizeF() * factor)
    app.setFont(larger)
    window = MainWindow(viewer_factory=FakeViewer)
    try:
        window.show()
        window.open_workspace(fake_workspace(tmp_path))
        window.models.open(manager, packs)
        window.models.show_page()
        page = window.models.page
        assert page is not None
        page.resize(1120, 760)
        qtbot.waitUntil(lambda: page.models.row("qwen3-vl") is not None)
        qtbot.wait(30)
        areas = page.findChildren(QScrollArea)
        assert len(areas) == 2
        for area in areas:
            content = area.widget()
            assert content is not None
            assert content.width() <= area.viewport().width()
    finally:
        window.close()
        window.deleteLater()
        app.setFont(usual)


def test_endless_names_neither_widen_the_window_nor_the_page(
    window, page, packs, manager, qtbot, tmp_path
):
    packs.hold.clear()
    name = "Model_of_many_letters_" * 9
    before = (window.minimumSizeHint().width(), page.models.minimumSizeHint().width())
    drop(page, folder(tmp_path, name))
    manager.put(model("long", name, licence=name, summary=name))
    qtbot.waitUntil(lambda: "…" in window.status.model_work.text())
    qtbot.waitUntil(lambda: page.models.row("long") is not None)
    assert page.models.minimumSizeHint().width() <= before[1] + 40
    assert page.minimumSizeHint().width() <= page.minimumWidth()
    assert window.minimumSizeHint().width() < before[0] + 400
    packs.hold.set()
    qtbot.waitUntil(lambda: bool(page.notices.texts()))
    assert page.minimumSizeHint().width() <= page.minimumWidth()


def test_the_meter_counts_models_and_caches_against_the_budget(window, page, manager, qtbot):
    meter = window.status.meter
    assert meter.text().strip() == "Memory 0.6 of 12 GB"
    assert not meter.nearly_full
    assert "Qwen3 4B: 2.8 GB" in meter.toolTip()
    manager.used = memory(9.5, 12, cache_bytes=GB)
    manager.tell()
    qtbot.waitUntil(lambda: meter.text().strip() == "Memory 10.5 of 12 GB")


def test_the_meter_turns_amber_when_little_is_left_and_calm_again(window, page, manager, qtbot):
    meter = window.status.meter
    manager.used = memory(10.3, 12)
    manager.tell()
    qtbot.waitUntil(lambda: meter.nearly_full)
    assert meter.property("tone") == "attention"
    assert "Nearly full" in meter.toolTip()
    manager.used = memory(10.1, 12)
    manager.tell()
    qtbot.waitUntil(lambda: not meter.nearly_full)
    assert meter.property("tone") == ""


def test_the_meter_follows_memory_that_nobody_announces(window, page, manager, qtbot):
    manager.used = memory(3, 12)
    qtbot.waitUntil(lambda: "3 of 12 GB" in window.status.meter.text())
