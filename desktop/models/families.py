"""Which adapter runs a model, and whether its runtime is on this machine."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Literal, cast

from desktop.models.errors import ModelNotSupported
from desktop.sentences import joined, said

if TYPE_CHECKING:
    from desktop.models.catalogue import Catalogue, Family, Runtime
    from desktop.models.roles import InstalledModel, Loader

PagesBy = Literal["auto", "mlx", "torch"]
"""What runs the model that finds pages by their look."""

_ADAPTERS = "desktop.models.adapters"
_VISION, _TEXT = "mlx_vision", "mlx_text_embedder"
_MODULES: dict[tuple[str, Runtime], str] = {
    ("language", "mlx"): "mlx_language",
    ("qwen3_vl", "mlx"): _VISION,
    ("qwen2_5_vl", "mlx"): _VISION,
    ("colqwen2", "mlx"): "colqwen_mlx",
    ("colqwen2", "torch"): "colqwen_torch",
    ("colqwen2_5", "mlx"): "colqwen_mlx",
    ("colqwen2_5", "torch"): "colqwen_torch",
    ("colqwen3", "mlx"): "colqwen_mlx",
    ("colqwen3", "torch"): "colqwen_torch",
    ("whisper", "torch"): "whisper_torch",
    ("bert", "mlx"): _TEXT,
    ("nomic_bert", "mlx"): _TEXT,
    ("qwen3_embedding", "mlx"): _TEXT,
    ("xlm_roberta", "mlx"): _TEXT,
}
# What a runtime needs to be importable, by role, and how a person gets it.
_PACKAGES: dict[tuple[Runtime, str], str] = {
    ("mlx", "language"): "mlx_lm",
    ("mlx", "vision"): "mlx_vlm",
    ("mlx", "pages"): "mlx_vlm",
    ("mlx", "text"): "mlx_vlm",
    ("torch", "pages"): "colpali_engine",
    ("torch", "speech"): "transformers",
}
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
        if importlib.util.find_spec(_PACKAGES[runtime, family.role]) is not None:
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
        raise ModelNotSupported(said("{id} cannot run here: {reason}", id=model.id, reason=reason))
    module = importlib.import_module(f"{_ADAPTERS}.{_MODULES[family.name, runtime]}")
    return cast("Loader", module.load)
