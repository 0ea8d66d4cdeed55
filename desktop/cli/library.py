"""`groundwork library`: checking, repairing, backing up, and carrying a library elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from desktop.cli.options import (
    Library,
    Refused,
    argument,
    existing_library,
    interruptible,
    library_folder,
)

if TYPE_CHECKING:
    from desktop.core.store.backups import Backup

MEBIBYTE = 1 << 20

application = typer.Typer(
    name="library",
    help="Check, repair and back up a library, or carry it to another computer in one file.",
    no_args_is_help=True,
)


@application.command()
def check(context: typer.Context, library: Library = None) -> None:
    """Look for damage in the databases, the copies of the manuals and the backups.

    Nothing is changed; the library may be open. Exits with 1 if anything is wrong.
    """
    from desktop.core.store.backups import backups_of
    from desktop.core.upkeep.repair import check_library

    folder = existing_library(context, library)
    wrong = 0
    for finding in check_library(folder):
        wrong += 1
        sys.stdout.write(f"{finding.part}: {finding.text.strip()}\n    -> {finding.remedy}\n")
    newest = next(iter(backups_of(folder)), None)
    made = f"made {_when(newest)}" if newest else "none yet (groundwork library backup)"
    sys.stdout.write(f"{'Nothing is wrong.' if not wrong else f'{wrong} findings.'}\n")
    sys.stdout.write(f"Newest backup: {made}.\n")
    raise typer.Exit(1 if wrong else 0)


@application.command()
def repair(context: typer.Context, library: Library = None) -> None:
    """Rebuild a damaged library file from what can be read; the damaged one is kept.

    Indexes are rebuilt from the texts; lost pages, passages and vectors are read again
    from the copies of the manuals by the next 'groundwork ingest' or in the window.
    """
    from desktop.core.upkeep.repair import repair as make_whole

    folder = existing_library(context, library)
    done = make_whole(folder)
    sys.stdout.write(f"Repaired. The damaged file is in {done.aside}.\n")
    if done.incomplete:
        sys.stdout.write(
            f"Not everything could be read from: {', '.join(done.incomplete)}. "
            "A backup may hold more: groundwork library restore\n"
        )
    if done.adopted:
        sys.stdout.write(f"{done.adopted} manuals were added again from their copies.\n")
    if done.to_read:
        sys.stdout.write(f"{done.to_read} manuals have to be read again: groundwork ingest\n")


@application.command()
def backup(context: typer.Context, library: Library = None) -> None:
    """Copy the databases into the library's folder 'backups'; the library may stay open."""
    from desktop.core.store.database import Database

    with Database.open(existing_library(context, library), read_only=True) as database:
        made = database.keep_backup("by-hand")
    sys.stdout.write(f"{made.name}  {made.size / MEBIBYTE:.1f} MB\n")


@application.command()
def restore(
    context: typer.Context,
    name: Annotated[str | None, argument("BACKUP", "A name from the list, or 'newest'.")] = None,
    library: Library = None,
) -> None:
    """Restore a backup, keeping the current databases; without a name, list the backups.

    Manuals added after the backup are added again from their copies.
    """
    from desktop.core.store.backups import backups_of
    from desktop.core.upkeep.repair import restore_and_repair

    folder = library_folder(context, library)
    backups = backups_of(folder)
    if not backups:
        raise Refused(f"There is no backup in {folder / 'backups'}.")
    if name is None:
        for each in backups:
            sys.stdout.write(f"{each.name}  {each.size / MEBIBYTE:8.1f} MB  {_when(each)}\n")
        return
    chosen = backups[0] if name == "newest" else _named(backups, name)
    done = restore_and_repair(folder, chosen)
    sys.stdout.write(f"Restored {chosen.name}. The files that were in use are kept in backups.\n")
    if done.to_read:
        sys.stdout.write(f"{done.to_read} manuals have to be read again: groundwork ingest\n")


@application.command(name="export")
def export_file(
    context: typer.Context,
    target: Annotated[Path, argument("FILE", "Such as plant.groundwork.")],
    library: Library = None,
) -> None:
    """Write the whole library into one file: manuals, notes, conversations, reports."""
    from desktop.core.upkeep.carrier import SUFFIX, export_library

    folder = existing_library(context, library)
    path = target.expanduser().absolute()
    path = path if path.suffix else path.with_suffix(SUFFIX)
    with interruptible() as cancel:
        export_library(folder, path, cancel)
    sys.stdout.write(f"{path}  {path.stat().st_size / MEBIBYTE:.1f} MB\n")


@application.command(name="import")
def import_file(
    context: typer.Context,
    source: Annotated[Path, argument("FILE", "Made by 'export'.", exists=True, dir_okay=False)],
    library: Library = None,
) -> None:
    """Unpack a library written by 'export' into a new folder; every file is verified."""
    from desktop.core.upkeep.carrier import import_library

    folder = library_folder(context, library)
    with interruptible() as cancel:
        import_library(source, folder, cancel)
    sys.stdout.write(f"Every file is as it was exported. The library is in {folder}.\n")


def _named(backups: list[Backup], name: str) -> Backup:
    found = [each for each in backups if each.name == name or str(each.number) == name.lstrip("0")]
    if len(found) != 1:
        raise Refused(f"There is no backup {name}. List them with: groundwork library restore")
    return found[0]


def _when(backup: Backup) -> str:
    return f"{backup.made_at.astimezone():%Y-%m-%d %H:%M}, {backup.reason}"
