"""What the agents share: one prompt in, one checked reply out; and the agent that words options."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from desktop.core.language.errors import AnswerNotUnderstood, fault_of
from desktop.core.language.untrusted_text import neutral
from desktop.core.research.errors import (
    AgentError,
    AgentTimedOut,
    NoLanguageModel,
    ReplyNotUnderstood,
)
from desktop.models.errors import ModelError
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.research.handler import ResearchHandler
    from desktop.models.roles import LanguageModel

logger = logging.getLogger(__name__)

ModeCompliance = Literal["符合", "違反"]
ReviewStatus = Literal["PASS", "WARN", "REJECT"]
COMPLIES: ModeCompliance = "符合"
VIOLATES: ModeCompliance = "違反"
"""Whether a draft keeps to its mode: the two words of the contract that other programs read."""

_CHARACTERS_PER_TOKEN = 3.2  # rather too few: technical texts have many short pieces
_LONGEST_NAME = 120
Level = Literal["high", "low"]
"""high: judging and drafting. low: putting into form; shorter."""
_TOKENS: dict[Level, int] = {"high": 1_800, "low": 1_200}
DEFAULT_RETRIES = 1


def key_of(prompt: str, model_id: str, variables: Mapping[str, Any]) -> str:
    """Return a key that tells this question to this model from every other one."""
    told = json.dumps([prompt, model_id, variables], sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()


def format_context(context: Sequence[Mapping[str, Any]], max_tokens: int = 6_000) -> str:
    """Return the sources between tags, as many as fit; a last line says how many do not."""
    room = int(max_tokens * _CHARACTERS_PER_TOKEN)
    blocks: list[str] = []
    for number, item in enumerate(context, 1):
        body = neutral(str(item.get("description", "")))
        block = f"<passage {number}: {name_of(item)}>\n{body}\n</passage {number}>"
        if len(block) > room:
            left = len(context) - number + 1
            blocks.append(f"({left} more source{'s' if left > 1 else ''} not shown)")
            break
        room -= len(block)
        blocks.append(block)
    return "\n\n".join(blocks)


def source_names(context: Sequence[Mapping[str, Any]]) -> str:
    """Return number, tier and name of each source, a line each."""
    lines = []
    for number, item in enumerate(context, 1):
        told = item.get("_reasoning_metadata")
        tier = f"tier {told['tier']}, {told['type']}: " if told else ""
        lines.append(f"[{number}] {tier}{name_of(item)}")
    return "\n".join(lines)


def name_of(item: Mapping[str, Any]) -> str:
    """Return the name of a source on one line, without anything a prompt could mistake."""
    line = " ".join(neutral(str(item.get("name", ""))).split())
    return line.replace("<", "‹").replace(">", "›")[:_LONGEST_NAME]


class BaseReasoningAgent:
    """Asks the language model with one of `prompts`. last_prompt: what it was asked last."""

    cached = False

    def __init__(
        self,
        handler: ResearchHandler,
        agent_name: str,
        timeout: float,
        max_retries: int = DEFAULT_RETRIES,
    ) -> None:
        """timeout: seconds for one `ask`, retries included."""
        self.handler = handler
        self.agent_name = agent_name
        self.timeout = timeout
        self.max_retries = max_retries
        self.last_prompt: dict[str, Any] = {}

    def sources_in_prompt(self, context: Sequence[Mapping[str, Any]], share: float) -> str:
        """Return the sources as a prompt lists them. share: of what the model can read."""
        model = self.handler.language()
        return format_context(
            context, 6_000 if model is None else int(model.context_tokens * share)
        )

    async def ask(
        self, prompt_name: str, custom_vars: Mapping[str, Any], level: Level = "high"
    ) -> dict[str, Any]:
        """Fill in a prompt and return the model's reply, checked.

        A reply that cannot be used is asked for again, with what was wrong with it.

        Raises: NoLanguageModel; AgentTimedOut; ReplyNotUnderstood; ModelError; Cancelled.
        """
        model = self.handler.language()
        if model is None:
            raise NoLanguageModel("There is no language model.")
        self.last_prompt = {"prompt": prompt_name, "level": level, **custom_vars}
        key = key_of(prompt_name, model.model_id, custom_vars)
        known = self.handler.cache.get(key) if self.cached else None
        if known is not None:
            return dict(known)
        limit = asyncio.timeout(self.timeout)
        try:
            async with limit:
                reply = await self._asked(model, prompt_name, custom_vars, level)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise AgentTimedOut(self.agent_name, self.timeout) from error
        if self.cached:
            self.handler.cache.put(key, reply)
        return reply

    async def _asked(
        self,
        model: LanguageModel,
        prompt_name: str,
        custom_vars: Mapping[str, Any],
        level: Level,
    ) -> dict[str, Any]:
        from desktop.core.language.dspy_adapters import output_shape
        from desktop.core.language.program import LanguageProgram

        module = await asyncio.to_thread(_module, prompt_name)
        program = LanguageProgram(
            model,
            self.handler.cancel,
            max_tokens=_TOKENS[level],
            on_part=self.handler.trace.spent_by_agents(),
        )
        complaint = ""
        for attempt in range(self.max_retries + 1):
            try:
                reply = await program.arun(module, **custom_vars, last_reply_was_wrong=complaint)
                shape = output_shape(module.signature)
                fields = {name: _plain(reply[name]) for name in shape.model_fields}
                return shape.model_validate(fields).model_dump()
            except (AnswerNotUnderstood, ValidationError) as error:
                logger.info("%s: reply %d not understood", self.agent_name, attempt + 1)
                complaint = said("The reply was not valid: {fault}.", fault=fault_of(error))
        raise ReplyNotUnderstood(
            "The {agent_name}'s reply could not be used. {complaint}",
            agent_name=self.agent_name,
            complaint=complaint,
        )


def _module(prompt_name: str) -> Any:
    """Return the module that asks with a prompt; the first call loads DSPy."""
    from desktop.core.language.dspy_setup import load_dspy
    from desktop.core.research import prompts

    return load_dspy().Predict(vars(prompts)[prompt_name])


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value.model_dump() if hasattr(value, "model_dump") else value


_SECONDS = 15.0


class ClarificationAgent(BaseReasoningAgent):
    """Words options by the language model; without one, or if it fails, as rules name them."""

    cached = True

    def __init__(self, handler: ResearchHandler) -> None:
        super().__init__(handler, "clarification", _SECONDS)

    async def generate_options(
        self, query: str, ambiguity_type: str, meanings: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Return {"options": [...]}, one for each meaning and in their order; none without any.

        ambiguity_type: "product", "revision" or "term". meanings: as rules name them; the
        model may only word them, what can be meant is not for it to say.
        """
        known = [" ".join(each.split()) for each in meanings]
        if self.handler.language() is None or len(known) < 2:
            return {"options": known}
        try:
            reply = await self.ask(
                "ClarificationAgentPrompt",
                {"question": query, "ambiguity_type": ambiguity_type, "meanings": known},
                level="low",
            )
        except (AgentError, ModelError) as error:
            logger.info("options are not worded: %s", type(error).__name__)
            return {"options": known}
        options = [" ".join(each.split()) for each in reply["options"]]
        fits = len(options) == len(known) == len(set(options))
        kept = fits and all(_says(one, other) for one, other in zip(options, known, strict=True))
        return {"options": options if kept else known}


def _says(option: str, meaning: str) -> bool:
    """Whether an option still names what is meant: all its words with a digit or of length."""
    words = {word.strip(".,;:()").casefold() for word in meaning.split()}
    telling = {word for word in words if len(word) > 3 or any(c.isdigit() for c in word)}
    said = option.casefold()
    return all(word in said for word in telling)
