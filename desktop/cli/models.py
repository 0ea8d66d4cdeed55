"""`groundwork models`: which models there are; bringing them in and taking them out."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from desktop.cli.models_progress import STOPPED, refusals, run_job, say
from desktop.cli.options import Refused

if TYPE_CHECKING:
    from desktop.models.catalogue import CatalogueEntry
    from desktop.models.packs.installing import PackDone
    from desktop.models.packs.model_folder import ModelFolder

_MOST_NAMES = 5

application = typer.Typer(
    name="models",
    help="List, import, verify, remove, pack and download models.\n\n"
    "They are kept in one folder of this user; the variable GROUNDWORK_MODELS puts it elsewhere.",
    invoke_without_command=True,
    context_settings={"help_option_names": ["--help", "-h"]},
)

ModelId = Annotated[str, typer.Argument(metavar="ID", help="As 'groundwork models list' shows it.")]
Replace = Annotated[
    bool, typer.Option("--replace", help="Take the place of an installed model with this id.")
]


@application.callback()
def start(context: typer.Context) -> None:
    """Without a command, list the models."""
    if context.invoked_subcommand is None:
        list_models()


@application.command("list")
def list_models(
    as_json: Annotated[bool, typer.Option("--json", help="Print the models as JSON.")] = False,
) -> None:
    """Show what is installed, and what Groundwork knows by name."""
    from desktop.cli.models_table import print_json, print_table, read_rows

    rows = read_rows(_folder())
    if as_json:
        print_json(rows)
    else:
        print_table(rows)


@application.command("import")
def import_model(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER_OR_ZIP",
            help="A folder in Hugging Face or MLX layout, such as on a USB stick, or a pack.",
        ),
    ],
    model_id: Annotated[
        str | None,
        typer.Option("--id", metavar="ID", help="Its name here. Default: that of the folder."),
    ] = None,
    replace: Replace = False,
    base: Annotated[
        Path | None,
        typer.Option(
            "--base",
            metavar="DIR",
            help="For a LoRA adapter: the folder of the model that it changes.",
        ),
    ] = None,
) -> None:
    """Install a model from a folder or zip file, without a network.

    Only safetensors weights and their settings are taken, nothing that could run. The folder
    is only read; an import that is stopped or refused leaves nothing behind.
    """
    from desktop.models.catalogue import Catalogue
    from desktop.models.packs.operations import import_pack

    folder = _folder()
    done = run_job(
        source.name,
        lambda cancelled: import_pack(
            source.expanduser(),
            folder,
            Catalogue.load(),
            model_id=model_id,
            replace=replace,
            base=base.expanduser() if base else None,
            cancelled=cancelled,
        ),
        "Interrupted. Nothing of it was kept.",
    )
    _say_installed(done, folder)


@application.command()
def verify(
    model_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="Default: every installed model.")
    ] = None,
) -> None:
    """Hash every file again and compare it with what was imported.

    Ends with 1 if one is damaged.
    """
    from desktop.models.packs.operations import verify as verify_files

    folder = _folder()
    ids = [model_id] if model_id else folder.ids()
    if not ids:
        raise Refused(f"There is nothing to verify: no model is installed in {folder.root}.")
    damaged = False
    for each in ids:
        try:
            damage = run_job(each, partial(verify_files, each, folder), STOPPED).damage
        except Refused as refused:
            if each not in folder.ids():
                raise
            damage = (refused.format_message(),)
        damaged = damaged or bool(damage)
        say("x" if damage else "+", each, " ".join(damage) or "all files are as they were")
    if damaged:
        sys.stderr.write("Import a damaged model again, from where it came.\n")
    raise typer.Exit(1 if damaged else 0)


@application.command()
def remove(model_id: ModelId) -> None:
    """Delete an installed model, or what has arrived of an unfinished download."""
    from desktop.models.packs.download import discard
    from desktop.models.packs.operations import remove as remove_files

    folder = _folder()
    with refusals():
        stopped = discard(model_id, folder)
        if model_id in folder.ids() or not stopped:
            remove_files(model_id, folder)
    say("-", model_id, "removed")


@application.command()
def pack(
    model_id: ModelId,
    target: Annotated[
        Path,
        typer.Argument(metavar="OUT", help="A new zip file, if it ends in .zip, or a new folder."),
    ],
) -> None:
    """Write an installed model to a zip file or folder, for another machine."""
    from desktop.models.packs.operations import write_pack

    folder = _folder()
    end = run_job(
        model_id,
        lambda cancelled: write_pack(model_id, folder, target.expanduser(), cancelled),
        "Interrupted. Nothing was written.",
    )
    say("+", model_id, f"written to {end.target}")
    sys.stdout.write(f"On the other machine: groundwork models import {end.target.name}\n")


@application.command()
def download(
    context: typer.Context,
    model_id: ModelId,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    replace: Replace = False,
) -> None:
    """Download a model that Groundwork knows by name; asks first.

    This is the only command that uses a network. After an interruption the same command goes
    on from there.
    """
    from desktop.models.catalogue import Catalogue
    from desktop.models.packs.download import download as download_files

    catalogue = Catalogue.load()
    entry = catalogue.entry(model_id)
    if entry is None:
        known = ", ".join(each.id for each in catalogue.entries)
        raise typer.BadParameter(
            f"{model_id} is not in the catalogue. It has: {known}", ctx=context, param_hint="ID"
        )
    folder = _folder()
    if folder.find(entry.id) is not None and not replace:
        raise Refused(f"{entry.id} is installed already. Download it again with --replace.")
    _ask_first(entry, folder, yes=yes)
    done = run_job(
        entry.id,
        lambda cancelled: download_files(
            entry, folder, catalogue, replace=replace, cancelled=cancelled
        ),
        "Interrupted. What has arrived is kept: the same command goes on from there.",
    )
    _say_installed(done, folder)


def _ask_first(entry: CatalogueEntry, folder: ModelFolder, *, yes: bool) -> None:
    from desktop.models.packs.copying import in_units
    from desktop.models.packs.download import arrived_bytes, offer

    offered = offer(entry)
    size = in_units(offered.size_bytes)
    if arrived := arrived_bytes(entry.id, folder):
        size += f", of which {in_units(arrived)} have arrived"
    sys.stderr.write(
        f"{entry.title}\n"
        f"  from     {offered.source}\n"
        f"  size     {size}\n"
        f"  licence  {offered.licence}\n"
        f"  to       {folder.root}\n"
        f"{offered.host} will see this computer's address and which model it wants, nothing "
        "else.\n"
    )
    if yes:
        return
    if not sys.stdin.isatty():
        raise Refused("Nobody can be asked here. If you agree, add --yes.")
    if not typer.confirm("Download it?", err=True):
        raise Refused("Nothing was downloaded.")


def _say_installed(done: PackDone, folder: ModelFolder) -> None:
    from desktop.models.packs.copying import in_units

    manifest = folder.manifest(done.model.id)
    say("+", manifest.id, f"installed, {manifest.role} model, {in_units(manifest.size_bytes)}")
    licence = manifest.licence
    if licence == "unknown":
        licence = "unknown: nothing in the folder states one. Look it up before you use the model"
    sys.stdout.write(f"  licence: {licence}\n")
    if done.left_out:
        shown = ", ".join(done.left_out[:_MOST_NAMES])
        more = len(done.left_out) - _MOST_NAMES
        sys.stdout.write(
            f"  left out, because code and pickles are never taken: {shown}"
            + (f" and {more} more\n" if more > 0 else "\n")
        )


def _folder() -> ModelFolder:
    """Return the user's models; what a killed import left there is removed."""
    from desktop.models.packs.model_folder import ModelFolder

    folder = ModelFolder()
    folder.sweep()
    return folder
