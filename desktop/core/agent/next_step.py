"""What is done next: which tools can run, which one is chosen, and why a choice is refused."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from desktop.core.agent.deciding.rule_decider import RESPONSE, SEARCH
from desktop.core.agent.decision import Decision
from desktop.core.agent.gathered_evidence import gatherings
from desktop.core.agent.question import CallLog
from desktop.core.agent.tool import Error
from desktop.core.events import ErrorEvent
from desktop.core.sentences import said
from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningStage

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from desktop.core.agent.decision import Decider
    from desktop.core.agent.question import Question
    from desktop.core.agent.question_trace import QuestionTrace
    from desktop.core.agent.tool import Tool
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.trace.reasoning_trace import ReasoningEntry

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_OWN_WORDS_FIRST = said("The question is searched for in its own words first.")
_ALREADY_SEARCHED = said("That has been searched for; the answer is taken from what was found.")
_LEARNED = said("It failed like this earlier in this conversation; now as it succeeded then.")


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

    async def decision(self, question: Question, available: Sequence[Tool]) -> Decision:
        """Return the call of a tool that triggers itself, else what the decider chooses.

        Raises: DecisionRejected, TimeIsUp.
        """
        tree_data = question.tree_data
        triggered = await self.triggered(question, available)
        if triggered is not None:
            return triggered
        chosen = await question.deadline.limit(self._decider.decide(tree_data, available))
        if question.own_words is not None and CallLog.same(chosen, question.own_words):
            # it has been searched for already, and there is nothing else that it wants to know
            return Decision(tool=RESPONSE, reasoning=_ALREADY_SEARCHED)
        return as_it_succeeded(with_known_numbers(chosen, tree_data), tree_data.trace)

    def tool(self, name: str) -> Tool | None:
        """Return a tool by its name."""
        return self._tools.get(name)

    async def triggered(self, question: Question, available: Sequence[Tool]) -> Decision | None:
        """Return the call of a tool that triggers itself now, if there is one."""
        return await _self_triggered(question.tree_data, available, question.calls)

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
        if own is None or CallLog.same(own, decision) or own in question.calls:
            return None
        return own

    def checked(
        self, decision: Decision, available: Sequence[Tool], calls: CallLog
    ) -> Tool | Error:
        """Return the tool of a decision, or why it is not run."""
        tool = self._tools.get(decision.tool)
        names = ", ".join(usable.name for usable in available)
        none = said("No tool is available.")
        suggestion = said("Available: {names}.", names=names) if names else none
        if tool is None:
            return Error(f"There is no tool called {decision.tool}.", suggestion=suggestion)
        may_say_no = decision.impossible and tool.end
        if tool not in available and not may_say_no:
            return Error(f"{tool.name} is not available now.", suggestion=suggestion)
        if decision in calls:
            return Error(
                f"{tool.name} was already run with the same inputs.",
                suggestion="Choose other inputs or another tool.",
            )
        return tool


def with_known_numbers(decision: Decision, tree_data: TreeData) -> Decision:
    """Return the decision without the sentences of its reasoning that invent numbers.

    A number that neither the question nor anything retrieved has is no reason for anything.
    """
    if not _NUMBER.search(decision.reasoning):
        return decision
    history = [turn.get("content", "") for turn in tree_data.conversation_history]
    tasks = tree_data.tasks_completed_string()
    known = "\n".join((tree_data.user_prompt, *history, tasks, _retrieved(tree_data)))
    numbers = set(_NUMBER.findall(known))
    sentences = _SENTENCE_END.split(decision.reasoning)
    kept = [each for each in sentences if set(_NUMBER.findall(each)) <= numbers]
    return decision.model_copy(update={"reasoning": " ".join(kept)})


def _retrieved(tree_data: TreeData) -> str:
    return json.dumps(tree_data.environment.to_dict()["objects"], default=str)


def refused(tree_data: TreeData, decision: Decision, error: Error) -> ErrorEvent:
    """Tell the next decision, the trace and a reader that a decision is not carried out."""
    tree_data.add_error(decision.tool, error.feedback())
    tree_data.update_tasks_completed(
        decision.tool, decision.reasoning, decision.inputs, error.feedback(), successful=False
    )
    tree_data.trace.refused(decision.tool, decision.inputs, error.message, error.suggestion)
    return ErrorEvent(error.message, error.recoverable, error.suggestion, decision.tool)


async def _self_triggered(
    tree_data: TreeData, available: Sequence[Tool], calls: CallLog
) -> Decision | None:
    for tool in available:
        wanted, inputs = await tool.run_if_true(tree_data)
        decision = Decision(tool=tool.name, inputs=inputs, reasoning="It runs by itself now.")
        if wanted and decision not in calls:
            return decision
    return None


def as_it_succeeded(decision: Decision, trace: QuestionTrace) -> Decision:
    """Return the decision, with other inputs if those failed in an earlier question.

    Only where the same tool then succeeded in the same question.
    """
    for earlier in reversed(trace.earlier()):
        inputs = _inputs_instead(decision, earlier.at_stage(ReasoningStage.EXECUTION))
        if inputs is not None:
            reasoning = f"{decision.reasoning} {_LEARNED}".strip()
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
