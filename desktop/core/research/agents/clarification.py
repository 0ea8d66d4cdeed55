"""What can be meant by a question, worded so that a person can choose."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from desktop.core.research.agents.base import BaseReasoningAgent
from desktop.core.research.errors import AgentError
from desktop.models.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.research.run import ResearchHandler

logger = logging.getLogger(__name__)

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
    """Whether an option still names what is meant: every word of it with a digit or of length."""
    words = {word.strip(".,;:()").casefold() for word in meaning.split()}
    telling = {word for word in words if len(word) > 3 or any(c.isdigit() for c in word)}
    said = option.casefold()
    return all(word in said for word in telling)
