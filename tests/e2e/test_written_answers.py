"""Answers in a scripted model's words over the samples: the whole program but the model."""

from __future__ import annotations

import json
import re
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import pytest

from desktop.core.events import (
    DecisionEvent,
    RevisedText,
    RevisionEvent,
    StatusEvent,
    TokenEvent,
)
from desktop.core.paths import SAMPLE_QUESTION
from desktop.models.errors import ModelOutOfBudget
from desktop.models.manager import ModelManager
from tests.e2e.real_library import ANSWER_SECONDS, ask, citations, opened, outcome
from tests.fakes.language_model import FakeLanguageModel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.core.events import Event
    from desktop.core.workspace import Workspace
    from desktop.models.generation import GenerationRequest


class Reader(FakeLanguageModel):
    """Answers with `answer`, as the question's own words have been searched.

    {n} is the passage that has the words `key`.

    Asked as a critic it finds nothing. Asked whether words carry a statement it says so of the one
    with 1.8 Nm.
    """

    def __init__(self, question: str, key: str, answer: str) -> None:
        super().__init__(context_tokens=16_000)
        self.key, self.answer = key, answer
        self.enqueue(_decision("text_response"))

    def generate(self, request: GenerationRequest, *cancelled: Any) -> Any:
        if request.schema is None:
            prompt = request.messages[-1].text
            passages = re.findall(r"<passage (\d+):.*?</passage \1>", prompt, re.DOTALL)
            texts = {n: prompt.split(f"<passage {n}:")[1].split("</passage")[0] for n in passages}
            number = next(n for n, text in texts.items() if self.key in text)
            self.enqueue(self.answer.replace("{n}", number))
        elif "problems" in json.dumps(request.schema):
            self.enqueue(json.dumps({"problems": []}))
        elif "verdicts" in json.dumps(request.schema):
            agrees = "1.8 Nm" in request.messages[-1].text.split("STATEMENT:")[-1]
            self.enqueue(json.dumps({"verdicts": ["agree" if agrees else "open"]}))
        return super().generate(request, *cancelled)


def _decision(tool: str, **inputs: Any) -> str:
    return json.dumps(
        {
            "reasoning": "because",
            "tool_name": tool,
            "tool_inputs": inputs,
            "should_end": tool == "text_response",
            "impossible": False,
        }
    )


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Reader:
    """The language model of every manager."""
    answer = (
        "Tighten the terminal screws with 1.8 Nm [{n}]. "
        "The screws of terminals X1:1 to X1:4 are tightened with 1.8 Nm [{n}]. "
        "The torque is 18 Nm [{n}]."
    )
    model = Reader(SAMPLE_QUESTION, "1.8 Nm", answer)
    monkeypatch.setattr(ModelManager, "language", lambda *_: model)
    return model


@pytest.fixture
def workspace(sample_library: Path, model: Reader) -> Iterator[Workspace]:
    with opened(sample_library, read_only=True) as workspace:
        workspace.settings.agent.model_does = "both"  # it decides first, whatever is sure
        yield workspace


def test_a_written_answer_highlights_the_words_of_the_page_that_carry_it(workspace):
    events = ask(workspace, SAMPLE_QUESTION)
    assert outcome(events) == "answered"
    assert [e.tool for e in events if isinstance(e, DecisionEvent)] == [
        "fast_vector_search",
        "text_response",
    ]
    source = citations(events)[0].source
    words = workspace.library.page_words(source.document_id, source.page)
    centres = (words.boxes[:, :2] + words.boxes[:, 2:]) / 2
    highlighted = " ".join(
        text
        for text, (x, y) in zip(words.texts, centres, strict=True)
        if any(box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 for box in source.regions)
    )
    assert "1.8 Nm" in highlighted
    assert len(highlighted.split()) < 60


def test_what_the_samples_do_not_say_does_not_stay(workspace):
    events = ask(workspace, SAMPLE_QUESTION)
    text = RevisedText(events).text
    assert text.startswith("Tighten the terminal screws with 1.8 Nm.")
    assert "18 Nm" not in text
    quoted, withdrawn = (e for e in events if isinstance(e, RevisionEvent))
    assert quoted.superseded
    assert "Torque: 1.8 Nm" in quoted.old
    assert (withdrawn.new, withdrawn.superseded) == ("", False)


def test_a_sure_quote_is_shown_before_the_model_is_asked_anything(workspace, model):
    asked_when: list[int] = []
    generate = model.generate
    events: list[Event] = []

    def noted(*request: Any) -> Any:
        asked_when.append(len(events))
        return generate(*request)

    model.generate = noted
    queue: SimpleQueue[Event | None] = SimpleQueue()

    def take(event: Event) -> None:
        events.append(event)

    workspace.ask(SAMPLE_QUESTION, frozenset(), take, lambda: queue.put(None))
    queue.get(timeout=ANSWER_SECONDS)
    before = events[: asked_when[0]]
    assert "Torque: 1.8 Nm" in RevisedText(before).text
    assert citations(before)
    assert any("still at work" in e.message for e in before if isinstance(e, StatusEvent))


def test_by_itself_a_model_only_writes_what_the_manuals_surely_answer(workspace, model):
    workspace.settings.agent.model_does = "auto"
    model.forget()
    events = ask(workspace, SAMPLE_QUESTION)
    decided = [event for event in events if isinstance(event, DecisionEvent)]
    assert [each.tool for each in decided] == ["fast_vector_search", "text_response"]
    assert RevisedText(events).text.startswith("Tighten the terminal screws with 1.8 Nm.")


def test_a_model_of_which_half_is_not_carried_leaves_the_quotes_as_they_are(workspace, model):
    model.answer = "Tighten them with 1.8 Nm [{n}]. The torque is 18 Nm [{n}]. Have a nice day."
    events = ask(workspace, SAMPLE_QUESTION)
    assert outcome(events) == "answered"
    text = RevisedText(events).text
    assert "Torque: 1.8 Nm" in text
    assert "nice" not in text
    streamed = "".join(e.content for e in events if isinstance(e, TokenEvent))
    assert streamed.strip() == text  # written once, and nothing of the model's


@pytest.mark.parametrize(
    "error",
    [ModelOutOfBudget("no room", 2, 1), RuntimeError("metal"), ValueError("bad"), KeyError(1)],
)
@pytest.mark.parametrize("writing", [False, True])
def test_whatever_goes_wrong_in_a_model_ends_in_the_quotes(workspace, model, error, writing):
    def broken(request: GenerationRequest, *cancelled: Any) -> Any:
        if (request.schema is None) == writing:
            raise error
        return FakeLanguageModel.generate(model, request, *cancelled)

    model.generate = broken
    events = ask(workspace, SAMPLE_QUESTION)
    assert outcome(events) == "answered"
    assert "Torque: 1.8 Nm" in RevisedText(events).text
    assert any(e.type == "error" for e in events)


def test_the_profile_of_the_window_is_the_models(workspace):
    assert workspace.profile == workspace.models.profile().id


def test_every_citation_resolves_to_an_object_of_the_search(workspace):
    events = ask(workspace, SAMPLE_QUESTION)
    found = next(e for e in events if e.type == "result").objects  # type: ignore[union-attr]
    by_reference = {each["_REF_ID"]: each for each in found}
    for citation in citations(events):
        page = by_reference[citation.reference]
        assert (page["document_id"], page["page"]) == (
            citation.source.document_id,
            citation.source.page,
        )
