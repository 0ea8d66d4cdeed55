"""One model in memory: who uses it, what it holds, and in which order models leave."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.models.adapters import mlx_runtime
from desktop.models.inference_thread import Priority

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from desktop.models.loading import InstalledModel, LoadedModel

KEPT_FOR_QUESTIONS_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class ResidentStatus:
    """One model in memory. Bytes; progress of loading 0 to 1, None once it is loaded."""

    id: str
    weight_bytes: int
    cache_bytes: int
    in_use: bool
    progress: float | None


@dataclass(slots=True)
class Use:
    """Somebody who goes through an iterator of a model's work.

    reserved: bytes admitted for it beside the weights. revoked: it must end at its next step.
    """

    priority: Priority
    reserved: int = 0
    work: Iterator[Any] | None = None
    revoked: bool = False

    def close(self) -> None:
        """Close its iterator, which must not be running."""
        close = getattr(self.work, "close", None)
        if close is not None:
            close()
        self.work = None


@dataclass(slots=True)
class Resident:
    """A model that is loaded or being loaded. used_at, asked_at: seconds of one clock."""

    installed: InstalledModel
    weight_bytes: int
    loading: Generator[float, None, LoadedModel] | None = None
    model: LoadedModel | None = None
    progress: float = 0.0
    uses: list[Use] = field(default_factory=list)
    used_at: float = 0.0
    asked_at: float = float("-inf")  # by a person who waits
    leaving: bool = False
    cache_before: int = 0  # of the first admission among the present uses

    @property
    def idle(self) -> bool:
        """Nobody uses it, nor waits for it to be loaded."""
        return not self.uses

    @property
    def cache_bytes(self) -> int:
        """Bytes it could drop and stay loaded."""
        return self.model.cache_bytes() if self.model else 0

    @property
    def claimed_bytes(self) -> int:
        """Caches as they are, or as large as its uses may make them.

        What a use was admitted for becomes part of the caches while it works.
        """
        reserved = sum(use.reserved for use in self.uses)
        return max(self.cache_bytes, self.cache_before + reserved if reserved else 0)

    @property
    def held_bytes(self) -> int:
        """Everything that counts against the budget."""
        return self.weight_bytes + self.claimed_bytes

    def drop_caches(self) -> bool:
        """Free what no running work needs; whether that was anything."""
        held = self.cache_bytes
        if self.model is None or not held:
            return False
        self.model.drop_caches()
        mlx_runtime.give_memory_back()
        return self.cache_bytes < held

    def reserve(self, use: Use, count: int) -> None:
        """Count bytes that a use is about to take beside the weights."""
        if not any(each.reserved for each in self.uses):
            self.cache_before = self.cache_bytes
        use.reserved += count

    def may_leave(self, priority: Priority, now: float) -> bool:
        """Whether somebody of this priority may push it out.

        Ingestion pushes out nothing that a question used a moment ago.
        """
        recently = now - self.asked_at < KEPT_FOR_QUESTIONS_SECONDS
        return self.idle and not (priority is Priority.INGESTION and recently)

    def may_be_revoked(self, priority: Priority) -> bool:
        """Whether all who use it are less urgent than this priority."""
        return bool(self.uses) and all(use.priority > priority for use in self.uses)


def leaving_order(residents: Iterable[Resident]) -> list[Resident]:
    """Sort models: used longest ago first, page embedders after all others."""
    return sorted(residents, key=lambda each: (each.installed.role == "pages", each.used_at))
