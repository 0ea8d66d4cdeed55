"""The page over the real manager and the real work on files, with a model of a few kilobytes."""

from __future__ import annotations

import pytest

from desktop.models.catalogue import Catalogue
from desktop.models.inference_thread import InferenceThread
from desktop.models.manager import ModelManager
from desktop.models.packs.model_folder import ModelFolder
from desktop.ui import files
from desktop.ui.models.packs import InstalledPacks
from tests.fakes.model_files import model_files, write_model
from tests.ui.fake_workspace import fake_workspace


@pytest.fixture
def manager(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "desktop.models.catalogue.runtime_here", lambda family, *_: family.runtimes[0]
    )
    thread = InferenceThread("page-test")
    yield ModelManager(ModelFolder(tmp_path / "models"), Catalogue.load(), thread)
    thread.close()


@pytest.fixture
def window_of(window, manager, tmp_path, qtbot):
    """The window with its page open."""
    workspace = fake_workspace(tmp_path / "library")
    workspace.models = manager
    window.open_workspace(workspace)
    window.models.show_page()
    page = window.models.page
    qtbot.waitUntil(lambda: page.empty.isVisible())
    return window


def test_a_model_travels_by_stick_from_one_page_to_another(
    window_of, manager, qtbot, tmp_path, monkeypatch
):
    controller, page = window_of.models, window_of.models.page
    stick = tmp_path / "stick"
    stick.mkdir()
    monkeypatch.setattr(files, "choose_folder", lambda _over, _title, chosen, **_: chosen(stick))

    controller.add([write_model(tmp_path / "My Model")])
    qtbot.waitUntil(lambda: page.models.row("my-model") is not None)
    assert not page.empty.isVisible()
    controller.do("copy", "my-model")
    qtbot.waitUntil(lambda: (stick / "my-model").is_dir())
    qtbot.waitUntil(lambda: "was copied to" in page.notices.texts()[-1])

    controller._delete(page.models.row("my-model").model)
    qtbot.waitUntil(lambda: page.models.row("my-model") is None)
    assert manager.folder.installed() == []

    controller.add([stick / "my-model"])
    qtbot.waitUntil(lambda: page.models.row("my-model") is not None)
    assert [each.id for each in manager.folder.installed()] == ["my-model"]
    controller.do("verify", "my-model")
    qtbot.waitUntil(lambda: "are intact" in page.notices.texts()[-1])


def test_a_damaged_file_is_found_and_the_row_says_so(window_of, manager, qtbot, tmp_path):
    controller, page = window_of.models, window_of.models.page
    controller.add([write_model(tmp_path / "my-model")])
    qtbot.waitUntil(lambda: page.models.row("my-model") is not None)
    shard = manager.folder.path("my-model") / "model-00001-of-00002.safetensors"
    data = bytearray(shard.read_bytes())
    data[-1] ^= 1
    shard.write_bytes(data)
    controller.do("verify", "my-model")
    qtbot.waitUntil(lambda: page.models.row("my-model").model.state == "damaged")
    assert "model-00001-of-00002.safetensors" in page.notices.texts()[-1]
    assert "model-00001-of-00002.safetensors" in page.models.row("my-model").model.problem


def test_a_pickle_is_refused_with_its_name_and_nothing_stays(window_of, manager, qtbot, tmp_path):
    controller, page = window_of.models, window_of.models.page
    weights = {f"model-0000{n}-of-00002__safetensors": None for n in (1, 2)}
    index = {"model__safetensors__index__json": None}
    bad = model_files(pytorch_model__bin=b"\x80\x04", **weights, **index)
    controller.add([write_model(tmp_path / "pickled", bad)])
    qtbot.waitUntil(lambda: bool(page.notices.texts()))
    assert page.notices.texts()[0].startswith("“pickled” was not imported. ")
    assert manager.folder.installed() == []
    assert page.empty.isVisible()


def test_what_the_catalogue_offers_names_host_and_size():
    catalogue = Catalogue.load()
    packs = InstalledPacks(ModelFolder(), catalogue)
    offer = packs.offer(catalogue.entries[0].id)
    assert offer is not None
    assert offer.size_bytes == catalogue.entries[0].disk_bytes
    assert catalogue.entries[0].repository in offer.source
    assert packs.offer("unknown") is None
