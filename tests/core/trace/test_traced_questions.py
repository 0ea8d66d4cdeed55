"""Questions of a conversation, traced from the first decision to the reopened conversation."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from desktop.core.conversations.asking import ask_within
from desktop.core.conversations.store import Conversations
from desktop.core.jobs import CancelToken
from desktop.core.settings.sections import ReasoningTraceSettings
from desktop.core.store.database import Database
from desktop.core.trace.session_memory import Sessions
from desktop.core.trace.store import TraceStore
from tests.fakes.agent import make_agent

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.agent.orchestrator import AgentOrchestrator


def traced(database: Database) -> AgentOrchestrator:
    agent = make_agent()
    agent.sessions = Sessions(ReasoningTraceSettings(), database)
    return agent


def ask(database: Database, agent: AgentOrchestrator, conversation: int, question: str) -> Any:
    async def run() -> Any:
        stream = ask_within(
            Conversations(database), conversation, agent, question, frozenset(), CancelToken()
        )
        return [event async for event in stream][-1]

    return asyncio.run(run())


def test_a_reopened_conversation_shows_for_each_turn_how_it_was_answered(tmp_path: Path):
    folder = tmp_path / "library"
    with Database.open(folder) as database:
        conversation = Conversations(database).create()
        agent = traced(database)
        ask(database, agent, conversation, "What is the fuse?")
        ask(database, agent, conversation, "What is the fuse? Export a report.")

    with Database.open(folder) as database:
        turns = Conversations(database).turns(conversation)
        traces = [TraceStore(database).of_turn(turn.id) for turn in turns]

    assert [turn.outcome for turn in turns] == ["answered", "partial"]
    assert [trace.outcome for trace in traces if trace] == ["success", "partial"]
    step = ["planning", "execution"]
    for turn, trace, steps in zip(turns, traces, (2, 3), strict=True):  # the report is a step
        assert trace is not None
        assert trace.user_request == turn.prompt
        stages = [entry.stage.value for entry in trace.entries if entry.stage != "correction"]
        assert stages == ["planning", *step * steps, "finalization"]
        assert trace.confidence is not None


def test_every_entry_can_be_watched_while_the_question_runs(tmp_path: Path):
    seen: list[tuple[str, str]] = []
    with Database.open(tmp_path / "library") as database:
        agent = traced(database)
        assert agent.sessions is not None
        agent.sessions.on_entry(lambda trace, entry: seen.append((entry.stage, entry.outcome)))
        ask(database, agent, Conversations(database).create(), "What is the fuse?")
    assert ("execution", "pending") in seen
    assert ("execution", "success") in seen
    assert seen[-1] == ("finalization", "success")


def test_a_cancelled_question_leaves_no_step_pending(tmp_path: Path):
    with Database.open(tmp_path / "library") as database:
        conversation = Conversations(database).create()
        agent = traced(database)

        async def stopped() -> None:
            cancel = CancelToken()
            stream = ask_within(
                Conversations(database), conversation, agent, "What is it?", frozenset(), cancel
            )
            async for _event in stream:
                cancel.cancel()

        asyncio.run(stopped())
        database.write(lambda c: c.changes())  # what was queued before is on the disk now
        (turn,) = Conversations(database).turns(conversation)
        (trace,) = TraceStore(database).of_conversation(conversation)
    assert turn.outcome == "cancelled"
    assert trace.outcome == "skipped"
    assert all(entry.outcome != "pending" for entry in trace.entries)
