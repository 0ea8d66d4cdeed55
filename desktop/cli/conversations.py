"""`groundwork conversations`: what was asked before, and what came of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from desktop.cli.options import Library, Refused, argument, existing_library, option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.conversations.store import Conversations
    from desktop.core.conversations.values import ConversationRecord
    from desktop.core.trace.reasoning_trace import ReasoningTrace

LAST = "last"
TITLE_WIDTH = 60

application = typer.Typer(
    name="conversations",
    help="List, show, export, rename and delete the conversations of a library.",
    no_args_is_help=True,
)

Id = Annotated[str, argument("ID", "Its number in the list, or 'last' for the latest.")]


@application.command(name="list")
def list_conversations(
    context: typer.Context,
    search: Annotated[str, option("--search -s TEXT", "Only those containing these words.")] = "",
    library: Library = None,
) -> None:
    """List the conversations, latest first."""
    with _opened(context, library, read_only=True) as conversations:
        for record in conversations.list(search):
            day = record.updated_at[:16].replace("T", " ")
            title = record.title[:TITLE_WIDTH]
            sys.stdout.write(f"{record.id:>5}  {day}  {record.turns:>3}  {title}\n")


@application.command()
def show(
    context: typer.Context,
    conversation: Id,
    as_json: Annotated[bool, option("--json", "Print everything that is stored, as JSON.")] = False,
    library: Library = None,
) -> None:
    """Print the questions in a conversation with their answers and sources."""
    from desktop.cli.answer_output import AnswerPrinter
    from desktop.core.conversations.export import as_json as exported_json

    with _opened(context, library, read_only=True) as conversations:
        record = chosen_conversation(conversations, conversation)
        if as_json:
            sys.stdout.write(exported_json(conversations.exported(record.id)))
            return
        for turn in conversations.turns(record.id):
            sys.stdout.write(f"> {turn.prompt}\n")
            printer = AnswerPrinter(sys.stdout, sys.stdout)
            for event in turn.events:
                printer.show(event)
            if turn.outcome in ("interrupted", ""):
                sys.stdout.write("\n(not finished)\n")
            sys.stdout.write("\n")


@application.command()
def export(
    context: typer.Context,
    conversation: Id,
    path: Annotated[
        Path, argument("FILE", "JSON if the name ends in .json, else Markdown.", dir_okay=False)
    ],
    library: Library = None,
) -> None:
    """Write a conversation to a file that can be read without Groundwork."""
    with _opened(context, library, read_only=True) as conversations:
        record = chosen_conversation(conversations, conversation)
        conversations.export(record.id, path)
    sys.stdout.write(f"Written: {path}\n")


@application.command()
def rename(
    context: typer.Context,
    conversation: Id,
    title: Annotated[str, argument("TITLE", "Leave it empty to use its first question again.")],
    library: Library = None,
) -> None:
    """Give a conversation another title."""
    with _opened(context, library) as conversations:
        record = chosen_conversation(conversations, conversation)
        conversations.rename(record.id, title)


@application.command()
def delete(
    context: typer.Context,
    conversation: Id,
    yes: Annotated[bool, option("--yes -y", "Do not ask for confirmation.")] = False,
    library: Library = None,
) -> None:
    """Delete a conversation for good."""
    with _opened(context, library) as conversations:
        record = chosen_conversation(conversations, conversation)
        if not yes:
            typer.confirm(f"Delete “{record.title}”?", abort=True)
        conversations.delete(record.id)
    sys.stdout.write(f"Deleted: {record.title}\n")


def chosen_conversation(conversations: Conversations, wanted: str) -> ConversationRecord:
    """Return the conversation numbered `wanted`, or the latest for "last". Raises: Refused."""
    records = conversations.list()
    if wanted.strip().casefold() == LAST and records:
        return records[0]
    found = next((each for each in records if str(each.id) == wanted.strip()), None)
    if found is None:
        raise Refused(
            f"There is no conversation {wanted}. See them with: groundwork conversations list"
        )
    return found


@contextmanager
def _opened(
    context: typer.Context, library: Path | None, *, read_only: bool = False
) -> Iterator[Conversations]:
    from desktop.core.conversations.store import Conversations
    from desktop.core.store.database import Database

    with Database.open(existing_library(context, library), read_only=read_only) as database:
        yield Conversations(database)


@application.command(name="trace")
def show_trace(
    context: typer.Context,
    conversation: Id,
    json_file: Annotated[Path | None, option("--json FILE", "Write the traces as JSON.")] = None,
    spans_file: Annotated[
        Path | None,
        option("--spans FILE", "Write OpenTelemetry spans, OTLP/JSON, one request per line."),
    ] = None,
    examples_file: Annotated[
        Path | None,
        option("--examples FILE", "Write what went well as training examples for DSPy."),
    ] = None,
    library: Library = None,
) -> None:
    """Show how the answers in a conversation were reached, or write that to files."""
    from desktop import __version__
    from desktop.core.conversations.store import Conversations
    from desktop.core.evaluation.examples import write_examples
    from desktop.core.store.database import Database
    from desktop.core.trace.export import write_json, write_spans
    from desktop.core.trace.store import TraceStore

    with Database.open(existing_library(context, library), read_only=True) as database:
        record = chosen_conversation(Conversations(database), conversation)
        traces = TraceStore(database).of_conversation(record.id)
    if not traces:
        raise Refused("This conversation has no trace: none was being recorded when it was asked.")
    if json_file is not None:
        write_json(traces, json_file)
    if spans_file is not None:
        write_spans(traces, spans_file, __version__)
    if examples_file is not None:
        count = write_examples(traces, examples_file)
        sys.stdout.write(f"{count} examples\n")
    written = [path for path in (json_file, spans_file, examples_file) if path is not None]
    for path in written:
        sys.stdout.write(f"Written: {path}\n")
    if not written:
        _show(traces)


def _show(traces: Sequence[ReasoningTrace]) -> None:
    for trace in traces:
        sys.stdout.write(f"\n{trace.user_request}\n")
        for entry in trace.entries:
            milliseconds = entry.metrics.get("milliseconds")
            time = f"{milliseconds:.0f} ms" if milliseconds is not None else ""
            what = f"{entry.action}: {entry.thought}" if entry.action else entry.thought
            line = f"  {entry.stage:<12} {entry.outcome:<8} {time:>9}  {what}"
            sys.stdout.write(f"{' '.join(line.splitlines())}\n")
            for said in (*entry.corrections, *((entry.error,) if entry.error else ())):
                sys.stdout.write(f"{'':34}{' '.join(said.split())}\n")
        for pending in trace.pending_commitments:
            sys.stdout.write(f"  not done: {pending.replace('_', ' ')}\n")
