"""Making torch and transformers importable, on Linux with a CPU build of torch.

There torchvision's compiled operators may not load, and with them every model of
transformers. Nothing here uses those operators, so their registration is left out.
"""

from __future__ import annotations

import sys
import types

_REGISTRATIONS = "torchvision._meta_registrations"


def prepare() -> None:
    """Call this before the first import of transformers, colpali_engine or mlx_vlm."""
    if sys.platform == "linux":
        sys.modules.setdefault(_REGISTRATIONS, types.ModuleType(_REGISTRATIONS))
