"""What a language model read and wrote stands in the trace, with the step that it was for."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from desktop.core.agent.model_decider import DSPyAsking, ModelDecider
from desktop.core.agent.question_trace import SpentTokens
from desktop.core.agent.rule_decider import RuleDecider
from desktop.core.settings.sections import ReasoningTraceSettings
from desktop.core.trace.reasoning_trace import ReasoningStage
from desktop.core.trace.session_memory import Sessions
from desktop.models.generation import GenerationEnd, TextPart, Usage
from tests.fakes.agent import ask, decision_text, make_agent
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.searcher import FakeSearcher, page_found


def test_the_calls_of_one_work_are_added_up_until_they_are_taken():
    spent = SpentTokens()
    tell = spent.listener("decision")
    tell(TextPart("some"))
    tell(GenerationEnd("stop", Usage(300, 280, 20)))
    tell(GenerationEnd("length", Usage(310, 300, 5)))
    spent.listener("tool")(GenerationEnd("stop", Usage(1_000, 0, 90)))

    assert spent.taken("decision") == {"tokens_in": 610, "tokens_out": 25}
    assert spent.taken("decision") == {}
    assert spent.taken("tool") == {"tokens_in": 1_000, "tokens_out": 90}


def test_decisions_and_the_answer_tell_their_tokens_and_a_search_has_none():
    model = FakeLanguageModel(
        decision_text("fast_vector_search", query="fuse"),
        decision_text("text_response"),
        "The fuse is 5 A [1].",
    )
    agent = make_agent(
        searcher=FakeSearcher([page_found("The fuse is 5 A.")]),
        models=SimpleNamespace(language=lambda: model, vision=lambda: None),
        decider=ModelDecider(lambda: model, DSPyAsking([]), RuleDecider()),
    )
    sessions = Sessions(ReasoningTraceSettings())
    seen: list[Any] = []
    sessions.on_entry(lambda trace, _entry: seen.append(trace))
    agent.sessions = sessions
    events = ask(agent, "fuse")

    assert events[-1].outcome == "answered"
    trace = seen[-1]
    decided = [each for each in trace.at_stage(ReasoningStage.PLANNING) if each.action]
    search, answer = trace.at_stage(ReasoningStage.EXECUTION)
    told = [*decided, answer]
    assert len(told) == len(model.requests) == 3
    for entry in told:
        assert entry.metrics["tokens_in"] > 10
        assert entry.metrics["tokens_out"] > 0
    assert "tokens_in" not in search.metrics
