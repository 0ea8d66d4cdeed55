"""`groundwork knowledge`: what the site knows besides the manuals."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from desktop.cli.options import (
    Library,
    Refused,
    argument,
    existing_library,
    interruptible,
    opened_workspace,
    option,
    print_json,
    refusing,
)
from knowledge.formatter import plain

if TYPE_CHECKING:
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.notes.note import Note, NoteFilter
    from desktop.core.notes.proposal import Kept, Proposal
    from desktop.core.notes.shared_folder import SharedNotes
    from desktop.core.workspace import Workspace

_WIDTH = 70

application = typer.Typer(
    name="knowledge",
    help="Add, list, relate, exchange and delete what the site knows beyond its manuals.",
    no_args_is_help=True,
)

Site = Annotated[str, option("--site NAME", "The site it is about.")]
Asset = Annotated[str, option("--asset NAME", "The asset it is about.")]
Tags = Annotated[list[str] | None, option("--tag WORD", "A keyword; may be repeated.")]
Search = Annotated[str, option("--search -s TEXT", "Only those containing these words.")]
Tag = Annotated[str, option("--tag WORD", "Only those with this keyword.")]
Kind = Annotated[str, option("--type TYPE", "Only facts, instructions, procedures, ...")]
Json = Annotated[bool, option("--json", "Print JSON.")]


@application.command()
def ingest(
    context: typer.Context,
    path: Annotated[
        Path, argument("FILE", "Plain text in UTF-8; '-' reads standard input.", dir_okay=False)
    ],
    site: Site = "",
    asset: Asset = "",
    role: Annotated[str, option("--role ROLE", "Who knows it, such as 'shift lead'.")] = "",
    tags: Tags = None,
    tier: Annotated[
        int,
        option(
            "--tier", "2 company procedure, 3 training, 4 site note, 5 unverified.", min=2, max=5
        ),
    ] = 4,
    rules: Annotated[bool, option("--rules", "Use simple rules, not the language model.")] = False,
    dry_run: Annotated[bool, option("--dry-run", "Only show what would be kept.")] = False,
    library: Library = None,
) -> None:
    """Turn a text into structured notes and keep them.

    The language model finds facts, instructions, procedures and relations in it;
    without one, simple rules do. A record of the text and the result is kept in the
    library's folder 'check-ins'.
    """
    from desktop.core.library.places import Place

    text = _text_of(path)
    with (
        opened_workspace(existing_library(context, library), read_only=True) as workspace,
        interruptible() as cancel,
    ):
        desk = workspace.notes
        proposal = desk.structure(
            text,
            Place.named(site, asset),
            role=role,
            tier=tier,
            tags=tuple(tags or ()),
            cancel=cancel,
            by_rules=rules,
        )
        _show(proposal)
        if dry_run:
            sys.stdout.write("Nothing was kept: --dry-run.\n")
            return
        kept = desk.keep(proposal)
        _report(kept, len(kept.notes))
        desk.embed_missing(cancel)


@application.command(name="list")
def list_notes(
    context: typer.Context,
    search: Search = "",
    tag: Tag = "",
    kind: Kind = "",
    site: Site = "",
    asset: Asset = "",
    as_json: Json = False,
    library: Library = None,
) -> None:
    """List notes, latest first."""
    from knowledge.loader import piece_values

    with _desk(context, library) as desk:
        notes = desk.list(_filter(search, tag, kind, site, asset))
    if as_json:
        print_json({"pieces": [piece_values(note.piece()) for note in notes]})
        return
    for note in notes:
        sys.stdout.write(f"{note.piece_id}\n  {_line(note)}\n")
    if not notes:
        sys.stderr.write("There are no such notes.\n")


@application.command()
def export(
    context: typer.Context,
    path: Annotated[Path, argument("FILE", "JSON.", dir_okay=False)],
    search: Search = "",
    tag: Tag = "",
    kind: Kind = "",
    site: Site = "",
    asset: Asset = "",
    library: Library = None,
) -> None:
    """Write notes, profiles and relations to a file that 'import' reads."""
    with _desk(context, library) as desk:
        wanted = _filter(search, tag, kind, site, asset)
        count = desk.export_json(path, desk.list(wanted))
    sys.stdout.write(f"Written: {path}, {_count(count, 'note')}\n")


@application.command(name="import")
def import_file(
    context: typer.Context,
    path: Annotated[Path, argument("FILE", "JSON.", dir_okay=False)],
    library: Library = None,
) -> None:
    """Load a file of knowledge: valid items are kept, the others listed with the reason."""
    with (
        opened_workspace(existing_library(context, library), read_only=True) as workspace,
        interruptible() as cancel,
    ):
        kept = workspace.notes.import_json(path)
        _report(kept)
        _say_whom_it_knows(workspace)
        workspace.notes.embed_missing(cancel)


@application.command()
def delete(
    context: typer.Context,
    note: Annotated[str, argument("ID", "Its id in the list.")],
    yes: Annotated[bool, option("--yes -y", "Do not ask for confirmation.")] = False,
    library: Library = None,
) -> None:
    """Delete a note for good."""
    with _desk(context, library) as desk:
        found = desk.get(note)
        if found is None:
            raise Refused(f"There is no note {note}. See them with: groundwork knowledge list")
        if not yes:
            typer.confirm(f"Delete “{found.title}”?", abort=True)
        desk.delete(note)
    sys.stdout.write(f"Deleted: {found.title}\n")


@application.command()
def relations(
    context: typer.Context,
    name: Annotated[
        str, argument("NAME", "Only those involving this thing, person or place.")
    ] = "",
    library: Library = None,
) -> None:
    """List what belongs to what, one relation per line."""
    with _desk(context, library) as desk:
        lines = desk.related(name)
    for line in lines:
        sys.stdout.write(f"{line}\n")
    if not lines:
        sys.stderr.write("There are no such relations.\n")


@application.command()
def relate(
    context: typer.Context,
    lines: Annotated[list[str], argument("RELATION", 'Such as "P1 > driven by > U1".')],
    site: Site = "",
    asset: Asset = "",
    library: Library = None,
) -> None:
    """Record what belongs to what. "type:name" says what type a thing is."""
    from desktop.core.library.places import Place

    with _desk(context, library) as desk:
        new = desk.relate("\n".join(lines), Place.named(site, asset))
    sys.stdout.write(f"Kept: {_count(new, 'relation')}.\n")


@application.command()
def unrelate(
    context: typer.Context,
    lines: Annotated[list[str], argument("RELATION", "As 'relations' lists it.")],
    library: Library = None,
) -> None:
    """Forget relations."""
    with _desk(context, library) as desk:
        gone = desk.unrelate("\n".join(lines))
    if not gone:
        raise Refused("There are no such relations. See them with: groundwork knowledge relations")
    sys.stdout.write(f"Deleted: {_count(gone, 'relation')}.\n")


@application.command()
def connect(
    context: typer.Context,
    urls: Annotated[
        list[str] | None,
        argument(
            "URL",
            "A folder (a USB stick, a network share) for notes that everybody signs; or "
            "redis://host:6379/0 for profiles, chroma://host:8000 or lancedb:///folder for "
            "notes, file:///folder/team.json for all of it.",
        ),
    ] = None,
    library: Library = None,
) -> None:
    """Choose where your team keeps what it shares, and see whether it can be reached.

    Nothing is exchanged yet: 'sync' does that, and with a folder an open
    window does it by itself. Without a URL, nothing is shared any more.
    """
    from desktop.app import load_user_settings
    from desktop.core.notes.shared_folder import SCHEME
    from desktop.core.settings.file import settings_file
    from desktop.core.settings.storage import save_settings
    from knowledge.team import EXPERIMENTAL, kept_by, shown

    settings = load_user_settings().settings
    folders, services = _folders_and_services(urls or ())
    for folder in folders:
        if not folder.is_dir():
            raise Refused(f"There is no folder {folder}. Create it, or connect the disk it is on.")
    if services:
        with opened_workspace(existing_library(context, library), read_only=True) as workspace:
            workspace.notes.team(services).close()
    wanted = [f"{SCHEME}://{folder}" for folder in folders] + services
    settings.knowledge.team = wanted
    save_settings(settings_file(), settings)
    for folder in folders:
        sys.stdout.write(f"notes: {folder}\n")
    if folders:
        with _shared(context, library) as shared:
            sys.stdout.write(
                f"Your key: {shared.own_fingerprint}. The others trust it with: "
                f"groundwork knowledge trust {shared.own_fingerprint}\n"
            )
    for url in services:
        trial = " (experimental)" if url.partition(":")[0] in EXPERIMENTAL else ""
        sys.stdout.write(f"{', '.join(kept_by(url))}: {shown(url)}{trial}\n")
    if not wanted:
        sys.stdout.write("Nothing is shared with a team.\n")


@application.command()
def sync(context: typer.Context, library: Library = None) -> None:
    """Exchange notes with your team's folder; with services, profiles and relations too.

    In a folder every change is signed, deletions are passed on, and what two people
    wrote independently is kept twice until somebody decides ('conflicts'). Of two
    versions in a service the newer note is taken, and nothing is deleted on either
    side.
    """
    from desktop.core.jobs import CancelToken
    from desktop.core.notes.shared_folder import open_shared

    with opened_workspace(existing_library(context, library), read_only=True) as workspace:
        known = workspace.settings.knowledge
        if not known.team:
            raise Refused(
                "No team is connected. Connect one with: groundwork knowledge connect URL"
            )
        shared = open_shared(workspace.notes, workspace.library.folder, known.person)
        folders, services = _folders_and_services(known.team)
        for folder in folders:
            _exchange(shared, folder)
        if services:
            exchanged = workspace.notes.synchronise(services)
            for refused in exchanged.refused:
                sys.stderr.write(f"Not kept: {refused}\n")
            sys.stdout.write(f"Taken: {exchanged.taken}. Given: {exchanged.given}.\n")
        workspace.notes.embed_missing(CancelToken())


@application.command()
def conflicts(context: typer.Context, as_json: Json = False, library: Library = None) -> None:
    """List what two people wrote in the same note without seeing each other's version."""
    with _shared(context, library) as shared:
        found = shared.conflicts()
    if as_json:
        print_json(
            [
                {
                    "id": each.piece_id,
                    "field": each.field,
                    "versions": [
                        {"value": v.value, "name": v.check_in.name, "at": v.check_in.at}
                        for v in each.versions
                    ],
                }
                for each in found
            ]
        )
        return
    for each in found:
        sys.stdout.write(f"{each.piece_id}  {each.field}\n")
        for number, version in enumerate(each.versions, start=1):
            by = f"{version.check_in.name or version.check_in.author}, {version.check_in.at[:16]}"
            sys.stdout.write(f"  {number}: {_told_value(each.field, version.value)}  ({by})\n")
    if found:
        sys.stdout.write("Resolve one with: groundwork knowledge resolve ID NUMBER --field FIELD\n")
    else:
        sys.stderr.write("There are no conflicts.\n")


@application.command()
def resolve(
    context: typer.Context,
    note: Annotated[str, argument("ID", "The note's id in 'conflicts'.")],
    number: Annotated[int, argument("NUMBER", "The version to keep.", min=1)],
    field: Annotated[str, option("--field FIELD", "As 'conflicts' names it.")] = "content",
    library: Library = None,
) -> None:
    """Resolve a conflict, for everybody."""
    with _shared(context, library) as shared:
        found = [c for c in shared.conflicts() if c.piece_id == note and c.field == field]
        if not found or number > len(found[0].versions):
            raise Refused(
                "There is no such conflict. See them with: groundwork knowledge conflicts"
            )
        value = found[0].versions[number - 1].value
        shared.resolve(found[0], value)
    sys.stdout.write(f"Kept: {_told_value(field, value)}\n")


@application.command()
def trust(
    context: typer.Context,
    key: Annotated[str, argument("FINGERPRINT", "Compare it with the person first.")],
    name: Annotated[str, option("--name NAME", "Whose it is.")] = "",
    library: Library = None,
) -> None:
    """Trust a team member's key: what they sign is accepted from now on."""
    from desktop.app import load_user_settings

    folders, _ = _folders_and_services(load_user_settings().settings.knowledge.team)
    if not folders:
        raise Refused(
            "No folder is connected. Connect one with: groundwork knowledge connect FOLDER"
        )
    with _shared(context, library) as shared:
        whose = shared.trust(folders[0], key, name)
    sys.stdout.write(
        f"Trusted: {whose} ({key}). Take their notes with: groundwork knowledge sync\n"
    )


@application.command()
def me(
    name: Annotated[
        str | None, option("--name NAME", "Your name in notes and imported knowledge.")
    ] = None,
    role: Annotated[str | None, option("--role ROLE", "Such as 'shift lead'.")] = None,
    site: Annotated[str | None, option("--site NAME", "Where you usually are.")] = None,
    asset: Annotated[str | None, option("--asset NAME", "What you usually work on.")] = None,
) -> None:
    """Say who you are and where: answers use what is known about you and that place.

    An empty name, as in --site "", clears that one. Without options, show what is set.
    """
    from desktop.app import load_user_settings
    from desktop.core.settings.file import settings_file
    from desktop.core.settings.storage import save_settings

    settings = load_user_settings().settings
    known = settings.knowledge
    given = {"person": name, "role": role, "site": site, "asset": asset}
    for field, value in given.items():
        if value is not None:
            setattr(known, field, value.strip())
    if any(value is not None for value in given.values()):
        save_settings(settings_file(), settings)
    for field in given:
        sys.stdout.write(f"{field}: {getattr(known, field) or 'not set'}\n")


def _folders_and_services(urls: Sequence[str]) -> tuple[list[Path], list[str]]:
    """Return the folders and the services that a team's URLs name."""
    from desktop.core.notes.shared_folder import shared_path

    paths = [shared_path(url) for url in urls]
    services = [url for url, path in zip(urls, paths, strict=True) if path is None]
    return [path for path in paths if path is not None], services


def _exchange(shared: SharedNotes, folder: Path) -> None:
    """Exchange with a folder and report the result; an unreachable one is not a failure."""
    from desktop.core.signing import SigningError

    try:
        with refusing(SigningError):
            exchanged = shared.exchange(folder)
    except OSError as error:
        sys.stderr.write(
            f"The folder {folder} cannot be reached ({error.strerror or error}). Your notes stay "
            "and go there when it is back.\n"
        )
        return
    for each in exchanged.left_out:
        if not each.key:
            sys.stderr.write(f"Left out: {each}\n")
    for key, name in exchanged.newcomers:
        waiting = sum(each.key == key for each in exchanged.left_out)
        sys.stderr.write(
            f"{name} has the key {key}, which is not trusted; {waiting} changes wait. Compare it "
            f"with {name}, then: groundwork knowledge trust {key}\n"
        )
    sys.stdout.write(f"Taken: {exchanged.taken}. Given: {exchanged.given}.\n")
    if exchanged.conflicts:
        sys.stdout.write(
            f"Conflicts: {len(exchanged.conflicts)}. See: groundwork knowledge conflicts\n"
        )


@contextmanager
def _shared(context: typer.Context, library: Path | None) -> Iterator[SharedNotes]:
    from desktop.app import load_user_settings
    from desktop.core.notes.shared_folder import open_shared
    from desktop.core.paths import LibraryFolder
    from desktop.core.signing import SigningError

    folder = LibraryFolder(existing_library(context, library))
    with _desk(context, library) as desk, refusing(SigningError):
        yield open_shared(desk, folder, load_user_settings().settings.knowledge.person)


def _told_value(field: str, value: object) -> str:
    if field == "deleted":
        return "delete it" if value else "keep it"
    if isinstance(value, list):
        return ", ".join(str(each) for each in value) or "nothing"
    return f"“{value}”" if value not in (None, "") else "nothing"


@contextmanager
def _desk(context: typer.Context, library: Path | None) -> Iterator[NoteDesk]:
    """Open only the notes: neither the manuals nor a model is needed."""
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.paths import LibraryFolder

    folder = LibraryFolder(existing_library(context, library))
    with closing(NoteDesk(folder.knowledge)) as desk:
        yield desk


def _say_whom_it_knows(workspace: Workspace) -> None:
    """Say how to choose a person, if somebody is known and nobody has been chosen."""
    if workspace.settings.knowledge.person:
        return
    known = (each.partition(":") for each in workspace.notes.names().ids)
    people = [name for kind, _, name in known if kind == "user"]
    if people:
        sys.stdout.write(
            f"It knows {', '.join(people)}. If that is you, say so with: "
            f"groundwork knowledge me --name {people[0]}\n"
        )


def _filter(search: str, tag: str, kind: str, site: str, asset: str) -> NoteFilter:
    from desktop.core.library.places import Place
    from desktop.core.notes.note import NoteFilter
    from knowledge.pieces import KnowledgeType

    try:
        wanted = KnowledgeType(kind) if kind else None
    except ValueError:
        names = ", ".join(each.value for each in KnowledgeType)
        raise Refused(f"There is no type '{kind}'. Available: {names}.") from None
    return NoteFilter(search, tag, Place.named(site, asset), wanted)


def _text_of(path: Path) -> str:
    if str(path) == "-":
        return sys.stdin.read()
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"{path.name} is not UTF-8 text.") from None


def _show(proposal: Proposal) -> None:
    if proposal.notice:
        sys.stderr.write(proposal.notice + "\n")
    for note in proposal.notes:
        sys.stdout.write(f"{_line(note)}\n")
    for line in (*proposal.profiles, *proposal.relations):
        sys.stdout.write(f"{line}\n")
    for refused in proposal.refused:
        sys.stderr.write(f"Not kept: {refused}\n")


def _report(kept: Kept, notes: int | None = None) -> None:
    """Say what was kept and what was not. Raises: Refused, if there were only problems."""
    for problem in kept.problems:
        sys.stderr.write(f"{problem}\n")
    if kept.problems and not kept.changed:
        raise Refused("Nothing new was kept.")
    said = f"Kept: {_count(notes, 'note')}, " if notes is not None else "Kept: "
    sys.stdout.write(f"{said}{_count(kept.changed, 'item')} new or changed.\n")


def _line(note: Note) -> str:
    """Return a note on one line: what it is, its words, what it is about, its tags."""
    about = ", ".join(part for part in (note.scope, note.role, note.written[:10]) if part)
    tags = f"  #{' #'.join(note.tags)}" if note.tags else ""
    return f"[{note.kind}] {plain(note.text, _WIDTH)}" + (f"  ({about})" if about else "") + tags


def _count(count: int, thing: str) -> str:
    return f"1 {thing}" if count == 1 else f"{count} {thing}s"
