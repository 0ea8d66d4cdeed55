"""Tiny models the whole way: imported from a folder, chosen by the manager, run by MLX."""

import json
import threading
from itertools import count, islice

import numpy as np
import pytest

from desktop.models.adapters.mlx_runtime import mlx_core
from desktop.models.catalogue import Catalogue
from desktop.models.errors import ModelDamaged, ModelOutOfBudget, ModelStopped
from desktop.models.generation import ModelLoading, VisionRequest
from desktop.models.inference_thread import InferenceThread, Priority
from desktop.models.manager import ModelManager
from desktop.models.memory import GIB, MachineMemory
from desktop.models.overview import Wishes
from desktop.models.packs.model_folder import ModelFolder
from desktop.models.packs.operations import import_pack
from desktop.models.roles import Role
from tests.models import tiny_colqwen, tiny_text_models
from tests.models.tiny_language import DECISION, ask, end_of, text_of, write_tiny_model
from tests.models.tiny_vision import write_tiny_vision

pytestmark = pytest.mark.models
ROLES: dict[Role, str] = {
    "language": "tiny-language",
    "vision": "tiny-vision",
    "pages": "tiny-pages",
    "text": "tiny-text",
}


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    pytest.importorskip("mlx_lm")
    sources = tmp_path_factory.mktemp("usb-stick")
    write_tiny_model("qwen3", sources / "tiny-language")
    write_tiny_vision(sources / "tiny-vision")
    tiny_colqwen.build("colqwen2_5", sources / "tiny-pages")
    tiny_text_models.tiny_nomic(sources / "tiny-text")
    installed = ModelFolder(tmp_path_factory.mktemp("models"))
    for source in sources.iterdir():
        list(import_pack(source, installed, Catalogue.load()))
    return installed


@pytest.fixture
def thread():
    thread = InferenceThread("for-real")
    yield thread
    thread.close()


@pytest.fixture
def make(folder, thread):
    def make(budget_gib=4.0, source=folder):
        machine = MachineMemory(total=16 * GIB, available=lambda: 16 * GIB)
        wishes = Wishes("field", ROLES)
        return ModelManager(
            source, Catalogue.load(), thread, machine=machine, wishes=wishes, budget_gib=budget_gib
        )

    return make


@pytest.fixture
def manager(make):
    return make()


def loaded(manager):
    return {each.id for each in manager.models() if each.state == "loaded"}


def test_every_role_is_played_by_an_imported_model(manager):
    assert text_of(manager.language().generate(ask("Which pump?")))
    picture = np.full((120, 90, 3), 200, np.uint8)
    assert end_of(
        list(manager.vision().read(VisionRequest("What is this?", picture, max_tokens=4)))
    )
    (page,) = manager.pages().embed_pages([tiny_colqwen.picture(200, 150)])
    assert page.patches.shape == (page.rows * page.columns, manager.pages().dimension)
    assert manager.text().embed_queries(["pump"]).shape == (1, manager.text().dimension)
    assert loaded(manager) == set(ROLES.values())
    assert manager.memory().weights_bytes > 0


def test_a_decision_is_held_to_its_schema_through_the_manager(manager):
    parts = list(manager.language().generate(ask("Which pump?", 700, schema=DECISION)))
    assert isinstance(parts[0], ModelLoading)
    assert json.loads(text_of(parts))["tool"] in ("search", "answer")


def test_two_questions_at_once_get_the_answers_that_each_gets_alone(manager):
    model = manager.language()
    questions = ["Which pump?", "How many bars?"]
    alone = [text_of(model.generate(ask(question))) for question in questions]
    together: dict[str, str] = {}
    threads = [
        threading.Thread(
            target=lambda q=question: together.update({q: text_of(model.generate(ask(q)))})
        )
        for question in questions
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert [together[question] for question in questions] == alone


def test_a_question_goes_between_the_pages_of_ingestion(manager, thread):
    answered = threading.Event()

    def ingest():
        embedder = manager.pages(Priority.INGESTION)
        while not answered.is_set():
            embedder.embed_pages([tiny_colqwen.picture(200, 150)])

    ingestion = threading.Thread(target=ingest)
    ingestion.start()
    text = text_of(manager.language().generate(ask("Which pump?", 40)))
    answered.set()
    ingestion.join(60)
    assert text
    assert not ingestion.is_alive()


def test_cancelling_stops_within_two_tokens_and_the_next_answer_is_whole(manager):
    model, asked = manager.language(), count(1)

    def cancelled():  # when another thread would set it is up to the machine
        return next(asked) > 3

    whole = text_of(model.generate(ask("Which pump?")))
    parts = list(model.generate(ask("Which pump?"), cancelled))
    assert end_of(parts).reason == "cancelled"
    assert end_of(parts).usage.output_tokens <= 3
    assert text_of(model.generate(ask("Which pump?"))) == whole


def test_unloading_gives_the_memory_back(manager, thread):
    def active():
        return thread.run(lambda: mlx_core().get_active_memory(), Priority.INGESTION)

    before = active()
    list(manager.language().generate(ask("Which pump?")))
    assert active() > before
    manager.unload("tiny-language")
    assert active() <= before + 4096
    assert loaded(manager) == set()


def test_the_second_step_of_a_question_reads_only_what_is_new(manager):
    model = manager.language()
    list(model.generate(ask("Which pump?")))
    usage = end_of(list(model.generate(ask("Which pump, and where?")))).usage
    assert usage.reused_tokens > usage.prompt_tokens / 2


def test_a_model_that_does_not_fit_is_refused_in_a_sentence(make):
    manager = make(budget_gib=4.0)
    model = manager.language()
    manager._pool._wanted_gib = 1e-6
    with pytest.raises(ModelOutOfBudget, match="tiny-language needs"):
        list(model.generate(ask("Which pump?")))


def test_weights_that_were_cut_off_after_the_import_are_named(make, folder, tmp_path):
    broken = ModelFolder(tmp_path)
    list(import_pack(folder.path("tiny-language"), broken, Catalogue.load()))
    weights = broken.path("tiny-language") / "model.safetensors"
    manager = make(source=broken)
    model = manager.language()
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(ModelDamaged, match=r"model\.safetensors"):
        list(model.generate(ask("Which pump?")))
    manager.refresh()
    (status,) = [each for each in manager.models() if each.id == "tiny-language"]
    assert status.state == "damaged"
    assert manager.language() is None


def test_closing_while_a_model_writes_ends_everything(manager, thread):
    stream = manager.language().generate(ask("Which pump?", 2_000))
    assert len(list(islice(stream, 8))) == 8
    thread.close()
    with pytest.raises(ModelStopped):
        list(stream)
    assert loaded(manager) == set()
