"""What lies between the manager, which owns memory, and the adapters, which own a runtime."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.models.roles import Role


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model whose files are on this machine.

    id: as in the catalogue, or made from the folder's name. family: the `model_type` that
    decides on the adapter. revision: of its publisher, or the start of its weights' hash.
    weight_bytes: of all its safetensors files.
    """

    id: str
    role: Role
    family: str
    revision: str
    folder: Path
    weight_bytes: int

    @property
    def model_id(self) -> str:
        """Name and revision, as stored with vectors and traces."""
        return f"{self.id}@{self.revision}"


class Allowance(Protocol):
    """The part of the memory budget that a loaded model may use beside its weights.

    Called by adapters on the inference thread.
    """

    def free_bytes(self) -> int:
        """Bytes that could be had now, idle models and caches of others counted as free."""

    def admit(self, needed_bytes: int, purpose: str) -> None:
        """Make room for so many more bytes, unloading what is idle.

        purpose: for the message, such as "the key-value cache of 9,000 tokens".
        Raises: ModelOutOfBudget.
        """


class LoadedModel(Protocol):
    """What every adapter offers beside its role. All calls come on the inference thread."""

    @property
    def model_id(self) -> str:
        """Name and revision."""

    def weight_bytes(self) -> int:
        """Bytes that its weights take in memory."""

    def cache_bytes(self) -> int:
        """Bytes it holds beside its weights and could drop: keys and values, features."""

    def drop_caches(self) -> None:
        """Free what `cache_bytes` counts, as far as no running generation needs it."""

    def close(self) -> None:
        """Free everything. The adapter is not used afterwards."""


Loader: TypeAlias = Callable[[InstalledModel, Allowance], Generator[float, None, LoadedModel]]
"""Loads in steps on the inference thread: yields the fraction done, returns the model.

The runtime is imported inside. Closing the generator half way frees what was loaded.
Raises: ModelDamaged, if the files do not hold together; ModelNotSupported.
"""
