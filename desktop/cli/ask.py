"""`groundwork ask`: one question, answered as it is written; or a file of them."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from desktop.cli.conversations import chosen_conversation
from desktop.cli.options import (
    INTERRUPTED,
    Library,
    Refused,
    argument,
    events_until_done,
    existing_library,
    last_event,
    on_interrupt,
    opened_workspace,
    option,
)
from desktop.core.errors import LibraryBusy

if TYPE_CHECKING:
    from desktop.core.bulk_questions import AnswersWritten, RowDone
    from desktop.core.events import CompleteEvent
    from desktop.core.workspace import Workspace


NEW = "new"
NOT_KEPT = (
    "The library is open in another Groundwork: this answer is not kept in the conversation.\n"
)


def ask(
    context: typer.Context,
    question: Annotated[
        str, argument("QUESTION", "What you want to know.", show_default=False)
    ] = "",
    manuals: Annotated[
        list[str] | None,
        option(
            "--manual -m NAME", "Search only this manual (file name or title). May be repeated."
        ),
    ] = None,
    site: Annotated[
        str | None,
        option("--site NAME", "Search only the manuals of this site, where you are now."),
    ] = None,
    asset: Annotated[
        str | None,
        option(
            "--asset NAME", "Search only the manuals of this equipment, which you are working on."
        ),
    ] = None,
    tiers: Annotated[
        list[int] | None,
        option(
            "--tier N",
            "Search only manuals of this tier: 1 maker's manual, 2 bulletin or company"
            " procedure, 3 training, 4 site note, 5 unverified. May be repeated.",
            min=1,
            max=5,
        ),
    ] = None,
    tags: Annotated[
        list[str] | None,
        option("--tag NAME", "Search only manuals with this tag. May be repeated."),
    ] = None,
    pages: Annotated[
        Path | None,
        option(
            "--pages DIR",
            "Write every cited page there as a PNG, with the region highlighted.",
            file_okay=False,
        ),
    ] = None,
    report: Annotated[
        Path | None,
        option(
            "--report DIR",
            "Save the answer there as a report: PDF and Markdown with the cited pages.",
            file_okay=False,
        ),
    ] = None,
    password: Annotated[
        str | None, option("--password TEXT", "Password for drawing protected manuals.")
    ] = None,
    as_json: Annotated[bool, option("--json", "Print the events, one line of JSON each.")] = False,
    conversation: Annotated[
        str | None,
        option(
            "--conversation -c ID",
            "Continue a conversation: its number, 'last', or 'new'. The library keeps it.",
        ),
    ] = None,
    by_itself: Annotated[
        bool,
        option(
            "--by-itself", "With --conversation: do not read the question with the one before it."
        ),
    ] = False,
    file: Annotated[
        Path | None,
        option(
            "--file FILE",
            "Ask every row of a CSV or XLSX file: a column 'question' (or the first one), "
            "and 'manual' to search only that one. After an interruption, run the same "
            "command again to continue.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        option(
            "--out FILE",
            "Where the answers to --file go, CSV or XLSX. Default: FILE-answers beside it.",
            dir_okay=False,
        ),
    ] = None,
    library: Library = None,
) -> None:
    """Ask a library's manuals one question, or every question in a table with --file.

    The answer streams to the terminal; the pages it cites are listed below it.
    Exits with 0 even if the manuals do not answer it, with 1 if there was nothing to
    search or it failed.
    """
    if file is not None:
        if any((question, pages, report, conversation, by_itself, as_json)):
            raise typer.BadParameter(
                "can only be used with --out, --manual, --site, --asset, --tier, --tag and "
                "--library",
                ctx=context,
                param_hint="--file",
            )
    elif out is not None:
        raise typer.BadParameter("can only be used with --file", ctx=context, param_hint="--out")
    elif not question.strip():
        raise typer.BadParameter("the question is empty", ctx=context, param_hint="QUESTION")
    folder = existing_library(context, library)
    from desktop.cli.manual_choice import chosen_manuals, chosen_place, chosen_sources

    with ExitStack() as stack:
        if conversation is None:
            workspace = stack.enter_context(
                opened_workspace(folder, read_only=True, soon_asked=True)
            )
        else:
            workspace = opened_to_continue(stack, folder)
        documents = workspace.library.documents()
        noted = [note.place for note in workspace.notes.list()] if site or asset else []
        place = chosen_place(context, documents, site or "", asset or "", noted)
        workspace.place.choose(place)
        document_ids = chosen_manuals(context, documents, manuals or [], place)
        document_ids = chosen_sources(context, documents, document_ids, tiers or [], tags or [])
        if file is not None:
            raise typer.Exit(ask_file(workspace, file, out, document_ids))
        conversation_id = None
        if conversation is not None:
            conversation_id, document_ids = continued(workspace, conversation, document_ids)
        if password is not None:
            for document in documents:
                workspace.library.remember_password(document.id, password)
        last = answer_question(
            workspace,
            question,
            document_ids,
            as_json=as_json,
            pages_folder=pages,
            report_folder=report,
            conversation_id=conversation_id,
            by_itself=by_itself,
        )
    if not documents and not as_json:
        typer.echo("`groundwork ingest PATH...` adds them.")
    codes = {
        "answered": 0,
        "partial": 0,
        "not_found": 0,
        "clarification": 0,
        "cancelled": INTERRUPTED,
    }
    raise typer.Exit(codes.get(last.outcome, 1))


def answer_question(
    workspace: Workspace,
    question: str,
    document_ids: frozenset[int] = frozenset(),
    *,
    as_json: bool = False,
    pages_folder: Path | None = None,
    report_folder: Path | None = None,
    conversation_id: int | None = None,
    by_itself: bool = False,
) -> CompleteEvent:
    """Ask, print each event as it comes, write pages and report; returns the last event."""
    from desktop.cli.answer_output import print_events, save_answer, write_cited_pages
    from desktop.core.events import CitationEvent
    from desktop.core.question.languages import language_of

    asked = events_until_done(
        lambda put, done: workspace.ask(
            question, document_ids, put, done, conversation_id, by_itself=by_itself
        )
    )
    events = print_events(asked, as_json=as_json, language=language_of(question))
    citations = [event for event in events if isinstance(event, CitationEvent)]
    listing = sys.stderr if as_json else sys.stdout
    if pages_folder is not None and citations:
        for path in write_cited_pages(workspace, citations, pages_folder):
            listing.write(f"Page written: {path}\n")
    if report_folder is not None:
        saved = save_answer(workspace, question, events, report_folder)
        listing.write(f"Report written: {saved}\n" if saved else "No answer to report.\n")
    return last_event(events)


def opened_to_continue(stack: ExitStack, folder: Path) -> Workspace:
    """Open a library so that it keeps what is asked; read-only while a window has it open."""
    try:
        return stack.enter_context(opened_workspace(folder, soon_asked=True))
    except LibraryBusy:
        sys.stderr.write(NOT_KEPT)
    return stack.enter_context(opened_workspace(folder, read_only=True, soon_asked=True))


def continued(
    workspace: Workspace, wanted: str, document_ids: frozenset[int]
) -> tuple[int | None, frozenset[int]]:
    """Return the conversation to ask in, and the manuals to ask.

    wanted: a number, "last" or "new". document_ids: the manuals named now; if none,
    those the conversation was about that are still there.

    Raises: Refused, if there is no such conversation.
    """
    conversations = workspace.conversations
    if wanted.strip().casefold() == NEW:
        if conversations.read_only:
            return None, document_ids
        return conversations.create(document_ids=document_ids), document_ids
    record = chosen_conversation(conversations, wanted)
    present = {document.id for document in workspace.library.documents()}
    return record.id, document_ids or (record.document_ids & present)


def ask_file(
    workspace: Workspace, questions: Path, answers: Path | None, document_ids: frozenset[int]
) -> int:
    """Answer the questions in a table, report progress, return the exit code. Raises: Refused."""
    from desktop.core.bulk_questions import RowDone, answer_questions, answers_beside
    from desktop.core.jobs import CancelToken

    if not any(document.searchable for document in workspace.library.documents()):
        raise Refused("There are no manuals to search. Add some with: groundwork ingest PATH")
    target = answers or answers_beside(questions)
    cancel = CancelToken()
    with on_interrupt(cancel.cancel):
        for event in answer_questions(
            workspace.ask, workspace.library, questions, target, cancel, document_ids
        ):
            if isinstance(event, RowDone):
                _show(event)
            else:
                _summarize(event)
    return INTERRUPTED if cancel.cancelled else 0


def _show(event: RowDone) -> None:
    answer = event.answer
    came = "kept" if event.kept else answer.sure or answer.check
    sys.stderr.write(f"{event.number}/{event.count}  {event.question}  ({came})\n")


def _summarize(event: AnswersWritten) -> None:
    if event.left:
        sys.stderr.write(f"Stopped: {event.left} left. Run the same command again to continue.\n")
    rows = "row" if event.answered == 1 else "rows"
    sys.stdout.write(f"{event.path}: {event.answered} {rows}, {event.to_check} to check\n")
