"""Deep research: filter the sources, analyst and critic in turns, then the writer."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from desktop.core.agent.question_trace import milliseconds_since
from desktop.core.events import CompleteEvent, ErrorEvent
from desktop.core.jobs import Cancelled
from desktop.core.problems import explain, failure_place
from desktop.core.question.languages import language_of
from desktop.core.research.analyst import (
    AnalystAgent,
    RuleAnalyst,
    WriterAgent,
    bare_draft,
    composed_by_rules,
)
from desktop.core.research.critic import CriticAgent, unanswered_parts, whole_texts
from desktop.core.research.errors import AgentTimedOut, NoValidSourcesError
from desktop.core.research.iteration_log import RUNNING, new_query_id
from desktop.core.research.report import CheckedReport, checked_report, with_own_marks
from desktop.core.research.run import (
    NOT_REVIEWED,
    RunRecord,
    RunState,
    outcome_events,
    report_items,
)
from desktop.core.research.sources import SourceTierFilter, TemporalContext, within
from desktop.sentences import counted, full, message, said, together

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence

    from desktop.core.events import Event, ResearchMode, ResearchStage
    from desktop.core.research.handler import ResearchHandler

logger = logging.getLogger(__name__)

T = TypeVar("T")
_QUOTING_SECONDS = 15.0
_SEARCHES_PER_ROUND = 2


class StageEnded(Exception):  # noqa: N818 - not an error: the report is made of what there is
    """A stage timed out or failed; the run's status says which."""


class ResearchLoop:
    """The stages of one run; whatever ends it, `finish` makes a result."""

    def __init__(self, handler: ResearchHandler, state: RunState, record: RunRecord) -> None:
        self._handler = handler
        self._settings = handler.settings
        self._state = state
        self._with_model = handler.language() is not None
        self._analyst = AnalystAgent(handler) if self._with_model else RuleAnalyst(handler)
        self._critic, self._writer = CriticAgent(handler), WriterAgent(handler)
        self._record = record

    async def work(self, items: list[dict[str, Any]]) -> None:
        """Run all stages. Raises: NoValidSourcesError, StageEnded, what ends the run."""
        self._record.summarise(RUNNING)
        self._filter(items)
        self._record.keep_draft(bare_draft(self._handler, self._state.context))
        await self._discuss()
        self._state.report = await self._written()

    def ended(self, status: Any, reason: str) -> None:
        """Keep why the run ended early, and report it for the stage that was at work."""
        self._state.status, self._state.reason = status, reason
        self._record.ended(status, reason)

    async def finish(self) -> list[dict[str, Any]]:
        """Return the Items; what is missing is made by rules."""
        state = self._state
        if state.status == "no_valid_sources" or not state.context:
            self._record.summarise(state.status or "failed")
            return report_items(state)
        if state.report is None:
            draft = state.draft or await self._quoted()
            review = state.review or NOT_REVIEWED
            state.report = composed_by_rules(draft, review, state.context, state.mode)
            self._record.keep_draft(str(state.report["final_report"]))
        if state.status is None:
            passed = (state.review or NOT_REVIEWED)["status"] in ("PASS", "WARN")
            state.status = "converged" if passed else "not_converged"
        self._record.summarise(state.status)
        state.checked = await self._checked(str(state.report["final_report"]))
        await self._tell_not_found(state.checked)
        self._record.keep_report(state.checked)
        self._record.summarise(state.status)
        return report_items(state)

    async def _tell_not_found(self, checked: CheckedReport) -> None:
        """Add to a report the parts of the question that it says nothing about."""
        state = self._state
        if not checked.text or state.mode == "monitor" or state.status == "cancelled":
            return
        report = str((state.report or {}).get("final_report", ""))
        call = partial(unanswered_parts, self._handler, state.query, report, state.context)
        try:
            async with asyncio.timeout(_QUOTING_SECONDS):
                parts = await asyncio.to_thread(call)
        except Exception as error:
            logger.warning("it is not known what is missing: %s", failure_place(error))
            return
        checked.tell_not_found(parts, language_of(state.query))

    async def _quoted(self) -> str:
        """Return an extractive summary instead of a draft; without waiting, once it is stopped."""
        state = self._state
        if self._with_model and state.status != "cancelled":
            quoting = RuleAnalyst(self._handler)
            try:
                async with asyncio.timeout(_QUOTING_SECONDS):
                    reply = await quoting.research(state.query, state.context, state.mode)
                state.comparisons = quoting.comparisons
                if reply["draft"]:
                    return str(reply["draft"])
            except Exception as error:
                logger.warning("no extractive summary: %s", failure_place(error))
        return bare_draft(self._handler, state.context)

    def _filter(self, items: list[dict[str, Any]]) -> None:
        state = self._state
        self._record.begin("filter", said("{n} sources found.", n=len(items)))
        tiers = self._tier_filter()
        for item in items:  # those that no search of the library found get the same rights
            if item.get("url") and self._handler.sources.of(item) is None:
                site = str(item.get("source") or item.get("site") or "")
                self._handler.sources.add_item(item, tiers.get_tier(site), tiers.get_type(site))
        inside, left_out = within(items, state.temporal)
        try:
            if left_out and not inside:
                raise NoValidSourcesError(state.mode, left_out, state.temporal.told)
            state.context = self._tier_filter().filter_and_enrich(inside, state.mode)
        except NoValidSourcesError as error:
            self._record.tell("filter", "failed", message(error))
            raise
        dropped = len(inside) - len(state.context)
        mode, when = said(state.mode), state.temporal.told
        words = [said("{n} sources are read in {mode} mode.", n=len(state.context), mode=mode)]
        if left_out:
            words.append(
                said("{n} from another time are left out ({when}).", n=left_out, when=when)
            )
        if dropped:
            words.append(said("{n} skipped: not trusted enough.", n=dropped))
        found = (self._handler.sources.of(item) for item in state.context)
        self._handler.trace.found(source for source in found if source is not None)
        self._record.tell("filter", "done", together(words))

    async def _discuss(self) -> None:
        """Let analyst and critic take turns until the draft passes or the rounds are over."""
        state = self._state
        while state.iteration < self._settings.max_iterations:
            state.iteration += 1
            response = await self._drafted()
            if response["status"] == "SEARCH_REQUIRED":
                response = await self._filled(response)
            if not response["draft"]:
                return  # there is nothing more to be found: what there is is quoted
            state.draft = str(response["draft"])
            state.comparisons = self._analyst.comparisons
            if self._analyst.left:
                state.status = "timed_out"
                state.reason = counted(
                    self._analyst.left,
                    "One statement from the site was not compared: time ran out.",
                    "{n} site statements were not compared: time ran out.",
                )
            self._record.keep_draft(state.draft)
            state.review = await self._reviewed()
            if state.review["status"] in ("PASS", "WARN"):
                return
            if state.iteration < self._settings.max_iterations and self._critic.missing:
                await self._searched(self._critic.missing)

    async def _filled(self, response: dict[str, Any]) -> dict[str, Any]:
        """Search for what the analyst lacks and let it read again; returns its last reply."""
        for _ in range(_SEARCHES_PER_ROUND):
            if not await self._searched(response["new_queries"]):
                break
            response = await self._drafted()
            if response["status"] != "SEARCH_REQUIRED":
                break
        return response

    async def _drafted(self) -> dict[str, Any]:
        state, analyst = self._state, self._analyst
        rejected = state.review is not None and state.review["status"] == "REJECT"
        revising = rejected and bool(state.draft)
        self._record.begin(
            "analyst", said("Addressing the critic's objections.") if revising else said("Reading.")
        )
        call: Callable[[], Awaitable[dict[str, Any]]]
        if revising and state.review is not None:
            call = partial(analyst.revise, state.draft, state.review, state.context)
        else:
            call = partial(analyst.research, state.query, state.context, state.mode, state.temporal)
        response = await self._limited("analyst", self._settings.analyst_timeout, call)
        response = {**response, "draft": await self._marked(str(response["draft"]))}
        self._record.replied("analyst", analyst.last_prompt, response)
        wanted = response["status"] == "SEARCH_REQUIRED"
        told = (
            said("Something is missing; searching for it.") if wanted else said("There is a draft.")
        )
        self._record.tell("analyst", "done", told)
        return response

    async def _searched(self, queries: Sequence[str]) -> int:
        """Fill a gap through the search tools; returns how many sources were added."""
        self._record.begin("search", said("Searching: {queries}", queries="; ".join(queries)))
        call = partial(self._new_sources, queries)
        new = await self._limited("search", self._settings.analyst_timeout, call)
        self._record.replied("search", {"queries": list(queries)}, {"added": new})
        self._record.tell(
            "search", "done", counted(len(new), "1 more source.", "{n} more sources.")
        )
        return len(new)

    async def _new_sources(self, queries: Sequence[str]) -> list[str]:
        """Search for what was not searched yet; returns the names of the sources added."""
        added: list[str] = []
        for query in queries:
            wanted = " ".join(query.split())
            if not wanted or wanted.casefold() in (q.casefold() for q in self._state.searched):
                continue
            self._handler.cancel.check()
            self._state.searched.append(wanted)
            added += await asyncio.to_thread(self._add_sources, wanted)
        return added

    def _add_sources(self, query: str) -> list[str]:
        """Add what is found to the context; the numbers of existing sources stay the same."""
        handler, state = self._handler, self._state
        room = self._settings.max_sources - len(state.context)
        if room <= 0:
            return []
        found = handler.find(query, self._settings.pages_per_search)
        items = [source.item() for source in handler.sources.add(found)]
        inside, _ = within(items, state.temporal)
        try:
            fitting = self._tier_filter().filter_and_enrich(inside, state.mode)[:room]
        except NoValidSourcesError:
            return []
        state.context += fitting
        return [str(item["name"]) for item in fitting]

    def _tier_filter(self) -> SourceTierFilter:
        tiers = {**self._handler.source_tiers, **self._handler.sources.tiers}
        return SourceTierFilter(tiers, self._settings.mode_configs)

    async def _reviewed(self) -> dict[str, Any]:
        state, critic = self._state, self._critic
        self._record.begin("critic", said("Checking every sentence against its source."))
        call = partial(critic.review, state.draft, state.query, state.mode, state.context)
        review = await self._limited("critic", self._settings.critic_timeout, call)
        self._record.replied("critic", critic.last_prompt, review)
        count = len(review["logical_gaps"])
        told = {"PASS": said("No objections."), "WARN": said("Good enough.")}.get(review["status"])
        rejected = counted(count, "1 objection", "{n} objections")
        told = told or said("Rejected: {objections}.", objections=rejected)
        self._record.tell("critic", "done", told)
        self._handler.trace.objected(review)
        return review

    async def _written(self) -> dict[str, Any]:
        state, writer = self._state, self._writer
        self._record.begin("writer", said("Writing the report."))
        draft = state.draft or await self._quoted()
        review = state.review or NOT_REVIEWED
        call = partial(writer.compose, draft, review, state.context, state.mode)
        report = await self._limited("writer", self._settings.writer_timeout, call)
        report = {**report, "final_report": await self._marked(str(report["final_report"]))}
        self._record.replied("writer", writer.last_prompt, report)
        self._record.tell("writer", "done", said("The report is written."))
        return report

    async def _marked(self, draft: str) -> str:
        """Return a draft in which every verbatim sentence has a mark of its own."""
        handler, context = self._handler, self._state.context
        return await asyncio.to_thread(lambda: with_own_marks(draft, whole_texts(handler, context)))

    async def _limited(
        self, stage: ResearchStage, seconds: float, call: Callable[[], Awaitable[T]]
    ) -> T:
        """Run a stage, unless it is stopped. Raises: StageEnded, if it is too slow or fails."""
        self._handler.cancel.check()
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                return await call()
        except (TimeoutError, AgentTimedOut) as error:
            if isinstance(error, TimeoutError) and not limit.expired():
                raise
            reason = said(
                "The {stage} took longer than {n} seconds.", stage=said(stage), n=f"{seconds:g}"
            )
            self._give_up(stage, "timed_out", reason)
            raise StageEnded from error
        except Cancelled:
            raise
        except Exception as error:
            logger.warning("the %s failed: %s", stage, failure_place(error))
            problem = explain(error)
            reason = said(
                "The {stage} failed: {problem}.", stage=said(stage), problem=problem.title
            )
            self._give_up(stage, "failed", reason)
            self._record.emit(ErrorEvent(self._state.reason, True, problem.advice, stage))
            raise StageEnded from error

    def _give_up(self, stage: ResearchStage, status: Any, reason: str) -> None:
        self._record.replied(stage, {"stage": stage}, {"status": status, "reason": reason})
        self.ended(status, reason)

    async def _checked(self, report: str) -> CheckedReport:
        """Check the report's citations; a report that cannot be checked is not shown."""
        state = self._state
        work = asyncio.to_thread(checked_report, report, state.context, self._handler, state.query)
        try:
            return await asyncio.wait_for(work, self._settings.writer_timeout)
        except Exception as error:
            logger.error("a report could not be checked: %s", failure_place(error))
            state.status, state.reason = "failed", said("The report could not be checked.")
            return CheckedReport()


class DeepResearchOrchestrator:
    """One research run at a time. result: the Items of the last one."""

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
        """Research a question starting from items that a search found.

        Returns: one Item (see `item.Item`), a report or what went wrong; never raises
            for what an agent or a source does.
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
        self.query_id = self.query_id or new_query_id(query)
        state = RunState(query, mode, temporal, self.query_id)
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
        started = perf_counter()
        record = RunRecord(self._handler, state, emit)
        loop = ResearchLoop(self._handler, state, record)
        try:
            async with asyncio.timeout(self._settings.time_limit_seconds):
                await loop.work(items)
        except NoValidSourcesError as error:
            state.status, state.reason = "no_valid_sources", message(error)
        except TimeoutError:
            seconds = self._settings.time_limit_seconds
            loop.ended(
                "timed_out", said("The research took longer than {n} seconds.", n=f"{seconds:g}")
            )
        except (asyncio.CancelledError, Cancelled):
            loop.ended("cancelled", said("The research was stopped."))
        except StageEnded:
            pass
        except Exception as error:
            logger.error("a research failed: %s", failure_place(error))
            loop.ended("failed", full(explain(error).title))
        self.result = await loop.finish()
        elapsed = milliseconds_since(started)
        for event in outcome_events(state, self.result):
            record.emit(event)
        answered = state.checked is not None and bool(state.checked.text)
        outcome: Any = "answered" if answered else "not_found"
        if state.status == "cancelled":
            outcome = "cancelled"
        elif state.status == "failed" and not answered:
            outcome = "failed"
        logger.info(
            "research: %s in %d iterations, %.0f ms", state.status, state.iteration, elapsed
        )
        record.emit(CompleteEvent(outcome, elapsed, state.iteration))
