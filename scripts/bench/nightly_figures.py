"""The figures of a night: a line for every question asked, and what they come to.

The lines are written as they come, so a night that is cut short has its figures and can be
gone on with.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from statistics import median
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from desktop.core.agent import tools
from desktop.core.agent.decision import DECISION
from desktop.core.events import ConfidenceEvent, DecisionEvent, ErrorEvent

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from desktop.core.agent.tool import ToolArguments
    from desktop.core.evaluation.gold import GoldQuestion
    from desktop.core.evaluation.measures import Conduct
    from desktop.core.events import Event


class Asked(BaseModel):
    """What came of one question.

    whole: asked to its end; else only its first decision counts. decided, seconds: the tools
    chosen, and how long each choice took. invalid: decisions that should not have reached the
    orchestrator. rejected: decisions that did not. fallen_back: rules decided from some step on.
    said: why the answer is as sure as it is, and who gave it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    whole: bool
    decided: list[str]
    seconds: list[float]
    invalid: list[str]
    rejected: int
    answerable: bool = True
    outcome: str = ""
    steps: int = 0
    took: float = 0.0
    statements: int = 0
    grounded: int = 0
    fully_grounded: bool = False
    fallen_back: bool = False
    facts: float | None = None
    said: str = ""
    errors: list[str] = Field(default_factory=list)
    answer: str = ""


def told(question: GoldQuestion, events: Sequence[Event], conduct: Conduct | None = None) -> Asked:
    """Read the events of a question. conduct: of one that was asked to its end."""
    decisions = [event for event in events if isinstance(event, DecisionEvent)]
    known = tool_arguments()
    asked = Asked(
        id=question.id,
        whole=conduct is not None,
        decided=[event.tool for event in decisions],
        seconds=[round(event.milliseconds / 1000, 1) for event in decisions],
        invalid=[said for event in decisions if (said := complaint_about(event, known))],
        rejected=sum(isinstance(e, ErrorEvent) and e.tool == DECISION for e in events),
        answerable=question.answerable,
    )
    if conduct is None:
        return asked
    check = conduct.compared(question.answer)
    reasons = [event.reason for event in events if isinstance(event, ConfidenceEvent)]
    return asked.model_copy(
        update={
            "outcome": conduct.outcome,
            "steps": conduct.steps,
            "took": round(conduct.seconds, 1),
            "statements": conduct.statements,
            "grounded": conduct.grounded,
            "fully_grounded": conduct.fully_grounded,
            "fallen_back": conduct.fallen_back,
            "facts": check.score if question.answerable else None,
            "said": reasons[-1] if reasons else "",
            "errors": list(conduct.errors),
            "answer": conduct.text[:300],
        }
    )


def report(night: Sequence[Asked]) -> dict[str, Any]:
    """Return what the night comes to, as plain values."""
    whole = [each for each in night if each.whole]
    answered = [each for each in whole if each.outcome == "answered"]
    unanswered = [each for each in whole if each.outcome != "answered"]
    first = [each.seconds[0] for each in night if each.seconds]
    later = [second for each in night for second in each.seconds[1:]]
    return {
        "decisions": sum(len(each.decided) for each in night),
        "invalid_reached_orchestrator": [said for each in night for said in each.invalid],
        "rejected_before": sum(each.rejected for each in night),
        "median_first_decision_seconds": median(first) if first else None,
        "median_later_decision_seconds": median(later) if later else None,
        "questions": len(whole),
        "answered": len(answered),
        "answered_all_grounded": sum(each.fully_grounded for each in answered),
        "quoted_in_place_of_the_model": sum(
            each.said.startswith("quoted because") for each in answered
        ),
        "statements": sum(each.statements for each in answered),
        "statements_grounded": sum(each.grounded for each in answered),
        "refused_wrongly": sum(each.answerable for each in unanswered),
        "refused_rightly": sum(not each.answerable for each in unanswered),
        "fallen_back": sum(each.fallen_back for each in whole),
        "each": [each.model_dump() for each in whole],
    }


def read_night(path: Path) -> list[Asked]:
    """Return the lines of a night that was cut short; none, if there was none.

    Raises: ValidationError, if the file is something else.
    """
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Asked.model_validate_json(line) for line in lines if line.strip()]


def write_down(asked: Asked, path: Path) -> None:
    """Append a line."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asked.model_dump(), ensure_ascii=False) + "\n")


def tool_arguments() -> dict[str, type[ToolArguments]]:
    """Return the arguments of every tool there is, by the tool's name."""
    found: dict[str, type[ToolArguments]] = {}
    for each in pkgutil.iter_modules(tools.__path__):
        module = importlib.import_module(f"{tools.__name__}.{each.name}")
        for value in vars(module).values():
            if isinstance(value, type) and hasattr(value, "run_if_true") and hasattr(value, "name"):
                found[value.name] = value.arguments  # type: ignore[attr-defined] # a Tool
    return found


def complaint_about(event: DecisionEvent, known: dict[str, type[ToolArguments]]) -> str:
    """Return what is wrong with a decision, "" if nothing is."""
    if event.tool not in known:
        return f"there is no tool {event.tool!r}"
    try:
        known[event.tool].model_validate(event.inputs)
    except ValidationError as error:
        return f"{event.tool}: {error.errors()[0]['msg']}"
    return ""
