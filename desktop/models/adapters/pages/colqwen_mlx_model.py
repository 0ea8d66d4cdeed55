"""ColQwen2, 2.5 and 3 in MLX: mlx_vlm's towers and decoders with our own way through them.

mlx_vlm 0.7.10 has a ColQwen2.5 that is wrong for pages: it counts positions along the row
where the model was trained with rows and columns (M-RoPE), and lets tokens see padding. Here
the positions come with the batch, and padding stands where a causal decoder never looks.

The parts bear the names of `colqwen_weights`. The patch convolution does not overlap, so it
is a matrix product here.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from desktop.models.adapters.mlx_runtime import mlx_core
from desktop.models.adapters.pages.colqwen_weights import canonical_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.models.adapters.pages.colqwen_batch import Batch
    from desktop.models.adapters.pages.colqwen_config import ColQwenConfig, Quantization

Ints = NDArray[np.int32]

_PACKAGES = {"colqwen2": "qwen2_vl", "colqwen2_5": "qwen2_5_vl", "colqwen3": "qwen3_vl"}


class ColQwenMlxModel:
    """The network. Its weights are random until `parts.load_weights` was called."""

    def __init__(self, config: ColQwenConfig, dimension: int) -> None:
        """Build the parts; nothing is computed yet. Call on the inference thread."""
        nn = _nn()
        self._config = config
        self.parts: Any = nn.Module()
        self.parts.visual = _vision_tower(config)
        self.parts.language_model = _decoder(config)
        self.parts.custom_text_proj = nn.Linear(config.text.hidden_size, dimension)

    def quantize(self, quantization: Quantization, names: Mapping[str, Any]) -> None:
        """Make packed layers of those whose scales are among the weights' names."""
        own = {canonical_name(f"{layer}.weight"): q for layer, q in quantization.layers.items()}

        def packed(path: str, module: Any) -> bool | dict[str, Any]:
            if f"{path}.scales" not in names:
                return False
            chosen = own.get(f"{path}.weight", quantization)
            return {"group_size": chosen.group_size, "bits": chosen.bits, "mode": chosen.mode}

        _nn().quantize(self.parts, class_predicate=packed)

    def __call__(self, batch: Batch) -> Any:
        """Return the vectors, an array of shape (rows, longest, dimension), not yet evaluated."""
        mx = mlx_core()
        parts = self.parts
        states = parts.language_model.embed_tokens(mx.array(batch.token_ids))
        further: dict[str, Any] = {}
        if batch.patches is not None:
            states, further = self._see(batch, states)
        states = parts.language_model(
            None,
            inputs_embeds=states,
            mask="causal",
            position_ids=mx.array(batch.positions.astype(np.int32)),
            **further,
        )
        vectors = parts.custom_text_proj(states).astype(mx.float32)
        return vectors / mx.linalg.norm(vectors, axis=-1, keepdims=True)

    def _see(self, batch: Batch, states: Any) -> tuple[Any, dict[str, Any]]:
        """Put the pictures' features in place of their tokens."""
        mx = mlx_core()
        grids = mx.array(np.asarray(batch.grids, np.int32))
        features = self.parts.visual(mx.array(batch.patches).astype(states.dtype), grids)
        is_patch = (batch.token_ids == self._config.image_token_id) & (batch.mask == 1)
        rows, columns = (mx.array(axis.astype(np.int32)) for axis in np.nonzero(is_patch))
        further = {}
        if self._config.family == "colqwen3":
            features, deeper = features
            further = {
                "visual_pos_masks": is_patch,
                "deepstack_visual_embeds": deeper,
            }
        states[rows, columns] = features.astype(states.dtype)
        return states, further


def _nn() -> Any:
    return importlib.import_module("mlx.nn")


def _module(config: ColQwenConfig, name: str) -> Any:
    return importlib.import_module(f"mlx_vlm.models.{_PACKAGES[config.family]}.{name}")


def _decoder(config: ColQwenConfig) -> Any:
    text = config.text.model_dump()
    rope = {"type": "default", "mrope_section": list(config.text.mrope_section)}
    settings = {**text, "model_type": _PACKAGES[config.family], "rope_scaling": rope}
    language = _module(config, "language")
    decoder = language.Qwen3VLModel if config.family == "colqwen3" else language.Qwen2Model
    return decoder(_module(config, "config").TextConfig.from_dict(settings))


def _vision_tower(config: ColQwenConfig) -> Any:
    vision = config.vision
    settings = {**vision.model_dump(), "model_type": _PACKAGES[config.family]}
    if config.family == "colqwen2":  # its sizes have other names
        settings["mlp_ratio"] = vision.intermediate_size / vision.hidden_size
        settings["embed_dim"], settings["hidden_size"] = vision.hidden_size, vision.out_hidden_size
    tower_class = _module(config, "vision").VisionModel
    if config.family == "colqwen2_5":
        tower_class = _with_exact_windows(tower_class)
    tower = tower_class(_module(config, "config").VisionConfig.from_dict(settings))
    colours = vision.in_channels * vision.temporal_patch_size * vision.patch_size**2
    bias = config.family == "colqwen3"
    tower.patch_embed = _nn().Linear(colours, vision.hidden_size, bias=bias)
    return tower


def _with_exact_windows(tower_class: Any) -> Any:
    class ExactWindows(tower_class):  # type: ignore[misc]  # mlx_vlm has no types
        """Counts windows in numpy, and none that are empty."""

        def get_window_index(self, grid_thw: Any) -> tuple[Any, Any]:
            mx = mlx_core()
            side = self.window_size // self.spatial_merge_size // self.patch_size
            order, ends = window_order(
                [
                    (rows // self.spatial_merge_size, columns // self.spatial_merge_size)
                    for _, rows, columns in grid_thw.tolist()
                ],
                side,
            )
            return mx.array(order), mx.array(ends * self.spatial_merge_unit)

    return ExactWindows


def window_order(grids: Sequence[tuple[int, int]], side: int) -> tuple[Ints, Ints]:
    """Sort the merged patches of pages by the window of `side` times `side` they lie in.

    grids: rows and columns of each page. Returns: the patches' numbers in the new order, and
    where windows begin and end in it, from 0 on. Both int32.
    """
    orders, sizes, start = [], [], 0
    for rows, columns in grids:
        row, column = np.divmod(np.arange(rows * columns), columns)
        window = row // side * -(-columns // side) + column // side
        orders.append(start + np.argsort(window, kind="stable"))
        sizes.append(np.bincount(window))
        start += rows * columns
    ends = np.concatenate([[0], np.cumsum(np.concatenate(sizes))])
    return np.concatenate(orders).astype(np.int32), ends.astype(np.int32)
