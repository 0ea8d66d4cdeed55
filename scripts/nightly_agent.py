"""The agent with a real language model, at night: decisions, then sample questions end to end.

Asks the sample manuals with the language model in GROUNDWORK_TEST_LLM, an MLX directory,
imported and loaded as the application does it. Two parts:

- decisions: first decisions on sample questions; each is stopped when it has decided.
- questions: asked to their end; what share is answered with every statement grounded, refused,
  fallen back to rules.

A decision is invalid if its tool does not exist or its inputs do not fit the tool's
arguments; none may reach the orchestrator. Ends with 1 if one did, or if everything was refused.

    GROUNDWORK_TEST_LLM=DIR python -m scripts.nightly_agent WORK [--decisions 50]
        [--questions 10] [--minutes 25]

WORK keeps the ingested library and the imported model for the next night.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from desktop.app import open_workspace
from desktop.core.agent import tools
from desktop.core.agent.decision import DECISION
from desktop.core.evaluation.bench import gather, library_region_text
from desktop.core.evaluation.conduct import conduct_of
from desktop.core.evaluation.gold import GoldQuestion, read_gold
from desktop.core.events import DecisionEvent, ErrorEvent
from desktop.core.jobs import CancelToken
from desktop.core.samples import resources_folder, sample_manuals
from desktop.core.settings import Settings
from desktop.models.catalogue import Catalogue
from desktop.models.packs.model_folder import ModelFolder
from desktop.models.packs.operations import import_pack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.tool import ToolArguments
    from desktop.core.events import Event
    from desktop.core.workspace import Workspace

MODEL_ID = "nightly-language"
# A small model on a processor reads 50 tokens a second: little to read, and time for it.
_PAGES = 2
_STEPS = 3
_PASSAGE_TOKENS = 500
_ANSWER_TOKENS = 160
_SECONDS = 600.0


@dataclass
class Figures:
    """What the night gave. invalid: decisions that should not have reached the orchestrator."""

    decisions: int = 0
    invalid: list[str] = field(default_factory=list)
    rejected: int = 0
    seconds: list[float] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)

    def take(self, events: Sequence[Event]) -> None:
        """Count the decisions among the events."""
        known = tool_arguments()
        for event in events:
            if isinstance(event, ErrorEvent) and event.tool == DECISION:
                self.rejected += 1
            if isinstance(event, DecisionEvent):
                self.decisions += 1
                self.seconds.append(event.milliseconds / 1000)
                complaint = complaint_about(event, known)
                if complaint:
                    self.invalid.append(complaint)

    def report(self) -> dict[str, Any]:
        """Return everything as plain values."""
        asked = self.questions
        answered = [each for each in asked if each["outcome"] == "answered"]
        return {
            "decisions": self.decisions,
            "invalid_reached_orchestrator": self.invalid,
            "rejected_before": self.rejected,
            "median_decision_seconds": sorted(self.seconds)[len(self.seconds) // 2]
            if self.seconds
            else None,
            "questions": len(asked),
            "answered": len(answered),
            "answered_all_grounded": sum(each["fully_grounded"] for each in answered),
            "statements": sum(each["statements"] for each in answered),
            "statements_grounded": sum(each["grounded"] for each in answered),
            "refused_wrongly": sum(
                each["outcome"] != "answered" for each in asked if each["answerable"]
            ),
            "refused_rightly": sum(
                each["outcome"] != "answered" for each in asked if not each["answerable"]
            ),
            "fallen_back": sum(each["fallen_back"] for each in asked),
            "each": asked,
        }


def tool_arguments() -> dict[str, type[ToolArguments]]:
    """Return the arguments of every tool there is, by the tool's name."""
    found: dict[str, type[ToolArguments]] = {}
    for each in pkgutil.iter_modules(tools.__path__):
        module = importlib.import_module(f"{tools.__name__}.{each.name}")
        for value in vars(module).values():
            if isinstance(value, type) and hasattr(value, "run_if_true"):
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


def prepare(work: Path, model: Path) -> Path:
    """Ingest the samples and import the model, if that is not done yet; returns the library."""
    os.environ["GROUNDWORK_MODELS"] = str(work / "models")
    folder = ModelFolder()
    if folder.find(MODEL_ID) is None:
        list(import_pack(model, folder, Catalogue.load(), model_id=MODEL_ID))
    library = work / "library"
    with closing(open_workspace(library, settings=Settings())) as workspace:
        workspace.ingestion.enqueue(sample_manuals())
        list(workspace.ingestion.run(CancelToken()))
    return library


def night_settings() -> Settings:
    """Return settings with which a small model on a processor gets somewhere."""
    settings = Settings()
    settings.models.profile = "field"
    settings.models.language = MODEL_ID
    settings.agent.decider = "dspy"
    settings.agent.time_limit_seconds = _SECONDS
    settings.agent.max_iterations = _STEPS
    settings.agent.passage_tokens = _PASSAGE_TOKENS
    settings.agent.answer_tokens = _ANSWER_TOKENS
    settings.retrieval.pages_per_search = _PAGES
    return settings


def sample_questions() -> list[GoldQuestion]:
    """Return every sample question, one that is not answered after four that are."""
    questions = read_gold(resources_folder() / "samples" / "questions.json").questions
    yes = [each for each in questions if each.answerable]
    no = [each for each in questions if not each.answerable]
    mixed: list[GoldQuestion] = []
    for place, question in enumerate(no):
        mixed += [*yes[4 * place : 4 * place + 4], question]
    return mixed


def first_decision(workspace: Workspace, question: str) -> list[Event]:
    """Ask until something was decided, then stop."""
    events: list[Event] = []
    handle: Any = None

    def take(event: Event) -> None:
        events.append(event)
        if isinstance(event, DecisionEvent) and handle is not None:
            handle.cancel()

    handle = workspace.ask(question, frozenset(), take, lambda: None)
    handle.wait()
    return events


def run(work: Path, model: Path, decisions: int, questions: int, minutes: float) -> Figures:
    """Spend at most so many minutes, the questions first."""
    library = prepare(work, model)
    figures = Figures()
    until = time.monotonic() + minutes * 60
    with closing(open_workspace(library, read_only=True, settings=night_settings())) as workspace:
        region_text = library_region_text(workspace.library)
        for question in sample_questions()[:questions]:
            if time.monotonic() > until:
                break
            events = gather(workspace, question.question)
            figures.take(events)
            conduct = conduct_of(events, region_text)
            figures.questions.append(_told(question, events, conduct))
            say(json.dumps(figures.questions[-1], ensure_ascii=False))
        for question in sample_questions()[questions:]:
            if figures.decisions >= decisions or time.monotonic() > until:
                break
            figures.take(first_decision(workspace, question.question))
            say(f"{figures.decisions} decisions, {len(figures.invalid)} invalid")
    return figures


def _told(question: GoldQuestion, events: Sequence[Event], conduct: Any) -> dict[str, Any]:
    check = conduct.compared(question.answer)
    return {
        "id": question.id,
        "answerable": question.answerable,
        "outcome": conduct.outcome,
        "decided": [event.tool for event in events if isinstance(event, DecisionEvent)],
        "steps": conduct.steps,
        "seconds": round(conduct.seconds, 1),
        "statements": conduct.statements,
        "grounded": conduct.grounded,
        "fully_grounded": conduct.fully_grounded,
        "fallen_back": conduct.fallen_back,
        "facts": check.score if question.answerable else None,
        "errors": list(conduct.errors),
        "answer": conduct.text[:300],
    }


def say(message: str) -> None:
    """Say how far it is."""
    sys.stderr.write(message + "\n")
    sys.stderr.flush()


def main() -> int:
    """Run the night and print its figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("work", type=Path)
    parser.add_argument("--decisions", type=int, default=50)
    parser.add_argument("--questions", type=int, default=10)
    parser.add_argument("--minutes", type=float, default=25.0)
    given = parser.parse_args()
    model = os.environ.get("GROUNDWORK_TEST_LLM", "")
    if not model:
        parser.error("GROUNDWORK_TEST_LLM names no model directory")
    given.work.mkdir(parents=True, exist_ok=True)
    figures = run(given.work, Path(model), given.decisions, given.questions, given.minutes)
    report = figures.report()
    sys.stdout.write(json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    everything_refused = report["questions"] > 0 and report["answered"] == 0
    return 1 if figures.invalid or everything_refused else 0


if __name__ == "__main__":
    sys.exit(main())
