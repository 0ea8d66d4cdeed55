"""Which adapter runs a model, and whether its runtime is on this machine."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Literal, cast

from desktop.models.errors import ModelNotSupported
from desktop.sentences import joined, said

if TYPE_CHECKING:
    from desktop.models.catalogue import Catalogue, Family, Runtime
    from desktop.models.roles import InstalledModel, Loader, Role

PagesBy = Literal["auto", "mlx", "torch"]
"""What runs the model that finds pages by their look."""

_ADAPTERS: dict[tuple[Role, Runtime], tuple[str, str]] = {
    ("language", "mlx"): ("mlx_language", "mlx_lm"),
    ("vision", "mlx"): ("mlx_vision", "mlx_vlm"),
    ("pages", "mlx"): ("colqwen_mlx", "mlx_vlm"),
    ("pages", "torch"): ("colqwen_torch", "colpali_engine"),
    ("text", "mlx"): ("mlx_text_embedder", "mlx_vlm"),
    ("speech", "torch"): ("whisper_torch", "transformers"),
}
"""What runs the models of a role, and the package that it needs."""
_HOW = {
    "mlx": said(
        "MLX, which comes with Groundwork on Apple silicon and with the 'mlx' extra on Linux"
    ),
    "torch": said(
        "torch, which comes with Groundwork on a Mac and with the extras "
        "'colqwen' and 'voice' on Linux"
    ),
}


def runtime_here(family: Family, pages_by: PagesBy = "auto") -> Runtime | None:
    """Return the preferred runtime of a family that this machine has; imports nothing.

    pages_by: goes first for a model of pages, if it is on this machine and can run it.
    """
    for runtime in sorted(
        family.runtimes, key=lambda each: family.role != "pages" or each != pages_by
    ):
        if importlib.util.find_spec(_ADAPTERS[family.role, runtime][1]) is not None:
            return runtime
    return None


def why_not(model: InstalledModel, catalogue: Catalogue) -> str:
    """Say why a model cannot run on this machine, "" if it can."""
    family = catalogue.family(model.family)
    if family is None:
        return said("Groundwork does not know models of the kind '{family}'", family=model.family)
    if runtime_here(family) is None:
        return said(
            "it needs {value}",
            value=joined([_HOW[runtime] for runtime in family.runtimes], last=said(" or ")),
        )
    return ""


def loader_of(model: InstalledModel, catalogue: Catalogue, pages_by: PagesBy = "auto") -> Loader:
    """Return what loads a model; imports the adapter, not yet its runtime.

    pages_by: see `runtime_here`. Raises: ModelNotSupported.
    """
    reason = why_not(model, catalogue)
    family = catalogue.family(model.family)
    runtime = runtime_here(family, pages_by) if family else None
    if family is None or runtime is None:
        raise ModelNotSupported("{id} cannot run here: {reason}", id=model.id, reason=reason)
    name, _ = _ADAPTERS[family.role, runtime]
    module = importlib.import_module(f"desktop.models.adapters.{name}")
    return cast("Loader", module.load)
