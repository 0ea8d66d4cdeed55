"""Questions that deep research answers more thoroughly, and what it advises where it cannot."""

from __future__ import annotations

import re
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.core.events import CompleteEvent, ResearchProposalEvent
from desktop.sentences import said, template

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.core.conversations.asking import Asks
    from desktop.core.events import Event, ResearchMode

WITHOUT_MODEL = said(
    "There is no language model: the report quotes the manuals word for word. Install one on the "
    "Models page."
)
NO_VALID_SOURCES = template(
    "Choose “All sources” below the question field, or say what your manuals are: “Tags, Trust and "
    "Revision…” in a manual's menu."
)
"""What to do in the window; the command line says it in its own words."""

_VERIFY = re.compile(
    r"\W*(?:(?:please\s+|can you\s+|could you\s+|bitte\s+)*"
    r"(?:verify|double[- ]check|cross[- ]check|check|confirm|fact[- ]check|find out|prove|überprüfe"
    r"|prüfe|bestätige)\s+(?:for me\s+)?(?:whether|if|that|ob|dass)"
    r"|is it (?:really |actually )?(?:true|correct|right) that|stimmt es,? dass)"
    r"\s+(?P<claim>\S.{4,})",
    re.IGNORECASE | re.DOTALL,
)
# not what only asks how something is done: "What do I do if the notes contradict ...?"
_COMPARE = re.compile(
    r"(?!\W*(?:how|when|what|why|where|which|wie|wann|was|wo)\b).*?"
    r"(?:\b(?:our|the|these|site|your)\s+(?:site\s+|own\s+)?notes?\b.{0,60}\b(?:agree|contradict"
    r"|differ|conflict|match|compare|against|consistent)"
    r"|\b(?:compare|check)\b.{0,60}\bnotes?\b.{0,60}\b(?:with|against|to)\b"
    r"|\bwhat the site believes\b)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Proposal:
    """mode: in which the research should run. claim: what is to be verified, "" if nothing."""

    mode: ResearchMode
    reason: str
    claim: str = ""


def research_proposal(question: str) -> Proposal | None:
    """Return how deep research would take a question up, None if nothing asks for it."""
    if _COMPARE.match(question):
        return Proposal("monitor", said("The question compares notes with the manuals."))
    if _VERIFY.match(question):
        return Proposal("strict", said("The question asks for verification."), claim_of(question))
    return None


def claim_of(question: str) -> str:
    """Return what a question wants verified, as a statement; the question itself if nothing."""
    match = _VERIFY.match(question)
    return match["claim"].strip().rstrip("?").strip() if match else question


class ProposingAgent:
    """Runs questions as another agent does, and adds the proposal before the last event."""

    def __init__(self, agent: Asks) -> None:
        self._agent = agent

    async def run(self, prompt: str, **options: Any) -> AsyncGenerator[Event, None]:
        """Yield the events of a question; see `Asks.run`."""
        proposal = research_proposal(prompt)
        async with aclosing(self._agent.run(prompt, **options)) as events:
            async for event in events:
                answered = isinstance(event, CompleteEvent) and event.outcome != "cancelled"
                if answered and proposal is not None:
                    yield ResearchProposalEvent(prompt, proposal.mode, proposal.reason)
                yield event
