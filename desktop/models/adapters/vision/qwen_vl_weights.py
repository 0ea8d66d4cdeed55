"""Loading a Qwen vision model in the layout of MLX or transformers, group by group.

mlx_vlm builds the network. Its own `load` is not used: it runs a Python file that a folder
may name, it may write into weight files, and it cannot be stopped half way.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from desktop.models.adapters import mlx_runtime, torch_runtime
from desktop.models.errors import ModelDamaged, ModelNotSupported
from desktop.models.safetensors_file import weight_files

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

MODEL_TYPES = ("qwen3_vl", "qwen3_vl_moe", "qwen2_5_vl")

_RUNTIME_SHARE, _FILES_SHARE = 0.04, 0.06  # of the progress, before the first group


def read_config(folder: Path) -> dict[str, Any]:
    """Read config.json.

    Raises: ModelDamaged; ModelNotSupported, if it is of another kind of model.
    """
    config = mlx_runtime.read_config(folder)
    kind = config["model_type"]
    if kind not in MODEL_TYPES:
        raise ModelNotSupported(f"models of the kind '{kind}' cannot read pictures here")
    if not isinstance(config.get("vision_config"), dict):
        raise ModelNotSupported("this model was saved without the part that sees")
    if "quantization" not in config and config.get("quantization_config"):
        method = config["quantization_config"].get("quant_method", "an unknown method")
        raise ModelNotSupported(f"weights quantised by {method} do not run on MLX")
    return config


def load_network(folder: Path, config: dict[str, Any]) -> Generator[float, None, Any]:
    """Build the network of `read_config` and read its weights into memory.

    Yields: the fraction done. Returns: the model of mlx_vlm, every weight evaluated.
    Raises: ModelDamaged, with the file's name; ModelNotSupported.
    """
    mlx_runtime.check_files(folder)
    try:
        mlx_runtime.mlx_core()
        torch_runtime.prepare()
        yield _RUNTIME_SHARE / 2
        architecture = importlib.import_module(f"mlx_vlm.models.{config['model_type']}")
    except ImportError as error:
        raise ModelNotSupported("mlx-vlm, which runs this model, is not installed") from error
    yield _RUNTIME_SHARE

    network = _build(architecture, config, folder)
    yield _FILES_SHARE
    for fraction in mlx_runtime.read_weights(network):
        yield _FILES_SHARE + (1 - _FILES_SHARE) * fraction
    return network


def _build(architecture: Any, config: dict[str, Any], folder: Path) -> Any:
    from mlx_vlm.utils import load_model_weights

    mx = mlx_runtime.mlx_core()
    try:
        settings = _settings(architecture, config)
        network = architecture.Model(settings)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise ModelNotSupported(f"config.json describes no model of this kind: {error}") from error
    files = weight_files(folder)
    weights: dict[str, Any] = {}
    for path in files:
        try:
            loaded = mx.load(str(path))
        except (RuntimeError, ValueError) as error:
            raise ModelDamaged(f"{path.name} cannot be read") from error
        weights |= {_named(name, config["model_type"]): w for name, w in loaded.items()}
    try:
        if settings.text_config.tie_word_embeddings:  # a copy of the embeddings is no weight
            weights = {name: w for name, w in weights.items() if "lm_head" not in name}
        weights = network.sanitize(weights)
        for part in (network.vision_tower, network.language_model):
            if hasattr(part, "sanitize"):
                weights = part.sanitize(weights)
        # lazy: `load_network` evaluates them in groups, on this same thread
        return load_model_weights(network, config, weights, folder, lazy=True)
    except (ValueError, KeyError, IndexError, TypeError, RuntimeError) as error:
        names = ", ".join(path.name for path in files[:3])
        raise ModelDamaged(f"{names} and config.json do not fit together: {error}") from error


def _named(name: str, kind: str) -> str:
    """Undo the names of transformers 5 for Qwen2.5-VL, where mlx_vlm knows only older ones."""
    if kind == "qwen2_5_vl":
        for newer, older in (("model.language_model.", "model."), ("model.visual.", "visual.")):
            if name.startswith(newer):
                return older + name.removeprefix(newer)
    return name


def _settings(architecture: Any, config: dict[str, Any]) -> Any:
    """Make mlx_vlm's settings; the text model's may lie at the top level, or below."""
    outer = {key: value for key, value in config.items() if not isinstance(value, dict)}
    text = outer | (config.get("text_config") or config)
    if isinstance(rope := text.get("rope_parameters"), dict):  # transformers 5
        text.setdefault("rope_theta", rope.get("rope_theta"))
        text.setdefault("rope_scaling", rope)
    if isinstance(scaling := text.get("rope_scaling"), dict):
        kind = scaling.get("type", scaling.get("rope_type", "default"))
        text["rope_scaling"] = scaling | {"type": kind}
    settings = architecture.ModelConfig.from_dict(dict(config))
    settings.text_config = architecture.TextConfig.from_dict(text)
    settings.vision_config = architecture.VisionConfig.from_dict(config["vision_config"])
    return settings
