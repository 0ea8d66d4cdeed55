"""Importing MLX, giving its memory back, and ending it. All on the inference thread.

On Linux the wheel of MLX is linked to the reference BLAS: with a fast one in the global
symbol scope before the first import, float32 matrix products are 20 times faster.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib.util
import logging
import sys
from pathlib import Path
from typing import Any

logger = logging.getLogger(__name__)


def installed() -> bool:
    """Whether MLX can be imported here; imports nothing."""
    return importlib.util.find_spec("mlx") is not None


def mlx_core() -> Any:
    """Import `mlx.core`.

    Raises: ImportError, if it is not installed.
    """
    if sys.platform == "linux" and "mlx.core" not in sys.modules:
        _load_fast_blas()
    import mlx.core

    return mlx.core


def active_bytes() -> int:
    """Return the bytes that arrays of MLX hold now, 0 before its first use."""
    return int(mlx_core().get_active_memory()) if "mlx.core" in sys.modules else 0


def recommended_bytes() -> int:
    """Return what Metal recommends to use at most, 0 if unknown: without Metal or not loaded."""
    if "mlx.core" not in sys.modules or not mlx_core().metal.is_available():
        return 0
    return int(mlx_core().device_info().get("max_recommended_working_set_size", 0))


def set_limits(memory_bytes: int, cache_bytes: int) -> None:
    """Keep MLX to so many bytes of arrays, and to so many freed ones that it holds on to."""
    if "mlx.core" in sys.modules:
        mx = mlx_core()
        mx.set_memory_limit(memory_bytes)
        mx.set_cache_limit(cache_bytes)


def give_memory_back() -> None:
    """Return what no array uses any more to the system. Drop the references before."""
    gc.collect()
    if "mlx.core" in sys.modules:
        mlx_core().clear_cache()


def finish() -> None:
    """End MLX on this thread, as the thread's last work: without it the process may abort."""
    if "mlx.core" in sys.modules:
        mx = mlx_core()
        mx.synchronize()
        mx.clear_streams()


def _load_fast_blas() -> None:
    for library in ("libopenblas.so.0", *_torch_libraries()):
        with contextlib.suppress(OSError):
            ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
            return
    logger.warning("MLX runs on the reference BLAS: install libopenblas0 for speed")


def _torch_libraries() -> list[str]:
    spec = importlib.util.find_spec("torch")
    places = spec.submodule_search_locations if spec else None
    return [str(Path(place) / "lib" / "libtorch_cpu.so") for place in places or ()]
