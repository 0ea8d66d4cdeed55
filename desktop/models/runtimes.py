"""Whether everything that runs models can be imported: what a frozen program may be missing."""

from __future__ import annotations

import importlib
import importlib.util

from desktop.models.adapters import mlx_runtime, torch_runtime

MLX = (
    "mlx_lm.utils", "mlx_lm.models.qwen3", "mlx_lm.models.qwen2", "mlx_lm.models.llama",
    "mlx_lm.models.gemma3_text", "mlx_lm.models.phi3", "mlx_lm.models.gpt_oss", "llguidance",
    "mlx_vlm.utils", "mlx_vlm.models.qwen3_vl", "mlx_vlm.models.qwen2_5_vl",
    "mlx_vlm.models.qwen2_vl", "mlx_vlm.models.qwen3_embedding", "mlx_vlm.models.bert",
    "mlx_vlm.models.xlm_roberta",
)  # fmt: skip
"""What the adapters import by name when a model is loaded."""
TORCH = ("torch", "transformers", "colpali_engine.models")
_PRODUCT = 64.0  # the sum of all of a 4 x 4 matrix of ones multiplied by itself
EVERYWHERE = ("dspy", "rapidocr", "onnxruntime", "sentencepiece", "safetensors")


def import_all() -> tuple[dict[str, str], str]:
    """Import every runtime that this program has; takes many seconds.

    Returns: what was imported for each of "mlx", "torch" and "everywhere" ("not installed"
        where it is not part of this program), and the first failure, "" if there is none.
    """
    found: dict[str, str] = {}
    try:
        found["everywhere"] = _import(EVERYWHERE)
        found["mlx"] = _import_mlx() if mlx_runtime.installed() else "not installed"
        has_torch = importlib.util.find_spec("torch") is not None
        found["torch"] = _import_torch() if has_torch else "not installed"
    except Exception as error:  # whatever a library's import may raise
        return found, f"{type(error).__name__}: {error}"
    return found, ""


def _import_mlx() -> str:
    mx = mlx_runtime.mlx_core()
    product = (mx.ones((4, 4)) @ mx.ones((4, 4))).sum().item()
    if product != _PRODUCT:
        raise ArithmeticError(f"MLX multiplies wrongly: {product} instead of {_PRODUCT}")
    torch_runtime.prepare()
    imported = _import(MLX)
    mlx_runtime.finish()
    return imported


def _import_torch() -> str:
    torch_runtime.prepare()
    imported = _import(TORCH)
    torch = importlib.import_module("torch")
    product = float((torch.ones(4, 4) @ torch.ones(4, 4)).sum())
    if product != _PRODUCT:
        raise ArithmeticError(f"torch multiplies wrongly: {product} instead of {_PRODUCT}")
    return imported


def _import(names: tuple[str, ...]) -> str:
    for name in names:
        importlib.import_module(name)
    return f"{len(names)} modules"
