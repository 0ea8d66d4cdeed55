"""Shortens what was retrieved when it gets too large; its sources stay resolvable."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from desktop.core.agent.environment import NOT_FOR_MODELS
from desktop.core.agent.model_share import ModelShare
from desktop.core.agent.progress import SHORTENING, WorkStatus
from desktop.core.agent.tool import ToolArguments
from desktop.core.agent.tool_output import Result
from desktop.core.events import StatusEvent
from desktop.core.language.errors import AnswerNotUnderstood
from desktop.core.language.program import LanguageProgram
from desktop.core.language.untrusted_text import neutral
from desktop.models.errors import ModelError, ModelStopped
from desktop.models.generation import ModelLoading, PromptProgress
from desktop.sentences import said, template

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from desktop.core.agent.environment import Environment
    from desktop.core.agent.tool import Services
    from desktop.core.agent.tool_output import ToolStream
    from desktop.core.agent.tree_data import TreeData
    from desktop.models.roles import LanguageModel

logger = logging.getLogger(__name__)

TRIGGER_TOKENS = 50_000
SHARE_OF_CONTEXT = 0.6
"""It runs by itself above so many tokens, or above this share of the model's context."""
SUMMARY_TOKENS = 5_000
# Below this no model's share is reached, and none is loaded to find out.
_ALWAYS_SMALL = 1_000
_SHARE_OF_LIMIT = 0.25
_INSTRUCTIONS = 700
_WORDS_PER_TOKEN = 0.6
# What says where something stands, and not what it says.
_LEFT_OUT = NOT_FOR_MODELS | {"repeated"}
_REFERENCES = re.compile(r"\s*\[\s*([\w.:-]+(?:\s*[,;]\s*[\w.:-]+)*)\s*\]")
_CHARACTERS_PER_TOKEN = 4


class SummarizeArguments(ToolArguments):
    """How long the summary may be."""

    max_summary_tokens: int = Field(
        default=SUMMARY_TOKENS, ge=50, le=20_000, description="At most so many tokens."
    )
    environment_tokens: int = Field(
        default=0, ge=0, description="How much there is to summarize; 0 if not known."
    )


class Summarize:
    """Replaces everything retrieved with a summary, or with the best of it."""

    name: ClassVar[str] = "summarize"
    description: ClassVar[str] = (
        "Shorten what was retrieved when there is too much of it. Runs by itself when it must."
    )
    end: ClassVar[bool] = False
    arguments: ClassVar[type[ToolArguments]] = SummarizeArguments

    def __init__(self, services: Services) -> None:
        models = services.models
        self._share = None if models is None else ModelShare(models.language, services.agent)

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        """There must be a lot: at least half of what makes it run by itself."""
        tokens, limit = await self._measured(tree_data.environment)
        return tokens > limit / 2

    async def run_if_true(self, tree_data: TreeData) -> tuple[bool, dict[str, Any]]:
        """Runs by itself above TRIGGER_TOKENS or SHARE_OF_CONTEXT, whichever is less.

        The size goes into the inputs, so that a later run is not the same call again.
        """
        tokens, limit = await self._measured(tree_data.environment)
        if tokens <= limit:
            return False, {}
        length = max(50, min(SUMMARY_TOKENS, int(limit * _SHARE_OF_LIMIT)))
        return True, {"max_summary_tokens": length, "environment_tokens": tokens}

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield what is being done, then one `Result` that stands for everything before it."""
        arguments = SummarizeArguments.model_validate(inputs)
        environment = tree_data.environment
        model = self._language_model()
        summary: list[str] = []
        if model is not None:
            try:
                async with aclosing(
                    _summarized(model, tree_data, arguments.max_summary_tokens)
                ) as parts:
                    async for part in parts:
                        if isinstance(part, StatusEvent):
                            yield part
                        else:
                            summary.append(part)
            except ModelStopped:
                raise
            except (ModelError, AnswerNotUnderstood) as error:
                logger.info("no summary by the model: %s", type(error).__name__)
                summary.clear()  # half a summary would lose the other half
        text, references = traceable("\n".join(summary), environment)
        before = len(environment.objects())
        if references:
            environment.clear()
        else:
            yield StatusEvent(said("Keeping the best of what was found"))
            references = best_objects(environment, arguments.max_summary_tokens)
            text = f"The best {len(references)} of {before} retrieved objects were kept."
            environment.keep(references)
        yield Result(
            objects=({"summary": text, "references": list(references)},),
            metadata={"objects_before": before, "references": len(references)},
            name="summarized",
            payload_type="summary",
            llm_message=template("Environment summarized due to size. Key points preserved."),
        )

    async def _measured(self, environment: Environment) -> tuple[int, int]:
        """Return the tokens of the environment, and above how many it is summarized."""
        estimate = environment.estimate_tokens()
        model = self._language_model()
        if model is None or estimate < _ALWAYS_SMALL:
            return estimate, TRIGGER_TOKENS
        limit = min(TRIGGER_TOKENS, int(model.context_tokens * SHARE_OF_CONTEXT))
        if estimate < limit / 2:  # the tokenizer is asked only where it can matter
            return estimate, limit
        try:
            return await asyncio.to_thread(environment.estimate_tokens, model.count_tokens), limit
        except ModelStopped:
            raise
        except ModelError as error:
            logger.info("the model does not count: %s", type(error).__name__)
            return estimate, TRIGGER_TOKENS

    def _language_model(self) -> LanguageModel | None:
        return None if self._share is None else self._share.to_write()


async def _summarized(
    model: LanguageModel, tree_data: TreeData, max_tokens: int
) -> AsyncGenerator[StatusEvent | str, None]:
    """Yield what is being done, and the summary of each portion of what was retrieved.

    Raises: ModelError, AnswerNotUnderstood.
    """
    texts, left_out = await asyncio.to_thread(_portions, model, tree_data, max_tokens)
    module = await asyncio.to_thread(_module, tree_data)
    logger.info("summarizing in %d portions, %d objects too large", len(texts), left_out)
    each = max(50, max_tokens // max(1, len(texts)))
    program = LanguageProgram(
        model, max_tokens=each, on_part=tree_data.trace.spent.listener("tool")
    )
    for number, material in enumerate(texts, 1):
        n = len(texts)
        of_all = said(" ({number} of {n})", number=number, n=n) if n > 1 else ""
        yield StatusEvent(said("Summarising what was found{of_all}", of_all=of_all))
        status, words = WorkStatus(model.model_id, SHORTENING), ""
        asked = {"material": material, "max_words": int(each * _WORDS_PER_TOKEN)}
        async with aclosing(program.stream(module, **asked)) as items:
            async for item in items:
                match item:
                    case str(text):
                        words += text
                    case ModelLoading() | PromptProgress():
                        if (event := status.of(item)) is not None:
                            yield event
                    case _:
                        pass
        yield words


def _portions(model: LanguageModel, tree_data: TreeData, max_tokens: int) -> tuple[list[str], int]:
    said = "\n".join(turn.get("content", "") for turn in tree_data.conversation_history)
    around = model.count_tokens(
        "\n".join((tree_data.atlas.model_dump_json(), said, tree_data.user_prompt))
    )
    room = model.context_tokens - around - _INSTRUCTIONS - max_tokens
    return portions(tree_data.environment, model.count_tokens, max(0, room))


def _module(tree_data: TreeData) -> Any:
    from desktop.core.agent.signatures import SummarySignature, VSMChainOfThought

    return VSMChainOfThought(SummarySignature, tree_data, errors_of="summarize")


def portions(
    environment: Environment, count_tokens: Callable[[str], int], budget: int
) -> tuple[list[str], int]:
    """Return the shown objects as texts of at most `budget` tokens, one per line.

    Also how many objects are larger than that by themselves and are in none: no object
    is cut. count_tokens may block.
    """
    texts: list[list[str]] = []
    left, left_out = 0, 0
    for _, _, found in environment.objects():
        shown = {key: value for key, value in found.items() if key not in _LEFT_OUT}
        line = neutral(json.dumps(shown, ensure_ascii=False, default=str))
        cost = count_tokens(line)
        if cost > budget:
            left_out += 1
            continue
        if cost > left:
            texts.append([])
            left = budget
        texts[-1].append(line)
        left -= cost
    return ["\n".join(lines) for lines in texts], left_out


def traceable(summary: str, environment: Environment) -> tuple[str, tuple[str, ...]]:
    """Return a summary's statements that name existing `_REF_ID`s, no others in them, and these."""
    kept: list[str] = []
    references: dict[str, None] = {}
    for line in summary.split("\n"):
        here: dict[str, None] = {}
        for found in _REFERENCES.finditer(line):
            exist = (n for n in _named(found) if environment.object_of(n) is not None)
            here.update(dict.fromkeys(exist))
        words = _REFERENCES.sub(lambda found: _as_shown(found, environment), line).strip()
        if here and words:
            kept.append(f"{words} [{', '.join(here)}]")
            references.update(here)
    return "\n".join(kept), tuple(references)


def best_objects(environment: Environment, max_tokens: int) -> tuple[str, ...]:
    """Return the `_REF_ID`s to keep without a model: the first of each result, the last result's
    before the others', as many as fit.
    """  # noqa: D205
    ranked = sorted(environment.objects(), key=lambda item: (item[1], -item[0]))
    kept: list[str] = []
    for _, _, found in ranked:
        cost = len(json.dumps(found, ensure_ascii=False, default=str)) // _CHARACTERS_PER_TOKEN + 1
        if cost <= max_tokens:
            kept.append(found["_REF_ID"])
            max_tokens -= cost
    return tuple(kept)


def _as_shown(brackets: re.Match[str], environment: Environment) -> str:
    """Return nothing for references, even those that do not exist, but "[5 A]" as it is."""
    are = all(environment.object_of(n) is not None or "_" in n for n in _named(brackets))
    return "" if are else brackets.group()


def _named(brackets: re.Match[str]) -> list[str]:
    return [name.strip() for name in brackets.group(1).replace(";", ",").split(",")]


create_tool = Summarize
