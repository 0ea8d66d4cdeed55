from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from desktop.core.agent.deliverables import Delivered, planned, what_is_missing
from desktop.core.agent.requests import LEARNT, RequestReader
from desktop.core.answering.answer import Answer, Statement
from desktop.core.events import CitationEvent, PageRegion, ResultEvent, RevisedText, TokenEvent
from desktop.core.settings.sections import ReasoningTraceSettings
from desktop.core.trace.session_memory import Sessions
from desktop.resources import resource
from tests.fakes.agent import ask, make_agent
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.shelf import FakeShelf, manual

PAGE = PageRegion(1, "P-200", 4, "5", ())


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What is the fuse?", ()),
        ("What is the fuse? Draft an email to the site about it.", ("draft_email",)),
        ("What is the fuse, and make a job sheet of it.", ("job_sheet",)),
        ("Bitte zeige mir die Abbildung der Pumpe.", ("show_figure",)),
        ("List all steps to drain the tank.", ("list_all_steps",)),
        ("Where can I save the PDF on the controller?", ()),
        ("Does the panel send an e-mail when a zone fails?", ()),
    ],
)
def test_the_plan_has_what_the_words_ask_for_and_nothing_else(question, wanted):
    requested = RequestReader().read(question)
    assert planned(requested) == ("answer", "cite_page", *wanted)


def delivered(*events: Any) -> Delivered:
    found = Delivered()
    for event in events:
        found.take(event)
    return found


def kept(found: Delivered, *commitments: Any, steps_missing: bool = False, figure: bool = False):
    return found.kept(
        commitments, steps_missing=steps_missing, has_figure=lambda _document, _page: figure
    )


def answer(*texts: str) -> ResultEvent:
    objects = tuple({"text": text} for text in texts)
    return ResultEvent("text_response", "answer", "answer", objects)


def test_what_a_clause_says_besides_a_wish_is_embedded_only_if_there_may_be_one():
    embedded: list[str] = []

    class Embedder(FakeEmbedder):
        def embed_queries(self, queries):
            embedded.extend(queries)
            return super().embed_queries(queries)

    learnt = json.loads(resource(LEARNT).read_text("utf-8"))
    reader = RequestReader(Embedder(learnt["model_id"]))
    assert reader.read("Which fuse protects the controller?").wishes == ()
    assert embedded
    assert all(text.endswith("controller?") for text in embedded)


def test_an_answer_with_a_page_is_delivered_and_a_report_only_by_its_tool():
    found = delivered(TokenEvent("5 A [1]"), CitationEvent(1, PAGE, "5 A"), answer("5 A"))
    assert kept(found, "answer", "cite_page", "export_report") == ("answer", "cite_page")
    found.take(ResultEvent("export_report", "report", "report", ()))
    assert kept(found, "export_report") == ("export_report",)


def test_a_figure_is_shown_if_a_cited_page_has_one():
    found = delivered(TokenEvent("See [1]"), CitationEvent(1, PAGE, "See"))
    assert kept(found, "show_figure") == ()
    assert kept(found, "show_figure", figure=True) == ("show_figure",)


def test_steps_are_all_there_only_if_the_critic_misses_none():
    found = delivered(TokenEvent("1. a 2. b"), answer("1. a", "2. b"))
    assert kept(found, "list_all_steps") == ("list_all_steps",)
    assert kept(found, "list_all_steps", steps_missing=True) == ()


def test_what_is_missing_is_said_with_the_next_step():
    (sentence,) = what_is_missing(("answer", "draft_email"), ("answer",))
    assert sentence == "No e-mail was drafted: choose “Draft e-mail…” below the answer."


def test_an_unfulfilled_commitment_makes_the_outcome_partial_and_is_in_the_trace():
    sessions = Sessions(ReasoningTraceSettings())
    agent = make_agent()
    agent.sessions = sessions
    memories: list[Any] = []
    memory_of = sessions.memory

    def remembered(conversation_id: int) -> Any:
        memories.append(memory_of(conversation_id))
        return memories[-1]

    sessions.memory = remembered  # type: ignore[method-assign]

    last = ask(agent, "What is the fuse? Please draft an e-mail about it.")[-1]

    assert (last.outcome, last.answered) == ("partial", True)
    (missing,) = last.missing
    assert missing.startswith("No e-mail was drafted: choose “Draft e-mail…” below the answer.")
    assert "There is no answer to pass on yet." in missing  # why
    (memory,) = memories
    trace = memory.get_trace()
    assert trace.outcome == "partial"
    assert memory.get_pending_commitments() == ["draft_email"]
    assert [entry.stage for entry in trace.entries] == [
        "planning",
        "planning",
        "execution",
        "planning",
        "execution",
        "planning",  # the draft that was asked for
        "execution",
        "correction",
        "finalization",
    ]
    assert all(entry.outcome != "pending" for entry in trace.entries)


def test_a_part_of_the_question_that_was_not_answered_is_named():
    prepared = Answer(
        True, (Statement("The fuse is 5 A.", PAGE, "The fuse is 5 A."),), (), (), 0.9, ""
    )
    prepared = replace(prepared, unanswered=("how is it reset?",))
    last = ask(make_agent(answerer=FakeAnswerer(prepared=prepared)))[-1]
    assert (last.outcome, last.answered) == ("partial", True)
    assert last.missing == ("The manuals do not seem to answer: “how is it reset?”",)


def answered_from(*manuals, confidence=0.9, **scope):
    """Return the events of a question that manual 1 answers as surely as this."""
    said = (Statement("The fuse is 5 A.", PAGE, "The fuse is 5 A."),)
    prepared = Answer(True, said, (), (), confidence, "")
    agent = make_agent(answerer=FakeAnswerer(prepared=prepared), shelf=FakeShelf(*manuals))
    return ask(agent, **scope)


def test_an_answer_that_may_change_says_that_its_manual_is_still_being_read():
    events = answered_from(manual(state="indexing"), manual(2, "new.pdf"))
    waits = "Still being read: pump. Ask again when that is done."
    assert (events[-1].outcome, events[-1].missing) == ("partial", (waits,))


@pytest.mark.parametrize(
    ("own", "other", "answers"),
    [
        ("indexing", ("ready", 40), False),
        ("ready", ("queued", 0), False),
        ("ready", ("indexing", 12), True),  # it has words already, and none of them is found
    ],
)
def test_an_unsure_answer_waits_for_what_is_still_being_read(own, other, answers):
    manuals = manual(state=own), manual(2, "new.pdf", *other)
    events = answered_from(*manuals, confidence=0.4)
    nearest = [each.source.document_id for each in events if each.type == "nearest_page"]
    quoted = [each for each in events if each.type == "citation"]
    if answers:
        assert (events[-1].outcome, len(quoted)) == ("partial", 1)
        return
    waited = "pump" if own == "indexing" else "new"
    told = RevisedText(events).text
    assert told == (
        f"There is no sure answer yet. Still being read: {waited}. Ask again when that is done."
    )
    assert (events[-1].outcome, quoted, nearest) == ("not_found", [], [1])


@pytest.mark.parametrize(("confidence", "scope"), [(0.9, None), (0.4, 1)])
def test_a_sure_answer_and_one_of_chosen_manuals_wait_for_no_other_manual(confidence, scope):
    chosen = {} if scope is None else {"document_ids": frozenset({scope})}
    manuals = manual(), manual(2, "new.pdf", "indexing")
    last = answered_from(*manuals, confidence=confidence, **chosen)[-1]
    assert (last.outcome, last.missing) == ("answered", ())


def test_a_question_that_asks_for_an_answer_alone_is_answered_as_before():
    last = ask(make_agent())[-1]
    assert (last.outcome, last.missing) == ("answered", ())
