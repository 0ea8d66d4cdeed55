"""`groundwork compare`: what changed from one revision of a manual to another."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from desktop.cli.options import (
    Library,
    Refused,
    argument,
    existing_library,
    interruptible,
    opened_documents,
    option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.library.values import DocumentRecord
    from desktop.core.revisions.changes import Change, Comparison

WIDTH = 300
KINDS = (".pdf", ".md")


def compare(
    context: typer.Context,
    old: Annotated[str, argument("OLD", "File name, title or number of a manual.")],
    new: Annotated[
        str | None,
        argument(
            "NEW",
            "The other manual. Default: the other revision in the library.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None, option("--out FILE", "Write a report: report.pdf or report.md.")
    ] = None,
    as_json: Annotated[
        bool, option("--json", "Print the changes as JSON, with pages and boxes.")
    ] = False,
    library: Library = None,
) -> None:
    """Show what changed between two revisions of a manual, and on which pages.

    Covers warnings, values, steps, tables, other text and what moved. Page numbers,
    headers, dates, line breaks and other ways to write an amount ("0.3 A", "300 mA") do
    not count as changes.
    """
    from desktop.core.revisions.changes import compare as find_changes

    if out is not None and out.suffix.casefold() not in KINDS:
        raise typer.BadParameter(
            "a report must be a .pdf or .md file", ctx=context, param_hint="--out"
        )
    folder = existing_library(context, library)
    with (
        opened_documents(folder, read_only=True) as (database, documents),
        interruptible() as cancel,
    ):
        pair = _chosen(context, documents.documents(), old, new)
        comparison = find_changes(database, documents, *pair, cancel)
    if out is not None:
        from desktop.core.reports.changes import write_changes

        path = out.expanduser().absolute()
        write_changes(comparison, path, datetime.now().astimezone())
        sys.stderr.write(f"{path}\n")
    if as_json:
        from desktop.core.reports.changes import as_values

        sys.stdout.write(json.dumps(as_values(comparison), ensure_ascii=False) + "\n")
    elif out is None:
        sys.stdout.write("\n".join(_lines(comparison)) + "\n")


def _chosen(
    context: typer.Context, records: Sequence[DocumentRecord], old: str, new: str | None
) -> tuple[int, int]:
    """Return the ids of the old and of the new manual."""
    from desktop.core.library.editions import other_revision

    first = _one(context, records, old, "OLD")
    if new is not None:
        second = _one(context, records, new, "NEW")
    else:
        other = other_revision(records, first.id)
        if other is None:
            raise Refused(f"The library has no other revision of {first.name}. Name both manuals.")
        second = next(each for each in records if each.id == other.id)
        if not other.newer:
            first, second = second, first
    if first.id == second.id:
        raise Refused("Both names refer to the same manual.")
    for record in (first, second):
        if not record.done[1]:
            raise Refused(f"{record.name} has not been read yet. Read it with: groundwork ingest")
    return first.id, second.id


def _one(
    context: typer.Context, records: Sequence[DocumentRecord], name: str, argument: str
) -> DocumentRecord:
    from desktop.cli.manual_choice import chosen_manuals

    if name.isdigit():
        by_number = [each for each in records if each.id == int(name)]
        if by_number:
            return by_number[0]
    ids = chosen_manuals(context, records, [name], option=argument)
    if len(ids) > 1:
        meant = ", ".join(f"{each.name} ({each.id})" for each in records if each.id in ids)
        raise typer.BadParameter(
            f"'{name}' matches several manuals: {meant}", ctx=context, param_hint=argument
        )
    return next(each for each in records if each.id in ids)


def _lines(comparison: Comparison) -> Iterator[str]:
    from desktop.core.reports.changes import group_name, manual_name, unread_said
    from desktop.core.revisions.changes import GROUPS

    yield f"- {manual_name(comparison.old)}"
    yield f"+ {manual_name(comparison.new)}"
    if comparison.unread:
        yield unread_said(comparison)
    if not comparison.changes:
        yield "Only the layout has changed."
    for group in GROUPS:
        changes = comparison.of_group(group)
        if changes:
            yield f"\n{group_name(group)} ({len(changes)})"
        for change in changes:
            yield from _change_lines(change)


def _change_lines(change: Change) -> Iterator[str]:
    from desktop.core.reports.changes import headline, verb_name
    from knowledge.formatter import plain

    told = [change.level, verb_name(change), headline(change) if change.values else ""]
    told.append("" if change.sure else "(less sure: read by OCR)")
    yield f"* {' '.join(filter(None, told))}"
    for mark, side in (("-", change.old), ("+", change.new)):
        if side is not None:
            yield f"  {mark} page {side.region.label}: {plain(side.text, WIDTH)}"
