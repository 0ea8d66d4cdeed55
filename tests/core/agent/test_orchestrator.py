"""The loop itself: what is refused, what heals, what stops it."""

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING

import pytest

from desktop.cli.answer_output import AnswerPrinter
from desktop.core.agent.decision import Decision
from desktop.core.agent.orchestrator import AgentOrchestrator
from desktop.core.agent.rule_decider import RuleDecider
from desktop.core.agent.tool_output import Error, Result
from desktop.core.agent.tools import create_tools
from desktop.core.answering.extractive import ExtractiveAnswerer
from desktop.core.conversations.rows import event_from_json
from desktop.core.events import (
    CitationEvent,
    DecisionEvent,
    ErrorEvent,
    ResultEvent,
    TokenEvent,
    to_json,
)
from desktop.core.jobs import CancelToken
from desktop.core.library.values import SourceEdit
from desktop.core.settings.sections import AgentSettings
from tests.fakes.agent import EchoTool, ask, make_agent, make_services
from tests.fakes.bookcase import Sheet, bookcase_at
from tests.fakes.decider import FakeDecider
from tests.fakes.searcher import FakeSearcher

if TYPE_CHECKING:
    from pathlib import Path

SEARCH = Decision(tool="fast_vector_search", inputs={"query": "fuse"}, reasoning="look")
ANSWER = Decision(tool="text_response", reasoning="enough", should_end=True)


def errors_in(events):
    return [event for event in events if isinstance(event, ErrorEvent)]


def test_the_same_call_is_never_made_twice():
    searcher = FakeSearcher([])
    again = Decision(tool="fast_vector_search", inputs={"query": " fuse "}, reasoning="again")
    decider = FakeDecider(SEARCH, again, ANSWER.model_copy(update={"impossible": True}))
    events = ask(make_agent(searcher=searcher, decider=decider), "fuse")
    assert len(searcher.queries) == 1
    assert "already run" in errors_in(events)[1].message
    assert any("already run" in message for message in decider.errors[2])


def test_an_error_is_shown_to_the_next_decision():
    decider = FakeDecider(SEARCH, ANSWER.model_copy(update={"impossible": True}))
    events = ask(make_agent(searcher=FakeSearcher([]), decider=decider), "fuse")
    assert decider.errors == [[], ["No page in the manuals matches. Try different words."]]
    assert events[-1].outcome == "not_found"


def test_an_unknown_tool_is_refused_with_the_names_of_those_there_are():
    decider = FakeDecider(Decision(tool="dream"), SEARCH, ANSWER)
    events = ask(make_agent(decider=decider))
    assert errors_in(events)[0].message == "There is no tool called dream."
    assert "fast_vector_search" in errors_in(events)[0].suggestion
    assert events[-1].outcome == "answered"


def test_wrong_inputs_are_returned_to_the_decider_and_not_run():
    searcher = FakeSearcher([])
    wrong = Decision(tool="fast_vector_search", inputs={"query": "x", "depth": 3})
    events = ask(make_agent(searcher=searcher, decider=FakeDecider(wrong)))
    assert "x" not in [query.text for query in searcher.queries]
    assert any("depth" in error.suggestion for error in errors_in(events))


def test_the_answer_tool_is_only_offered_when_there_is_something_to_answer_from():
    decider = FakeDecider(SEARCH, ANSWER)
    ask(make_agent(decider=decider))
    first, second = map(set, decider.available)
    assert "text_response" not in first
    assert second - first == {"text_response", "ask_clarification"}


def test_before_the_last_step_only_the_answer_is_offered():
    decider = FakeDecider(SEARCH, ANSWER)
    ask(make_agent(decider=decider, settings=AgentSettings(max_iterations=2)))
    assert decider.available[1] == ["text_response"]


def test_a_decider_that_never_answers_is_stopped_after_the_allowed_steps():
    echo = EchoTool(Error("nothing"))
    events = ask(
        make_agent(
            decider=FakeDecider(Decision(tool="echo")),
            settings=AgentSettings(max_iterations=4),
            more_tools=[echo],
        )
    )
    assert echo.runs == 1
    assert sum(isinstance(event, DecisionEvent) for event in events) == 4
    assert errors_in(events)[-1].message == "No answer after 4 steps."
    assert (events[-1].outcome, events[-1].steps) == ("failed", 4)


def test_a_tool_that_wants_to_run_goes_first_and_only_once():
    echo = EchoTool(Result(({"page": 1},), name="seen"), wants_to_run=True)
    search = Decision(tool="fast_vector_search", inputs={"query": "fuse"})
    events = ask(make_agent(decider=FakeDecider(search, ANSWER), more_tools=[echo]), "fuse")
    tools = [event.tool for event in events if isinstance(event, DecisionEvent)]
    assert tools == ["echo", "fast_vector_search", "text_response"]
    assert echo.runs == 1


def test_nothing_is_answered_from_what_is_no_page():
    seen = EchoTool(Result(({"manual": "pump.pdf"},), name="seen"), wants_to_run=True)
    decider = FakeDecider(Decision(tool="fast_vector_search", inputs={"query": "fuse"}), ANSWER)
    ask(make_agent(decider=decider, more_tools=[seen]))
    assert "text_response" not in decider.available[0]
    assert "text_response" in decider.available[1]


def test_a_question_that_takes_too_long_is_stopped_and_says_so():
    slow = EchoTool(seconds=5)
    events = ask(
        make_agent(
            decider=FakeDecider(Decision(tool="echo")),
            settings=AgentSettings(time_limit_seconds=0.5),
            more_tools=[slow],
        )
    )
    assert "longer than 0.5 seconds" in errors_in(events)[0].message
    assert events[-1].outcome == "failed"
    assert events[-1].milliseconds < 4000
    assert slow.closed


def test_a_tools_own_timeout_is_not_taken_for_the_end_of_the_questions_time():
    class Impatient(EchoTool):
        async def __call__(self, tree_data, inputs):
            if not self.outputs:
                raise TimeoutError("the printer")
            yield self.outputs[0]

    decider = FakeDecider(Decision(tool="echo"))
    events = ask(make_agent(decider=decider, more_tools=[Impatient()]))
    assert "longer than" not in errors_in(events)[0].message
    assert events[-1].outcome == "failed"


def test_a_cancelled_question_stops_at_its_next_step():
    token = CancelToken()
    echo = EchoTool(TokenEvent("one"), TokenEvent(" two"), TokenEvent(" three"))

    async def run():
        seen = []
        agent = make_agent(decider=FakeDecider(Decision(tool="echo")), more_tools=[echo])
        async for event in agent.run("What?", cancel=token):
            seen.append(event)
            if isinstance(event, TokenEvent):
                token.cancel()
        return seen

    events = asyncio.run(run())
    assert [event.type for event in events] == ["decision", "token", "complete"]
    assert events[-1].outcome == "cancelled"
    assert echo.closed


def test_a_stream_that_is_abandoned_closes_its_tool():
    echo = EchoTool(TokenEvent("one"), TokenEvent(" two"))

    async def run():
        agent = make_agent(decider=FakeDecider(Decision(tool="echo")), more_tools=[echo])
        stream = agent.run("What?")
        async for event in stream:
            if isinstance(event, TokenEvent):
                break
        await stream.aclose()
        return echo.closed  # before the loop's own cleaning up at its end

    assert asyncio.run(run())


def test_a_foreign_cancellation_is_not_swallowed():
    async def run():
        slow = EchoTool(seconds=5)
        agent = make_agent(decider=FakeDecider(Decision(tool="echo")), more_tools=[slow])
        async with asyncio.timeout(0.05):
            async for _ in agent.run("What?"):
                pass

    with pytest.raises(TimeoutError):
        asyncio.run(run())


def test_a_result_enters_environment_and_train_of_thought_by_itself():
    seen = {}

    class Spy(FakeDecider):
        async def decide(self, tree_data, available):
            seen["environment"] = tree_data.environment.to_llm_context()
            seen["thought"] = tree_data.tasks_completed_string()
            return await super().decide(tree_data, available)

    echo = EchoTool(Result(({"page": 7},), {"query": "fuse"}, "seen", llm_message="Saw {page}."))
    events = ask(
        make_agent(decider=Spy(Decision(tool="echo", reasoning="why"), ANSWER), more_tools=[echo])
    )
    assert "echo_seen_0_0" in seen["environment"]
    assert "Chosen action: echo (SUCCESSFUL)" in seen["thought"]
    assert "Parsed_info: Saw 7." in seen["thought"]
    result = next(event for event in events if isinstance(event, ResultEvent))
    assert result.milliseconds >= 0


def test_a_citation_of_an_older_revision_names_the_newer_one(tmp_path: Path):
    old = (Sheet().text("The service lamp behind the door is changed every year."),)
    new = (Sheet().text("The tightening torque for terminal X2 is 1.2 Nm."),)
    with bookcase_at(tmp_path / "library") as bookcase:
        for name, sheets, revision in (("b.pdf", old, "Rev B"), ("c.pdf", new, "Rev C")):
            id_ = bookcase.add(name, sheets, title="Pump manual")
            bookcase.library.set_source([id_], SourceEdit(revision=revision))
        settings = AgentSettings(least_confidence=0)
        answerer = ExtractiveAnswerer(bookcase.library, None, settings)
        services = make_services(
            searcher=bookcase.searcher,
            answerer=answerer,
            shelf=bookcase.library,
            settings=settings,
        )
        agent = AgentOrchestrator(
            create_tools(services),
            RuleDecider(),
            settings,
            lambda: ["b.pdf", "c.pdf"],
            newer=bookcase.library.newer_revisions,
        )

        def cited(question: str) -> list[tuple[str, str]]:
            found = [each for each in ask(agent, question) if isinstance(each, CitationEvent)]
            return [(each.source.document, each.newer) for each in found]

        assert set(cited("How often is the service lamp changed?")) == {("b.pdf", "Rev C")}
        assert set(cited("What is the tightening torque for X2?")) == {("c.pdf", "")}

        events = ask(agent, "How often is the service lamp changed?")
        said = io.StringIO()
        printer = AnswerPrinter(said, io.StringIO())
        for event in events:
            printer.show(event)
        assert "b.pdf, page 1 (older revision, Rev C is in the library)" in said.getvalue()
        (citation, *_) = [each for each in events if isinstance(each, CitationEvent)]
        assert event_from_json(to_json(citation)) == citation
