"""How prompts begin: a model keeps what it has read as far as the next prompt is the same."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from desktop.app.agent import make_decider
from desktop.core.agent.orchestrator import AgentOrchestrator
from desktop.core.agent.tools import create_tools
from desktop.core.settings.sections import AgentSettings
from knowledge.atlas import Atlas, datetime_reference
from tests.fakes.agent import ask, decision_text, make_services
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.shelf import FakeShelf, manual

SEARCH, RESPONSE = "fast_vector_search", "text_response"
FIRST = "What is the rating of the fuse beside the transformer?"
SECOND = "How often is the backup battery of the panel replaced?"


@pytest.fixture(params=["dspy", "prompt"])
def way(request):
    return request.param


def searched_and_answered(way: str, query: str) -> tuple[str, str, str]:
    search = decision_text(SEARCH, way=way, query=query)
    return search, decision_text(RESPONSE, way=way), "The fuse is 5 A [1]."


def prompts(way: str, questions: list[str], *texts: str, atlas: Any = None) -> list[str]:
    """Ask one agent all questions; returns what its model was shown, in order."""
    model = FakeLanguageModel(*texts)
    settings = AgentSettings.model_validate({"decider": way})
    shelf = FakeShelf(manual())
    models: Any = SimpleNamespace(language=lambda: model, vision=lambda: None)
    tools = create_tools(make_services(shelf=shelf, settings=settings, models=models))
    times = itertools.count()
    agent = AgentOrchestrator(
        tools,
        make_decider(tools, settings, models.language),
        settings,
        shelf.names,
        atlas or (lambda **_told: told_at(next(times))),
    )
    for question in questions:
        ask(agent, question)
    return ["\n".join(m.text for m in request.messages) for request in model.requests]


def told_at(hour: int) -> Atlas:
    now = datetime(2026, 3, 4 + hour, 10 + hour, 30, tzinfo=UTC)
    return Atlas(datetime_reference=datetime_reference(now))


def test_an_answer_is_written_without_being_told_of_manuals_that_were_not_found(way):
    def atlas(about: frozenset[int], **_told: str) -> Atlas:
        return Atlas(agent_description=f"You know {sorted(about) or 'everything'}.")

    decision, *_, answer = prompts(way, [FIRST], *searched_and_answered(way, "fuse"), atlas=atlas)
    assert "You know everything." in decision
    assert "You know [1]." in answer


def common(one: str, other: str) -> str:
    same = zip(one, other, strict=False)
    return one[: next((i for i, (a, b) in enumerate(same) if a != b), min(len(one), len(other)))]


def test_of_the_next_question_a_decision_reads_little_more_than_the_question_anew(way):
    shown = prompts(
        way,
        [FIRST, SECOND],
        *searched_and_answered(way, "fuse"),
        *searched_and_answered(way, "battery"),
    )
    first, second = shown[0], shown[3]
    assert SECOND in second
    anew = second[len(common(first, second)) :]
    assert len(anew) < 0.1 * len(second)
    assert Atlas().agent_description not in anew


def test_of_the_next_step_a_decision_reads_only_what_has_happened_since(way):
    first, second, _answer = prompts(way, [FIRST], *searched_and_answered(way, "fuse"))
    same = common(first, second)
    assert FIRST in same
    assert "The fuse is 5 A." in second[len(same) :]


def test_a_tool_is_described_before_it_is_available_and_offered_only_when_it_is(way):
    first, second, _answer = prompts(way, [FIRST], *searched_and_answered(way, "fuse"))
    described = "Answer the question from the retrieved pages"
    assert described in common(first, second)
    assert RESPONSE not in first[first.index(FIRST) :]
    assert RESPONSE in second[second.index(FIRST) :]


def test_an_answer_reads_nothing_anew_before_the_question():
    shown = prompts(
        "dspy",
        [FIRST, SECOND],
        *searched_and_answered("dspy", "fuse"),
        *searched_and_answered("dspy", "battery"),
    )
    first, second = shown[2], shown[5]
    assert "<passage 1" in second
    assert common(first, second).endswith("[[ ## user_prompt ## ]]\n")


def test_an_answer_is_asked_for_once_more_after_the_passages():
    shown = prompts("dspy", [FIRST], *searched_and_answered("dspy", "fuse"))
    assert shown[2].rindex(FIRST) > shown[2].index("</passage 1>")
    assert shown[2].count("NOT IN THE PASSAGES") == 1


def test_the_time_is_told_after_the_question():
    shown = prompts("dspy", [FIRST], *searched_and_answered("dspy", "fuse"))
    assert shown[0].index("2026-03-04T10:30:00") > shown[0].index(FIRST)


def test_nothing_is_said_of_inputs_that_are_empty():
    first, second, _answer = prompts("dspy", [FIRST], *searched_and_answered("dspy", "fuse"))
    assert "[[ ## environment ## ]]" not in first
    assert "[[ ## environment ## ]]" in second
    assert "[[ ## previous_errors ## ]]" not in second


def test_a_decision_is_not_shown_where_on_the_page_something_lies():
    _first, second, _answer = prompts("dspy", [FIRST], *searched_and_answered("dspy", "fuse"))
    found = second[second.index("[[ ## environment ## ]]") :]
    assert '"_REF_ID"' in found
    assert "regions" not in found
    assert "score" not in found


def test_the_reason_of_a_decision_is_held_short():
    model = FakeLanguageModel(decision_text(SEARCH, query="fuse"), decision_text(RESPONSE))
    models: Any = SimpleNamespace(language=lambda: model, vision=lambda: None)
    tools = create_tools(make_services())
    decider = make_decider(tools, AgentSettings(), models.language)
    ask(AgentOrchestrator(tools, decider, AgentSettings(), FakeShelf(manual()).names))
    choices = dict(model.requests[0].schema or {})["anyOf"]
    assert {choice["properties"]["reasoning"]["maxLength"] for choice in choices} == {200}
