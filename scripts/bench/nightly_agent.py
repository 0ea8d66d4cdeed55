"""The agent with a real language model, at night: decisions, then sample questions end to end.

Asks the sample manuals with the language model in GROUNDWORK_TEST_LLM, an MLX directory,
imported and loaded as the application does it. Two parts:

- questions: asked to their end; what share is answered with every statement grounded, quoted
  because the manuals do not carry what the model wrote, refused, fallen back to rules.
- decisions: first decisions on further sample questions, each stopped when it has decided.

A decision is invalid if its tool does not exist or its inputs do not fit the tool's
arguments; none may reach the orchestrator, and not everything may be refused. Needs
GROUNDWORK_TEST_LLM=DIR.

WORK keeps the ingested library and the imported model for the next night, and the figures in
`figures.jsonl`, a line for every question, written as they come; --resume goes on with them.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.app import open_workspace
from desktop.core.evaluation.bench import gather
from desktop.core.evaluation.cited import words_in
from desktop.core.evaluation.figures import Figure
from desktop.core.evaluation.gold import GoldQuestion, read_gold
from desktop.core.evaluation.measures import conduct_of
from desktop.core.events import DecisionEvent
from desktop.core.jobs import CancelToken
from desktop.core.paths import resources_folder, sample_manuals
from desktop.core.settings.sections import Settings
from desktop.models.catalogue import Catalogue
from desktop.models.packs.model_folder import ModelFolder
from desktop.models.packs.operations import import_pack
from scripts.bench.nightly_figures import Asked, read_night, report, told, write_down

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from desktop.core.events import Event
    from desktop.core.workspace import Workspace

BASELINE = "the same questions asked without a language model (rules and quotes)"
MODEL_ID = "nightly-language"
# A small model on a processor reads 50 tokens a second: little to read, and time for it, so
# that it is the model that answers and not the limit.
_PAGES = 4
_STEPS = 4
_PASSAGE_TOKENS = 900
_ANSWER_TOKENS = 160
_SECONDS = 1_800.0


def prepare(work: Path, model: Path) -> Path:
    """Ingest the samples and import the model, if that is not done yet; returns the library."""
    import_model(work, model)
    library = work / "library"
    with closing(open_workspace(library, settings=Settings())) as workspace:
        workspace.ingestion.enqueue(sample_manuals())
        list(workspace.ingestion.run(CancelToken()))
    return library


def import_model(work: Path, model: Path) -> None:
    """Import the model below a folder, and have this process find its models there."""
    os.environ["GROUNDWORK_MODELS"] = str(work / "models")
    folder = ModelFolder()
    if folder.find(MODEL_ID) is None:
        list(import_pack(model, folder, Catalogue.load(), model_id=MODEL_ID))


def night_settings() -> Settings:
    """Return settings with which a small model on a processor gets somewhere."""
    settings = Settings()
    settings.models.profile = "field"
    settings.models.language = MODEL_ID
    settings.agent.decider = "dspy"
    settings.agent.model_does = "both"  # however slow it is
    settings.agent.time_limit_seconds = _SECONDS
    settings.agent.max_iterations = _STEPS
    settings.agent.passage_tokens = _PASSAGE_TOKENS
    settings.agent.answer_tokens = _ANSWER_TOKENS
    settings.retrieval.pages_per_search = _PAGES
    return settings


def sample_questions() -> list[GoldQuestion]:
    """Return every sample question: one without an answer after each four that have one."""
    questions = read_gold(resources_folder() / "samples" / "questions.json").questions
    yes = [each for each in questions if each.answerable]
    no = [each for each in questions if not each.answerable]
    mixed: list[GoldQuestion] = []
    for place, question in enumerate(no):
        mixed += [*yes[4 * place : 4 * place + 4], question]
    return mixed + yes[4 * len(no) :]


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


def asked(
    workspace: Workspace, decisions: int, questions: int, known: list[Asked]
) -> Iterator[Asked]:
    """Ask what is not known yet: questions to their end, then for decisions until enough."""
    region_text = partial(words_in, workspace.library)
    done = {each.id for each in known}
    made = sum(len(each.decided) for each in known)
    for place, question in enumerate(sample_questions()):
        if question.id in done:
            continue
        if place < questions:
            events = gather(workspace, question.question)
            found = told(question, events, conduct_of(events, region_text))
        elif made < decisions:
            found = told(question, first_decision(workspace, question.question))
        else:
            return
        made += len(found.decided)
        yield found


def run(
    work: Path, model: Path, decisions: int, questions: int, minutes: float, *, resume: bool
) -> list[Asked]:
    """Spend at most so many minutes; a question that has begun is asked to its end."""
    figures = work / "figures.jsonl"
    if not resume:
        figures.unlink(missing_ok=True)
    night = read_night(figures)
    library = prepare(work, model)
    until = time.monotonic() + minutes * 60
    with closing(open_workspace(library, read_only=True, settings=night_settings())) as workspace:
        for each in asked(workspace, decisions, questions, list(night)):
            night.append(each)
            write_down(each, figures)
            made, invalid = sum(len(n.decided) for n in night), sum(len(n.invalid) for n in night)
            say(f"{each.model_dump_json()}\n{made} decisions, {invalid} invalid")
            if time.monotonic() > until:
                say("the time is up")
                break
    return night


def say(message: str) -> None:
    """Say how far it is."""
    sys.stderr.write(message + "\n")
    sys.stderr.flush()


def by_rules(work: Path, count: int) -> list[Asked]:
    """Ask the questions that are asked to their end without a language model."""
    settings = Settings()
    settings.agent.decider = "rules"
    with closing(open_workspace(work / "library", read_only=True, settings=settings)) as workspace:
        region_text = partial(words_in, workspace.library)
        found = []
        for question in sample_questions()[:count]:
            events = gather(workspace, question.question)
            found.append(told(question, events, conduct_of(events, region_text)))
    return found


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("work", type=Path)
    parser.add_argument("--decisions", type=int, default=50)
    parser.add_argument("--questions", type=int, default=10)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--resume", action="store_true")


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Run the night, then ask the same by rules."""
    model = os.environ.get("GROUNDWORK_TEST_LLM", "")
    if not model:
        raise SystemExit("GROUNDWORK_TEST_LLM names no model directory")
    options.work.mkdir(parents=True, exist_ok=True)
    night = run(
        options.work,
        Path(model),
        options.decisions,
        options.questions,
        options.minutes,
        resume=options.resume,
    )
    whole = sum(each.whole for each in night)
    return figures_of(report(night), report(by_rules(options.work, whole)))


def figures_of(found: dict[str, Any], rules: dict[str, Any]) -> tuple[list[Figure], list[str]]:
    """Return the figures of two reports of the same questions, and what went wrong."""
    invalid = found["invalid_reached_orchestrator"]
    figures = [
        Figure(name="decisions", value=found["decisions"]),
        Figure(name="invalid decisions that reached the agent", value=len(invalid), limit=0),
    ]
    for name, value in found.items():
        if isinstance(value, int | float) and name != "decisions":
            least = 1.0 if name == "answered" and found["questions"] else None
            figures.append(
                Figure(
                    name=name.replace("_", " ").removesuffix(" seconds"),
                    value=value,
                    unit="s" if name.endswith("_seconds") else "",
                    baseline=rules[name],
                    limit=least,
                    more_is_better=least is not None,
                )
            )
    return figures, list(invalid)
