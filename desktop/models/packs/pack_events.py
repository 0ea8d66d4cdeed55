"""What long work on model files reports while it runs: import, verify, pack, download."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.models.roles import InstalledModel

Stage = Literal["downloading", "checking", "merging", "copying", "hashing", "writing"]


@dataclass(frozen=True, slots=True)
class PackProgress:
    """So many of all bytes are done. file: the current one, relative to the model's folder."""

    stage: Stage
    done_bytes: int
    total_bytes: int
    file: str = ""


@dataclass(frozen=True, slots=True)
class PackDone:
    """The model is installed; always the last event.

    left_out: files of the source that were not copied because they are code, pickles or
    weights of other programs.
    """

    model: InstalledModel
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PackVerified:
    """Every file was hashed; always the last event. damage: a sentence for each bad file."""

    model_id: str
    damage: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PackWritten:
    """The pack is complete; always the last event."""

    target: Path


ImportEvent: TypeAlias = PackProgress | PackDone
VerifyEvent: TypeAlias = PackProgress | PackVerified
WriteEvent: TypeAlias = PackProgress | PackWritten


def in_units(size: int) -> str:
    """Return bytes as a person reads them, with gigabytes of 10^9 bytes, as disks are sold."""
    for unit, scale in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}" if size < 100 * scale else f"{size // scale} {unit}"
    return f"{size} bytes"
