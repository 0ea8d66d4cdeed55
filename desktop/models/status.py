"""What the window and the commands show of models, profiles and memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from desktop.models.roles import Role
    from desktop.models.speed import Speed

ModelState = Literal["available", "installed", "loading", "loaded", "damaged"]


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """One model of the catalogue or of this machine.

    state: "available" is in the catalogue and not on this machine.
    size_bytes: on disk. memory_bytes: while running, measured once it has been loaded.
    in_use: something runs on it at this moment. progress: of loading, 0 to 1, or None.
    problem: why it cannot be used, "" if it can. fits: into this machine's memory budget.
    recommended: belongs to the largest profile that fits this machine. speed: of a language
    model that has run here.
    """

    id: str
    title: str
    role: Role
    licence: str
    size_bytes: int
    memory_bytes: int
    state: ModelState
    in_use: bool = False
    progress: float | None = None
    problem: str = ""
    recommended: bool = False
    summary: str = ""
    fits: bool = True
    speed: Speed | None = None


@dataclass(frozen=True, slots=True)
class MemoryStatus:
    """Bytes. budget: what models may use together. process: all of this program.

    weights, caches: held by loaded models now; caches are keys, values and features.
    """

    budget_bytes: int
    weights_bytes: int
    cache_bytes: int
    machine_bytes: int
    machine_free_bytes: int
    process_bytes: int

    @property
    def used_bytes(self) -> int:
        """What counts against the budget."""
        return self.weights_bytes + self.cache_bytes


@dataclass(frozen=True, slots=True)
class ProfileStatus:
    """A choice of models that work together.

    reason: why it is recommended, or why not, in one sentence. fits: this machine's memory.
    largest: of those that fit, installed or not. recommended: the one to use as things stand.
    missing: titles of the models that would have to be installed first.
    """

    id: str
    title: str
    summary: str
    reason: str
    fits: bool
    recommended: bool
    chosen: bool
    missing: tuple[str, ...] = ()
    largest: bool = False
