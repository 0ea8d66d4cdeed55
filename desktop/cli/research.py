"""`groundwork research`: one question, looked into by an analyst, a critic and a writer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from desktop.cli.options import (
    INTERRUPTED,
    Library,
    Refused,
    argument,
    events_until_done,
    existing_library,
    last_event,
    opened_workspace,
    option,
)

if TYPE_CHECKING:
    from desktop.core.events import Event, ResearchMode
    from desktop.core.research.sources import TemporalContext

_CODES = {"answered": 0, "not_found": 0, "clarification": 0, "cancelled": INTERRUPTED}


def research(
    context: typer.Context,
    question: Annotated[str, argument("QUESTION", "What to look into.")] = "",
    mode: Annotated[
        str,
        option(
            "--mode MODE",
            "strict: only makers' manuals, standards, bulletins and procedures. discovery: "
            "everything, with warnings. monitor: what site notes say against the manuals. "
            "Default: what the question asks for.",
        ),
    ] = "",
    manuals: Annotated[
        list[str] | None, option("--manual -m NAME", "Only this manual. May be repeated.")
    ] = None,
    site: Annotated[str | None, option("--site NAME", "Only what belongs to this site.")] = None,
    asset: Annotated[
        str | None, option("--asset NAME", "Only what belongs to this equipment.")
    ] = None,
    revision: Annotated[str, option("--revision TEXT", "Only sources of this revision.")] = "",
    since: Annotated[
        str, option("--since DATE", "Only sources from this date on, such as 2024-05.")
    ] = "",
    until: Annotated[
        str, option("--until DATE", "Only sources up to this date, such as 2025.")
    ] = "",
    undated: Annotated[
        bool, option("--undated", "With --since or --until: also sources without a date.")
    ] = False,
    report: Annotated[
        Path | None,
        option(
            "--report DIR",
            "Save the report there: PDF and Markdown with the cited pages.",
            file_okay=False,
        ),
    ] = None,
    show: Annotated[str, option("--show ID", "Print earlier research: its id, or 'last'.")] = "",
    list_runs: Annotated[bool, option("--list", "List earlier research, latest first.")] = False,
    as_json: Annotated[bool, option("--json", "Print the events, one line of JSON each.")] = False,
    library: Library = None,
) -> None:
    """Look into a question: draft, criticise, search for what is missing, report.

    Every sentence of the report is checked against the page it cites. Ctrl-C ends it
    and keeps what was found; so does a time limit. What each step did is kept in the
    library's folder research/.
    """
    folder = existing_library(context, library)
    if list_runs or show:
        _show(folder, show)
        return
    if not question.strip():
        raise typer.BadParameter("the question is empty", ctx=context, param_hint="QUESTION")
    from desktop.cli.answer_output import print_events, save_answer
    from desktop.cli.manual_choice import chosen_manuals, chosen_place

    chosen = _mode(context, mode, question)
    temporal = _temporal(context, revision, since, until, undated)
    with opened_workspace(folder, read_only=True) as workspace:
        documents = workspace.library.documents()
        place = chosen_place(context, documents, site or "", asset or "")
        workspace.place.choose(place)
        document_ids = chosen_manuals(context, documents, manuals or [], place)
        researched = events_until_done(
            lambda put, done: workspace.research(
                question, chosen, document_ids, put, done, temporal
            )
        )
        events = print_events(researched, as_json=as_json)
        if report is not None:
            saved = save_answer(workspace, question, _reportable(events), report)
            listing = sys.stderr if as_json else sys.stdout
            listing.write(f"Report written: {saved}\n" if saved else "Nothing to report.\n")
    raise typer.Exit(_CODES.get(last_event(events).outcome, 1))


def _mode(context: typer.Context, given: str, question: str) -> ResearchMode:
    from desktop.core.events import ResearchMode
    from desktop.core.research.proposal import research_proposal

    modes: tuple[ResearchMode, ...] = get_args(ResearchMode)
    found = next((each for each in modes if each == given.strip().casefold()), None)
    if found is not None:
        return found
    if given:
        known = ", ".join(modes)
        raise typer.BadParameter(
            f"'{given}' is not one of: {known}", ctx=context, param_hint="--mode"
        )
    proposal = research_proposal(question)
    return proposal.mode if proposal is not None else "discovery"


def _temporal(
    context: typer.Context, revision: str, since: str, until: str, undated: bool
) -> TemporalContext | None:
    """Return which revision and dates sources must have, None if none was given."""
    if not (revision or since or until):
        return None
    from pydantic import ValidationError

    from desktop.core.research.sources import TemporalContext

    try:
        return TemporalContext(
            revision=revision, date_from=since, date_to=until, include_undated=undated
        )
    except ValidationError as error:
        raise typer.BadParameter(
            "write dates as 2024, 2024-05 or 2024-05-31", ctx=context
        ) from error


def _reportable(events: list[Event]) -> list[Event]:
    """Return the events so that a report that was stopped also counts as one."""
    from dataclasses import replace

    from desktop.core.events import CompleteEvent, TokenEvent

    written = any(isinstance(event, TokenEvent) for event in events)
    return [
        replace(event, outcome="answered")
        if written and isinstance(event, CompleteEvent)
        else event
        for event in events
    ]


def _show(folder: Path, wanted: str) -> None:
    """Print earlier research. Raises: Refused, if there is none with that name."""
    from desktop.core.paths import LibraryFolder
    from desktop.core.research.iteration_log import past_runs

    runs = past_runs(LibraryFolder(folder).research)
    if not wanted:
        for run in runs:
            sys.stdout.write(f"{run.query_id}  {run.mode:<9}  {run.status:<16}  {run.query}\n")
        return
    chosen = [run for run in runs if wanted in ("last", run.query_id)]
    if not chosen:
        raise Refused(f"There is no research {wanted}. See them with: groundwork research --list")
    run = chosen[0]
    sys.stdout.write(f"> {run.query}\n{run.mode}, {run.status}, rounds: {run.iterations}\n\n")
    sys.stdout.write((run.report or "It ended before there was anything to report.") + "\n\n")
    for step in run.steps:
        sys.stdout.write(f"{step}\n")
