"""`groundwork conversations trace`: how the answers of a conversation were reached."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from desktop.cli.conversations import Id, chosen_conversation
from desktop.cli.options import Library, existing_library
from desktop.cli.refusal import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.trace.reasoning_trace import ReasoningTrace

_JSON = typer.Option("--json", metavar="FILE", help="Write the traces as JSON.")
_SPANS = typer.Option(
    "--spans", metavar="FILE", help="Write OpenTelemetry spans, OTLP/JSON, one request a line."
)
_EXAMPLES = typer.Option(
    "--examples", metavar="FILE", help="Write what went well as training examples for DSPy."
)


def show_trace(
    context: typer.Context,
    conversation: Id,
    json_file: Annotated[Path | None, _JSON] = None,
    spans_file: Annotated[Path | None, _SPANS] = None,
    examples_file: Annotated[Path | None, _EXAMPLES] = None,
    library: Library = None,
) -> None:
    """Show how the answers of a conversation were reached, or write that to files."""
    from desktop import __version__
    from desktop.core.conversations.store import Conversations
    from desktop.core.evaluation.trace_examples import write_examples
    from desktop.core.store.database import Database
    from desktop.core.trace.export import write_json, write_spans
    from desktop.core.trace.store import TraceStore

    with Database.open(existing_library(context, library), read_only=True) as database:
        record = chosen_conversation(Conversations(database), conversation)
        traces = TraceStore(database).of_conversation(record.id)
    if not traces:
        raise Refused("This conversation has no trace: it was asked while none was recorded.")
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
            sys.stdout.write(f"  not delivered: {pending.replace('_', ' ')}\n")
