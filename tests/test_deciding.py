"""Which of the ways to decide is used: the setting `agent.decider`."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from desktop.app import make_decider
from desktop.core.agent.tools import create_tools
from desktop.core.events import DecisionEvent
from desktop.core.settings.sections import AgentSettings
from tests.fakes.agent import ask, make_agent, make_services
from tests.fakes.language_model import FakeLanguageModel

SEARCH = {"query": "fuse", "limit": None}
NAMES = {"dspy": ("tool_name", "tool_inputs"), "prompt": ("tool", "inputs")}


def decisions(way: str) -> list[str]:
    tool, inputs = NAMES[way]
    said: dict[str, Any] = {"reasoning": "because", "should_end": False, "impossible": False}
    return [
        json.dumps({**said, tool: "fast_vector_search", inputs: SEARCH}),
        json.dumps({**said, tool: "text_response", inputs: {}}),
    ]


def run(setting: Any, model: FakeLanguageModel | None) -> list[Any]:
    models = SimpleNamespace(language=lambda: model, vision=lambda: None)
    settings = AgentSettings(decider=setting)
    tools = create_tools(make_services(settings=settings, models=models))
    decider = make_decider(tools, settings, models.language)
    return ask(make_agent(decider=decider, models=models), str(SEARCH["query"]))


def reasons(events: list[Any]) -> list[str]:
    return [event.reasoning for event in events if isinstance(event, DecisionEvent)]


@pytest.mark.parametrize(("setting", "way"), [("auto", "dspy"), ("dspy", "dspy"), ("prompt",) * 2])
def test_with_a_language_model_it_decides_and_writes(setting, way):
    model = FakeLanguageModel(*decisions(way), "The fuse is 5 A [1].")
    events = run(setting, model)
    assert reasons(events) == ["because", "because"]
    assert events[-1].outcome == "answered"
    assert len(model.requests) == 3


def test_rules_never_ask_the_model_what_to_do_next_but_let_it_write():
    model = FakeLanguageModel("The fuse is 5 A [1].")
    events = run("rules", model)
    assert events[-1].outcome == "answered"
    assert [request.schema for request in model.requests] == [None]


@pytest.mark.parametrize("setting", ["auto", "dspy", "prompt", "rules"])
def test_without_a_language_model_every_setting_answers_by_rules_and_quotes(setting):
    events = run(setting, None)
    assert events[-1].outcome == "answered"
    assert "because" not in reasons(events)


def test_what_the_user_sees_does_not_depend_on_the_decider():
    def shown(setting: str, *said: str) -> list[str]:
        kinds = [e.type for e in run(setting, FakeLanguageModel(*said, "The fuse is 5 A [1]."))]
        return [kind for kind in kinds if kind not in ("decision", "status")]

    assert shown("dspy", *decisions("dspy")) == shown("prompt", *decisions("prompt"))
    assert shown("dspy", *decisions("dspy")) == shown("rules")
