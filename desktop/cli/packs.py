"""`groundwork pack`: packs of manuals, built and signed by a company, attached on its laptops."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
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
    opened_documents,
    option,
    refusing,
)

if TYPE_CHECKING:
    from desktop.core.jobs import CancelToken
    from desktop.core.manual_packs.attached import AttachedPack, ManualPacks, PackEvent
    from desktop.core.manual_packs.building import ShardBuilder
    from desktop.core.signing import TrustedKeys

MEBIBYTE = 1 << 20
TITLE_WIDTH = 48
AGAIN = "Interrupted. Run the same command again to continue.\n"

application = typer.Typer(
    name="pack",
    help="Packs of manuals: build and sign one for many computers, attach one to your "
    "library.\n\ndocs/teams.md explains the whole process.",
    no_args_is_help=True,
)

PackArgument = Annotated[Path, argument("DIR", "The folder of the pack.", file_okay=False)]
NameArgument = Annotated[str, argument("PACK", "Its name or id, as listed.")]


@application.command()
def build(
    sources: Annotated[list[Path], argument("SOURCE...", "Folders with PDF files.", exists=True)],
    out: Annotated[Path, option("--out DIR", "The folder of the pack.", file_okay=False)],
    name: Annotated[str, option("--name TEXT", "What people call it. Default: as before.")] = "",
    expires: Annotated[
        datetime | None, option("--expires DATE", "Such as 2027-12-31.", formats=["%Y-%m-%d"])
    ] = None,
    retry: Annotated[
        bool, option("--retry", "Try files in quarantine.json and unread pages again.")
    ] = False,
    prune: Annotated[
        bool, option("--prune", "Then delete files of manuals no longer in the pack.")
    ] = False,
    work: Annotated[
        Path | None,
        option(
            "--work DIR",
            "Where to read manuals: a local disk, if the pack is on a share.",
            file_okay=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        option("--workers N", "How many at once, using Ray. Default: one, without Ray.", min=1),
    ] = None,
    address: Annotated[
        str, option("--address HOST:PORT", "Address of a Ray cluster, or auto on one of its nodes.")
    ] = "",
) -> None:
    """Read manuals into a pack, or bring a pack up to date with its folders.

    What was read is kept: after an interruption, run the same command again to
    continue. Files that cannot be read are listed in quarantine.json with the reason.
    Then sign the pack.
    """
    from desktop.app import load_user_settings, logging_to
    from desktop.app.models import open_pack_tools
    from desktop.core.manual_packs.building import Quarantined, build_pack, one_after_the_other
    from desktop.core.manual_packs.building import prune as prune_pack
    from desktop.core.manual_packs.manifest import PackFolder, read_manifest

    scratch = work.expanduser().absolute() if work else None
    pack = PackFolder(out.expanduser().absolute(), scratch)
    last_day = expires.replace(hour=23, minute=59, second=59, tzinfo=UTC) if expires else None
    built = failed = 0
    settings = load_user_settings().settings
    shards: ShardBuilder = one_after_the_other
    if workers or address:
        from desktop.core.manual_packs.cluster import RayWorkers

        shards = RayWorkers(partial(open_pack_tools, settings), workers or 0, address)
    with (
        logging_to(pack.root),
        open_pack_tools(settings) as tools,
        interruptible(AGAIN) as cancel,
        _progress() as show,
    ):
        for event in build_pack(
            sources,
            pack,
            tools,
            cancel,
            name=name,
            expires_at=last_day,
            retry=retry,
            build_shards=shards,
        ):
            show(event.done, event.total, event.path.name)
            if isinstance(event.result, Quarantined):
                failed += 1
                sys.stderr.write(f"x {event.path}: {event.result.reason}\n")
            else:
                built += event.built
                if event.result.failed_pages:
                    count = event.result.failed_pages
                    note = f"{count} page{'s' if count != 1 else ''} could not be read in full"
                    sys.stderr.write(f"! {event.path}: {note}\n")
    manifest = read_manifest(pack)
    assert manifest is not None  # written at the end
    sys.stdout.write(
        f"{manifest.name}, release {manifest.release}: {manifest.manuals} manuals, "
        f"{manifest.pages} pages. {built} built now, {manifest.manuals - built} were there, "
        f"{failed} in quarantine.\n"
    )
    if prune:
        sys.stdout.write(f"{prune_pack(pack)} files of other manuals deleted.\n")
    if not pack.signature.exists():
        sys.stdout.write(f"Sign it: groundwork pack sign {out} --key KEYFILE\n")
    raise typer.Exit(1 if failed else 0)


@application.command()
def keygen(
    path: Annotated[Path, argument("FILE", "Such as company.key.")],
    passphrase: Annotated[
        bool, option("--passphrase", "Ask for a passphrase to protect it.")
    ] = False,
) -> None:
    """Make the company's key: a private file that signs, and a .pub file for every laptop."""
    from desktop.core.signing import PUBLIC_SUFFIX, fingerprint, make_key

    secret = _asked_for("New passphrase", confirmed=True) if passphrase else ""
    try:
        key = make_key(path, secret)
    except FileExistsError as error:
        raise Refused(
            f"{path} or its .pub file already exists; keys are never replaced."
        ) from error
    sys.stdout.write(
        f"{path}: keep it secret, and a copy of it in a safe.\n"
        f"{path.with_suffix(PUBLIC_SUFFIX)}: give it to every laptop (groundwork pack trust).\n"
        f"Fingerprint: {fingerprint(key)}\n"
    )


@application.command()
def sign(
    folder: PackArgument,
    key: Annotated[Path, option("--key FILE", "The private key.", exists=True)],
    passphrase: Annotated[
        bool, option("--passphrase", "Ask for the passphrase of the key.")
    ] = False,
) -> None:
    """Sign a pack with the company's private key."""
    from desktop.core.manual_packs.manifest import PackFolder, read_manifest
    from desktop.core.paths import write_whole
    from desktop.core.signing import KeyUnusable, fingerprint, read_private_key
    from desktop.core.signing import sign as signature_of

    pack = PackFolder(folder)
    manifest = read_manifest(pack)
    if manifest is None:
        raise Refused(f"There is no pack in {folder}. Build one: groundwork pack build")
    with refusing(KeyUnusable):
        private = read_private_key(key, _asked_for("Passphrase") if passphrase else "")
    write_whole(pack.signature, signature_of(pack.manifest.read_bytes(), private))
    sys.stdout.write(
        f"{manifest.name}, release {manifest.release}, {manifest.manuals} manuals: signed with "
        f"{fingerprint(private.public_key())}.\n"
    )


@application.command()
def verify(
    folder: PackArgument,
    key: Annotated[
        Path | None, option("--key FILE", "A .pub file, instead of the trusted keys.")
    ] = None,
) -> None:
    """Compare a pack with its signature, and every file in it with what was signed."""
    import tempfile

    from desktop.core.manual_packs.manifest import faults_of, open_pack
    from desktop.core.signing import KeyUnusable, TrustedKeys

    with tempfile.TemporaryDirectory() as passing:
        keys = _trusted()
        if key is not None:
            keys = TrustedKeys(Path(passing))
            with refusing(KeyUnusable):
                keys.add(key)
        pack = open_pack(folder, keys)
    faults = 0
    with interruptible(AGAIN) as cancel, _progress() as show:
        for done, entry, fault in faults_of(pack, cancel.check):
            show(done, pack.manifest.manuals, entry.shown)
            if fault:
                faults += 1
                sys.stdout.write(f"x {entry.shown}: {fault}\n")
    whole = "every file is as signed" if not faults else f"{faults} files are not as signed"
    sys.stdout.write(
        f"{pack.manifest.name}, release {pack.manifest.release}, signed by {pack.signer.name} "
        f"({pack.signer.fingerprint}): {whole}.\n"
    )
    raise typer.Exit(1 if faults else 0)


@application.command()
def trust(
    file: Annotated[
        Path | None, argument("KEYFILE", "The company's .pub file.", exists=True)
    ] = None,
    name: Annotated[str, option("--name TEXT", "What to call it.")] = "",
    remove: Annotated[str, option("--remove NAME", "Stop trusting this key.")] = "",
) -> None:
    """Trust the company's key on this computer; without a file, list the keys."""
    from desktop.core.signing import KeyUnusable

    keys = _trusted()
    with refusing(KeyUnusable):
        if remove and not keys.remove(remove):
            raise Refused(f"No key is called {remove}. List them with: groundwork pack trust")
        if file is not None:
            keys.add(file, name)
    known = keys.all()
    for each in known:
        sys.stdout.write(f"{each.fingerprint}  {each.name}\n")
    if not known:
        sys.stdout.write("No key is trusted. Trust your company's: groundwork pack trust FILE\n")


@application.command()
def attach(
    context: typer.Context,
    folder: PackArgument,
    only: Annotated[
        list[str] | None,
        option(
            "--only TEXT",
            "Only manuals with this in the title, file name or folder; * and ? are allowed. "
            "May be repeated.",
        ),
    ] = None,
    only_from: Annotated[
        Path | None, option("--only-from FILE", "The same, one per line.", exists=True)
    ] = None,
    in_place: Annotated[
        bool, option("--in-place", "Leave the PDF files where they are, such as on a share.")
    ] = False,
    library: Library = None,
) -> None:
    """Attach a pack to a library; attaching it again resumes, or changes the selection.

    Its signature and every file are verified first. Your notes, highlights and
    bookmarks stay.
    """
    lines = only_from.read_text(encoding="utf-8").splitlines() if only_from else []
    chosen = [each.strip() for each in (*(only or ()), *lines) if each.strip()]
    if (only or only_from) and not chosen:
        raise Refused("--only and --only-from name no manual.")
    with _packs(library_folder(context, library)) as packs:
        _run(
            lambda cancel: packs.attach(
                folder.expanduser(), cancel, chosen=chosen, in_place=in_place
            )
        )


@application.command()
def update(
    context: typer.Context,
    name: NameArgument,
    folder: Annotated[
        Path | None, option("--from DIR", "Where it is now.", file_okay=False)
    ] = None,
    library: Library = None,
) -> None:
    """Update a pack to the release now in its folder; only what changed is taken."""
    with _packs(existing_library(context, library)) as packs:
        _run(lambda cancel: packs.update(name, cancel, folder))


@application.command()
def detach(context: typer.Context, name: NameArgument, library: Library = None) -> None:
    """Remove a pack and its manuals from a library.

    Your notes, highlights and marks in them are kept and come back with them.
    """
    with _packs(existing_library(context, library)) as packs:
        _run(lambda cancel: packs.detach(name, cancel))


@application.command(name="list")
def list_packs(context: typer.Context, library: Library = None) -> None:
    """List the packs of a library."""
    with _packs(existing_library(context, library), read_only=True) as packs:
        attached = packs.all()
    for pack in attached:
        sys.stdout.write(_described(pack))
    if not attached:
        sys.stdout.write("No pack is attached. Attach one: groundwork pack attach DIR\n")


def _described(pack: AttachedPack) -> str:
    lines = [
        f"{pack.name}, release {pack.release} of {pack.created_at[:10]}: {pack.manuals} manuals, "
        f"{pack.pages} pages, {pack.bytes / MEBIBYTE:.1f} MB of PDF files",
        f"  id {pack.id}, signed by {pack.signed_by}",
        f"  from {pack.folder}" + (", where the PDF files are" if pack.in_place else ""),
    ]
    if pack.expires_at:
        lines.append(f"  expires {pack.expires_at[:10]}")
    if pack.chosen:
        lines.append(f"  only {', '.join(pack.chosen)}")
    if remark := pack.remark():
        lines.append(f"  {remark}")
    return "\n".join(lines) + "\n"


def _asked_for(what: str, confirmed: bool = False) -> str:
    secret: str = typer.prompt(what, hide_input=True, confirmation_prompt=confirmed, err=True)
    return secret


def _trusted() -> TrustedKeys:
    from desktop.core.paths import trusted_keys
    from desktop.core.signing import TrustedKeys

    return TrustedKeys(trusted_keys("packs"))


@contextmanager
def _packs(folder: Path, read_only: bool = False) -> Iterator[ManualPacks]:
    from desktop.app import logging_to
    from desktop.core.manual_packs.attached import ManualPacks

    opened = opened_documents(folder, read_only=read_only)
    with opened as (database, documents), logging_to(folder):
        yield ManualPacks(database, documents, _trusted())


def _run(job: Callable[[CancelToken], Iterator[PackEvent]]) -> None:
    """Run a job on the packs of a library; ends the command with 1 if a manual was refused."""
    from desktop.core.manual_packs.attached import ManualRefused, PackDone, PackProgress

    refused = False
    with interruptible(AGAIN) as cancel, _progress() as show:
        for event in job(cancel):
            match event:
                case PackProgress():
                    show(event.done, event.total, event.title)
                case ManualRefused():
                    refused = True
                    sys.stderr.write(f"x {event.title}: {event.reason}\n")
                case PackDone():
                    sys.stdout.write(f"{event.sentence}\n")
    raise typer.Exit(1 if refused else 0)


@contextmanager
def _progress() -> Iterator[Callable[[int, int, str], None]]:
    """Draw a bar on a terminal; write a line every ten seconds to a file or a pipe."""
    from rich.progress import MofNCompleteColumn

    from desktop.cli.progress import Bars

    with Bars(MofNCompleteColumn()) as bars:
        bar = bars.add_task("", total=None)

        def show(done: int, total: int, title: str) -> None:
            bars.update(bar, completed=done, total=total, description=title[:TITLE_WIDTH])
            bars.say_now_and_then(f"{done} of {total}: {title}")

        yield show
