"""Research that is stopped, killed or too slow in any stage: a readable log, a usable result."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from desktop.core.events import CompleteEvent, ResearchProgressEvent, TokenEvent
from desktop.core.jobs import CancelToken
from desktop.core.research.iteration_log import past_runs
from desktop.core.research.orchestrator import DeepResearchOrchestrator
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.research import (
    FakeFinder,
    SlowAnswerer,
    analyst,
    critic,
    handler,
    page,
    writer,
)

pytestmark = pytest.mark.slow

FUSE = "The fuse of the pump is 5 A."
STAGES = ("analyst", "search", "critic", "writer")


class SlowFinder(FakeFinder):
    def find(self, query: str, limit: int):
        time.sleep(0.5)
        return super().find(query, limit)


def scripted(slow_stage: str) -> FakeLanguageModel:
    """Return a model that is slow in one stage; the search is slow by its finder."""
    model = FakeLanguageModel(context_tokens=32_000)
    replies = [
        ("search" if slow_stage == "search" else "", analyst(queries=("fuse table",))),
        ("analyst", analyst(f"{FUSE} [1]")),
        ("critic", critic()),
        ("writer", writer(f"{FUSE} [1]")),
    ]
    for stage, reply in replies if slow_stage == "search" else replies[1:]:
        slow = stage == slow_stage and stage != "search"
        model.enqueue(reply, seconds=0.15 if slow else 0.0)
    return model


def prepared(folder: Path, slow_stage: str, cancel: CancelToken | None = None, **settings):
    finder = SlowFinder(fuse_table=[page(FUSE, 7)])
    return handler(
        folder, page(FUSE), model=scripted(slow_stage), finder=finder, cancel=cancel, **settings
    )


def collected(parts, items, stop_at: str = "") -> list:
    """Run a research; stop it when a stage has begun."""

    async def run() -> list:
        research = DeepResearchOrchestrator(parts)
        events: list = []

        async def consume() -> None:
            async for event in research.events("Which fuse?", "discovery", items):
                events.append(event)
                if _begins(event, stop_at):
                    parts.cancel.cancel()
                    loop.call_later(1.0, task.cancel)  # if the first word did not reach it

        loop = asyncio.get_running_loop()
        task = asyncio.create_task(consume())
        await task
        return events

    return asyncio.run(run())


def _begins(event, stage: str) -> bool:
    return (
        isinstance(event, ResearchProgressEvent)
        and event.state == "started"
        and event.stage == stage
    )


def summary_in(folder: Path):
    (found,) = folder.glob("*/session_summary.json")
    return json.loads(found.read_text())


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_that_takes_too_long_leaves_a_result_of_what_there_is(tmp_path, stage):
    limit = {"search": "analyst_timeout"}.get(stage, f"{stage}_timeout")
    settings: dict[str, Any] = {limit: 0.3}
    parts, items = prepared(tmp_path, stage, **settings)
    events = collected(parts, items)
    assert FUSE in "".join(e.content for e in events if isinstance(e, TokenEvent))
    assert events[-1].outcome == "answered"
    timed_out = [e.stage for e in events if getattr(e, "state", "") == "timed_out"]
    assert timed_out == [stage]
    assert summary_in(tmp_path)["final_status"] == "timed_out"
    assert stage in summary_in(tmp_path)["metadata"]["reason"]
    (run,) = past_runs(tmp_path)
    assert FUSE in run.report
    assert parts.language().wait_idle()


@pytest.mark.parametrize("stage", STAGES)
def test_a_research_that_is_stopped_keeps_what_was_found(tmp_path, stage):
    cancel = CancelToken()
    parts, items = prepared(tmp_path, stage, cancel)
    events = collected(parts, items, stop_at=stage)
    assert isinstance(events[-1], CompleteEvent)
    assert events[-1].outcome == "cancelled"
    assert FUSE in "".join(e.content for e in events if isinstance(e, TokenEvent))
    assert summary_in(tmp_path)["final_status"] == "cancelled"
    (run,) = past_runs(tmp_path)
    assert (run.status, FUSE in run.report) == ("cancelled", True)
    assert parts.language().wait_idle()


def test_the_time_for_all_ends_it_whichever_stage_is_at_work(tmp_path):
    parts, items = prepared(tmp_path, "critic", time_limit_seconds=0.4)
    events = collected(parts, items)
    assert FUSE in "".join(e.content for e in events if isinstance(e, TokenEvent))
    assert summary_in(tmp_path)["final_status"] == "timed_out"
    assert parts.language().wait_idle()


def test_rules_that_are_too_slow_leave_the_first_words_of_the_sources(tmp_path):
    parts, items = handler(tmp_path, page(FUSE), answerer=SlowAnswerer(), analyst_timeout=0.1)
    events = collected(parts, items)
    assert FUSE in "".join(e.content for e in events if isinstance(e, TokenEvent))


def test_a_stream_that_nobody_reads_to_its_end_stops_the_model(tmp_path):
    parts, items = prepared(tmp_path, "critic")

    async def leave() -> None:
        events = DeepResearchOrchestrator(parts).events("Which fuse?", "discovery", items)
        async for event in events:
            if getattr(event, "stage", "") == "critic":
                break
        await events.aclose()

    asyncio.run(leave())
    assert parts.language().wait_idle()
    assert past_runs(tmp_path)[0].report


def test_a_model_that_breaks_is_told_and_the_sources_are_quoted(tmp_path):
    from desktop.models.errors import ModelError

    model = FakeLanguageModel(context_tokens=32_000)
    model.enqueue(error=ModelError("broken"))
    parts, items = handler(tmp_path, page(FUSE), model=model)
    events = collected(parts, items)
    assert FUSE in "".join(e.content for e in events if isinstance(e, TokenEvent))
    assert events[-1].outcome == "answered"
    assert summary_in(tmp_path)["final_status"] == "failed"


_KILLED = """
    import sys, time
    from pathlib import Path
    from tests.core.research.test_ended_early import prepared, scripted
    from tests.fakes.research import FakeFinder
    import asyncio
    from desktop.core.research.orchestrator import DeepResearchOrchestrator

    folder, stage = Path(sys.argv[1]), sys.argv[2]
    parts, items = prepared(folder, stage)

    async def run():
        research = DeepResearchOrchestrator(parts)
        async for event in research.events("Which fuse?", "discovery", items):
            if getattr(event, "stage", "") == stage and event.state == "started":
                print("begun", flush=True)
                time.sleep(60)

    asyncio.run(run())
"""


@pytest.mark.parametrize("stage", STAGES)
def test_a_research_that_is_killed_leaves_a_readable_log(tmp_path, stage):
    root = Path(__file__).parents[3]
    script = tmp_path / "killed.py"
    script.write_text(textwrap.dedent(_KILLED))
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "log"), stage],
        stdout=subprocess.PIPE,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "begun"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    (run,) = past_runs(tmp_path / "log")
    assert (run.status, run.query) == ("interrupted", "Which fuse?")
    for step in run.steps:
        json.loads(step.read_text())
    done = {"analyst": 0, "search": 1, "critic": 1, "writer": 2}[stage]
    assert len(run.steps) == done
    assert FUSE in run.report
    assert "Pump, page 4-4" in run.report
