"""Importing MLX, loading weights, freeing memory, ending MLX: all on the inference thread.

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
from typing import TYPE_CHECKING, Any

from desktop.models.errors import ModelDamaged, ModelNotSupported
from desktop.models.safetensors_file import read_header, read_settings, weight_files

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

logger = logging.getLogger(__name__)


def installed() -> bool:
    """Whether MLX can be imported here; imports nothing."""
    return importlib.util.find_spec("mlx") is not None


def mlx_core() -> Any:
    """Import `mlx.core`. Raises: ImportError, if it is not installed."""
    if sys.platform == "linux" and "mlx.core" not in sys.modules:
        _load_fast_blas()
    import mlx.core

    return mlx.core


def recommended_bytes() -> int:
    """Return the most that Metal recommends using, 0 if unknown: no Metal, or MLX not loaded."""
    if "mlx.core" not in sys.modules or not mlx_core().metal.is_available():
        return 0
    return int(mlx_core().device_info().get("max_recommended_working_set_size", 0))


def set_limits(memory_bytes: int, cache_bytes: int) -> None:
    """Limit MLX to so many bytes of arrays, and so many freed bytes that it holds on to."""
    if "mlx.core" in sys.modules:
        mx = mlx_core()
        mx.set_memory_limit(memory_bytes)
        mx.set_cache_limit(cache_bytes)


def give_memory_back() -> None:
    """Return memory that no array uses any more to the system. Drop references first."""
    gc.collect()
    if "mlx.core" in sys.modules:
        mlx_core().clear_cache()


@contextlib.contextmanager
def as_memory_errors() -> Iterator[None]:
    """Raise MemoryError where MLX, which has no class for it, could not allocate."""
    try:
        yield
    except RuntimeError as error:
        if any(sign in str(error).lower() for sign in ("alloc", "memory")):
            raise MemoryError(str(error)) from error
        raise


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


_STEP_BYTES = 256 << 20  # evaluated at once: a fraction of a second from any disk


def read_config(folder: Path) -> dict[str, Any]:
    """Read config.json. Raises: ModelDamaged; ModelNotSupported, if it needs code of its own."""
    config = read_settings(folder, "config.json")
    if not config:
        raise ModelDamaged("config.json is missing from {name}", name=folder.name)
    if not isinstance(config.get("model_type"), str):
        raise ModelDamaged("config.json of {name} names no model_type", name=folder.name)
    if config.get("model_file") is not None:
        raise ModelNotSupported(
            "{name} includes program code, which is never run", name=folder.name
        )
    return config


def has_gpu() -> bool:
    """Whether MLX runs on a GPU here, as on Apple silicon; on a processor it is slow for work."""
    try:
        return bool(mlx_core().metal.is_available())
    except ImportError:
        return False


def check_files(folder: Path) -> None:
    """Check the headers of weight files: none is missing or cut off. Raises: ModelDamaged."""
    for path in weight_files(folder):
        read_header(path)


def map_weights(folder: Path) -> dict[str, Any]:
    """Return weights as arrays that are read when they are evaluated. Raises: ModelDamaged."""
    weights: dict[str, Any] = {}
    for path in weight_files(folder):
        try:
            weights |= mlx_core().load(str(path))
        except (RuntimeError, ValueError) as error:
            raise ModelDamaged(
                "{name} cannot be read: {error}", name=path.name, error=error
            ) from error
    return weights


def build(folder: Path) -> tuple[Any, dict[str, Any]]:
    """Make the model that a folder describes; its weights are not read yet.

    Returns: the model, and its configuration with what generation_config.json adds.
    Raises: ModelDamaged, if weights are missing or do not fit; ModelNotSupported.
    """
    from mlx_lm.utils import load_model

    try:
        model, config = load_model(folder, lazy=True, strict=True)
    except ValueError as error:
        complaint = str(error)
        if "upported" in complaint:  # "Model type x not supported.", "Unsupported ... algo"
            raise ModelNotSupported(
                "{name} cannot run here: {message}", name=folder.name, message=complaint
            ) from error
        raise ModelDamaged(
            "the weights do not belong to {name}: {message}",
            name=folder.name,
            message=complaint,
        ) from error
    except (OSError, RuntimeError) as error:
        raise ModelDamaged(
            "the weights of {name} cannot be read: {error}", name=folder.name, error=error
        ) from error
    except (TypeError, KeyError, AttributeError) as error:
        raise ModelDamaged(
            "config.json of {name} is incomplete: {error}", name=folder.name, error=error
        ) from error
    return model, dict(config)


def weight_bytes(model: Any) -> int:
    """Return the bytes of all parameters."""
    return sum(array.nbytes for array in parameters(model))


def read_weights(arrays: Iterable[Any]) -> Generator[float, None, None]:
    """Read mapped arrays, a group at a time; yields the fraction done. Raises: ModelDamaged."""
    import mlx.core as mx

    waiting = list(arrays)
    total, done = max(1, sum(array.nbytes for array in waiting)), 0
    while waiting:
        group, size = [], 0
        while waiting and size < _STEP_BYTES:
            group.append(waiting.pop(0))
            size += group[-1].nbytes
        try:
            mx.eval(group)
        except RuntimeError as error:
            raise ModelDamaged("the weights cannot be read: {error}", error=error) from error
        group.clear()  # or a closed generator would hold on to them
        done += size
        yield done / total


def parameters(model: Any) -> list[Any]:
    """Return the arrays of a model of MLX."""
    from mlx.utils import tree_flatten

    named: Any = tree_flatten(model.parameters())
    return [array for _, array in named]
