"""`list_manuals`, `read_page` and `ask_clarification`, with a library that was really read in."""

from __future__ import annotations

import asyncio

import pytest

from desktop.core.agent.decision import Decision
from desktop.core.agent.gathering import kept_evidence
from desktop.core.agent.tool_output import Error, Result
from desktop.core.agent.tools import create_tools
from desktop.core.agent.tree_data import TreeData
from desktop.core.events import (
    CitationEvent,
    ClarificationEvent,
    DecisionEvent,
    ErrorEvent,
    ResultEvent,
    TokenEvent,
    WarningBlockEvent,
)
from desktop.core.settings.sections import AgentSettings
from tests.fakes.agent import ask, make_agent, make_services
from tests.fakes.bookcase import bookcase_at
from tests.fakes.decider import FakeDecider
from tests.fakes.manuals import WARNING
from tests.fakes.shelf import FakeShelf


@pytest.fixture
def library(bookcase):
    return bookcase.library


@pytest.fixture
def agent(library):
    return make_agent(shelf=FakeShelf(*library.documents()), library=library)


@pytest.fixture
def run(library):
    """Run a tool alone; returns what it yielded and the state it left."""

    def run(name, ids=frozenset(), **inputs):
        services = make_services(shelf=library, library=library)
        tool = next(each for each in create_tools(services) if each.name == name)
        tree_data = TreeData("?", collection_names=("pump.pdf", "crane.pdf"), document_ids=ids)
        values = tool.arguments.model_validate(inputs).model_dump()

        async def collect():
            return [output async for output in tool(tree_data, values)]

        return asyncio.run(collect()), tree_data

    return run


def answer_of(events):
    return "".join(event.content for event in events if isinstance(event, TokenEvent))


def one(events, kind):
    return next(event for event in events if isinstance(event, kind))


def test_asked_which_manuals_there_are_the_rules_list_them_without_a_search(agent):
    events = ask(agent, "Which manuals do I have?")
    assert [e.tool for e in events if isinstance(e, DecisionEvent)] == ["list_manuals"]
    assert answer_of(events).startswith(
        "There are 2 manuals in this library:\n- P-7 Pump (pump.pdf, 4 pages, English, ready)"
    )
    assert "- Crane 500 (crane.pdf, 3 pages" in answer_of(events)
    assert events[-1].outcome == "answered"


def test_the_list_of_manuals_is_a_result_with_pages_state_language_and_sections(run):
    (result,), _ = run("list_manuals")
    assert (result.name, result.payload_type) == ("manuals", "manuals")
    assert result.message() == "The library has 2 manuals: P-7 Pump; Crane 500"
    pump = result.objects[0]
    assert (pump["pages"], pump["state"], pump["language"]) == (4, "ready", "English")
    assert pump["sections"] == ["Power supply", "Fault finding", "Bus", "Sensors"]


def test_a_list_that_nobody_asked_for_is_no_answer(run):
    (result,), tree_data = run("list_manuals", as_answer=True)
    assert result.name == "manuals"
    assert tree_data.outcome is None


def test_an_empty_library_says_what_to_do_when_it_is_asked_for_its_manuals(tmp_path):
    with bookcase_at(tmp_path) as empty:
        agent = make_agent(shelf=FakeShelf(), library=empty.library)
        events = ask(agent, "What manuals are available?")
    assert "Add PDF files or a folder" in answer_of(events)
    assert events[-1].outcome == "impossible"


def test_a_page_that_is_asked_for_is_written_out_and_cited(agent, bookcase):
    events = ask(agent, "Show page 1 of the pump manual")
    assert [e.tool for e in events if isinstance(e, DecisionEvent)] == ["read_page"]
    assert answer_of(events).startswith("Page 1 of P-7 Pump [1]\nPower supply\n")
    assert "24 V DC" in answer_of(events)
    source = one(events, CitationEvent).source
    assert (source.document, source.page) == ("pump.pdf", 0)
    assert one(events, WarningBlockEvent).text == WARNING.removeprefix("WARNING: ")
    assert events[-1].outcome == "answered"


def test_a_page_that_several_manuals_have_is_asked_back_and_an_option_shows_it(agent):
    events = ask(agent, "open page 2")
    asked = one(events, ClarificationEvent)
    assert asked.options == ("Show page 2 of P-7 Pump", "Show page 2 of Crane 500")
    assert events[-1].outcome == "clarification"
    shown = ask(agent, asked.options[1])
    assert "Frequent questions" in answer_of(shown)
    assert shown[-1].outcome == "answered"


def test_with_one_manual_chosen_a_page_number_is_enough(agent, bookcase):
    events = ask(agent, "open page 2", document_ids=frozenset({bookcase.id_of("crane.pdf")}))
    assert "Frequent questions" in answer_of(events)


def test_a_page_that_no_manual_has_is_searched_for_instead(agent):
    events = ask(agent, "Show page 99 of the pump manual")
    tools = [event.tool for event in events if isinstance(event, DecisionEvent)]
    assert tools == ["read_page", "fast_vector_search", "text_response"]
    assert one(events, ErrorEvent).message == "There is no page 99 in P-7 Pump."


def test_read_page_returns_the_blocks_in_reading_order_with_section_and_region(run, library):
    outputs, tree_data = run("read_page", page="3", document="pump")
    result = one(outputs, Result)
    assert (result.name, result.payload_type) == ("page", "page_blocks")
    assert result.message().startswith("Read page 3 of P-7 Pump: ")
    texts = [found["content"] for found in result.objects]
    assert texts[0] == "Bus"
    assert texts.index("The RS-485 bus is connected to terminal J1C.") == 1
    block = result.objects[1]
    assert (block["section"], block["page"], block["label"]) == ("Bus", 2, "3")
    x0, y0, x1, y1 = block["regions"][0]
    assert x0 < x1
    assert y0 < y1
    assert kept_evidence(tree_data.environment)[0].page == 2
    assert tree_data.outcome is None


def test_read_page_says_which_manuals_there_are_when_the_name_fits_none(run):
    outputs, _ = run("read_page", page="1", document="boiler")
    error = one(outputs, Error)
    assert error.message == "No manual is called 'boiler'."
    assert error.suggestion == "Available: pump.pdf, crane.pdf."


def test_read_page_asks_a_decider_for_the_manual_when_several_have_the_page(run):
    error = one(run("read_page", page="1")[0], Error)
    assert error.suggestion.endswith("one of: P-7 Pump, Crane 500.")


def test_a_model_may_gather_a_page_and_go_on(library):
    decider = FakeDecider(
        Decision(tool="read_page", inputs={"page": "1", "document": "pump.pdf"}),
        Decision(tool="text_response", should_end=True),
    )
    agent = make_agent(shelf=FakeShelf(*library.documents()), library=library, decider=decider)
    events = ask(agent, "What voltage does page 1 state?")
    assert one(events, ResultEvent).tool == "read_page"
    assert "text_response" in decider.available[1]
    assert events[-1].outcome == "answered"


SEARCHED = Decision(tool="fast_vector_search", inputs={"query": "fuse"})


def clarification(*options):
    return Decision(
        tool="ask_clarification",
        inputs={"question": "Which pump?", "options": list(options)},
        should_end=True,
    )


def test_ask_clarification_emits_its_options_and_ends_the_question():
    decider = FakeDecider(SEARCHED, clarification("the P-200", "the P-300"))
    events = ask(make_agent(decider=decider))
    assert "ask_clarification" not in decider.available[0]
    assert answer_of(events) == "Which pump?"
    assert one(events, ClarificationEvent).options == ("the P-200", "the P-300")
    assert [event.type for event in events[-2:]] == ["clarification", "complete"]
    assert events[-1].outcome == "clarification"


def test_a_question_back_without_a_choice_is_refused():
    answer = Decision(tool="text_response", should_end=True)
    events = ask(make_agent(decider=FakeDecider(SEARCHED, clarification("same", "same "), answer)))
    assert one(events, ErrorEvent).message == "The options are the same."
    assert events[-1].outcome == "answered"


def test_the_users_own_question_is_not_asked_back():
    answer = Decision(tool="text_response", should_end=True)
    decider = FakeDecider(SEARCHED, clarification("the P-200", "the P-300"), answer)
    events = ask(make_agent(decider=decider), "Which  PUMP?")
    assert one(events, ErrorEvent).message == "That is the user's own question."
    assert events[-1].outcome == "answered"


def test_the_last_step_is_for_an_answer_not_for_asking_back():
    decider = FakeDecider(
        SEARCHED,
        Decision(tool="fast_vector_search", inputs={"query": "lid"}),
        Decision(tool="text_response", should_end=True),
    )
    ask(make_agent(decider=decider, settings=AgentSettings(max_iterations=3)))
    assert "ask_clarification" in decider.available[1]
    assert decider.available[2] == ["text_response"]
