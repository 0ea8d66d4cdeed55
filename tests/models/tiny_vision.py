"""Tiny random vision models of the Qwen families, written as model folders in MLX layout."""

import importlib
import json
from pathlib import Path
from typing import Any

from desktop.models.adapters import mlx_runtime, torch_runtime
from desktop.models.roles import InstalledModel
from tests.fakes.tiny_tokenizer import TOKEN_IDS, VOCABULARY, write_tiny_tokenizer

PATCH = {"qwen3_vl": 16, "qwen3_vl_moe": 16, "qwen2_5_vl": 14}
# More rows than tokens, as the real ones have; a multiple of 64, or it is never quantised.
ROWS = -(-VOCABULARY // 64) * 64

_EXPERTS = {
    "num_experts": 4,
    "num_experts_per_tok": 2,
    "decoder_sparse_step": 1,
    "mlp_only_layers": [],
    "moe_intermediate_size": 64,
}


def write_tiny_vision(
    folder: Path, kind: str = "qwen3_vl", context: int = 4096, bits: int | None = None
) -> InstalledModel:
    """Write a model of two layers; bits: quantises the decoder."""
    torch_runtime.prepare()
    mx = mlx_runtime.mlx_core()
    from mlx.utils import tree_flatten

    write_tiny_tokenizer(folder)
    config = _config(kind, context)
    _write_settings(folder, kind)
    mx.random.seed(7)
    network = _network(kind, config)
    parameters: Any = tree_flatten(network.parameters())
    network.load_weights(
        [(n, mx.random.normal(v.shape) * 0.3 + (v.ndim == 1)) for n, v in parameters]
    )
    if bits:
        nn: Any = importlib.import_module("mlx.nn")
        nn.quantize(network.language_model, group_size=64, bits=bits)
        config["quantization"] = {"group_size": 64, "bits": bits}
    (folder / "config.json").write_text(json.dumps(config))
    saved = folder / "model.safetensors"
    parameters = tree_flatten(network.parameters())
    mx.save_safetensors(str(saved), dict(parameters), metadata={"format": "mlx"})
    return InstalledModel("tiny", "vision", kind, "r1", folder, saved.stat().st_size)


def _network(kind, config):
    package = importlib.import_module(f"mlx_vlm.models.{kind}")
    settings = package.ModelConfig.from_dict(dict(config))
    settings.text_config = package.TextConfig.from_dict(config.get("text_config") or config)
    settings.vision_config = package.VisionConfig.from_dict(config["vision_config"])
    return package.Model(settings)


def _config(kind, context):
    text: dict[str, Any] = {
        "vocab_size": ROWS,
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "rms_norm_eps": 1e-6,
        "rope_theta": 1e6,
        "max_position_embeddings": context,
        "tie_word_embeddings": False,
    }
    vision: dict[str, Any] = {
        "depth": 2,
        "hidden_size": 64,
        "intermediate_size": 128,
        "out_hidden_size": 64,
        "num_heads": 4,
        "patch_size": PATCH[kind],
        "spatial_merge_size": 2,
        "temporal_patch_size": 2,
        "in_channels": 3,
    }
    config = {
        "model_type": kind,
        "image_token_id": TOKEN_IDS["<|image_pad|>"],
        "video_token_id": TOKEN_IDS["<|video_pad|>"],
        "vision_start_token_id": TOKEN_IDS["<|vision_start|>"],
        "vision_end_token_id": TOKEN_IDS["<|vision_end|>"],
        "eos_token_id": TOKEN_IDS["<|im_end|>"],
    }
    if kind == "qwen2_5_vl":  # its text settings lie at the top
        scaling = {"type": "mrope", "mrope_section": [4, 2, 2]}
        vision |= {"model_type": kind, "window_size": 56, "fullatt_block_indexes": [1]}
        return config | text | {"rope_scaling": scaling, "vision_config": vision}
    text |= {
        "model_type": f"{kind}_text",
        "head_dim": 16,
        "rope_scaling": {"rope_type": "default", "mrope_section": [4, 2, 2]},
    }
    if kind == "qwen3_vl_moe":
        text |= _EXPERTS
    vision |= {
        "model_type": kind,
        "num_position_embeddings": 64,
        "deepstack_visual_indexes": [0],
    }
    return config | {"text_config": text, "vision_config": vision}


def _write_settings(folder, kind):
    side = PATCH[kind] * 2
    settings = {
        "patch_size": PATCH[kind],
        "temporal_patch_size": 2,
        "merge_size": 2,
        "image_mean": [0.5] * 3,
        "image_std": [0.5] * 3,
        "size": {"shortest_edge": 4 * side * side, "longest_edge": 48 * side * side},
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(settings))
