"""The whole agent on a language model with random weights: no fake anywhere in its path.

mlx-lm runs the model, DSPy writes the prompts and reads the decisions, the samples are
searched and answered from. What random weights choose is nobody's merit; that every decision
is valid, that the second one is shown the first, and that a question ends sensibly, is ours.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from typing import ClassVar

import pytest

import desktop.app
from desktop.core.events import DecisionEvent, ErrorEvent, ResultEvent
from desktop.core.settings.sections import Settings
from desktop.models.catalogue import Catalogue
from desktop.models.generation import GenerationEnd, TextPart, Usage
from desktop.models.packs.model_folder import ModelFolder
from desktop.models.packs.operations import import_pack
from tests.e2e.real_library import ROOT, ask, outcome
from tests.models.tiny_language import SMALLEST, write_tiny_model

pytestmark = pytest.mark.models

# Random weights are single-minded: each of these goes its own way. Which one is up to chance.
MODELS: dict[str, dict[str, int]] = {
    "tiny-a": SMALLEST,
    "tiny-c": SMALLEST | {"intermediate_size": 64},
}
QUESTION = "What is the highest working pressure of the HX-200?"
SENSIBLE = {"answered", "not_found", "clarification", "impossible"}


class Recording:
    """A language model that passes everything through and keeps what was asked and said.

    usages: what each generation that came to its end cost.
    """

    usages: ClassVar[list[Usage]] = []

    def __init__(self, model, kept):
        self._model = model
        self._kept = kept

    def __getattr__(self, name):
        return getattr(self._model, name)

    def generate(self, request, *cancelled):
        said: list[str] = []
        self._kept.append((request, said))
        for part in self._model.generate(request, *cancelled):
            if isinstance(part, TextPart):
                said.append(part.text)
            elif isinstance(part, GenerationEnd):
                self.usages.append(part.usage)
            yield part


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory):
    """A folder of models with tiny ones, imported as from a USB stick."""
    pytest.importorskip("mlx_lm")
    stick = tmp_path_factory.mktemp("usb-stick")
    folder = tmp_path_factory.mktemp("models")
    for name, config in MODELS.items():
        write_tiny_model(
            "qwen3", stick / name, ROOT / "LICENSE", max_position_embeddings=32_768, **config
        )
        list(import_pack(stick / name, ModelFolder(folder), Catalogue.load()))
    return folder


@pytest.fixture
def generations(monkeypatch, model_folder):
    """Every request that reaches the model, with the pieces of its answer."""
    kept: list = []
    make_manager = desktop.app.make_manager

    def recorded(inference, settings):
        manager = make_manager(inference, settings)
        language = manager.language
        monkeypatch.setattr(
            manager, "language", lambda *priority: Recording(language(*priority), kept)
        )
        return manager

    monkeypatch.setenv("GROUNDWORK_MODELS", str(model_folder))
    monkeypatch.setattr(desktop.app, "make_manager", recorded)
    return kept


def settings(model, decider="dspy"):
    chosen = Settings()
    chosen.models.profile = "field"
    chosen.models.language = model
    chosen.agent.decider = decider
    chosen.agent.max_iterations = 3  # more steps retrieve more than their context holds
    chosen.agent.time_limit_seconds = 300
    chosen.agent.passage_tokens = 1_000
    chosen.agent.answer_tokens = 50
    chosen.retrieval.pages_per_search = 1
    return chosen


def opened(library, model, decider="dspy"):
    return closing(
        desktop.app.open_workspace(library, read_only=True, settings=settings(model, decider))
    )


OWN_WORDS = "The first search uses the question's own words."


def decisions(generations):
    """Requests that were held to the schema of a decision, with the JSON they gave."""
    return [
        (request, "".join(said))
        for request, said in generations
        if request.schema and '"tool' in json.dumps(request.schema)
    ]


def prompt(request):
    return "\n".join(message.text for message in request.messages)


def errors(events):
    return [event for event in events if isinstance(event, ErrorEvent)]


def made(events):
    return [event for event in events if isinstance(event, DecisionEvent)]


def made_by_model(events):
    return [each.tool for each in made(events) if each.reasoning != OWN_WORDS]


def ended_sensibly(events):
    """Whether it was answered or refused, or said at the end what to do about it."""
    told = errors(events)
    return outcome(events) in SENSIBLE or (
        bool(told) and not told[-1].recoverable and bool(told[-1].suggestion)
    )


def test_decisions_of_random_weights_are_valid_and_the_next_is_shown_them(
    generations, sample_library
):
    several = 0
    for model in MODELS:
        generations.clear()
        with opened(sample_library, model) as workspace:
            events = ask(workspace, QUESTION)
        assert ended_sensibly(events), events
        assert not [each for each in errors(events) if each.tool == "decision"]
        assert not [each for each in errors(events) if "The tool's inputs" in each.message]
        decided = decisions(generations)
        chosen = [json.loads(text) for _, text in decided]
        assert [each["tool_name"] for each in chosen] == made_by_model(events)
        prompts = [prompt(request) for request, _ in decided]
        assert QUESTION in prompts[0]
        assert "fast_vector_search" in prompts[0]
        assert "hx200_operator_manual.pdf" in prompts[0]  # the Atlas knows the manuals
        assert "Chosen action: fast_vector_search" in prompts[0]  # in its own words, before a model
        if len(prompts) > 1:
            several += 1
            assert_shown(prompts[1], events)
    assert several, "none of the models took a second decision"
    assert "litellm" not in sys.modules, "the library that looks up hosts is loaded"


def assert_shown(second, events):
    """Decision 2 sees what decision 1 chose, why, and what came of it."""
    first = made(events)[0]
    assert "<task_1>" in second
    assert f"Chosen action: {first.tool}" in second
    assert first.reasoning[:20].strip() in second
    came = next(e for e in events if isinstance(e, (ResultEvent, ErrorEvent)))
    if isinstance(came, ErrorEvent):
        assert "UNSUCCESSFUL" in second
        assert came.message[:20] in second
    else:
        assert came.tool == "fast_vector_search"  # whose message for people is another one
        assert f"Best: page {came.objects[0]['label']}" in second
        assert all(found["_REF_ID"] in second for found in came.objects)


def test_the_way_back_without_dspy_is_answered_by_the_same_model(generations, sample_library):
    with opened(sample_library, "tiny-c", "prompt") as workspace:
        events = ask(workspace, QUESTION)
    assert ended_sensibly(events), events
    request, text = decisions(generations)[0]
    assert "AVAILABLE NOW" in prompt(request)
    assert json.loads(text)["tool"] == made_by_model(events)[0]


def test_the_window_shows_how_such_a_question_ended(generations, sample_library, qtbot):
    from desktop.ui.window.main_window import MainWindow

    with opened(sample_library, "tiny-c") as workspace:
        window = MainWindow()
        qtbot.addWidget(window)
        window.show()
        window.open_workspace(workspace)
        window.chat.ask(QUESTION)
        turn = window.chat.turns[-1]
        qtbot.waitUntil(lambda: not turn.running, timeout=200_000)
        assert turn.outcome in SENSIBLE | {"failed"}
        assert window.chat.list.quoted.isHidden()  # a language model is at work
        assert any(isinstance(event, DecisionEvent) for event in turn.events)
        window.close()
    assert decisions(generations)


def test_what_is_the_same_for_every_question_is_read_once(generations, sample_library):
    other = "What is the weight of the HX-200?"  # not so clear that nothing is left to decide
    read: list[float] = []
    with opened(sample_library, "tiny-c") as workspace:
        for question in (QUESTION, other):
            Recording.usages.clear()
            ask(workspace, question)
            usage = Recording.usages[0]
            read.append(1 - usage.reused_tokens / usage.prompt_tokens)
    assert read[0] == 1
    assert read[1] < 0.2  # the question, and what was found for it
