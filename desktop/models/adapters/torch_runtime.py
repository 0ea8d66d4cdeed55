"""Making torch and transformers importable, on Linux with a CPU build of torch.

There torchvision's compiled operators may fail to load, and with them every model of
transformers. Nothing here uses those operators, so their registration is left out.
"""

from __future__ import annotations

import gc
import importlib
import sys
import types
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_REGISTRATIONS = "torchvision._meta_registrations"


def prepare() -> None:
    """Call this before the first import of transformers, colpali_engine or mlx_vlm."""
    if sys.platform == "linux":
        sys.modules.setdefault(_REGISTRATIONS, types.ModuleType(_REGISTRATIONS))


def weight_bytes(model: Any) -> int:
    """Return the bytes of all parameters of a module, 0 for None."""
    tensors = model.parameters() if model is not None else ()
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def give_memory_back() -> None:
    """Return memory that no tensor uses any more to the system. Drop references first."""
    import torch

    gc.collect()
    if torch.backends.mps.is_available():
        torch.mps.empty_cache()


@contextmanager
def quiet() -> Iterator[None]:
    """Keep transformers' bars and reports off the terminal; what it finds becomes an error."""
    reports: Any = importlib.import_module("transformers.utils.logging")
    level, bars = reports.get_verbosity(), reports.is_progress_bar_enabled()
    reports.set_verbosity_error()
    reports.disable_progress_bar()
    try:
        yield
    finally:
        reports.set_verbosity(level)
        if bars:
            reports.enable_progress_bar()
