"""Every line type of the specification's stream, as the lines that are really written."""

from __future__ import annotations

import json

import pytest

from desktop.core.agent.decision import Decision
from desktop.core.events import to_json
from tests.core.agent.test_visual_tools import DrawnLibrary
from tests.fakes.agent import ask, make_agent
from tests.fakes.decider import FakeDecider
from tests.fakes.searcher import FakeSearcher, page_found
from tests.fakes.vision import FakeDrawer, FakeModels, FakeVision, FakeVisualSearch

FAST = Decision(
    tool="fast_vector_search",
    inputs={"query": "operating voltage"},
    reasoning="User asked factual question",
)
VISUAL = Decision(
    tool="colqwen_visual_search",
    inputs={"query": "operating voltage"},
    reasoning="Fast search failed, trying visual",
)
LOOK = Decision(tool="visual_interpretation", reasoning="The page is a drawing")
ANSWER = Decision(tool="text_response", reasoning="Have enough context", should_end=True)


@pytest.fixture(scope="module")
def lines():
    """A search that finds nothing, a visual search, a look at the page, an answer."""
    agent = make_agent(
        decider=FakeDecider(FAST, VISUAL, LOOK, ANSWER),
        searcher=FakeSearcher([]),
        models=FakeModels(FakeVision("The plate says 24 V.")),
        library=DrawnLibrary(),
        drawer=FakeDrawer(),
        visual_search=FakeVisualSearch(page_found("The operating voltage is 24 V.", 4)),
    )
    return [json.loads(to_json(event)) for event in ask(agent, "What is the operating voltage?")]


def of_type(lines, kind):
    found = [line for line in lines if line["type"] == kind]
    assert found, f"no line of type {kind}"
    return found


def test_decision_lines_name_the_tool_and_say_why(lines):
    said = [(line["tool"], line["reasoning"]) for line in of_type(lines, "decision")]
    own = ("fast_vector_search", "The first search uses the question's own words.")
    assert said == [own, *((each.tool, each.reasoning) for each in (FAST, VISUAL, LOOK, ANSWER))]


def test_status_lines_say_what_is_being_done(lines):
    messages = [line["message"] for line in of_type(lines, "status")]
    assert messages[0] == "Searching 1 manual"
    assert "Searching the page pictures" in messages
    assert "Looking at page 4-4 of Pump" in messages


def test_result_lines_carry_tool_objects_and_metadata(lines):
    visual, seen, answer = of_type(lines, "result")
    assert (visual["tool"], visual["payload_type"]) == ("colqwen_visual_search", "colqwen_pages")
    assert visual["metadata"]["query"] == "operating voltage"
    assert visual["objects"][0]["_REF_ID"] == "colqwen_visual_search_visual_pages_0_0"
    assert (seen["tool"], seen["payload_type"]) == ("visual_interpretation", "interpretations")
    assert seen["objects"][0]["interpretation"].startswith("The plate says 24 V.")
    assert (answer["tool"], answer["payload_type"]) == ("text_response", "answer")
    assert all(line["message"] for line in (visual, seen, answer))


def test_token_lines_are_the_answer_in_pieces(lines):
    words = of_type(lines, "token")
    assert len(words) > 3
    text = "".join(line["content"] for line in words)
    assert text == "The operating voltage is 24 V. [1]"


def test_an_error_line_says_whether_it_can_be_mended_and_how(lines):
    error = of_type(lines, "error")[-1]
    assert error["tool"] == "fast_vector_search"
    assert error["message"] == "No page in the manuals matches."
    assert error["recoverable"] is True
    assert error["suggestion"] == "Try different words."
    after = next(line for line in lines[-lines[::-1].index(error) :] if line["type"] == "decision")
    assert (after["type"], after["tool"]) == ("decision", "colqwen_visual_search")


def test_the_complete_line_is_the_last_one_and_the_only_one(lines):
    (complete,) = of_type(lines, "complete")
    assert lines[-1] == complete
    assert (complete["outcome"], complete["steps"]) == ("answered", 4)


def test_citation_lines_name_the_page_and_its_region(lines):
    (citation,) = of_type(lines, "citation")
    assert (citation["number"], citation["source"]["label"]) == (1, "4-4")
    assert citation["source"]["regions"]


def test_a_clarification_line_carries_its_options():
    inputs = {"question": "Which pump?", "options": ["the P-200", "the P-300"]}
    search = Decision(tool="fast_vector_search", inputs={"query": "pump"})
    decider = FakeDecider(search, Decision(tool="ask_clarification", inputs=inputs))
    lines = [json.loads(to_json(event)) for event in ask(make_agent(decider=decider))]
    (asked,) = of_type(lines, "clarification")
    assert asked == {"type": "clarification", **inputs, "choices": []}
    assert lines[-1]["outcome"] == "clarification"
