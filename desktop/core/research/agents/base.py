"""What every agent with a language model shares: one prompt in, one checked reply out."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from desktop.core.language.errors import AnswerNotUnderstood
from desktop.core.research.agents.cache import key_of
from desktop.core.research.agents.replies import (
    AnalystReply,
    ClarificationReply,
    CriticReply,
    MonitorReply,
    Reply,
    WriterReply,
)
from desktop.core.research.errors import (
    AgentTimedOut,
    NoLanguageModel,
    PromptMissing,
    ReplyNotUnderstood,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.core.research.handler import ResearchHandler
    from desktop.models.roles import LanguageModel

logger = logging.getLogger(__name__)

Level = Literal["high", "low"]
"""high: judging and drafting. low: putting into form; shorter."""
_TOKENS: dict[Level, int] = {"high": 1_800, "low": 1_200}
_REPLIES: dict[str, type[Reply]] = {
    "AnalystAgentPrompt": AnalystReply,
    "AnalystRevisePrompt": AnalystReply,
    "MonitorAgentPrompt": MonitorReply,
    "CriticAgentPrompt": CriticReply,
    "WriterAgentPrompt": WriterReply,
    "ClarificationAgentPrompt": ClarificationReply,
}
DEFAULT_RETRIES = 1


class BaseReasoningAgent:
    """Asks the language model with one of the prompts of `prompts`.

    last_prompt: what the model was asked with at last, for the log.
    """

    cached = False

    def __init__(
        self,
        handler: ResearchHandler,
        agent_name: str,
        timeout: float,
        max_retries: int = DEFAULT_RETRIES,
    ) -> None:
        """Keep the parts. timeout: seconds for one `ask`, retries included."""
        self.handler = handler
        self.agent_name = agent_name
        self.timeout = timeout
        self.max_retries = max_retries
        self.last_prompt: dict[str, Any] = {}

    async def ask(
        self, prompt_name: str, custom_vars: Mapping[str, Any], level: Level = "high"
    ) -> dict[str, Any]:
        """Fill in a prompt and return the model's reply, checked.

        A reply that cannot be used is asked for again, with what was wrong with it.

        Raises: NoLanguageModel; PromptMissing; AgentTimedOut; ReplyNotUnderstood; ModelError;
            Cancelled.
        """
        reply_type = _REPLIES.get(prompt_name)
        if reply_type is None:
            raise PromptMissing(f"there is no prompt {prompt_name}")
        model = self.handler.language()
        if model is None:
            raise NoLanguageModel("There is no language model.")
        self.last_prompt = {"prompt": prompt_name, "level": level, **custom_vars}
        key = key_of(prompt_name, model.model_id, custom_vars)
        known = self.handler.cache.get(key) if self.cached else None
        if known is not None:
            return reply_type.model_validate(known).model_dump()
        limit = asyncio.timeout(self.timeout)
        try:
            async with limit:
                reply = await self._asked(model, prompt_name, custom_vars, level, reply_type)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise AgentTimedOut(self.agent_name, self.timeout) from error
        if self.cached:
            await asyncio.to_thread(self.handler.cache.put, key, reply)
        return reply

    async def _asked(
        self,
        model: LanguageModel,
        prompt_name: str,
        custom_vars: Mapping[str, Any],
        level: Level,
        reply_type: type[Reply],
    ) -> dict[str, Any]:
        complaint = ""
        for attempt in range(self.max_retries + 1):
            try:
                fields = await self._predicted(model, prompt_name, custom_vars, level, complaint)
                return reply_type.model_validate(fields).model_dump()
            except (AnswerNotUnderstood, ValidationError) as error:
                logger.info("%s: reply %d not understood", self.agent_name, attempt + 1)
                complaint = _complaint(error)
        raise ReplyNotUnderstood(f"The {self.agent_name}'s reply could not be used. {complaint}")

    async def _predicted(
        self,
        model: LanguageModel,
        prompt_name: str,
        custom_vars: Mapping[str, Any],
        level: Level,
        complaint: str,
    ) -> dict[str, Any]:
        from desktop.core.language.program import LanguageProgram

        module = await asyncio.to_thread(_module, prompt_name)
        program = LanguageProgram(
            model,
            self.handler.cancel,
            max_tokens=_TOKENS[level],
            on_part=self.handler.trace.spent_by_agents(),
        )
        prediction = await program.arun(module, **custom_vars, last_reply_was_wrong=complaint)
        fields = _REPLIES[prompt_name].model_fields
        return {name: _plain(prediction[name]) for name in fields if name in prediction}


def _module(prompt_name: str) -> Any:
    """Return what asks with a prompt; the first time DSPy is loaded."""
    from desktop.core.language.dspy_setup import load_dspy

    dspy = load_dspy()
    from desktop.core.research.agents import prompts

    return dspy.Predict(getattr(prompts, prompt_name))


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value.model_dump() if hasattr(value, "model_dump") else value


def _complaint(error: AnswerNotUnderstood | ValidationError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(place) for place in first["loc"])
        return f"The reply was not valid: {where}: {first['msg']}."
    return f"The reply was not valid: {error}."
