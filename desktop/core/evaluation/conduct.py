"""How one question went, read from its events: steps, fallbacks, and what the answer rests on."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.agent.decision import DECISION
from desktop.core.evaluation.fact_check import FactCheck, check_answer, check_grounding
from desktop.core.events import (
    ANSWERED,
    CitationEvent,
    CompleteEvent,
    DecisionEvent,
    ErrorEvent,
    RevisedText,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from desktop.core.events import Event, Outcome, PageRegion


@dataclass(frozen=True, slots=True)
class Conduct:
    """What the events of a question say about the agent.

    text: the answer as it stands in the end, with its marks. regions: all words that it cites.
    statements, grounded: see `GroundingCheck`. decisions: how many were carried out or refused.
    fallen_back: a decision could not be used, see `DecisionRejected`. errors: all of them.
    """

    outcome: Outcome
    text: str
    regions: str
    statements: int
    grounded: int
    decisions: int
    steps: int
    seconds: float
    fallen_back: bool
    errors: tuple[str, ...]

    @property
    def answered(self) -> bool:
        """Whether it ended with an answer."""
        return self.outcome in ANSWERED

    @property
    def fully_grounded(self) -> bool:
        """Whether every statement has a citation that carries it."""
        return 0 < self.statements == self.grounded

    def compared(self, expected: str, question: str = "") -> FactCheck:
        """Compare its answer with the expected one, to the letter; see `check_answer`."""
        return check_answer(self.text, expected, self.regions, question)


def conduct_of(events: Sequence[Event], region_text: Callable[[PageRegion], str]) -> Conduct:
    """Read the events of one question, all of them.

    region_text: returns the words that stand in a region.
    """
    regions: dict[int, list[str]] = defaultdict(list)
    for event in _citations(events):
        regions[event.number] += [event.quote, region_text(event.source)]
    texts = {number: "\n".join(parts) for number, parts in regions.items()}
    text = RevisedText(events).text.strip()
    grounding = check_grounding(text, texts)
    errors = [event for event in events if isinstance(event, ErrorEvent)]
    last = next((e for e in reversed(events) if isinstance(e, CompleteEvent)), None)
    return Conduct(
        outcome=last.outcome if last else "failed",
        text=text,
        regions="\n".join(texts.values()),
        statements=grounding.statements,
        grounded=grounding.grounded,
        decisions=sum(isinstance(event, DecisionEvent) for event in events),
        steps=last.steps if last else 0,
        seconds=last.milliseconds / 1000 if last else 0.0,
        fallen_back=any(error.tool == DECISION for error in errors),
        errors=tuple(error.message for error in errors),
    )


def _citations(events: Iterable[Event]) -> list[CitationEvent]:
    return [event for event in events if isinstance(event, CitationEvent)]
