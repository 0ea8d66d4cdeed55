"""What the parser process asks of the operating system to keep itself small."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.settings.sections import ParserSettings

# Libraries reserve several times the address space they use (onnxruntime's threads,
# allocator arenas), so this only stops a single absurd allocation. The supervisor
# watches the memory really used.
_RESERVED_GIB = 8.0
_NICENESS = 10
_PR_SET_PDEATHSIG = 1


def limit_resources(settings: ParserSettings) -> None:
    """Bound this process: address space, core dumps, priority, and life with its parent."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(_NICENESS)  # the window goes first
    if sys.platform == "linux":  # macOS accepts the limit and ignores it
        _limit_address_space(int((settings.memory_gib + _RESERVED_GIB) * 2**30))
        _die_with_parent()


def worker_environment() -> dict[str, str]:
    """Return the environment for a worker: numeric libraries leave one core to the window."""
    threads = str(max(1, (os.cpu_count() or 2) - 1))
    counts = dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"),
        threads,
    )
    return {**os.environ, **counts}


def _limit_address_space(limit: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _die_with_parent() -> None:
    """Have the kernel end this process when the thread that started it ends.

    Closing stdin does the same as soon as Python runs; this also reaches a worker that
    hangs inside MuPDF.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
