"""The environment is shortened when it gets too large, and every `_REF_ID` still resolves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from desktop.core.agent.decision import Decision
from desktop.core.agent.environment import Environment
from desktop.core.agent.tool import ChosenTool, ToolArguments
from desktop.core.agent.tool_output import Result
from desktop.core.agent.tools.summarize import traceable
from desktop.core.events import CitationEvent, DecisionEvent, ResultEvent
from desktop.models.errors import ModelDamaged
from tests.fakes.agent import ask, make_agent
from tests.fakes.decider import FakeDecider
from tests.fakes.language_model import FakeLanguageModel

SEARCH, RESPONSE = "fast_vector_search", "text_response"


class Flood(ChosenTool):
    """A tool that retrieves a lot: each call something else."""

    name: ClassVar[str] = "flood"
    description: ClassVar[str] = "Retrieves a lot."
    end: ClassVar[bool] = False
    arguments: ClassVar[type[ToolArguments]] = ToolArguments

    def __init__(self, objects: int, words: int) -> None:
        self._objects, self._words = objects, words
        self.tree_data: Any = None
        self.calls = 0

    async def is_tool_available(self, tree_data):
        return True

    async def __call__(self, tree_data, inputs):
        self.tree_data = tree_data
        self.calls += 1
        yield Result(
            tuple(
                {"page": number, "content": f"[[ Part {number} ]] " + "word " * self._words}
                for number in range(self._objects)
            ),
            {"call": self.calls},
            name="much",
        )


def decider(*steps: str) -> FakeDecider:
    chosen = {
        "search": Decision(tool=SEARCH, inputs={"query": "fuse"}),
        "flood": Decision(tool="flood"),
        "answer": Decision(tool=RESPONSE, should_end=True),
    }
    return FakeDecider(*[chosen[step] for step in steps])


def run(flood: Flood, model: FakeLanguageModel | None, *steps: str) -> list[Any]:
    models = SimpleNamespace(language=lambda: model, vision=lambda: None)
    return ask(make_agent(decider=decider(*steps), more_tools=(flood,), models=models))


def summaries(events: list[Any]) -> list[ResultEvent]:
    return [e for e in events if isinstance(e, ResultEvent) and e.name == "summarized"]


def decided(events: list[Any]) -> list[str]:
    return [event.tool for event in events if isinstance(event, DecisionEvent)]


SUMMARY = (
    "Part 3 is the pump. [flood_much_0_3]\nPart 4 is the fuse [flood_much_0_4, flood_much_9_9].\n"
    "It is all well known.\nThis is made up. [flood_much_7_7]"
)


def test_it_runs_by_itself_above_60_percent_of_the_models_context_and_not_below():
    model = FakeLanguageModel(SUMMARY, context_tokens=8_000)
    model.enqueue("The fuse is 5 A [1].")
    events = run(Flood(40, 120), model, "search", "flood", "answer")
    assert decided(events) == [SEARCH, SEARCH, "flood", "summarize", RESPONSE]
    small = FakeLanguageModel("The fuse is 5 A [1].", context_tokens=8_000)
    assert decided(run(Flood(4, 100), small, "search", "flood", "answer")) == [
        SEARCH,
        SEARCH,
        "flood",
        RESPONSE,
    ]


@pytest.mark.parametrize(("words", "triggers"), [(450, True), (350, False)])
def test_without_a_model_it_runs_by_itself_above_50000_tokens(words, triggers):
    events = run(Flood(100, words), None, "search", "flood", "answer")
    assert ("summarize" in decided(events)) is triggers


def test_what_models_are_shown_becomes_the_summary_and_references_still_resolve():
    model = FakeLanguageModel(SUMMARY, "The fuse is 5 A [1].", context_tokens=8_000)
    flood = Flood(40, 120)
    events = run(flood, model, "search", "flood", "answer")
    (summary,) = summaries(events)
    assert summary.tool == "summarize"
    assert summary.message == "Environment summarized due to size. Key points preserved."
    environment = flood.tree_data.environment
    shown = environment.to_llm_context()
    assert "Part 3 is the pump. [flood_much_0_3]" in shown
    assert "word word" not in shown
    for reference in summary.objects[0]["references"]:
        assert environment.object_of(reference)["content"].startswith("[[ Part")


def test_a_statement_of_a_summary_that_cannot_be_traced_is_left_out():
    model = FakeLanguageModel(SUMMARY, "The fuse is 5 A [1].", context_tokens=8_000)
    (summary,) = summaries(run(Flood(40, 120), model, "search", "flood", "answer"))
    assert summary.objects[0]["summary"].split("\n") == [
        "Part 3 is the pump. [flood_much_0_3]",
        "Part 4 is the fuse. [flood_much_0_4]",
    ]


def test_the_answer_after_a_summary_still_cites_the_page_that_was_found():
    model = FakeLanguageModel(SUMMARY, "The fuse is 5 A [1].", context_tokens=8_000)
    events = run(Flood(40, 120), model, "search", "flood", "answer")
    (citation,) = [event for event in events if isinstance(event, CitationEvent)]
    assert (citation.source.label, citation.reference) == ("4-4", "fast_vector_search_pages_0_0")


def test_material_larger_than_the_context_is_read_in_portions_none_cut_in_an_object():
    model = FakeLanguageModel(context_tokens=4_000)
    for _ in range(4):
        model.enqueue(SUMMARY)
    model.enqueue("The fuse is 5 A [1].")
    run(Flood(60, 100), model, "search", "flood", "answer")
    requests = ["\n".join(m.text for m in r.messages) for r in model.requests[:-1]]
    assert len(requests) > 1
    found = sum(text.count('"_REF_ID": "flood_much') for text in requests)
    assert found == 60
    for text in requests:
        assert text.count("{") == text.count("}")
        assert "[[ Part" not in text  # neutralised: it is no field of the prompt


@pytest.mark.parametrize("failure", ["raises", "says nothing that can be traced"])
def test_a_model_that_fails_leaves_the_best_objects(failure):
    model = FakeLanguageModel(context_tokens=8_000)
    if failure == "raises":
        model.enqueue(SUMMARY, error=ModelDamaged("broken"))
    else:
        model.enqueue("It is all about parts.")
    model.enqueue("The fuse is 5 A [1].")
    events = run(flood := Flood(40, 120), model, "search", "flood", "answer")
    (summary,) = summaries(events)
    assert summary.objects[0]["summary"].startswith("The best ")
    shown = flood.tree_data.environment.to_llm_context()
    assert "The fuse is 5 A." in shown
    assert "Part 0" in shown
    assert "Part 39" not in shown


def test_in_lite_the_best_objects_are_kept_whole():
    flood = Flood(100, 450)
    events = run(flood, None, "search", "flood", "answer")
    (summary,) = summaries(events)
    environment = flood.tree_data.environment
    assert environment.estimate_tokens() < 6_000
    kept = summary.objects[0]["references"]
    assert "fast_vector_search_pages_0_0" in kept
    shown = [found for _, _, found in environment.objects() if found["_REF_ID"] in kept]
    assert {found["_REF_ID"] for found in shown} == set(kept)
    assert all(len(found["content"].split()) > 450 for found in shown if "[[" in found["content"])


def test_it_runs_again_when_there_is_too_much_again():
    class Again(ToolArguments):
        time: int = 0

    class More(Flood):
        arguments = Again

        async def __call__(self, tree_data, inputs):
            self._words += 1  # not the same objects again
            async for output in super().__call__(tree_data, inputs):
                yield output

    model = FakeLanguageModel(SUMMARY, SUMMARY, "The fuse is 5 A [1].", context_tokens=8_000)
    steps = FakeDecider(
        Decision(tool=SEARCH, inputs={"query": "fuse"}),
        Decision(tool="flood", inputs={"time": 1}),
        Decision(tool="flood", inputs={"time": 2}),
        Decision(tool=RESPONSE, should_end=True),
    )
    models = SimpleNamespace(language=lambda: model, vision=lambda: None)
    flood: Any = More(40, 120)
    events = ask(make_agent(decider=steps, more_tools=(flood,), models=models))
    assert len(summaries(events)) == 2


def test_what_is_found_again_after_a_summary_is_shown_again_under_its_reference():
    environment = Environment()
    environment.add("search", Result(({"page": 1},)))
    environment.clear()
    environment.add("search", Result(({"page": 2},)))
    (again,) = environment.add("search", Result(({"page": 1},)))
    assert again["_REF_ID"] == "search_result_0_0"
    assert environment.find("search", "result")[-1]["objects"] == [again]
    other = environment.object_of("search_result_1_0")
    assert other is not None
    assert other["page"] == 2


def test_brackets_of_the_manual_are_no_references():
    environment = Environment()
    environment.add("search", Result(({"page": 1},)))
    text, references = traceable("The fuse [5 A] is red [search_result_0_0].", environment)
    assert text == "The fuse [5 A] is red. [search_result_0_0]"
    assert references == ("search_result_0_0",)
