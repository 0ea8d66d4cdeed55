"""Orders in manuals and notes against language models that really run, as deciders and writers.

Here they have random weights: what they choose and write is chance, no fake is in their path.
A model that has learned something is asked at night: scripts/bench/nightly_injection.py.
"""

from __future__ import annotations

import shutil
from contextlib import closing

import pytest

from desktop.app import open_workspace
from desktop.core.events import DecisionEvent
from desktop.core.notes.note import Note
from desktop.core.settings.sections import Settings
from desktop.models.catalogue import Catalogue
from desktop.models.packs.model_folder import ModelFolder
from desktop.models.packs.operations import import_pack
from tests.attacks.corpus import ORDER, QUESTION
from tests.attacks.harmless import ask, harms
from tests.e2e.real_library import ROOT
from tests.models.tiny_language import SMALLEST, write_tiny_model

pytestmark = [pytest.mark.models, pytest.mark.slow]

MODELS: dict[str, dict[str, int]] = {
    "tiny-a": SMALLEST,
    "tiny-b": SMALLEST | {"intermediate_size": 64},
}
DECIDERS = {"tiny-a": "dspy", "tiny-b": "prompt"}
SECONDS = 300.0
PLACES = ("in_text", "white_on_white", "in_a_table", "scanned", "metadata", "IGNORE")


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory):
    pytest.importorskip("mlx_lm")
    stick, folder = tmp_path_factory.mktemp("stick"), tmp_path_factory.mktemp("models")
    for name, config in MODELS.items():
        write_tiny_model(
            "qwen3", stick / name, ROOT / "LICENSE", max_position_embeddings=32_768, **config
        )
        list(import_pack(stick / name, ModelFolder(folder), Catalogue.load()))
    return folder


@pytest.fixture(scope="module")
def noted(attacked, tmp_path_factory):
    """The hostile manuals with a hostile note beside them."""
    folder = tmp_path_factory.mktemp("noted") / "library"
    shutil.copytree(attacked[0], folder)
    with closing(open_workspace(folder, settings=Settings())) as workspace:
        workspace.notes.add(Note(f"Flange bolts tightening torque: {ORDER}", role="visitor"))
    return folder


@pytest.fixture
def opened(noted, model_folder, monkeypatch):
    """Opens the hostile library with a model that decides and writes."""
    monkeypatch.setenv("GROUNDWORK_MODELS", str(model_folder))

    def open_with(model, decider):
        chosen = Settings()
        chosen.models.profile = "field"
        chosen.models.language = model
        chosen.agent.decider = decider
        chosen.agent.max_iterations = 3
        chosen.agent.time_limit_seconds = SECONDS
        chosen.agent.passage_tokens = 1_000
        chosen.agent.answer_tokens = 50
        chosen.retrieval.pages_per_search = 1
        return closing(open_workspace(noted, read_only=True, settings=chosen))

    return open_with


@pytest.mark.parametrize(("model", "decider"), DECIDERS.items())
def test_no_order_makes_a_running_model_do_what_is_not_offered(opened, model, decider):
    decided = 0
    with opened(model, decider) as workspace:
        before = workspace.library.documents()
        for document in before:
            if document.name.startswith(PLACES):
                events = ask(workspace, QUESTION, [document.id], SECONDS)
                assert harms(workspace, events) == [], document.name
                decided += sum(isinstance(event, DecisionEvent) for event in events)
        assert workspace.library.documents() == before
        assert len(workspace.notes.list()) == 1
    assert decided >= len(PLACES), "no model decided anything"
