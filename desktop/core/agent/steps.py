"""The steps of one question: its calls and time, what is done next and why, one run of one tool."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import aclosing
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from pydantic import ValidationError

from desktop.core.agent.decision import Decision
from desktop.core.agent.deliverables import Delivered
from desktop.core.agent.gathering import gatherings
from desktop.core.agent.progress import Done
from desktop.core.agent.question_trace import ToolTrace, milliseconds_since
from desktop.core.agent.rule_decider import RESPONSE, SEARCH
from desktop.core.agent.tool_output import Error, Result
from desktop.core.events import CompleteEvent, ErrorEvent, Event, ResultEvent
from desktop.core.reports.contents import answered_turn
from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningStage
from desktop.sentences import is_sentence, said, together

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Collection, Sequence
    from typing import Any

    from desktop.core.agent.decision import Decider
    from desktop.core.agent.question_trace import QuestionTrace
    from desktop.core.agent.tool import Tool
    from desktop.core.agent.tool_output import ToolOutput
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.jobs import CancelToken
    from desktop.core.reports.contents import AnsweredTurn
    from desktop.core.trace.reasoning_trace import ReasoningEntry

T = TypeVar("T")

_HOW_MANY = "limit"
"""The same search with room for more results finds nothing else first: it is the same call."""


def call_of(decision: Decision) -> str:
    """Return what two decisions share that make the same call: white space does not matter."""
    inputs = {
        key: " ".join(value.split()) if isinstance(value, str) else value
        for key, value in decision.inputs.items()
        if key != _HOW_MANY
    }
    return json.dumps([decision.tool, inputs], sort_keys=True, default=str)


class TimeIsUp(Exception):  # noqa: N818 - an outcome of the question
    """The question has used all its time."""


class Deadline:
    """A point in time after which no wait goes on."""

    def __init__(self, seconds: float) -> None:
        self._end = perf_counter() + seconds

    async def limit(self, step: Awaitable[T]) -> T:
        """Await one step of the question. Raises: TimeIsUp, if its time is over first."""
        limit = asyncio.timeout(max(0.0, self._end - perf_counter()))
        try:
            async with limit:
                return await step
        except TimeoutError as error:
            if limit.expired():  # else it is the step's own
                raise TimeIsUp from error
            raise


@dataclass(slots=True)
class Question:
    """A question while it is answered.

    calls: those made, see `call_of`. ended: a tool has ended it. repeated: the tool whose last call
    was one it had run before.
    delivered: what its events have brought. own_words: the search that was made before a model
    was asked, if it found something.
    """

    tree_data: TreeData
    cancel: CancelToken
    deadline: Deadline
    calls: set[str] = field(default_factory=set)
    delivered: Delivered = field(default_factory=Delivered)
    events: list[Event] = field(default_factory=list)
    ended: bool = False
    repeated: str = ""
    own_words: Decision | None = None

    def take(self, event: Event) -> None:
        """Remember what a person was told."""
        self.events.append(event)
        self.delivered.take(event)

    def answered(self) -> AnsweredTurn | None:
        """Return the answer that the events so far make."""
        ended = CompleteEvent("answered", 0.0, self.tree_data.num_iterations)
        return answered_turn(self.tree_data.user_prompt, [*self.events, ended])


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_OWN_WORDS_FIRST = said("The first search uses the question's own words.")
_SURELY_FOUND = said("The manuals state it; the answer comes from what was found.")
_ALREADY_SEARCHED = said("That was already searched for; the answer comes from what was found.")
_LEARNED = said("This failed earlier in the conversation; now using what worked.")


class NextStep:
    """Chooses the next tool of a question out of those that there are."""

    def __init__(self, tools: Sequence[Tool], decider: Decider) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._decider = decider

    async def available(self, question: Question) -> tuple[Tool, ...]:
        """Return the usable tools; before the last step only those that end the question.

        Where there is something to answer from, a tool that was just called a second time
        with the same inputs is left out once: a small model would call it again and again.
        """
        tree_data = question.tree_data
        usable = [
            tool
            for tool in self._tools.values()
            if tool.name not in tree_data.withdrawn and await tool.is_tool_available(tree_data)
        ]
        if not tree_data.environment.is_empty():
            usable = [tool for tool in usable if tool.name != question.repeated]
        last_step = tree_data.num_iterations >= tree_data.max_iterations
        ending = tuple(tool for tool in usable if tool.end)
        return ending if last_step and ending else tuple(usable)

    async def decision(
        self, question: Question, available: Sequence[Tool], *, settled: bool = False
    ) -> Decision:
        """Return a tool's own call, or the decider's. Raises: DecisionRejected, TimeIsUp.

        settled: what was found surely answers, so that it is answered.
        """
        tree_data = question.tree_data
        triggered = await self.triggered(question, available)
        if triggered is not None:
            return triggered
        if settled and RESPONSE in {tool.name for tool in available}:
            answer = Decision(tool=RESPONSE, reasoning=_SURELY_FOUND)
            if call_of(answer) not in question.calls:
                return answer
        chosen = await question.deadline.limit(self._decider.decide(tree_data, available))
        if question.own_words is not None and call_of(chosen) == call_of(question.own_words):
            # it has been searched for already, and there is nothing else that it wants to know
            return Decision(tool=RESPONSE, reasoning=_ALREADY_SEARCHED)
        return as_it_succeeded(with_known_numbers(chosen, tree_data), tree_data.trace)

    def tool(self, name: str) -> Tool | None:
        """Return a tool by its name."""
        return self._tools.get(name)

    async def triggered(self, question: Question, available: Sequence[Tool]) -> Decision | None:
        """Return the call of a tool that triggers itself now, if there is one."""
        for tool in available:
            wanted, inputs = await tool.run_if_true(question.tree_data)
            decision = Decision(
                tool=tool.name, inputs=inputs, reasoning=said("Started automatically.")
            )
            if wanted and call_of(decision) not in question.calls:
                return decision
        return None

    def own_words(self, tree_data: TreeData, available: Sequence[Tool]) -> Decision | None:
        """Return the search for the user's own words, None where nothing can be searched."""
        if SEARCH not in {tool.name for tool in available}:
            return None
        return Decision(
            tool=SEARCH, inputs={"query": tree_data.own_words}, reasoning=_OWN_WORDS_FIRST
        )

    def own_words_first(
        self, question: Question, decision: Decision, available: Sequence[Tool]
    ) -> Decision | None:
        """Return the search for the user's own words, if a decision would do without it.

        Whatever a model searches for, and before it answers or gives up: what the words of the
        question find is among what the answer is taken from. None where that is so already.
        """
        tree_data = question.tree_data
        query = tree_data.own_words
        own = self.own_words(tree_data, available)
        searched = {each for kept in gatherings(tree_data.environment) for each in kept.searched}
        if not ("query" in decision.inputs or decision.tool == RESPONSE) or query in searched:
            return None
        if own is None or call_of(own) in (call_of(decision), *question.calls):
            return None
        return own

    def checked(
        self, decision: Decision, available: Sequence[Tool], calls: Collection[str]
    ) -> Tool | Error:
        """Return the tool of a decision, or why it is not run."""
        tool = self._tools.get(decision.tool)
        names = ", ".join(usable.name for usable in available)
        none = said("No tool is available.")
        suggestion = said("Available: {names}.", names=names) if names else none
        if tool is None:
            return Error(
                said("There is no tool called {tool}.", tool=decision.tool), suggestion=suggestion
            )
        may_say_no = decision.impossible and tool.end
        if tool not in available and not may_say_no:
            return Error(
                said("{name} is not available now.", name=tool.name), suggestion=suggestion
            )
        if call_of(decision) in calls:
            return Error(
                said("{name} was already run with the same inputs.", name=tool.name),
                suggestion=said("Choose other inputs or another tool."),
            )
        return tool


def with_known_numbers(decision: Decision, tree_data: TreeData) -> Decision:
    """Return the decision without the sentences of its reasoning that invent numbers.

    A number that neither the question nor anything retrieved has is no reason for anything.
    """
    if is_sentence(decision.reasoning) or not _NUMBER.search(decision.reasoning):
        return decision
    history = [turn.get("content", "") for turn in tree_data.conversation_history]
    tasks = tree_data.tasks_completed_string()
    retrieved = json.dumps(tree_data.environment.to_dict()["objects"], default=str)
    known = "\n".join((tree_data.user_prompt, *history, tasks, retrieved))
    numbers = set(_NUMBER.findall(known))
    sentences = re.split(r"(?<=[.!?])\s+", decision.reasoning)
    kept = [each for each in sentences if set(_NUMBER.findall(each)) <= numbers]
    return decision.model_copy(update={"reasoning": " ".join(kept)})


def refused(tree_data: TreeData, decision: Decision, error: Error) -> ErrorEvent:
    """Tell the next decision, the trace and a reader that a decision is not carried out."""
    tree_data.add_error(decision.tool, error.feedback())
    tree_data.update_tasks_completed(
        decision.tool, decision.reasoning, decision.inputs, error.feedback(), successful=False
    )
    tree_data.trace.refused(decision.tool, decision.inputs, error.message, error.suggestion)
    return ErrorEvent(error.message, error.recoverable, error.suggestion, decision.tool)


def as_it_succeeded(decision: Decision, trace: QuestionTrace) -> Decision:
    """Return the decision, with other inputs if those failed in an earlier question.

    Only where the same tool then succeeded in the same question.
    """
    for earlier in reversed(trace.earlier()):
        inputs = _inputs_instead(decision, earlier.at_stage(ReasoningStage.EXECUTION))
        if inputs is not None:
            reasoning = together([each for each in (decision.reasoning, _LEARNED) if each])
            return decision.model_copy(update={"inputs": inputs, "reasoning": reasoning})
    return decision


def _inputs_instead(decision: Decision, steps: Sequence[ReasoningEntry]) -> dict[str, Any] | None:
    failed = False
    for step in steps:
        if step.action != decision.tool:
            continue
        if step.parameters == decision.inputs:
            failed = step.outcome is OutcomeStatus.FAILED
        elif failed and step.outcome is OutcomeStatus.SUCCESS:
            return dict(step.parameters)
    return None


@dataclass(eq=False)
class Execution:
    """Runs a tool. Results enter the environment and the train of thought by themselves.

    ended: after the run, whether the question is over.
    """

    tool: Tool
    decision: Decision
    tree_data: TreeData
    cancel: CancelToken
    deadline: Deadline
    _started: float = field(default_factory=perf_counter, init=False)
    _failed: bool = field(default=False, init=False)
    _reported: bool = field(default=False, init=False)
    _trace: ToolTrace = field(default_factory=lambda: ToolTrace(None), init=False)

    @property
    def ended(self) -> bool:
        """Whether the tool was the last and did not fail, or said how the question ended."""
        ended = self.tool.end or self.decision.should_end or self.tree_data.outcome is not None
        return ended and not self._failed

    async def events(self) -> AsyncGenerator[Event, None]:
        """Run the tool to its end."""
        self.tree_data.outcome = None  # what an earlier tool said before it failed is void
        trace, decision = self.tree_data.trace, self.decision
        self._trace = trace.began(self.tool.name, decision.inputs, decision.reasoning)
        finished = False
        try:
            async with aclosing(self._run()) as events:
                async for event in events:
                    self._trace.take(event)
                    yield event
            finished = True
        finally:
            trace.ended(self._trace, milliseconds_since(self._started), finished=finished)

    async def _run(self) -> AsyncGenerator[Event, None]:
        try:
            inputs = self.tool.arguments.model_validate(self.decision.inputs).model_dump()
        except ValidationError as error:
            faults = "; ".join(
                f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}"
                for fault in error.errors(include_url=False, include_input=False)
            )
            correct = said("Correct them: {complaints}.", complaints=faults)
            yield self._event(Error(said("The tool's inputs are wrong."), suggestion=correct))
            return
        async with aclosing(self.tool(self.tree_data, inputs)) as outputs:
            while True:
                self.cancel.check()
                waiting = self.deadline.limit(anext(outputs, None))
                output: ToolOutput | None = None
                async with aclosing(self.tree_data.progress.during(waiting)) as told:
                    async for item in told:
                        if isinstance(item, Done):
                            output = item.value
                        else:
                            yield item
                if output is None:
                    break
                yield self._event(output)
        if not self._failed and not self._reported:
            self._note("", successful=True)

    def _event(self, output: ToolOutput) -> Event:
        name, tree_data = self.tool.name, self.tree_data
        if isinstance(output, Result):
            objects = tree_data.environment.add(name, output)
            tree_data.clear_errors(name)
            self._note(output.message(), successful=True)
            return ResultEvent(
                name,
                output.name,
                output.payload_type,
                objects,
                dict(output.metadata),
                output.message_for_people(),
                milliseconds_since(self._started),
            )
        if not isinstance(output, Error):
            return output
        self._failed = True
        self._trace.error, self._trace.suggestion = output.message, output.suggestion
        tree_data.add_error(name, output.feedback())
        if not output.recoverable:
            tree_data.withdrawn[name] = output.feedback()
        self._note(output.feedback(), successful=False)
        return ErrorEvent(output.message, output.recoverable, output.suggestion, name)

    def _note(self, parsed_info: str, *, successful: bool) -> None:
        self._reported = True
        self.tree_data.update_tasks_completed(
            self.tool.name,
            self.decision.reasoning,
            self.decision.inputs,
            parsed_info,
            successful=successful,
        )
