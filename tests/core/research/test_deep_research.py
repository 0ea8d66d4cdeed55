"""The entry of deep research: its setting, questions back, proposals, times, logs."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from desktop.core.conversations.asking import ask_within
from desktop.core.conversations.store import Conversations
from desktop.core.events import (
    ClarificationEvent,
    CompleteEvent,
    ErrorEvent,
    ResearchProgressEvent,
    ResearchProposalEvent,
    StatusEvent,
    TokenEvent,
)
from desktop.core.jobs import CancelToken
from desktop.core.library.places import Place
from desktop.core.notes.desk import NoteDesk
from desktop.core.notes.note import Note
from desktop.core.notes.search import NoteSearch
from desktop.core.page_words import PageWords
from desktop.core.paths import LibraryFolder
from desktop.core.research.base_agent import ClarificationAgent
from desktop.core.research.deep_research import DeepResearch, ResearchingAgent
from desktop.core.research.iteration_log import IterationLogger, new_query_id, past_runs
from desktop.core.research.proposal import ProposingAgent, claim_of, research_proposal
from desktop.core.research.sources import TemporalContext, temporal_context_of
from desktop.core.settings.sections import ReasoningSettings
from desktop.core.store.database import Database
from tests.core.answering.test_ambiguity import PUMPS, QUESTION, SPLIT
from tests.fakes.agent import make_agent
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.research import handler
from tests.fakes.searcher import FakeSearcher, page_found
from tests.fakes.shelf import FakeShelf, manual

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.trace.session_memory import Sessions


def research(
    tmp_path: Path,
    searcher: FakeSearcher,
    *manuals: Any,
    model: Any = None,
    sessions: Sessions | None = None,
    **settings: Any,
) -> DeepResearch:
    shelf = FakeShelf(*(manuals or (manual(),)))
    library: Any = SimpleNamespace(
        documents=shelf.documents,
        page_words=lambda *_: PageWords.empty(),
        blocks=lambda *_: [],
        label=lambda *_: "",
        folder=LibraryFolder(tmp_path),
    )
    agent = make_agent(searcher=searcher, shelf=shelf)
    return DeepResearch(
        searcher=searcher,
        by_words=searcher,
        answerer=FakeAnswerer(),
        library=library,
        notes=NoteDesk(),
        note_search=lambda *_: (),  # type: ignore[arg-type] # no notes
        models=SimpleNamespace(language=lambda: model, vision=lambda: None),
        place=Place,
        settings=ReasoningSettings(**settings),
        ordinary=agent,
        sessions=sessions,
    )


def run(made: DeepResearch, question: str = "What is the fuse?", **options: Any) -> list[Any]:
    async def collect() -> list[Any]:
        return [event async for event in made.events(question, **options)]

    return asyncio.run(collect())


def test_without_a_language_model_it_says_so_and_quotes(tmp_path):
    events = run(research(tmp_path, FakeSearcher([page_found("The fuse is 5 A.")])))
    assert "no language model" in next(e.message for e in events if isinstance(e, StatusEvent))
    assert "The fuse is 5 A." in "".join(e.content for e in events if isinstance(e, TokenEvent))
    assert events[-1].outcome == "answered"


def test_switched_off_it_is_an_ordinary_search(tmp_path):
    searcher = FakeSearcher([page_found("The fuse is 5 A.")])
    events = run(research(tmp_path, searcher, enabled=False))
    assert "switched off" in events[0].message
    assert not [event for event in events if isinstance(event, ResearchProgressEvent)]
    assert events[-1].outcome == "answered"
    assert not (tmp_path / "research").exists()


def test_a_split_question_is_asked_back_and_its_choice_is_researched(tmp_path):
    made = research(tmp_path, FakeSearcher(SPLIT), *PUMPS)
    events = run(made, QUESTION)
    assert events[-1].outcome == "clarification"
    (back,) = [event for event in events if isinstance(event, ClarificationEvent)]
    chosen = frozenset(back.choices[0].document_ids)
    made.searcher = made.by_words = FakeSearcher(SPLIT[:1])
    again = run(made, back.choices[0].prompt, document_ids=chosen)
    assert again[-1].outcome == "answered"


def test_every_note_is_compared_whatever_words_the_question_has(tmp_path):
    searcher = FakeSearcher([page_found("The fuse is 5 A.")])
    made = research(tmp_path, searcher)
    for text in ("The fuse is 6 A.", "Sicherung: 6 A."):
        made.notes.add(Note(text, role="fitter"))
    made.note_search = NoteSearch(made.notes, made.library)
    run(made, "Do our notes on the fuse agree with the manual?", mode="monitor")
    asked = [query.text for query in searcher.queries]
    assert asked == ["The fuse is 6 A.", "Sicherung: 6 A."]  # what shares its words first


def test_nothing_found_and_nothing_asked_are_said(tmp_path):
    empty = run(research(tmp_path, FakeSearcher([])))
    assert "Nothing readable was found" in next(
        e.message for e in empty if isinstance(e, ErrorEvent)
    )
    assert run(research(tmp_path, FakeSearcher()), "  ")[-1].outcome == "impossible"


def test_a_library_that_cannot_be_read_ends_with_what_to_do(tmp_path):
    events = run(research(tmp_path, FakeSearcher(OSError(5, "disk"))))
    assert events[-1].outcome == "failed"
    assert next(event for event in events if isinstance(event, ErrorEvent)).suggestion


@pytest.mark.parametrize(
    ("question", "mode"),
    [
        ("Verify whether the PE stud is tightened with 8 Nm.", "strict"),
        ("verify if X is true", "strict"),
        ("Please double-check that the fuse is 5 A", "strict"),
        ("Is it true that the pump may run dry?", "strict"),
        ("Überprüfe ob die Sicherung 5 A hat", "strict"),
        ("Do our site notes agree with the manuals?", "monitor"),
        ("Compare the notes with the manual", "monitor"),
        ("What is the fuse?", ""),
        ("How do I check whether the valve is open?", ""),
        ("When must I verify that the tank is full?", ""),
        ("Check the oil", ""),
    ],
)
def test_questions_that_ask_to_verify_propose_research(question, mode):
    proposal = research_proposal(question)
    assert (proposal.mode if proposal else "") == mode


def test_what_is_to_be_verified_is_the_claim():
    assert claim_of("Verify whether the fuse is 5 A?") == "the fuse is 5 A"


def test_an_ordinary_answer_carries_the_proposal_before_its_end():
    async def collect(question: str) -> list[Any]:
        return [event async for event in ProposingAgent(make_agent()).run(question)]

    events = asyncio.run(collect("Verify whether the fuse is 5 A"))
    assert isinstance(events[-2], ResearchProposalEvent)
    assert isinstance(events[-1], CompleteEvent)
    plain = asyncio.run(collect("What is the fuse?"))
    assert not [event for event in plain if isinstance(event, ResearchProposalEvent)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What changed since May 2024?", {"date_from": "2024-05"}),
        ("Torques before 2020", {"date_to": "2020"}),
        ("What is the torque in Edition 3?", {"revision": "Edition 3"}),
        ("What is the torque?", {}),
        ("Remove the cover from the pump before you start", {}),
    ],
)
def test_a_question_may_say_of_when_its_sources_must_be(question, expected):
    found = temporal_context_of(question)
    assert found == TemporalContext(**expected)
    assert bool(found) == bool(expected)


@pytest.mark.parametrize(
    ("context", "revision", "date", "inside"),
    [
        ({"date_from": "2024", "date_to": "2025-06"}, "", "2025-06-30", True),
        ({"date_from": "2024", "date_to": "2025-06"}, "", "2025-07-01", False),
        ({"date_from": "2024"}, "", "2023-12", False),
        ({"date_from": "2024-06"}, "", "2024", True),
        ({"date_from": "2024"}, "", "", False),
        ({"date_from": "2024", "include_undated": True}, "", "", True),
        ({"revision": "Rev. C"}, "Revision C", "", True),
        ({"revision": "Rev C"}, "Rev D", "", False),
        ({}, "", "", True),
    ],
)
def test_ranges_hold_their_ends(context, revision, date, inside):
    assert TemporalContext(**context).holds(revision, date) is inside


@pytest.mark.parametrize("wrong", [{"date_from": "May"}, {"since": "2024"}])
def test_a_time_that_cannot_be_meant_is_refused(wrong):
    with pytest.raises(ValidationError):
        TemporalContext.model_validate(wrong)


def test_the_log_keeps_secrets_out_and_survives_the_process_that_wrote_it(tmp_path):
    log = IterationLogger(new_query_id("What is the Wi-Fi password?"), tmp_path)
    log.log_agent_output(
        1, "analyst", {"sources": "Password: x9!kQ2#z\nThe fuse is 5 A."}, {"password": "x9!kQ2#z"}
    )
    log.log_agent_output(1, "analyst", "again", "and again")
    log.log_summary(1, "running", "strict", {"query": "What?"})
    log.keep_partial("token: ghp_0123456789abcdefghij0123456789abcdef\nThe fuse is 5 A.")
    written = "".join(path.read_text() for path in log.folder.iterdir())
    assert "x9!kQ2" not in written
    assert "ghp_" not in written
    assert "The fuse is 5 A." in written
    assert {path.name for path in log.folder.glob("iteration*")} == {
        "iteration_1_analyst.json",
        "iteration_1_analyst_2.json",
    }
    (kept,) = past_runs(tmp_path)
    assert kept.status == "running"
    summary = log.folder / "session_summary.json"
    values = json.loads(summary.read_text())
    summary.write_text(json.dumps({**values, "process": 2**22 + 1}))
    assert past_runs(tmp_path)[0].status == "interrupted"
    summary.write_text("{")
    assert past_runs(tmp_path) == []


@pytest.mark.parametrize("name", ["../outside", "", "a/b", ".hidden"])
def test_a_query_id_cannot_leave_its_folder(tmp_path, name):
    with pytest.raises(ValueError, match="folder"):
        IterationLogger(name, tmp_path)


def options(tmp_path: Path, *replies: str) -> Any:
    model = FakeLanguageModel(*replies, context_tokens=32_000) if replies else None
    parts, _ = handler(tmp_path, model=model)
    agent = ClarificationAgent(parts)
    meanings = ["the internal battery", "the external battery"]
    return asyncio.run(agent.generate_options(QUESTION, "term", meanings))["options"]


def test_options_are_worded_by_a_model_that_keeps_to_what_can_be_meant(tmp_path):
    worded = ["The test of the internal battery", "The test of the external battery"]
    assert options(tmp_path, json.dumps({"options": worded})) == worded
    rules = ["the internal battery", "the external battery"]
    assert options(tmp_path, json.dumps({"options": ["the pump", "the tank"]})) == rules
    assert options(tmp_path, "I would rather not.", "No.") == rules
    assert options(tmp_path) == rules


def test_a_research_in_a_conversation_is_kept_in_it(tmp_path):
    with Database.open(tmp_path / "library") as database:
        conversations = Conversations(database)
        number = conversations.create()
        made = research(tmp_path, FakeSearcher([page_found("The fuse is 5 A.")]))
        agent = ResearchingAgent(made, "discovery")

        async def collect() -> None:
            stream = ask_within(
                conversations, number, agent, "What is the fuse?", frozenset(), CancelToken()
            )
            async for _ in stream:
                pass

        asyncio.run(collect())
        database.write(lambda _: None)  # what is queued is written before
        (turn,) = conversations.turns(number)
        assert turn.outcome == "answered"
        assert "The fuse is 5 A. [1]" in turn.answer
        assert any(isinstance(event, ResearchProgressEvent) for event in turn.events)
