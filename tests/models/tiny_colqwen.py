"""Tiny random ColQwen models as colpali-engine saves them, and the engine's own answers."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from desktop.models.adapters import torch_runtime
from desktop.models.roles import InstalledModel
from tests.fakes.tiny_tokenizer import TOKEN_IDS, VOCABULARY, write_tiny_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop.models.roles import Allowance

FAMILIES = ("colqwen2", "colqwen2_5", "colqwen3")
HIDDEN = 64
_CONFIGS = {
    "colqwen2": "Qwen2VLConfig",
    "colqwen2_5": "Qwen2_5_VLConfig",
    "colqwen3": "Qwen3VLConfig",
}
_TOKENS = {
    "image_token_id": TOKEN_IDS["<|image_pad|>"],
    "video_token_id": TOKEN_IDS["<|video_pad|>"],
    "vision_start_token_id": TOKEN_IDS["<|vision_start|>"],
    "vision_end_token_id": TOKEN_IDS["<|vision_end|>"],
}
_TEXT = {
    "vocab_size": VOCABULARY,
    "hidden_size": HIDDEN,
    "intermediate_size": 128,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 4096,
    "rms_norm_eps": 1e-6,
    "initializer_range": 0.15,
    "pad_token_id": TOKEN_IDS["<|endoftext|>"],
}
_VISION = {"depth": 3, "num_heads": 2, "initializer_range": 0.15, "temporal_patch_size": 2}


def need_engine():
    """Skip what needs torch and colpali-engine where they are not installed."""
    pytest.importorskip("torch")
    torch_runtime.prepare()
    pytest.importorskip("colpali_engine")


def _rope(theta, sections, **further):
    return {"rope_type": "default", "rope_theta": theta, "mrope_section": sections, **further}


def _config(family, text=None, vision=None):
    """The family's configuration; `text` and `vision` replace some of its sizes."""
    text, vision = {**_TEXT, **(text or {})}, {**_VISION, **(vision or {})}
    hidden = text["hidden_size"]
    half = hidden // text["num_attention_heads"] // 2
    sizes = {"hidden_size": 32, "intermediate_size": 64, "out_hidden_size": hidden}
    if family == "colqwen2":
        vision = {"embed_dim": 32, "mlp_ratio": 4, "hidden_size": hidden, **vision}
    elif family == "colqwen2_5":
        vision = {**sizes, "window_size": 112, "fullatt_block_indexes": [1], **vision}
    else:
        places = {"num_position_embeddings": 144, "deepstack_visual_indexes": [0, 1]}
        vision = {**sizes, **places, "patch_size": 16, **vision}
        text["head_dim"] = 2 * half
    sections = [half - 2 * (half * 3 // 8), half * 3 // 8, half * 3 // 8]
    interleaved = {"mrope_interleaved": True} if family == "colqwen3" else {}
    text["rope_parameters"] = _rope(1e6, sections, **interleaved)
    config = getattr(importlib.import_module("transformers"), _CONFIGS[family])
    return config(text_config=text, vision_config=vision, tie_word_embeddings=True, **_TOKENS)


def _classes(family):
    import colpali_engine.models as engine

    return {
        "colqwen2": (engine.ColQwen2, engine.ColQwen2Processor),
        "colqwen2_5": (engine.ColQwen2_5, engine.ColQwen2_5_Processor),
        "colqwen3": (engine.ColQwen3, engine.ColQwen3Processor),
    }[family]


@dataclass
class TinyColQwen:
    """A folder, and the engine's model and processor that were saved there."""

    family: str
    folder: Path
    model: Any
    processor: Any

    @property
    def installed(self):
        return installed(self.folder, self.family)

    def pages(self, pictures):
        """The engine's vectors of pages, rows of padding left out."""
        from PIL import Image

        inputs = self.processor.process_images([Image.fromarray(p) for p in pictures])
        return self._vectors(inputs)

    def queries(self, texts):
        return self._vectors(self.processor.process_queries(texts))

    def _vectors(self, inputs):
        import torch

        with torch.no_grad():
            vectors = self.model(**inputs).numpy()
        masks = inputs["attention_mask"].numpy().astype(bool)
        return [row[mask] for row, mask in zip(vectors, masks, strict=True)]


def installed(folder, family="colqwen2_5"):
    weights = sum(file.stat().st_size for file in folder.glob("*.safetensors"))
    return InstalledModel(f"tiny-{family}", "pages", family, "1", folder, weights)


def build(
    family: str,
    folder: Path,
    *,
    text: dict[str, Any] | None = None,
    vision: dict[str, Any] | None = None,
    most_patches: int = 48,
) -> TinyColQwen:
    """Build a model, float32, with norms and biases that are not trivial, and save it."""
    torch_runtime.prepare()
    import torch
    from transformers import AutoTokenizer
    from transformers.models.qwen2_vl import Qwen2VLImageProcessorPil, Qwen2VLVideoProcessor
    from transformers.models.qwen3_vl import Qwen3VLVideoProcessor

    torch.manual_seed(0)
    model_class, processor_class = _classes(family)
    model = model_class(_config(family, text, vision)).eval().float()
    with torch.no_grad():
        for name, weights in model.named_parameters():
            if name.endswith("bias"):
                weights.normal_(0, 0.1)
            elif "norm" in name or "ln_q" in name:
                weights.copy_(1 + 0.1 * torch.randn_like(weights))
            else:
                weights.normal_(0, 0.15)
    model.save_pretrained(folder)
    write_tiny_tokenizer(folder)
    side = 32 if family == "colqwen3" else 28
    colours: dict[str, Any] = {}
    if family == "colqwen3":
        colours = {"image_mean": [0.5] * 3, "image_std": [0.5] * 3}
    images = Qwen2VLImageProcessorPil(
        patch_size=side // 2,
        min_pixels=4 * side * side,
        max_pixels=most_patches * side * side,
        **colours,
    )
    video = Qwen3VLVideoProcessor() if family == "colqwen3" else Qwen2VLVideoProcessor()
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    processor = processor_class(image_processor=images, tokenizer=tokenizer, video_processor=video)
    processor.save_pretrained(folder)
    return TinyColQwen(family, folder, model, processor)


def picture(height: int, width: int, seed: int = 0) -> NDArray[np.uint8]:
    """A page with some structure: bands, boxes and noise."""
    rng = np.random.default_rng(seed)
    page = np.full((height, width, 3), 245, np.uint8)
    for _ in range(12):
        y, x = rng.integers(0, height - 8), rng.integers(0, width - 8)
        page[y : y + rng.integers(4, 40), x : x + rng.integers(4, 90)] = rng.integers(0, 255, 3)
    noise = rng.integers(0, 12, page.shape)
    return np.clip(page.astype(int) - noise, 0, 255).astype(np.uint8)


def loaded(
    loader: Callable[..., Any], model: InstalledModel, allowance: Allowance
) -> tuple[Any, list[float]]:
    """Run a loader to its end; return the adapter and the fractions it yielded."""
    steps, fractions = loader(model, allowance), []
    while True:
        try:
            fractions.append(next(steps))
        except StopIteration as end:
            return end.value, fractions


def rewrite_config(source, target, change):
    """Copy a model folder with its config.json changed."""
    target.mkdir()
    for file in source.iterdir():
        if file.name != "config.json":
            (target / file.name).symlink_to(file)
    config = json.loads((source / "config.json").read_text())
    (target / "config.json").write_text(json.dumps(change(config) or config))


def assert_same(found, expected):
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.shape == theirs.shape
        assert ours.dtype == np.float32
        cosines = (ours * theirs).sum(axis=1)
        assert cosines.min() > 0.9999  # so the two are above 0.999 of one another
        np.testing.assert_allclose(np.linalg.norm(ours, axis=1), 1, atol=1e-5)


def copied(source, target):
    target.mkdir()
    for file in source.iterdir():
        (target / file.name).write_bytes(file.read_bytes())
    return target


def with_weights(source, target, change):
    from safetensors.torch import load_file, save_file

    folder = copied(source, target)
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors")
    return folder
