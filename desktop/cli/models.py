"""`groundwork models`: which models there are; adding them and removing them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar, cast

import typer

from desktop.cli.options import (
    INTERRUPTED,
    Refused,
    argument,
    on_interrupt,
    option,
    print_json,
    refusing,
)
from desktop.models.errors import DownloadFailed, ModelDamaged, ModelNotInstalled, PackRefused
from desktop.models.packs.pack_events import PackProgress, in_units

if TYPE_CHECKING:
    from collections.abc import Generator

    from desktop.models.catalogue import CatalogueEntry
    from desktop.models.generation import Cancelled
    from desktop.models.overview import ModelStatus
    from desktop.models.packs.model_folder import ModelFolder
    from desktop.models.packs.pack_events import PackDone

EndT = TypeVar("EndT")

STOPPED = "Interrupted."


def run_job(
    name: str, job: Callable[[Cancelled], Iterator[PackProgress | EndT]], when_stopped: str
) -> EndT:
    """Run a job of `packs.operations` with a progress bar; return its last event.

    Raises: Refused, with the job's reason; typer.Exit with 130 after Ctrl-C.
    """
    stop = threading.Event()
    last: EndT | None = None
    events = cast("Generator[PackProgress | EndT, None, None]", job(stop.is_set))
    with _refusals(), _progress(name) as show, on_interrupt(stop.set), closing(events):
        for event in events:
            if isinstance(event, PackProgress):
                show(event)
            else:
                last = event
    if last is None:
        sys.stderr.write(f"{when_stopped}\n")
        raise typer.Exit(INTERRUPTED)
    return last


_refusals = partial(refusing, PackRefused, DownloadFailed, ModelNotInstalled, ModelDamaged)


def say(sign: str, model_id: str, remark: str) -> None:
    """Print what became of a model."""
    from rich.console import Console

    from desktop.cli.progress import print_marked

    print_marked(Console(highlight=False, soft_wrap=True), sign, f"{model_id}: {remark}")


@contextmanager
def _progress(name: str) -> Iterator[Callable[[PackProgress], None]]:
    """Give what shows the progress of one job; each stage has a bar with its own pace."""
    from rich.progress import DownloadColumn, TimeRemainingColumn, TransferSpeedColumn

    from desktop.cli.progress import Bars

    with Bars(DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn()) as bars:

        def show(event: PackProgress) -> None:
            doing = f"{name}: {event.stage}"
            if doing not in (task.description for task in bars.tasks):
                for before in bars.task_ids:
                    bars.remove_task(before)
                bars.add_task(doing, total=None)
            done, total = event.done_bytes, event.total_bytes
            bars.update(bars.task_ids[0], completed=done, total=total or None)
            if total:
                bars.say_now_and_then(f"{doing}, {done / total:.0%}")

        yield show


FILE_WIDTH = 100
"""Width of the table, in columns, when it goes to a file or a pipe."""

_STYLES = {"installed": "green", "damaged": "red", "cannot run here": "yellow"}
_NOT_INSTALLED = "not installed"


_IN_JSON = (
    "id", "title", "role", "size_bytes", "memory_bytes", "licence", "problem", "fits", "speed"
)  # fmt: skip


def read_rows(folder: ModelFolder) -> list[tuple[ModelStatus, str]]:
    """Read the same models that the window shows, and what a person is told of their state."""
    from desktop.app import load_user_settings, make_manager
    from desktop.models.inference_thread import InferenceThread

    with closing(InferenceThread()) as thread:
        statuses = make_manager(thread, load_user_settings().settings).models()
    damaged = folder.problems()
    return [_row(status, folder, status.id in damaged) for status in statuses]


def print_table(rows: Sequence[tuple[ModelStatus, str]], folder: Path) -> None:
    """Print the table, then what is wrong with which model, then what can be done."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("Model", "Role"):
        table.add_column(title, no_wrap=True)
    for title in ("Size", "Memory"):
        table.add_column(title, no_wrap=True, justify="right")
    table.add_column("State", no_wrap=True)
    table.add_column("Licence")
    for status, state in rows:
        table.add_row(
            Text(status.id),
            status.role,
            in_units(status.size_bytes),
            in_units(status.memory_bytes) + ("" if status.fits else " !"),
            Text(state, style=_STYLES.get(state, "")),
            Text(status.licence or "unknown"),
            style="dim" if state == _NOT_INSTALLED else None,
        )
    console = Console(width=None if sys.stdout.isatty() else FILE_WIDTH, highlight=False)
    console.print(table)
    console.print()
    for line in _remarks(rows, folder):
        console.print(line, markup=False, soft_wrap=True)


def _row(status: ModelStatus, folder: ModelFolder, damaged: bool) -> tuple[ModelStatus, str]:
    from desktop.models.packs.download import arrived_bytes

    if damaged:
        return status, "damaged"
    if status.problem:
        return status, "cannot run here"
    if status.state != "available":
        return status, "installed"
    arrived = arrived_bytes(status.id, folder)
    return status, f"{in_units(arrived)} arrived" if arrived else _NOT_INSTALLED


def _remarks(rows: Sequence[tuple[ModelStatus, str]], folder: Path) -> list[str]:
    lines = [f"{status.id}: {status.problem}" for status, _ in rows if status.problem]
    lines += [
        f"{status.id}: reads {status.speed.reading:.0f} and writes {status.speed.writing:.1f} "
        "tokens a second on this computer"
        for status, _ in rows
        if status.speed is not None
    ]
    states = {state for _, state in rows}
    if "damaged" in states:
        lines.append("Import a damaged model again from where you got it, or remove it.")
    if not all(status.fits for status, _ in rows):
        lines.append("! needs more memory than models may use on this computer.")
    if states.isdisjoint(_STYLES):
        lines += [
            "No model is installed: Groundwork quotes the manuals and writes no answers itself.",
            "To add one, from a USB stick or over a network:",
            "  groundwork models import FOLDER_OR_ZIP",
            "  groundwork models download ID",
        ]
    lines.append(f"Models are kept in {folder}")
    return lines


_MOST_NAMES = 5

application = typer.Typer(
    name="models",
    help="List, import, verify, remove, pack and download models.\n\nThey are kept in one folder "
    "per user; set the variable GROUNDWORK_MODELS to use another.",
    invoke_without_command=True,
)

ModelId = Annotated[str, argument("ID", "As 'groundwork models list' shows it.")]
Replace = Annotated[bool, option("--replace", "Replace the installed model that has this id.")]


@application.callback()
def start(context: typer.Context) -> None:
    """Without a command, list the models."""
    if context.invoked_subcommand is None:
        list_models()


@application.command("list")
def list_models(
    as_json: Annotated[bool, option("--json", "Print the models as JSON.")] = False,
) -> None:
    """Show which models are installed, and which Groundwork knows by name."""
    folder = _folder()
    rows = read_rows(folder)
    if as_json:
        models = []
        for status, state in rows:
            values = asdict(status)
            models.append({name: values[name] for name in _IN_JSON} | {"state": state})
        print_json({"folder": str(folder.root), "models": models})
    else:
        print_table(rows, folder.root)


@application.command("import")
def import_model(
    source: Annotated[
        Path,
        argument(
            "FOLDER_OR_ZIP",
            "A folder in Hugging Face or MLX layout, such as on a USB stick, or a pack.",
        ),
    ],
    model_id: Annotated[
        str | None, option("--id ID", "Its name here. Default: the folder's name.")
    ] = None,
    replace: Replace = False,
    base: Annotated[
        Path | None,
        option("--base DIR", "For a LoRA adapter: the folder of the model that it changes."),
    ] = None,
) -> None:
    """Install a model from a folder or zip file, without a network.

    Only safetensors weights and their settings are imported, nothing that could run.
    The folder is only read; an import that is stopped or refused leaves nothing behind.
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
        "Interrupted. None of it was kept.",
    )
    _say_installed(done, folder)


@application.command()
def verify(
    model_id: Annotated[str | None, argument("[ID]", "Default: every installed model.")] = None,
) -> None:
    """Hash every file again and compare it with what was imported.

    Exits with 1 if any is damaged.
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
        say("x" if damage else "+", each, " ".join(damage) or "all files are unchanged")
    if damaged:
        sys.stderr.write("Import a damaged model again from where you got it.\n")
    raise typer.Exit(1 if damaged else 0)


@application.command()
def remove(model_id: ModelId) -> None:
    """Delete an installed model, or what has arrived of an unfinished download."""
    from desktop.models.packs.download import discard
    from desktop.models.packs.operations import remove as remove_files

    folder = _folder()
    with _refusals():
        stopped = discard(model_id, folder)
        if model_id in folder.ids() or not stopped:
            remove_files(model_id, folder)
    say("-", model_id, "removed")


@application.command()
def pack(
    model_id: ModelId,
    target: Annotated[
        Path, argument("OUT", "A new zip file, if the name ends in .zip, or a new folder.")
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
    yes: Annotated[bool, option("--yes -y", "Do not ask for confirmation.")] = False,
    replace: Replace = False,
) -> None:
    """Download a model that Groundwork knows by name; asks first.

    This is the only command that uses a network. After an interruption, run the
    same command again to resume.
    """
    from desktop.models.catalogue import Catalogue
    from desktop.models.packs.download import download as download_files

    catalogue = Catalogue.load()
    entry = catalogue.entry(model_id)
    if entry is None:
        known = ", ".join(each.id for each in catalogue.entries)
        raise typer.BadParameter(
            f"{model_id} is not in the catalogue. Available: {known}", ctx=context, param_hint="ID"
        )
    folder = _folder()
    if folder.find(entry.id) is not None and not replace:
        raise Refused(f"{entry.id} is already installed. Download it again with --replace.")
    _ask_first(entry, folder, yes=yes)
    done = run_job(
        entry.id,
        lambda cancelled: download_files(
            entry, folder, catalogue, replace=replace, cancelled=cancelled
        ),
        "Interrupted. What has arrived is kept: run the same command again to resume.",
    )
    _say_installed(done, folder)


def _ask_first(entry: CatalogueEntry, folder: ModelFolder, *, yes: bool) -> None:
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
        raise Refused("There is nobody to ask here. If you agree, add --yes.")
    if not typer.confirm("Download it?", err=True):
        raise Refused("Nothing was downloaded.")


def _say_installed(done: PackDone, folder: ModelFolder) -> None:
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
            f"  left out, because code and pickles are never accepted: {shown}"
            + (f" and {more} more\n" if more > 0 else "\n")
        )


def _folder() -> ModelFolder:
    """Return the user's model folder; what a killed import left there is removed first."""
    from desktop.models.packs.model_folder import ModelFolder

    folder = ModelFolder()
    folder.sweep()
    return folder
