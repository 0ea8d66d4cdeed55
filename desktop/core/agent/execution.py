"""One run of one tool: its outputs become events, and the question's state follows."""

from __future__ import annotations

from contextlib import aclosing
from time import perf_counter
from typing import TYPE_CHECKING, assert_never

from pydantic import ValidationError

from desktop.core.agent.progress import Done
from desktop.core.agent.question_trace import ToolTrace, milliseconds_since
from desktop.core.agent.tool import Error, Result
from desktop.core.events import (
    CitationEvent,
    ClarificationEvent,
    ConfidenceEvent,
    ErrorEvent,
    Event,
    NearestPageEvent,
    NoteCitationEvent,
    ResultEvent,
    RevisionEvent,
    StatusEvent,
    TokenEvent,
    WarningBlockEvent,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.core.agent.decision import Decision
    from desktop.core.agent.question import Deadline
    from desktop.core.agent.tool import Tool, ToolOutput
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.jobs import CancelToken


class Execution:
    """Runs a tool. Results enter the environment and the train of thought by themselves.

    ended: after the run, whether the question is over.
    """

    def __init__(
        self,
        tool: Tool,
        decision: Decision,
        tree_data: TreeData,
        cancel: CancelToken,
        deadline: Deadline,
    ) -> None:
        self._tool = tool
        self._decision = decision
        self._tree_data = tree_data
        self._cancel = cancel
        self._deadline = deadline
        self._started = perf_counter()
        self._failed = False
        self._reported = False
        self._trace = ToolTrace(None)

    @property
    def ended(self) -> bool:
        """Whether the tool was the last one of the question and did not fail.

        A tool that has said how the question ended has ended it.
        """
        ended = self._tool.end or self._decision.should_end or self._tree_data.outcome is not None
        return ended and not self._failed

    async def events(self) -> AsyncGenerator[Event, None]:
        """Run the tool to its end."""
        self._tree_data.current_tool = self._tool.name
        self._tree_data.outcome = None  # what an earlier tool said before it failed is void
        trace, decision = self._tree_data.trace, self._decision
        self._trace = trace.began(self._tool.name, decision.inputs, decision.reasoning)
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
            inputs = self._tool.arguments.model_validate(self._decision.inputs).model_dump()
        except ValidationError as error:
            yield self._event(_invalid_inputs(error))
            return
        async with aclosing(self._tool(self._tree_data, inputs)) as outputs:
            while True:
                self._cancel.check()
                waiting = self._deadline.limit(anext(outputs, None))
                output: ToolOutput | None = None
                async with aclosing(self._tree_data.progress.during(waiting)) as told:
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
        match output:
            case Result():
                return self._accept(output)
            case Error():
                return self._reject(output)
            case (
                StatusEvent()
                | TokenEvent()
                | CitationEvent()
                | NoteCitationEvent()
                | RevisionEvent()
                | WarningBlockEvent()
                | NearestPageEvent()
                | ConfidenceEvent()
                | ClarificationEvent()
                | ErrorEvent()
            ):
                return output
            case _:
                assert_never(output)

    def _accept(self, result: Result) -> ResultEvent:
        objects = self._tree_data.environment.add(self._tool.name, result)
        self._tree_data.clear_errors(self._tool.name)
        self._note(result.message(), successful=True)
        return ResultEvent(
            self._tool.name,
            result.name,
            result.payload_type,
            objects,
            dict(result.metadata),
            result.message(),
            milliseconds_since(self._started),
        )

    def _reject(self, error: Error) -> ErrorEvent:
        self._failed = True
        self._trace.error, self._trace.suggestion = error.message, error.suggestion
        self._tree_data.add_error(self._tool.name, error.feedback())
        if not error.recoverable:
            self._tree_data.withdrawn[self._tool.name] = error.feedback()
        self._note(error.feedback(), successful=False)
        return ErrorEvent(error.message, error.recoverable, error.suggestion, self._tool.name)

    def _note(self, parsed_info: str, *, successful: bool) -> None:
        self._reported = True
        self._tree_data.update_tasks_completed(
            self._tool.name,
            self._decision.reasoning,
            self._decision.inputs,
            parsed_info,
            successful=successful,
        )


def _invalid_inputs(error: ValidationError) -> Error:
    complaints = "; ".join(
        f"{'.'.join(str(part) for part in complaint['loc'])}: {complaint['msg']}"
        for complaint in error.errors(include_url=False, include_input=False)
    )
    return Error("The inputs of the tool are wrong.", suggestion=f"Correct them: {complaints}.")
