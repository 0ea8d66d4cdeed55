"""The agent's loop: which tools are available, which one is next, what came of it."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from dataclasses import KW_ONLY, dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING

from desktop.core.agent.context import MakesAtlas, SiteKnowledge, Told, plain_atlas
from desktop.core.agent.decision import DECISION, OTHER_MODEL, Decision, DecisionRejected
from desktop.core.agent.deliverables import Promises
from desktop.core.agent.progress import Done
from desktop.core.agent.question_trace import QuestionTrace, milliseconds_since
from desktop.core.agent.rule_decider import RESPONSE, plain_request
from desktop.core.agent.steps import (
    Deadline,
    Execution,
    NextStep,
    Question,
    TimeIsUp,
    call_of,
    refused,
)
from desktop.core.agent.tool_output import Error
from desktop.core.agent.tools.export_report import ASK_FIRST, NO_ANSWER_YET
from desktop.core.agent.tree_data import TreeData
from desktop.core.events import (
    ANSWERED,
    CitationEvent,
    CompleteEvent,
    DecisionEvent,
    ErrorEvent,
    Event,
    Outcome,
    TokenEvent,
)
from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.library.places import Place
from desktop.core.problems import explain, failure_place
from desktop.sentences import message, said, together

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping, Sequence

    from desktop.core.agent.answering.quoted_writer import QuotedWriter
    from desktop.core.agent.decision import Decider
    from desktop.core.agent.tool import Tool
    from desktop.core.settings.sections import AgentSettings
    from desktop.core.trace.session_memory import Sessions

logger = logging.getLogger(__name__)

_RULE_STEPS = 3  # a search, one in other words, the answer
_QUOTING_SECONDS = 30.0
_ASKED_FOR = said("You asked for this too.")


class OlderRevisions:
    """For one question: the library is asked when the first manual is cited, and only then."""

    def __init__(self, newer: Callable[[], Mapping[int, str]]) -> None:
        """newer: blocking; older document id -> what the newer revision is called ("Rev C")."""
        self._newer = newer
        self._known: Mapping[int, str] | None = None

    async def marked(self, event: Event) -> Event:
        """Return a citation with the revision that replaces its manual; else the event itself."""
        if not isinstance(event, CitationEvent):
            return event
        if self._known is None:
            self._known = await asyncio.to_thread(self._newer)
        newer = self._known.get(event.source.document_id, "")
        return replace(event, newer=newer) if newer else event


@dataclass(eq=False)
class AgentOrchestrator:
    """Runs questions; every question has its own `TreeData`, so any number may run at once.

    manual_names: blocking; names the manuals that can be searched. user_profile, context: about
    the person who asks and the place, asked for every time. place: where the person is, when the
    question is asked; must not block. site_knowledge: what is known besides the manuals.
    sessions: the memories that reasoning is written into; None for no trace. newer: blocking;
    which manuals have a newer revision, and what that is called. promises: plans what a question
    has to deliver, and checks it. quotes: shows what the manuals surely say before a language
    model is asked; None: nothing. has_model: whether one will be asked.
    """

    tools: Sequence[Tool]
    decider: Decider
    settings: AgentSettings
    manual_names: Callable[[], Sequence[str]]
    make_atlas: MakesAtlas = plain_atlas
    _: KW_ONLY
    user_profile: Told = ""
    context: Told = ""
    place: Callable[[], Place] = Place
    site_knowledge: SiteKnowledge = field(default_factory=SiteKnowledge)
    sessions: Sessions | None = None
    promises: Promises = field(default_factory=Promises)
    newer: Callable[[], Mapping[int, str]] = dict
    quotes: QuotedWriter | None = None
    has_model: Callable[[], bool] = lambda: True

    def __post_init__(self) -> None:
        self._next = NextStep(self.tools, self.decider)

    async def run(
        self,
        prompt: str,
        *,
        document_ids: frozenset[int] = frozenset(),
        cancel: CancelToken | None = None,
        conversation_history: Sequence[Mapping[str, str]] = (),
        conversation_id: int = 0,
    ) -> AsyncGenerator[Event, None]:
        """Answer `prompt`; the last event is always a `CompleteEvent`.

        document_ids: search only these manuals; empty means all.
        conversation_id: of the stored conversation, whose last answer tools may use; 0: none.
        Cancelling the task as well as the token stops a step that is waiting.
        """
        started = perf_counter()
        place = self.place()
        tree_data = TreeData(
            prompt,
            conversation_history=[dict(turn) for turn in conversation_history],
            max_iterations=self.settings.max_iterations,
            document_ids=document_ids,
            conversation_id=conversation_id,
            site=place.site,
            asset=place.asset,
        )
        deadline = Deadline(self.settings.time_limit_seconds)
        question = Question(tree_data, cancel or CancelToken(), deadline)
        older = OlderRevisions(self.newer)
        outcome: Outcome = "failed"
        try:
            async with aclosing(self._steps(question)) as steps:
                async for event in steps:
                    marked = await older.marked(event)
                    question.take(marked)
                    yield marked
            outcome = tree_data.outcome or "failed"
        except Cancelled:
            outcome = "cancelled"
        except asyncio.CancelledError:
            if not question.cancel.cancelled:
                raise  # somebody else's cancellation: the stream is not wanted any more
            outcome = "cancelled"
        except Exception as error:
            yield self._failure(error)
        finally:
            tree_data.trace.let_go(outcome)
        outcome, missing = await self.promises.conclude(tree_data, question.delivered, outcome)
        elapsed = milliseconds_since(started)
        logger.info("question: %s in %d steps, %.0f ms", outcome, tree_data.num_iterations, elapsed)
        yield CompleteEvent(outcome, elapsed, tree_data.num_iterations, missing)

    async def _steps(self, question: Question) -> AsyncGenerator[Event, None]:
        tree_data = question.tree_data
        question.cancel.check()
        if not tree_data.user_prompt.strip():
            tree_data.outcome = "impossible"
            yield ErrorEvent(
                said("The question is empty."), False, said("Type what you want to know.")
            )
            return
        # the limit is the model's: what is looked up without it is not taken from its time
        seconds = self.settings.time_limit_seconds
        if self.quotes is not None:
            question.deadline = Deadline(max(seconds, _QUOTING_SECONDS))
        limit = question.deadline.limit
        tree_data.collection_names = tuple(await limit(asyncio.to_thread(self.manual_names)))
        for trouble in await limit(self._inform(tree_data)):
            yield ErrorEvent(trouble, True)
        await limit(self.promises.plan(tree_data))
        if tree_data.requested.deliverables and not tree_data.requested.question:
            async with aclosing(self._handed_on(question)) as events:
                async for event in events:
                    yield event
            return
        async with aclosing(self._quotes_first(question)) as first:
            async for event in first:
                yield event
        if self.quotes is not None:
            question.deadline = Deadline(seconds)
        while not question.ended and (
            tree_data.num_iterations < tree_data.max_iterations
            or (tree_data.model_asked and not tree_data.without_model)  # rules may still do it
        ):
            question.cancel.check()
            if tree_data.num_iterations >= tree_data.max_iterations:
                yield self._without_model(
                    question, said("The language model found no way to answer.")
                )
            tree_data.num_iterations += 1
            async with aclosing(self._step(question)) as step:
                try:
                    async for event in step:
                        yield event
                except Cancelled:
                    raise
                except Exception as error:
                    if not tree_data.model_asked or tree_data.without_model:
                        raise
                    if isinstance(error, TimeIsUp):
                        why = said(
                            "The language model took longer than {n} seconds.", n=f"{seconds:g}"
                        )
                    else:
                        logger.error("a step with a model failed: %s", failure_place(error))
                        why = together([explain(error).title], ".")
                    yield self._without_model(question, why)
        if question.ended and tree_data.outcome in ANSWERED:
            tree_data.handing_on = question.answered()
            async with aclosing(self._handed_on(question)) as events:
                async for event in events:
                    yield event
        if not question.ended:
            yield ErrorEvent(
                said("No answer after {n} steps.", n=tree_data.max_iterations),
                recoverable=False,
                suggestion=said("Ask in different words, or allow more steps in the settings."),
            )

    async def _handed_on(self, question: Question) -> AsyncGenerator[Event, None]:
        """Make what is wanted from the answer; failures are reported, and the answer stays."""
        tree_data = question.tree_data
        answered = tree_data.handing_on is not None
        outcomes: list[Outcome] = [tree_data.outcome or "failed"] if answered else []
        question.deadline = Deadline(self.settings.time_limit_seconds)
        for name in tree_data.requested.deliverables:
            tool = self._next.tool(name)
            if tool is None:
                continue
            inputs = {}
            if name == "draft_email" and tree_data.requested.recipient:
                inputs = {"recipient": tree_data.requested.recipient}
            decision = Decision(tool=name, inputs=inputs, reasoning=_ASKED_FOR)
            tree_data.trace.decided(name, _ASKED_FOR, inputs, 0.0)
            yield DecisionEvent(name, _ASKED_FOR, inputs, tree_data.num_iterations)
            if answered or len(outcomes):
                yield TokenEvent("\n")
            execution = Execution(tool, decision, tree_data, question.cancel, question.deadline)
            try:
                async with aclosing(execution.events()) as events:
                    async for event in events:
                        yield event
            except (Cancelled, TimeIsUp):
                raise
            except Exception as error:  # the answer is there, whatever becomes of this
                logger.error("%s failed: %s", name, failure_place(error))
                told = Error.of(error)
                tree_data.add_error(name, told.feedback())
                yield ErrorEvent(told.message, True, told.suggestion, name)
            outcomes.append(tree_data.outcome or "failed")
        question.ended = True
        reached = [outcome for outcome in outcomes if outcome in ANSWERED]
        tree_data.outcome = reached[0] if reached else "impossible"
        if not reached:
            yield ErrorEvent(NO_ANSWER_YET, False, ASK_FIRST)

    def _without_model(self, question: Question, reason: str) -> ErrorEvent:
        """Go on by rules and quotes, with a little more time: better than no answer."""
        question.tree_data.without_model = True
        question.tree_data.max_iterations = question.tree_data.num_iterations + _RULE_STEPS
        question.deadline = Deadline(_QUOTING_SECONDS)
        question.calls = set()
        return ErrorEvent(
            said("{reason} The manuals are quoted instead.", reason=reason), True, OTHER_MODEL
        )

    async def _quotes_first(self, question: Question) -> AsyncGenerator[Event, None]:
        """Search for the question's own words and show what the manuals surely say about it.

        Half a second, before a language model is asked: nobody waits for what is known.
        """
        tree_data = question.tree_data
        plain = plain_request(tree_data.user_prompt) is not None
        if self.quotes is None or plain or not self.has_model():
            return
        available = await self._next.available(question)
        own = self._next.own_words(tree_data, available)
        if own is None:
            return
        tree_data.num_iterations += 1
        tree_data.max_iterations += 1
        async with aclosing(self._carried_out(question, own, available, 0.0)) as events:
            async for event in events:
                yield event
        if not tree_data.environment.is_empty():
            question.own_words = own
        available = await self._next.available(question)
        if await self._next.triggered(question, available) is None:
            async with aclosing(self.quotes.first(tree_data)) as quotes:
                async for event in quotes:
                    yield event

    async def _inform(self, tree_data: TreeData) -> list[str]:
        """Tell what is known beside the manuals; return what went wrong."""
        if self.sessions is not None:
            memory = await asyncio.to_thread(self.sessions.memory, tree_data.conversation_id)
            told = self.sessions.in_prompts
            tree_data.trace = QuestionTrace(memory, tree_data.user_prompt, told)
        troubles = await self.site_knowledge.tell(tree_data, self.user_profile, self.context)
        tree_data.atlas_about = lambda documents: self.make_atlas(
            user_profile=tree_data.user_profile, context=tree_data.context, about=documents
        )
        tree_data.atlas = await asyncio.to_thread(tree_data.atlas_about, tree_data.document_ids)
        return troubles

    async def _step(self, question: Question) -> AsyncGenerator[Event, None]:
        """Decide once and run what was decided, or say why it is not run."""
        tree_data = question.tree_data
        started = perf_counter()
        available = await self._next.available(question)
        question.repeated = ""
        try:
            settled = self._is_settled(tree_data)
            deciding = self._next.decision(question, available, settled=settled)
            async with aclosing(tree_data.progress.during(deciding)) as told:
                async for item in told:
                    if not isinstance(item, Done):
                        yield item
                        continue
                    decision = item.value
        except DecisionRejected as rejected:
            question.cancel.check()
            why = message(rejected)
            tree_data.add_error(DECISION, why)
            tree_data.trace.refused(DECISION, {}, why, rejected.advice)
            yield ErrorEvent(why, True, rejected.advice, DECISION)
            return
        question.cancel.check()
        elapsed = milliseconds_since(started)
        own = self._next.own_words_first(question, decision, available)
        if own is not None:
            async with aclosing(self._carried_out(question, own, available, 0.0)) as events:
                async for event in events:
                    yield event
            available = await self._next.available(question)
        async with aclosing(self._carried_out(question, decision, available, elapsed)) as events:
            async for event in events:
                yield event

    def _is_settled(self, tree_data: TreeData) -> bool:
        """Whether quotes are shown that surely answer: then no model need decide what to do next.

        It would read all that was found for that, as much as it reads to write the answer.
        """
        shown = tree_data.shown
        return self.settings.model_does == "auto" and shown is not None and shown.settles

    async def _carried_out(
        self, question: Question, decision: Decision, available: Sequence[Tool], elapsed: float
    ) -> AsyncGenerator[Event, None]:
        """Tell a decision and run it, or say why it is not run. elapsed: milliseconds it took."""
        tree_data = question.tree_data
        tree_data.trace.decided(decision.tool, decision.reasoning, decision.inputs, elapsed)
        yield DecisionEvent(
            decision.tool, decision.reasoning, decision.inputs, tree_data.num_iterations, elapsed
        )
        chosen = self._next.checked(decision, available, question.calls)
        question.repeated = ""
        if isinstance(chosen, Error):
            question.repeated = decision.tool if call_of(decision) in question.calls else ""
            yield refused(tree_data, decision, chosen)
            return
        question.calls.add(call_of(decision))
        if chosen.end and chosen.name != RESPONSE and tree_data.shown is not None:
            for revision in tree_data.shown.superseded():  # another tool ends the question
                yield revision
        tree_data.impossible = decision.reasoning if decision.impossible else ""
        execution = Execution(chosen, decision, tree_data, question.cancel, question.deadline)
        async with aclosing(execution.events()) as events:
            async for event in events:
                yield event
        question.ended = execution.ended

    def _failure(self, error: Exception) -> ErrorEvent:
        """Return what a person is told when a question cannot go on."""
        if isinstance(error, TimeIsUp):
            seconds = self.settings.time_limit_seconds
            return ErrorEvent(
                said(
                    "The question took longer than {seconds} seconds and was stopped.",
                    seconds=f"{seconds:g}",
                ),
                recoverable=False,
                suggestion=said("Ask again, or raise the time limit in the settings."),
            )
        logger.error("a question failed: %s", failure_place(error))
        problem = explain(error)
        return ErrorEvent(
            together([problem.title], "."), recoverable=False, suggestion=problem.advice
        )
