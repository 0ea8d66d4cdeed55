"""`groundwork bench NAME`: how well questions are answered here, and how fast this machine is."""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from typer.core import TyperGroup

from desktop.cli.options import (
    BenchLibrary,
    Refused,
    argument,
    chosen_library,
    opened_workspace,
    option,
    print_json,
    refusing,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from desktop.core.evaluation.figures import BenchResult, Column
    from desktop.core.evaluation.gold import GoldFile, GoldQuestion
    from desktop.core.settings.sections import Settings
    from desktop.core.workspace import Workspace


class _AnswersFirst(TyperGroup):
    """A group whose first command may be left out: `groundwork bench gold.json`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `answers` before arguments that name no bench."""
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h"):
            args = ["answers", *args]
        return super().parse_args(ctx, args)


application = typer.Typer(
    name="bench",
    cls=_AnswersFirst,
    help="Measure how well your own questions are answered, or how fast this machine is.",
    no_args_is_help=True,
)
AsJson = Annotated[bool, option("--json", "Print the result as JSON.")]


@application.command("ingest")
def bench_ingest(
    manual: Annotated[
        Path | None,
        argument("MANUAL.pdf", "Default: a sample manual.", exists=True, dir_okay=False),
    ] = None,
    scan: Annotated[
        Path | None,
        option(
            "--scan SCAN.pdf",
            "Scanned pages, to time reading them as well.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    rounds: Annotated[int, option("--rounds", "Rounds of the text pass.", min=1)] = 5,
    text_only: Annotated[bool, option("--text-only", "Leave out layout, OCR and vectors.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure how fast a manual is read, compared with PyMuPDF reading only its text."""
    from desktop.core.evaluation.speed import measure_intake
    from desktop.core.paths import sample_manuals
    from desktop.core.settings.sections import Settings

    def open_library(folder: Path) -> AbstractContextManager[Workspace]:
        return opened_workspace(folder, settings=Settings())

    chosen = manual or sample_manuals()[0]
    _print_result(
        measure_intake(open_library, chosen, scan=scan, rounds=rounds, text_only=text_only),
        as_json=as_json,
    )


@application.command("text-model")
def bench_text_model(as_json: AsJson = False) -> None:
    """Measure how fast the built-in text model turns questions and passages into vectors."""
    from desktop.core.evaluation.speed import measure_text_model
    from desktop.models.built_in import load_text_embedder
    from desktop.models.errors import ModelNotInstalled
    from desktop.models.inference_thread import InferenceThread, Priority
    from desktop.models.manager import ThreadedEmbedder

    with closing(InferenceThread()) as inference:
        embedder = ThreadedEmbedder(load_text_embedder, inference, Priority.INGESTION)
        with refusing(ModelNotInstalled):
            _print_result(measure_text_model(embedder), as_json=as_json)


def _print_result(found: BenchResult, *, as_json: bool) -> None:
    from desktop.core.evaluation.figures import as_text

    sys.stdout.write((found.model_dump_json(indent=1) if as_json else as_text(found)) + "\n")


@application.command("answers")
def bench_answers(
    context: typer.Context,
    gold: Annotated[
        Path, argument("GOLD", "JSON file of questions with pages.", exists=True, dir_okay=False)
    ],
    manuals: Annotated[
        Path | None,
        option(
            "--manuals DIR",
            "Where their PDFs are, if they are not in the library.",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    deciders: Annotated[
        str,
        option(
            "--decider LIST",
            "What decides: auto, dspy, prompt, rules; separate several with commas.",
        ),
    ] = "rules",
    profiles: Annotated[
        str,
        option(
            "--profile LIST",
            "Which models: lite, field, workstation, auto; separate several with commas.",
        ),
    ] = "lite",
    judge: Annotated[
        bool,
        option("--judge/--no-judge", "Have a language model, if there is one, judge the answers."),
    ] = True,
    own: Annotated[
        bool, option("--own", "Also ask the library's questions that were marked as wrong.")
    ] = False,
    report: Annotated[
        Path | None,
        option(
            "--report FILE.md",
            "Write figures and failing questions there, as Markdown.",
            dir_okay=False,
        ),
    ] = None,
    compared: Annotated[
        Path | None,
        option(
            "--compare OLD.json",
            "Show what changed since this report from an earlier --json.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    as_json: Annotated[bool, option("--json", "Print all measures as JSON.")] = False,
    library: BenchLibrary = None,
) -> None:
    """Measure how well your own questions are answered.

    Each decider is measured with each profile, side by side. One that would be the same
    as another, because its language model is not installed, is named and left out.
    """
    columns = _columns(context, deciders, profiles)
    from desktop.app import load_user_settings
    from desktop.core.evaluation.bench import run_bench

    before = _old_report(compared)
    with ExitStack() as stack:
        folder = chosen_library(context, library) or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="groundwork-bench-"))
        )
        questions = gold_questions(gold, folder if own else None)

        def open_library(settings: Settings, read_only: bool) -> AbstractContextManager[Workspace]:
            return opened_workspace(folder, read_only=read_only, settings=settings)

        settings = load_user_settings().settings
        found = run_bench(
            open_library, settings, columns, questions, manuals, say, judged=judge, timed=_timed
        )
    for label, reason in found["not_measured"].items():
        say(f"{label}: not measured, {reason}")
    if not found["columns"]:
        raise Refused("Nothing was measured. Get a language model with: groundwork models")
    if report is not None:
        _write_report(report, found["columns"], gold)
    if before:
        from desktop.cli.bench_tables import print_comparison

        print_comparison(before, found["columns"], beside=as_json)
    if as_json:
        print_json(found["columns"][0] if len(columns) == 1 else found)
        return
    from desktop.cli.bench_tables import print_tables

    print_tables(found["columns"])


def gold_questions(gold: Path, library: Path | None) -> GoldFile:
    """Return the file's questions, and those a library's users marked as wrong. Raises: Refused."""
    from desktop.core.evaluation.gold import (
        GoldFile,
        GoldFileError,
        QuestionFile,
        QuestionFileError,
        read_gold,
    )
    from desktop.core.paths import LibraryFolder

    with refusing(GoldFileError, QuestionFileError, told="The questions cannot be used: {error}"):
        questions = read_gold(gold).questions
        if library is not None:
            questions += QuestionFile(LibraryFolder(library).questions).questions()
        return GoldFile(questions)


def _old_report(path: Path | None) -> list[dict[str, Any]]:
    from desktop.core.evaluation.bench import OldReportError, read_report

    with refusing(OldReportError, told="There is nothing to compare with: {error}."):
        return read_report(path) if path is not None else []


def _write_report(path: Path, columns: list[dict[str, Any]], gold: Path) -> None:
    from desktop.core.evaluation.bench import markdown

    about = [f"questions of {gold.name}", f"measured {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"]
    with refusing(OSError, told="The report cannot be written: {error}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(markdown(columns, about), encoding="utf-8")
    say(f"Report written: {path}")


def _timed(workspace: Workspace, questions: Sequence[GoldQuestion]) -> Sequence[float]:
    """Measure the search alone, with the built-in text model if there is one."""
    from desktop.core.evaluation.speed import search_times
    from desktop.models.built_in import load_text_embedder
    from desktop.models.errors import ModelError

    try:
        embedder = load_text_embedder()
    except ModelError:
        embedder = None
    return search_times(
        workspace.database,
        embedder,
        workspace.settings.retrieval,
        workspace.domains,
        questions,
        say,
    )


def say(message: str) -> None:
    """Report progress, apart from what is printed."""
    sys.stderr.write(message + "\n")


def _columns(context: typer.Context, deciders: str, profiles: str) -> list[Column]:
    from desktop.core.evaluation.figures import AUTOMATIC, Column, DeciderName
    from desktop.models.catalogue import Catalogue

    known = [AUTOMATIC, *(profile.id for profile in Catalogue.load().profiles)]
    chosen = _listed(context, deciders, get_args(DeciderName), "--decider")
    models = _listed(context, profiles, known, "--profile")
    return [Column(decider, profile) for profile in models for decider in chosen]


def _listed(context: typer.Context, text: str, known: Any, option: str) -> list[Any]:
    names = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    wrong = [name for name in names if name not in known]
    if wrong or not names:
        unknown = f"{', '.join(wrong)}: " if wrong else ""
        raise typer.BadParameter(
            f"{unknown}choose from {', '.join(known)}", ctx=context, param_hint=option
        )
    return names
