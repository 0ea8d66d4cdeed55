"""What a research writes into the reasoning trace of its question."""

from __future__ import annotations

import asyncio
import gc
import json
import warnings
from typing import TYPE_CHECKING, Any

import pytest

from desktop.core.conversations.asking import ask_within
from desktop.core.conversations.store import Conversations
from desktop.core.jobs import CancelToken
from desktop.core.research.deep_research import ResearchingAgent
from desktop.core.research.orchestrator import DeepResearchOrchestrator
from desktop.core.settings.sections import ReasoningTraceSettings
from desktop.core.store.database import Database
from desktop.core.trace.export import write_json
from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningStage
from desktop.core.trace.session_memory import Sessions
from desktop.core.trace.store import TraceStore
from tests.core.research.test_deep_research import research
from tests.core.research.test_ended_early import prepared
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.research import analyst, critic, writer
from tests.fakes.searcher import FakeSearcher, page_found

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.trace.reasoning_trace import ReasoningTrace

FUSE = "The fuse of the pump is 5 A."


def traced(
    tmp_path: Path,
    *replies: str,
    searcher: FakeSearcher | None = None,
    stop_at: str = "",
    enabled: bool = True,
    **settings: Any,
) -> list[ReasoningTrace]:
    """Research within a conversation; return what its library has of the reasoning."""
    model = FakeLanguageModel(*replies, context_tokens=32_000) if replies else None
    cancel = CancelToken()
    with Database.open(tmp_path / "library") as database:
        conversations = Conversations(database)
        number = conversations.create()
        sessions = Sessions(ReasoningTraceSettings(enabled=enabled), database)
        made = research(
            tmp_path,
            searcher or FakeSearcher([page_found(FUSE)]),
            model=model,
            sessions=sessions,
            **settings,
        )
        agent = ResearchingAgent(made, "discovery")

        async def ask() -> None:
            stream = ask_within(
                conversations, number, agent, "Which fuse has the pump?", frozenset(), cancel
            )
            async for event in stream:
                if stop_at and getattr(event, "stage", "") == stop_at:
                    cancel.cancel()

        asyncio.run(ask())
    with Database.open(tmp_path / "library") as database:
        return TraceStore(database).of_conversation(number)


def test_a_research_is_recorded_step_by_step_with_its_question(tmp_path):
    (trace,) = traced(tmp_path, analyst(f"{FUSE} [1]"), critic(), writer(f"{FUSE} [1]"))
    assert trace.user_request == "Which fuse has the pump?"
    steps = [(entry.stage, entry.action) for entry in trace.entries]
    assert steps == [
        (ReasoningStage.PLANNING, None),
        (ReasoningStage.EXECUTION, "gather"),
        (ReasoningStage.PLANNING, "filter"),
        (ReasoningStage.EXECUTION, "analyst"),
        (ReasoningStage.VERIFICATION, "critic"),
        (ReasoningStage.FINALIZATION, "writer"),
        (ReasoningStage.FINALIZATION, None),
    ]
    assert all(entry.outcome is OutcomeStatus.SUCCESS for entry in trace.entries)
    drafted = trace.entries[3]
    assert drafted.thought == "I read the sources."
    assert drafted.metrics["tokens_out"] > 0
    assert trace.outcome is OutcomeStatus.SUCCESS
    assert trace.confidence
    assert not trace.pending_commitments
    assert [each["page"] for each in trace.attachments]
    write_json([trace], tmp_path / "trace.json")
    assert "I read the sources." in (tmp_path / "trace.json").read_text()


def test_what_the_critic_objects_to_is_a_correction_of_the_session(tmp_path):
    (trace,) = traced(
        tmp_path,
        analyst("The fuse of the pump is 9 A. [1]"),
        critic("REJECT", "The source says 5 A."),
        analyst(f"{FUSE} [1]"),
        critic(),
        writer(f"{FUSE} [1]"),
    )
    looks = [entry for entry in trace.entries if entry.action == "critic"]
    assert "The source says 5 A." in looks[0].evidence
    assert looks[1].metrics["findings"] == 0
    assert trace.corrections
    assert [e.parameters for e in trace.entries if e.action == "analyst"] == [
        {"iteration": 1},
        {"iteration": 2},
    ]


def test_a_research_that_is_stopped_says_where(tmp_path):
    (trace,) = traced(
        tmp_path, analyst(f"{FUSE} [1]"), critic(), writer(f"{FUSE} [1]"), stop_at="critic"
    )
    last = [entry for entry in trace.entries if entry.action is not None][-1]
    assert (last.action, last.outcome) == ("critic", OutcomeStatus.SKIPPED)
    assert trace.outcome is OutcomeStatus.SKIPPED


def test_a_library_that_cannot_be_searched_fails_in_the_trace_too(tmp_path):
    (trace,) = traced(tmp_path, searcher=FakeSearcher(OSError(5, "disk")))
    assert trace.outcome is OutcomeStatus.FAILED
    assert trace.pending_commitments


def test_recording_that_is_switched_off_keeps_nothing_of_a_research(tmp_path):
    assert traced(tmp_path, enabled=False) == []


def test_a_research_that_is_switched_off_is_traced_as_the_question_it_becomes(tmp_path):
    with Database.open(tmp_path / "library") as database:
        asked: list[int] = []
        made = research(tmp_path, FakeSearcher([page_found(FUSE)]), enabled=False)
        ordinary = made.ordinary

        class Noting:
            def run(self, prompt: str, *, conversation_id: int = 0, **more: Any) -> Any:
                asked.append(conversation_id)
                return ordinary.run(prompt, conversation_id=conversation_id, **more)

        made.ordinary = Noting()
        conversations = Conversations(database)
        number = conversations.create()

        async def ask() -> None:
            agent = ResearchingAgent(made, "discovery")
            stream = ask_within(
                conversations, number, agent, "Which fuse?", frozenset(), CancelToken()
            )
            async for _ in stream:
                pass

        asyncio.run(ask())
    assert asked == [number]


@pytest.mark.parametrize("stage", ["analyst", "search", "critic", "writer"])
def test_a_stage_that_is_stopped_before_it_begins_was_never_begun(tmp_path, monkeypatch, stage):
    """A call that is made and then not awaited is a call whose failure nobody would see."""
    cancel = CancelToken()
    parts, items = prepared(tmp_path, stage, cancel)

    async def run() -> None:
        async for _ in DeepResearchOrchestrator(parts).events("Which fuse?", "strict", items):
            pass

    taken = parts.trace.take

    def take(event: Any) -> None:
        taken(event)
        if getattr(event, "stage", "") == stage and event.state == "started":
            cancel.cancel()  # before the loop gets to the stage itself

    monkeypatch.setattr(parts.trace, "take", take)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        asyncio.run(run())
        gc.collect()
    assert [str(each.message) for each in caught if "never awaited" in str(each.message)] == []
    summary = json.loads(next(tmp_path.glob("*/session_summary.json")).read_text())
    assert summary["final_status"] == "cancelled"
