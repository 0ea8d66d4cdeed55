"""Deep research: filter, analyst and critic in turns, then the writer."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from desktop.core.agent.clock import milliseconds_since, now
from desktop.core.events import CompleteEvent
from desktop.core.jobs import Cancelled
from desktop.core.problems import explain, failure_place
from desktop.core.research.errors import NoValidSourcesError
from desktop.core.research.iteration_log import new_query_id
from desktop.core.research.loop import ResearchLoop, StageEnded
from desktop.core.research.outcome import outcome_events
from desktop.core.research.run_state import RunState
from desktop.core.research.temporal import TemporalContext
from desktop.core.sentences import said

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping, Sequence

    from desktop.core.events import Event, ResearchMode
    from desktop.core.research.handler import ResearchHandler

logger = logging.getLogger(__name__)


class DeepResearchOrchestrator:
    """One research at a time. result: the Items of the last one."""

    def __init__(self, handler: ResearchHandler) -> None:
        self._handler = handler
        self._settings = handler.settings
        self.query_id = handler.query_id
        self.result: list[dict[str, Any]] = []

    async def run_research(
        self,
        query: str,
        mode: ResearchMode,
        items: Sequence[Mapping[str, Any]],
        temporal_context: TemporalContext | Mapping[str, Any] | None = None,
    ) -> list[dict[str, Any]]:
        """Research a question from items that a search found.

        Returns: one Item (see `item.Item`), a report or what went wrong; never raises for what
            an agent or a source does.
        """
        async for _ in self.events(query, mode, items, temporal_context):
            pass
        return self.result

    async def events(
        self,
        query: str,
        mode: ResearchMode,
        items: Sequence[Mapping[str, Any]],
        temporal_context: TemporalContext | Mapping[str, Any] | None = None,
    ) -> AsyncGenerator[Event, None]:
        """As `run_research`, event by event; the last one is a `CompleteEvent`.

        When the handler's token is set and the task cancelled, what was found so far is
        reported and the outcome is "cancelled".
        """
        temporal = TemporalContext.model_validate(temporal_context or {})
        state = RunState(query, mode, temporal)
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        run = asyncio.create_task(
            self._run(state, [dict(item) for item in items], queue.put_nowait)
        )
        run.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            while True:
                try:
                    event = await queue.get()
                except asyncio.CancelledError:
                    if not self._handler.cancel.cancelled:
                        raise
                    run.cancel()
                    continue
                if event is None:
                    break
                yield event
        finally:
            if not run.done():
                run.cancel()
                await asyncio.wait([run])
        await run

    async def _run(
        self, state: RunState, items: list[dict[str, Any]], emit: Callable[[Event], None]
    ) -> None:
        started = now()
        loop = ResearchLoop(self._handler, state, emit, self.query_id or new_query_id(state.query))
        self.query_id = loop.query_id
        try:
            async with asyncio.timeout(self._settings.time_limit_seconds):
                await loop.work(items)
        except NoValidSourcesError as error:
            state.status, state.reason = "no_valid_sources", str(error)
        except TimeoutError:
            seconds = self._settings.time_limit_seconds
            loop.ended(
                "timed_out", said("The research took longer than {n} seconds.", n=f"{seconds:g}")
            )
        except (asyncio.CancelledError, Cancelled):
            loop.ended("cancelled", "The research was stopped.")
        except StageEnded:
            pass
        except Exception as error:
            logger.error("a research failed: %s", failure_place(error))
            loop.ended("failed", f"{explain(error).title}.")
        self.result = await loop.finish()
        elapsed = milliseconds_since(started)
        for event in outcome_events(state, self.result, self.query_id):
            loop.tell(event)
        answered = state.checked is not None and bool(state.checked.text)
        outcome: Any = "answered" if answered else "not_found"
        if state.status == "cancelled":
            outcome = "cancelled"
        elif state.status == "failed" and not answered:
            outcome = "failed"
        logger.info(
            "research: %s in %d iterations, %.0f ms", state.status, state.iteration, elapsed
        )
        loop.tell(CompleteEvent(outcome, elapsed, state.iteration))
