"""`groundwork models`: which models there are; adding them and removing them."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar, cast

import typer

from desktop.cli.options import Refused, on_interrupt
from desktop.models.errors import ModelDamaged
from desktop.models.packs.pack_events import PackProgress, in_units

if TYPE_CHECKING:
    from collections.abc import Generator

    from rich.console import RenderableType
    from rich.progress import Progress, TaskID

    from desktop.models.catalogue import CatalogueEntry
    from desktop.models.generation import Cancelled
    from desktop.models.overview import ModelStatus
    from desktop.models.packs.model_folder import ModelFolder
    from desktop.models.packs.pack_events import PackDone

EndT = TypeVar("EndT")

QUIET_SECONDS = 10.0
"""A file or a pipe gets no bar: a line this often shows that it is still running."""

STOPPED = "Interrupted."


def run_job(
    name: str, job: Callable[[Cancelled], Iterator[PackProgress | EndT]], when_stopped: str
) -> EndT:
    """Run a job of `desktop.models.packs.operations` with a progress bar; returns its last event.

    Raises: Refused, with the job's reason; typer.Exit with 130 after Ctrl-C.
    """
    stop = threading.Event()
    last: EndT | None = None
    events = cast("Generator[PackProgress | EndT, None, None]", job(stop.is_set))
    with refusals(), _Display(name) as display, on_interrupt(stop.set), closing(events):
        for event in events:
            if isinstance(event, PackProgress):
                display.show(event)
            else:
                last = event
    if last is None:
        sys.stderr.write(f"{when_stopped}\n")
        raise typer.Exit(130)
    return last


@contextmanager
def refusals() -> Iterator[None]:
    """Turn an error that a person can understand into a refusal of the command."""
    from desktop.models.errors import DownloadFailed, ModelDamaged, ModelNotInstalled, PackRefused

    try:
        yield
    except (PackRefused, DownloadFailed, ModelNotInstalled, ModelDamaged) as error:
        raise Refused(str(error)) from error


def say(sign: str, model_id: str, remark: str) -> None:
    """Print what became of a model."""
    from rich.console import Console

    color = {"+": "green", "x": "red", "-": "yellow"}[sign]
    console = Console(file=sys.stdout, highlight=False, soft_wrap=True)
    console.print(sign, style=color, end=" ", markup=False)
    console.print(f"{model_id}: {remark}", markup=False)


class _Display:
    """A bar for each stage of one job; lines now and then where no bar can be drawn."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._progress = _bars()
        self._bar: TaskID | None = None
        self._stage = ""
        self._said_at = time.monotonic()

    def __enter__(self) -> _Display:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, event: PackProgress) -> None:
        """Move the bar; each new stage gets a new one, which shows its own pace."""
        if event.stage != self._stage or self._bar is None:
            if self._bar is not None:
                self._progress.remove_task(self._bar)
            self._stage = event.stage
            self._bar = self._progress.add_task(f"{self._name}: {event.stage}", total=None)
        self._progress.update(
            self._bar, completed=event.done_bytes, total=event.total_bytes or None
        )
        if self._progress.console.is_terminal or not event.total_bytes:
            return
        if time.monotonic() - self._said_at >= QUIET_SECONDS:
            self._said_at = time.monotonic()
            share = event.done_bytes / event.total_bytes
            self._progress.console.print(f"  {self._name}: {event.stage}, {share:.0%}")


def _bars() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


FILE_WIDTH = 100
"""Width of the table, in columns, when it goes to a file or a pipe."""

_STYLES = {"installed": "green", "damaged": "red", "cannot run here": "yellow"}
_NOT_INSTALLED = "not installed"


@dataclass(frozen=True, slots=True)
class Row:
    """One model. state: what a person is told; problem: a sentence, or empty.

    speed: tokens a second of "reading" and "writing" on this machine, None if it never ran here.
    """

    id: str
    title: str
    role: str
    size_bytes: int
    memory_bytes: int
    state: str
    licence: str
    problem: str
    fits: bool
    speed: dict[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Rows:
    """All models, the installed ones first, and where they are."""

    folder: Path
    rows: tuple[Row, ...]


def read_rows(folder: ModelFolder) -> Rows:
    """Read the same models that the window shows, without loading any."""
    from desktop.app import load_user_settings, make_manager
    from desktop.models.inference_thread import InferenceThread

    with closing(InferenceThread()) as thread:
        statuses = make_manager(thread, load_user_settings().settings).models()
    damaged = folder.problems()
    rows = (_row(status, folder, status.id in damaged) for status in statuses)
    return Rows(folder.root, tuple(rows))


def print_json(listed: Rows) -> None:
    """Print everything, sizes in bytes."""
    names = Row.__slots__
    models = [{name: getattr(row, name) for name in names} for row in listed.rows]
    text = json.dumps({"folder": str(listed.folder), "models": models}, indent=2)
    sys.stdout.write(text + "\n")


def print_table(listed: Rows) -> None:
    """Print the table, then what is wrong with which model, then what can be done."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("Model", "Role"):
        table.add_column(title, no_wrap=True)
    for title in ("Size", "Memory"):
        table.add_column(title, no_wrap=True, justify="right")
    table.add_column("State", no_wrap=True)
    table.add_column("Licence")
    for row in listed.rows:
        table.add_row(*_cells(row), style=None if row.state != _NOT_INSTALLED else "dim")
    console = Console(width=None if sys.stdout.isatty() else FILE_WIDTH, highlight=False)
    console.print(table)
    console.print()
    for line in _remarks(listed):
        console.print(line, markup=False, soft_wrap=True)


def _row(status: ModelStatus, folder: ModelFolder, damaged: bool) -> Row:
    from desktop.models.packs.download import arrived_bytes

    if damaged:
        status, state = _as_imported(status, folder), "damaged"
    elif status.problem:
        state = "cannot run here"
    elif status.state != "available":
        state = "installed"
    elif arrived := arrived_bytes(status.id, folder):
        state = f"{in_units(arrived)} arrived"
    else:
        state = _NOT_INSTALLED
    return Row(
        id=status.id,
        title=status.title,
        role=status.role,
        size_bytes=status.size_bytes,
        memory_bytes=status.memory_bytes,
        state=state,
        licence=status.licence,
        problem=status.problem,
        fits=status.fits,
        speed=asdict(status.speed) if status.speed is not None else None,
    )


def _as_imported(status: ModelStatus, folder: ModelFolder) -> ModelStatus:
    """Describe a damaged model by its manifest, if that can be read."""
    try:
        manifest = folder.manifest(status.id)
    except ModelDamaged:
        return status
    return replace(
        status,
        role=manifest.role,
        licence=manifest.licence,
        size_bytes=manifest.size_bytes,
        memory_bytes=status.memory_bytes or manifest.weight_bytes,
    )


def _cells(row: Row) -> list[RenderableType]:
    from rich.text import Text

    memory = in_units(row.memory_bytes) + ("" if row.fits else " !")
    return [
        Text(row.id),
        row.role,
        in_units(row.size_bytes),
        memory,
        Text(row.state, style=_STYLES.get(row.state, "")),
        Text(row.licence or "unknown"),
    ]


def _remarks(listed: Rows) -> list[str]:
    lines = [f"{row.id}: {row.problem}" for row in listed.rows if row.problem]
    lines += [
        f"{row.id}: reads {row.speed['reading']:.0f} and writes {row.speed['writing']:.1f} tokens "
        "a second on this computer"
        for row in listed.rows
        if row.speed is not None
    ]
    if any(row.state == "damaged" for row in listed.rows):
        lines.append("Import a damaged model again from where you got it, or remove it.")
    if not all(row.fits for row in listed.rows):
        lines.append("! needs more memory than models may use on this computer.")
    if not any(row.state in _STYLES for row in listed.rows):
        lines += [
            "No model is installed: Groundwork quotes the manuals and writes no answers itself.",
            "To add one, from a USB stick or over a network:",
            "  groundwork models import FOLDER_OR_ZIP",
            "  groundwork models download ID",
        ]
    lines.append(f"Models are kept in {listed.folder}")
    return lines


_MOST_NAMES = 5

application = typer.Typer(
    name="models",
    help="List, import, verify, remove, pack and download models.\n\nThey are kept in one folder "
    "per user; set the variable GROUNDWORK_MODELS to use another.",
    invoke_without_command=True,
    context_settings={"help_option_names": ["--help", "-h"]},
)

ModelId = Annotated[str, typer.Argument(metavar="ID", help="As 'groundwork models list' shows it.")]
Replace = Annotated[
    bool, typer.Option("--replace", help="Replace the installed model that has this id.")
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
    """Show which models are installed, and which Groundwork knows by name."""
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
        typer.Option("--id", metavar="ID", help="Its name here. Default: the folder's name."),
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
    model_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="Default: every installed model.")
    ] = None,
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
        typer.Argument(
            metavar="OUT", help="A new zip file, if the name ends in .zip, or a new folder."
        ),
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
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
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
