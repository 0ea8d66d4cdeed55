"""The table of `groundwork models list`."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from desktop.models.errors import ModelDamaged
from desktop.models.packs.copying import in_units
from desktop.models.packs.download import arrived_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType

    from desktop.models.overview import ModelStatus
    from desktop.models.packs.model_folder import ModelFolder

FILE_WIDTH = 100
"""Columns of the table when it goes into a file or a pipe."""

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
    """All models, what is installed first, and where they are."""

    folder: Path
    rows: tuple[Row, ...]


def read_rows(folder: ModelFolder) -> Rows:
    """Look at the same models that the window shows; loads none."""
    from desktop.app import load_user_settings, make_manager
    from desktop.models.inference_thread import InferenceThread

    with closing(InferenceThread()) as thread:
        statuses = make_manager(thread, load_user_settings().settings).models()
    damaged = {problem.id for problem in folder.problems()}
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
    """Say of a damaged model what its manifest says, if that can be read."""
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
        lines.append("Import a damaged model again, from where it came, or remove it.")
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
