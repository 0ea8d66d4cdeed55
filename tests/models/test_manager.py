import threading
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from desktop.models.catalogue import Catalogue, loader_of
from desktop.models.errors import ModelDamaged, ModelNotSupported, ModelOutOfBudget, ModelStopped
from desktop.models.generation import (
    GenerationEnd,
    GenerationRequest,
    Message,
    ModelLoading,
    TextPart,
)
from desktop.models.inference_thread import InferenceThread, Priority
from desktop.models.manager import ModelManager
from desktop.models.memory import GIB
from desktop.models.overview import Wishes
from tests.fakes.resident_models import MB, FakeFolder, FakeLoaders, installed, machine

LANGUAGE = installed("qwen3-4b-instruct-2507-4bit", megabytes=2_300)
OTHER = installed("my-llama", megabytes=9_000)
PAGES = installed("colqwen", megabytes=4_500, role="pages", family="colqwen2_5")
REQUEST = GenerationRequest((Message("user", "How long does the test last?"),))


@pytest.fixture(autouse=True)
def _runtimes_are_here(monkeypatch):
    monkeypatch.setattr(
        "desktop.models.catalogue.runtime_here", lambda family, *_: family.runtimes[0]
    )


@pytest.fixture
def thread():
    thread = InferenceThread("manager-test")
    yield thread
    thread.close()


@pytest.fixture
def loaders():
    return FakeLoaders()


@pytest.fixture
def make(thread, loaders):
    def make(*models, **options):
        options.setdefault("machine", machine(17_000))
        folder: Any = FakeFolder(*models)
        return ModelManager(folder, Catalogue.load(), thread, load_by=loaders, **options)

    return make


def text(parts):
    return "".join(part.text for part in parts if isinstance(part, TextPart))


def status_of(manager, model_id):
    return next(each for each in manager.models() if each.id == model_id)


def test_without_models_there_is_no_language_model_and_the_profile_is_lite(make):
    manager = make()
    assert manager.language() is None
    assert manager.profile().id == "lite"
    assert {each.state for each in manager.models()} == {"available"}
    assert status_of(manager, LANGUAGE.id).recommended


def test_a_question_loads_the_model_shows_progress_and_streams(make):
    parts = list(make(LANGUAGE).language().generate(REQUEST))
    assert isinstance(parts[0], ModelLoading)
    assert text(parts) == "onetwothree"
    assert parts[-1].reason == "stop"


def test_what_is_loaded_is_seen_and_counted(make):
    manager = make(LANGUAGE)
    list(manager.language().generate(REQUEST))
    assert status_of(manager, LANGUAGE.id).state == "loaded"
    assert manager.memory().used_bytes == 2_300 * MB


def test_a_model_is_loaded_beside_another_one_and_nobody_waits_for_it(make, thread):
    manager = make(LANGUAGE, PAGES)
    list(manager.language().generate(REQUEST))
    assert manager.load_beside("pages")
    thread.run(lambda: None, Priority.INGESTION)
    assert manager.is_loaded("pages")
    assert manager.is_loaded("language")
    assert manager.load_beside("pages")  # it is there


def test_nothing_leaves_for_a_model_that_is_loaded_beside_others(make, thread):
    manager = make(LANGUAGE, PAGES, budget_gib=6)
    list(manager.language().generate(REQUEST))
    assert not manager.load_beside("pages")
    thread.run(lambda: None, Priority.INGESTION)
    assert manager.is_loaded("language")
    assert not manager.is_loaded("pages")
    assert not make(LANGUAGE).load_beside("pages")


@pytest.mark.parametrize(
    ("wanted", "here", "taken"),
    [
        ("auto", {"mlx_vlm", "colpali_engine"}, "colqwen_mlx"),
        ("mlx", {"mlx_vlm", "colpali_engine"}, "colqwen_mlx"),
        ("torch", {"mlx_vlm", "colpali_engine"}, "colqwen_torch"),
        ("torch", {"mlx_vlm"}, "colqwen_mlx"),
        ("auto", {"colpali_engine"}, "colqwen_torch"),
    ],
)
def test_a_person_chooses_what_runs_the_model_of_pages(monkeypatch, wanted, here, taken):
    monkeypatch.undo()  # of what is installed: here it is told
    monkeypatch.setattr(
        "desktop.models.catalogue.importlib.util.find_spec", lambda name: name in here or None
    )
    monkeypatch.setattr(
        "desktop.models.catalogue.importlib.import_module",
        lambda name: SimpleNamespace(load=name.rpartition(".")[2]),
    )
    assert loader_of(PAGES, Catalogue.load(), wanted) == taken


def test_unloading_gives_the_memory_back(make, thread):
    manager = make(LANGUAGE)
    list(manager.language().generate(REQUEST))
    manager.unload(LANGUAGE.id)
    thread.run(lambda: None, Priority.INGESTION)
    assert manager.memory().used_bytes == 0
    assert status_of(manager, LANGUAGE.id).state == "installed"


def test_two_questions_at_once_are_both_answered(make):
    model, answers = make(LANGUAGE).language(), []
    questions = [
        threading.Thread(target=lambda: answers.append(text(model.generate(REQUEST))))
        for _ in range(2)
    ]
    for question in questions:
        question.start()
    for question in questions:
        question.join(30)
    assert answers == ["onetwothree", "onetwothree"]


def test_a_question_that_waits_behind_another_one_can_be_cancelled(make, thread, loaders):
    model, hold = make(LANGUAGE).language(), threading.Event()
    first = model.generate(REQUEST)
    next(first)
    loaders.models.clear()
    thread.submit(lambda: hold.wait(60), Priority.QUESTION)
    cancelled = threading.Event()
    second = model.generate(REQUEST, cancelled.is_set)
    cancelled.set()
    (end,) = second
    hold.set()
    assert isinstance(end, GenerationEnd)
    assert end.reason == "cancelled"
    first.close()


def test_cancelling_while_the_model_loads_ends_the_loading(make, thread, loaders):
    loaders.steps = 10_000
    cancelled = threading.Event()
    stream = make(LANGUAGE).language().generate(REQUEST, cancelled.is_set)
    assert isinstance(next(stream), ModelLoading)
    cancelled.set()
    assert [type(part) for part in stream] == [GenerationEnd]
    thread.run(lambda: None, Priority.INGESTION)
    assert loaders.abandoned == [LANGUAGE.id]


def test_closing_the_window_while_generating_hangs_nothing(thread, make, loaders):
    loaders.words = ["word"] * 10_000_000
    stream = make(LANGUAGE).language().generate(REQUEST)
    list(islice(stream, 2))
    thread.close()
    with pytest.raises(ModelStopped):
        list(stream)
    assert all(model.closed for model in loaders.models.values())


def test_a_model_larger_than_the_budget_names_a_smaller_one(make):
    manager = make(OTHER, budget_gib=10_000 * MB / GIB)
    lending = manager.language()
    manager._pool._wanted_gib = 8_000 * MB / GIB
    with pytest.raises(ModelOutOfBudget) as refusal:
        list(lending.generate(REQUEST))
    assert "Qwen3 8B (4-bit)" in refusal.value.advice


def test_a_damaged_model_ends_the_question_with_its_reason(make, loaders):
    loaders.failures[LANGUAGE.id] = ModelDamaged("model.safetensors is cut off")
    with pytest.raises(ModelDamaged, match="cut off"):
        list(make(LANGUAGE).language().generate(REQUEST))


def test_a_model_whose_runtime_is_missing_is_listed_with_the_reason_and_not_used(make, monkeypatch):
    monkeypatch.setattr("desktop.models.catalogue.runtime_here", lambda *_: None)
    manager = make(LANGUAGE)
    assert manager.language() is None
    assert "needs MLX" in status_of(manager, LANGUAGE.id).problem


def test_loading_a_model_that_cannot_run_here_is_refused(thread, monkeypatch):
    folder: Any = FakeFolder(LANGUAGE)
    manager = ModelManager(folder, Catalogue.load(), thread, machine=machine(17_000))
    model = manager.language()
    assert model is not None
    monkeypatch.setattr("desktop.models.catalogue.runtime_here", lambda *_: None)
    with pytest.raises(ModelNotSupported, match="needs MLX"):
        list(model.generate(REQUEST))


def test_an_imported_model_is_there_after_a_refresh_and_listeners_hear_of_it(make):
    manager, heard = make(), []
    end = manager.subscribe(lambda: heard.append(manager.profile().id))
    manager.folder.models.append(LANGUAGE)
    manager.refresh()
    assert heard[-1] == "field"
    end()
    manager.refresh()
    assert len(heard) == 1


def test_a_chosen_profile_is_remembered_and_in_force(make):
    stored: list[str] = []
    manager = make(LANGUAGE, remember_profile=stored.append)
    manager.choose_profile("lite")
    assert manager.language() is None
    assert stored == ["lite"]
    assert next(each for each in manager.profiles() if each.chosen).id == "lite"


def test_a_profile_tells_how_fast_the_model_that_would_write_is_here(make):
    manager = make(LANGUAGE)
    manager.speeds.measured(LANGUAGE.id, 800.0, 9.0)
    lite, field, *_ = manager.profiles()
    assert lite.speed is None
    assert field.speed == manager.speeds.of(LANGUAGE.id)


def test_a_model_chosen_by_its_role_is_used(make):
    manager = make(LANGUAGE, OTHER, wishes=Wishes(models={"language": "my-llama"}))
    assert manager.language().model_id == "my-llama@1"


def test_a_damaged_folder_is_listed_and_not_used(make):
    manager = make(LANGUAGE)
    manager.folder.damaged["broken"] = "Its manifest is missing."
    manager.refresh()
    assert status_of(manager, "broken").state == "damaged"
    assert status_of(manager, "broken").problem == "Its manifest is missing."
