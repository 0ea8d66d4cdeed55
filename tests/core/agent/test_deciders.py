"""Decisions that a language model makes, whichever way it is asked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop.core.agent.model_decider import DSPyAsking, ModelDecider, PromptAsking
from desktop.core.agent.rule_decider import RuleDecider
from desktop.core.agent.tools import create_tools
from desktop.core.events import (
    DecisionEvent,
    ErrorEvent,
    ResultEvent,
    StatusEvent,
    TokenEvent,
)
from desktop.core.jobs import CancelToken
from desktop.core.settings.sections import AgentSettings
from desktop.models.errors import ModelOutOfBudget
from desktop.models.generation import never
from knowledge.atlas import Atlas
from tests.fakes.agent import ask, decision_text, make_agent, make_services
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.bookcase import bookcase_at
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.searcher import FakeSearcher, page_found

SEARCH, RESPONSE = "fast_vector_search", "text_response"


@pytest.fixture(params=["dspy", "prompt"])
def way(request):
    return request.param


def decision(way: str, tool: str, reasoning: str = "because", **inputs: Any) -> str:
    return decision_text(tool, reasoning, way=way, **inputs)


def agent_with(way, model, **parts):
    ending = [tool for tool in create_tools(make_services()) if tool.end]
    asking = DSPyAsking(ending) if way == "dspy" else PromptAsking(ending)
    return make_agent(decider=ModelDecider(lambda: model, asking, RuleDecider()), **parts)


def kinds(events):
    return [event.type for event in events]


def said(request):
    return "\n".join(message.text for message in request.messages)


def test_context_accumulates_the_second_decision_sees_what_the_first_found_and_why(way):
    model = FakeLanguageModel(
        decision(way, SEARCH, "Look up the fuse.", query="fuse rating"), decision(way, RESPONSE)
    )
    events = ask(agent_with(way, model))
    assert events[-1].outcome == "answered"
    first, second = model.requests
    assert "fast_vector_search_pages_0_0" not in said(first)
    assert "fast_vector_search_pages_0_0" in said(second)
    assert "The fuse is 5 A." in said(second)
    assert "Chosen action: fast_vector_search (SUCCESSFUL)" in said(second)
    assert "Reasoning: Look up the fuse." in said(second)


def test_the_agent_is_told_who_it_is_and_what_is_asked(way):
    model = FakeLanguageModel(decision(way, SEARCH, query="fuse"), decision(way, RESPONSE))
    ask(agent_with(way, model), "What is the fuse?")
    assert "What is the fuse?" in said(model.requests[0])
    assert Atlas().agent_description in said(model.requests[0])


def test_self_healing_the_next_decision_sees_the_error_of_the_last(way):
    searcher = FakeSearcher([], [page_found("The fuse is 5 A.")])
    model = FakeLanguageModel(
        decision(way, SEARCH, query="fuze"),
        decision(way, SEARCH, query="fuse"),
        decision(way, RESPONSE),
    )
    events = ask(agent_with(way, model, searcher=searcher))
    assert "No page in the manuals matches." in said(model.requests[1])
    assert "UNSUCCESSFUL" in said(model.requests[1])
    assert events[-1].outcome == "answered"


def test_the_model_is_held_to_the_tools_there_are_and_to_their_inputs(way):
    model = FakeLanguageModel(decision(way, SEARCH, query="fuse"), decision(way, RESPONSE))
    ask(agent_with(way, model))
    first, second = (dict(request.schema or {})["anyOf"] for request in model.requests)
    name = "tool_name" if way == "dspy" else "tool"
    inputs = "tool_inputs" if way == "dspy" else "inputs"
    by_name = {choice["properties"][name]["const"]: choice["properties"] for choice in first}
    assert by_name[SEARCH][inputs]["required"] == ["query", "limit"]
    assert by_name[RESPONSE]["impossible"] == {"const": True}
    assert {choice["properties"][name]["const"] for choice in second} >= {SEARCH, RESPONSE}


def test_a_request_that_cannot_be_fulfilled_is_said_to_be_impossible(way):
    model = FakeLanguageModel(decision(way, RESPONSE, "It asks for the weather.", impossible=True))
    agent = agent_with(way, model, answerer=FakeAnswerer(found=False))
    events = ask(agent, "What will the weather be?")
    assert events[-1].outcome in ("not_found", "impossible")
    assert any(isinstance(event, TokenEvent) for event in events)


def test_a_decision_that_is_no_decision_is_asked_for_once_more_with_the_reason(way):
    model = FakeLanguageModel(
        "I would search.", decision(way, SEARCH, query="fuse"), decision(way, RESPONSE)
    )
    events = ask(agent_with(way, model))
    assert "was not valid" in said(model.requests[1])
    assert "was not valid" not in said(model.requests[2])
    assert "error" not in kinds(events)
    assert events[-1].outcome == "answered"


def test_inputs_that_do_not_fit_the_tool_are_repaired_before_it_is_called(way):
    model = FakeLanguageModel(
        decision(way, SEARCH, query="", limit=900),
        decision(way, SEARCH, query="fuse"),
        decision(way, RESPONSE),
    )
    events = ask(agent_with(way, model), "fuse")
    assert "error" not in kinds(events)
    assert next(e.inputs.get("query") for e in events if isinstance(e, DecisionEvent)) == "fuse"


def test_what_stays_wrong_is_told_to_the_next_decision_and_then_rules_decide(way):
    model = FakeLanguageModel(*["nonsense"] * 4)
    events = ask(agent_with(way, model))
    errors = [event for event in events if isinstance(event, ErrorEvent)]
    assert [(e.tool, e.recoverable) for e in errors] == [("decision", True)] * 2
    assert "was not valid" in said(model.requests[2])
    assert events[-1].outcome == "answered"
    assert len(model.requests) == 4


def test_the_same_call_twice_is_refused_and_the_model_is_told(way):
    model = FakeLanguageModel(
        decision(way, SEARCH, query="fuse"),
        decision(way, SEARCH, query="fuse "),
        decision(way, RESPONSE),
    )
    events = ask(agent_with(way, model), "fuse")
    assert sum(isinstance(event, ResultEvent) for event in events) == 2  # pages and the answer
    assert "already run with the same inputs" in said(model.requests[2])


def test_after_a_repeated_call_the_next_decision_is_not_offered_that_tool(way):
    model = FakeLanguageModel(
        decision(way, SEARCH, query="fuse"),
        decision(way, SEARCH, query="fuse"),
        decision(way, RESPONSE),
    )
    ask(agent_with(way, model))
    offered = [json.dumps(request.schema) for request in model.requests]
    assert [SEARCH in schema for schema in offered] == [True, True, False]
    assert RESPONSE in offered[2]


def test_without_memory_for_the_model_the_question_is_answered_by_rules_and_says_why(way):
    model = FakeLanguageModel()
    model.enqueue(error=ModelOutOfBudget("it needs 9.0 GB", 9, 1, "Unload one."))
    events = ask(agent_with(way, model))
    (error,) = [event for event in events if isinstance(event, ErrorEvent)]
    assert "memory" in error.message
    assert "Unload one." in error.suggestion
    assert events[-1].outcome == "answered"


def test_without_a_model_rules_decide(way):
    events = ask(agent_with(way, None))
    assert [e.tool for e in events if isinstance(e, DecisionEvent)] == [SEARCH, RESPONSE]


def test_what_the_user_sees_does_not_depend_on_who_decides():
    streams = []
    for way in ("dspy", "prompt", "rules"):
        script = [decision(way, SEARCH, query="What is the fuse?"), decision(way, RESPONSE)]
        model = None if way == "rules" else FakeLanguageModel(*script)
        events = ask(agent_with("dspy" if way == "rules" else way, model))
        of_deciding = (DecisionEvent, ResultEvent, StatusEvent)
        streams.append([e for e in events if not isinstance(e, of_deciding)][:-1])
    assert streams[0] == streams[1] == streams[2]


def test_a_model_that_is_too_slow_ends_in_quotes_and_says_so(way):
    model = FakeLanguageModel()
    model.enqueue(decision(way, SEARCH, query="fuse"), seconds=0.2)
    events = ask(agent_with(way, model, settings=AgentSettings(time_limit_seconds=0.3)))
    (error,) = [event for event in events if isinstance(event, ErrorEvent)]
    assert "longer than 0.3 seconds" in error.message
    assert error.recoverable
    assert events[-1].outcome == "answered"


def test_a_model_that_finds_no_way_ends_in_quotes_and_says_so(way):
    model = FakeLanguageModel(*[decision(way, SEARCH, query=f"fuse {n}") for n in range(4)])
    events = ask(agent_with(way, model, settings=AgentSettings(max_iterations=3)))
    errors = [event for event in events if isinstance(event, ErrorEvent)]
    assert "found no way to answer" in errors[-1].message
    assert events[-1].outcome == "answered"


def offered(way, request):
    name = "tool_name" if way == "dspy" else "tool"
    choices = dict(request.schema or {})["anyOf"]
    return {choice["properties"][name]["const"] for choice in choices}


@pytest.mark.parametrize(
    ("prompt", "listed"),
    [
        ("What is the fuse?", [False, False]),
        ("Which of the manuals is about the pump?", [True, True]),
    ],
)
def test_a_model_is_offered_a_list_of_manuals_only_if_they_are_asked_about(
    way, prompt, listed, tmp_path
):
    model = FakeLanguageModel(decision(way, SEARCH, query="fuse"), decision(way, RESPONSE))
    with bookcase_at(tmp_path) as bookcase:
        ask(agent_with(way, model, library=bookcase.library), prompt)
    assert ["list_manuals" in offered(way, request) for request in model.requests] == listed


def test_a_model_may_look_at_the_list_of_manuals_when_a_search_found_nothing(way, tmp_path):
    searcher = FakeSearcher([], [page_found("The fuse is 5 A.")])
    model = FakeLanguageModel(
        decision(way, SEARCH, query="fuze"),
        decision(way, SEARCH, query="fuse"),
        decision(way, RESPONSE),
    )
    with bookcase_at(tmp_path) as bookcase:
        ask(agent_with(way, model, library=bookcase.library, searcher=searcher), "fuze")
    assert ["list_manuals" in offered(way, request) for request in model.requests] == [
        False,
        True,
        False,
    ]


@pytest.mark.parametrize("state", ["deciding", "searching", "deciding again", "answering"])
def test_a_question_can_be_cancelled_in_the_middle_of_every_state(way, state):
    token = CancelToken()
    model = FakeLanguageModel()
    for number, text in enumerate([decision(way, SEARCH, query="fuse"), decision(way, RESPONSE)]):
        slow = {0: "deciding", 1: "deciding again"}[number] == state
        model.enqueue(text, seconds=0.05 if slow else 0)

    class Stopping(FakeSearcher):
        def search(self, query):
            if state == "searching":
                token.cancel()
            return super().search(query)

    class StoppingAnswerer(FakeAnswerer):
        def answer(self, *arguments):
            if state == "answering":
                token.cancel()
            return super().answer(*arguments)

    if state.startswith("deciding"):
        limit = 1 if state == "deciding" else 2
        generate = model.generate

        def stopping(request, cancelled=never):
            if len(model.requests) + 1 == limit:
                token.cancel()
            yield from generate(request, cancelled)

        model.generate = stopping  # type: ignore[method-assign]
    searcher = Stopping([page_found("The fuse is 5 A.")])
    parts = {"searcher": searcher, "answerer": StoppingAnswerer()}
    events = ask(agent_with(way, model, **parts), cancel=token)
    assert events[-1].outcome == "cancelled"
    assert not any(isinstance(event, ErrorEvent) for event in events)
