"""`groundwork documents`: what the library holds, and how far each document is to be trusted."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from desktop.cli.options import Library, argument, existing_library, opened_documents, option

if TYPE_CHECKING:
    from desktop.core.library.values import DocumentRecord

TITLE_WIDTH = 48

application = typer.Typer(
    name="documents",
    help="List and remove a library's documents, and say how far to trust each of them.\n\n"
    "Tiers: 1 maker's manual or standard, 2 bulletin or company procedure, 3 training "
    "material, 4 site note, 5 unverified.",
    no_args_is_help=True,
)


@application.command(name="list")
def list_documents(
    context: typer.Context,
    tag: Annotated[str, option("--tag TAG", "Only those with this tag.")] = "",
    as_json: Annotated[bool, option("--json", "Print them as one line of JSON each.")] = False,
    library: Library = None,
) -> None:
    """List documents in the order they were added: tier, type, revision, title, file, tags."""
    with opened_documents(existing_library(context, library), read_only=True) as (_, documents):
        for record in documents.documents():
            if tag and tag.casefold() not in {each.casefold() for each in record.tags}:
                continue
            sys.stdout.write((json.dumps(_values(record)) if as_json else _line(record)) + "\n")


@application.command(name="set")
def set_documents(
    context: typer.Context,
    names: Annotated[list[str], argument("NAME...", "File names or titles of documents.")],
    tier: Annotated[
        int | None, option("--tier", "How far to trust it; 1 is best.", min=1, max=5)
    ] = None,
    source_type: Annotated[str | None, option("--type TEXT", "Such as 'bulletin'.")] = None,
    tags: Annotated[
        list[str] | None, option("--tag TAG", "Replaces its tags. May be repeated; '' clears them.")
    ] = None,
    revision: Annotated[str | None, option("--revision TEXT", "Such as 'Rev C'.")] = None,
    revision_date: Annotated[
        str | None, option("--date DATE", "Date of the revision, such as 2026-03-01.")
    ] = None,
    by_rules: Annotated[bool, option("--by-rules", "First forget what was set by hand.")] = False,
    library: Library = None,
) -> None:
    """Set what is given; the rest stays as it is, and what is set by hand stays for good."""
    from desktop.app import load_user_settings
    from desktop.cli.manual_choice import chosen_manuals
    from desktop.core.library.values import BadSource, SourceEdit

    edit = SourceEdit(
        tier, source_type, None if tags is None else tuple(tags), revision, revision_date
    )
    if edit == SourceEdit() and not by_rules:
        raise typer.BadParameter("say what to set, such as --tier 2", ctx=context)
    with opened_documents(existing_library(context, library), read_only=False) as (_, documents):
        ids = chosen_manuals(context, documents.documents(), names, option="NAME")
        try:
            if by_rules:
                documents.read_sources(load_user_settings().settings.source_tiers, again=ids)
            documents.set_source(ids, edit)
        except BadSource as error:
            raise typer.BadParameter(str(error), ctx=context) from error
        for document_id in sorted(ids):
            sys.stdout.write(_line(documents.document(document_id)) + "\n")


@application.command(name="remove")
def remove_documents(
    context: typer.Context,
    names: Annotated[list[str], argument("NAME...", "File names or titles of documents.")],
    yes: Annotated[bool, option("--yes -y", "Do not ask for confirmation.")] = False,
    library: Library = None,
) -> None:
    """Remove documents, what was read from them and the library's copies of their files."""
    from desktop.cli.manual_choice import chosen_manuals
    from desktop.core.errors import BelongsToPack

    with opened_documents(existing_library(context, library), read_only=False) as (_, documents):
        ids = chosen_manuals(context, documents.documents(), names, option="NAME")
        records = [documents.document(document_id) for document_id in sorted(ids)]
        if not yes:
            typer.confirm(f"Remove {', '.join(each.name for each in records)}?", abort=True)
        for record in records:
            try:
                documents.delete(record.id)
            except BelongsToPack as error:
                raise typer.BadParameter(str(error), ctx=context) from error
            sys.stdout.write(f"Removed {record.name}\n")


def _line(record: DocumentRecord) -> str:
    revision = " ".join(filter(None, (record.revision, record.revision_date)))
    title = record.title[:TITLE_WIDTH]
    tags = f"  [{', '.join(record.tags)}]" if record.tags else ""
    return (
        f"{record.id:>4}  {record.tier}  {record.source_type:<12}  {revision:<22}  "
        f"{title:<{TITLE_WIDTH}}  {record.name}{tags}"
    )


def _values(record: DocumentRecord) -> dict[str, object]:
    return {
        "id": record.id,
        "name": record.name,
        "title": record.title,
        "tier": record.tier,
        "source_type": record.source_type,
        "tags": list(record.tags),
        "revision": record.revision,
        "revision_date": record.revision_date,
        "pages": record.page_count,
        "state": record.state,
    }
