"""How much memory this machine has, and how much of it models may use together."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil

from desktop.models.adapters import mlx_runtime

if TYPE_CHECKING:
    from collections.abc import Callable

GIB = 2**30
# For the system, this window, the parser and whatever else a person has open.
_LEAST_RESERVE = 4 * GIB
_RESERVED_SHARE = 0.25
# Freed memory that MLX may hold on to before it goes back to the system.
_MLX_CACHE_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class MachineMemory:
    """Bytes. total: of this machine. available: asks for what a program could have now."""

    total: int
    available: Callable[[], int]

    @staticmethod
    def of_this_machine() -> MachineMemory:
        """Measure this machine."""
        return MachineMemory(psutil.virtual_memory().total, _available)


class MemoryPool:
    """What models may use together. `free` is asked on the inference thread."""

    def __init__(self, machine: MachineMemory, wanted_gib: float | None = None) -> None:
        """Measure nothing yet.

        wanted_gib: what a person has set, or None: then a quarter of the machine, at least
            4 GiB, is left to everything else, and never more is used than Metal recommends.
        """
        self.machine = machine
        self._wanted_gib = wanted_gib

    def budget(self) -> int:
        """Bytes for all models together; may shrink when Metal has been asked."""
        total = self.machine.total
        if self._wanted_gib is not None:
            return min(int(self._wanted_gib * GIB), total)
        reserve = max(_LEAST_RESERVE, int(total * _RESERVED_SHARE))
        budget = max(total - reserve, total // 4)
        recommended = mlx_runtime.recommended_bytes()
        return min(budget, recommended) if recommended else budget

    def free(self, used: int) -> int:
        """Bytes that can be had now when models use so many; negative if over the budget."""
        return min(self.budget() - used, self.machine.available())

    def limit_runtimes(self) -> None:
        """Hold MLX to the budget. Call it on the inference thread, once MLX is in use."""
        budget = self.budget()
        mlx_runtime.set_limits(budget, int(budget * _MLX_CACHE_SHARE))


def process_bytes() -> int:
    """Return the resident memory of this process."""
    return int(psutil.Process().memory_info().rss)


def _available() -> int:
    """What can be had without ending other programs.

    macOS compresses and swaps the memory of idle programs when a model needs it, so there
    the budget alone decides; on Linux the kernel would end a process instead.
    """
    memory = psutil.virtual_memory()
    return memory.total if sys.platform == "darwin" else memory.available
