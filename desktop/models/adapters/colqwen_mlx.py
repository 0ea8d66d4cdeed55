"""ColQwen on MLX: its network, loading it, and exact MaxSim, the last stage of a page search.

MLX arrays belong to the thread that made them: everything here is called on the inference thread.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from desktop.models.adapters import mlx_runtime, torch_runtime
from desktop.models.adapters.colqwen_config import (
    PATCH_WEIGHT,
    PROJECTION,
    canonical_name,
    patches_last,
)
from desktop.models.adapters.colqwen_embedder import ColQwenEmbedder, activation_bytes, loaded
from desktop.models.adapters.mlx_runtime import mlx_core
from desktop.models.errors import ModelDamaged

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence

    from desktop.models.adapters.colqwen_config import ColQwenConfig, Quantization, WeightFiles
    from desktop.models.adapters.colqwen_embedder import Batch
    from desktop.models.roles import Allowance, InstalledModel, QuantizedPage


class MlxScorer:
    """Satisfies `LateInteractionScorer`. Pages are scored with one product, then one maximum."""

    def scores(
        self, question: NDArray[np.float32], pages: Sequence[QuantizedPage]
    ) -> NDArray[np.float32]:
        """Score pages; see `LateInteractionScorer.scores`. What pads a page is masked."""
        mx = mlx_runtime.mlx_core()
        lengths = np.array([len(scales) for _, scales in pages], np.int32)
        longest = int(lengths.max())
        vectors = np.zeros((len(pages), longest, question.shape[1]), np.int8)
        scales = np.zeros((len(pages), longest), np.float32)
        for place, (rows, sizes) in enumerate(pages):
            vectors[place, : len(sizes)] = rows
            scales[place, : len(sizes)] = sizes
        own = mx.array(np.arange(longest, dtype=np.int32) < lengths[:, None])
        with mlx_runtime.as_memory_errors():
            # int8 crosses to the GPU, not its four times larger copy
            products = mx.array(vectors).astype(mx.float32) @ mx.array(question.T)
            products = products * mx.array(scales)[:, :, None]
            products = mx.where(own[:, :, None], products, -mx.inf)
            return np.array(products.max(axis=1).sum(axis=1), np.float32)


Ints = NDArray[np.int32]

_PACKAGES = {"colqwen2": "qwen2_vl", "colqwen2_5": "qwen2_5_vl", "colqwen3": "qwen3_vl"}


class ColQwenMlxModel:
    """The network. Its weights are random until `parts.load_weights` has been called."""

    def __init__(self, config: ColQwenConfig, dimension: int) -> None:
        """Build the parts; nothing is computed yet. Call on the inference thread."""
        nn = _nn()
        self._config = config
        self.parts: Any = nn.Module()
        self.parts.visual = _vision_tower(config)
        self.parts.language_model = _decoder(config)
        self.parts.custom_text_proj = nn.Linear(config.text.hidden_size, dimension)

    def quantize(self, quantization: Quantization, names: Mapping[str, Any]) -> None:
        """Turn the layers whose scales are among the weights' names into packed ones."""
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
        """Counts windows with numpy, leaving out empty ones."""

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


_FUSED_HEADS = (64, 72, 80, 128)


def load(model: InstalledModel, allowance: Allowance) -> Generator[float, None, ColQwenEmbedder]:
    """Load a model in steps: a `roles.Loader`.

    Weights keep the type they are stored in; without a GPU those of 16 bits are widened, since
    the processor multiplies only 32 bits quickly.

    Raises: ModelDamaged, ModelNotSupported, ModelOutOfBudget.
    """
    return loaded(model, allowance, _import_mlx_vlm, MlxRuntime)


def _import_mlx_vlm() -> None:
    torch_runtime.prepare()
    mlx_runtime.mlx_core()
    importlib.import_module("mlx_vlm")


class MlxRuntime:
    """Satisfies `ColQwenRuntime`."""

    dimension = 0

    def __init__(self, config: ColQwenConfig) -> None:
        self._config = config
        self._model: ColQwenMlxModel | None = None
        self._item_bytes = 4

    def load(self, files: WeightFiles, allowance: Allowance) -> Iterator[float]:
        """Build the model, read its weights in groups. Raises: ModelDamaged, ModelOutOfBudget."""
        weights = _mapped(files)
        self._item_bytes = 2 if _on_gpu() else 4
        if not _on_gpu():
            _widen(weights, allowance)
        projection = f"{PROJECTION}.weight"
        self.dimension = int(weights[projection].shape[0])
        self._model = ColQwenMlxModel(self._config, self.dimension)
        if self._config.quantization is not None:
            self._model.quantize(self._config.quantization, weights)
        try:
            self._model.parts.load_weights(list(weights.items()))
        except ValueError as error:  # a name or a shape
            names = ", ".join(path.name for path in files)
            raise ModelDamaged(
                "{names} does not match its config.json: {error}", names=names, error=error
            ) from error
        del weights
        yield from mlx_runtime.read_weights(mlx_runtime.parameters(self._model.parts))

    def run(self, batch: Batch) -> NDArray[np.float32]:
        """Return the vectors of a batch, float32, shape (rows, longest, dimension)."""
        if self._model is None:
            raise RuntimeError("the model is closed")
        with mlx_runtime.as_memory_errors():
            return np.array(self._model(batch))

    def weight_bytes(self) -> int:
        """Bytes of all parameters, 0 once it is closed."""
        return mlx_runtime.weight_bytes(self._model.parts) if self._model is not None else 0

    def page_bytes(self, patches: int, tokens: int) -> int:
        """Estimate a page's memory.

        On the GPU, attention keeps no scores if its kernel knows the heads' width (72
        is padded to 80); elsewhere the scores of all heads exist before and after the
        softmax.
        """
        tower = self._config.vision
        fused = _on_gpu() and tower.hidden_size // tower.num_heads in _FUSED_HEADS
        return activation_bytes(
            self._config,
            patches,
            tokens,
            item_bytes=self._item_bytes,
            score_heads=0 if fused else 2 * tower.num_heads,
        )

    def release(self) -> None:
        """Give the memory of earlier runs back."""
        mlx_runtime.give_memory_back()

    def close(self) -> None:
        """Free the model."""
        self._model = None
        mlx_runtime.give_memory_back()


def _mapped(files: WeightFiles) -> dict[str, Any]:
    """Map the weights' files into arrays that are read when they are evaluated."""
    mx = mlx_runtime.mlx_core()
    weights = {}
    for path, tensors in files.items():
        stored = mx.load(str(path))
        for name, (stored_name, _) in tensors.items():
            array = stored[stored_name]
            if name == PATCH_WEIGHT:  # the convolution is a matrix product here
                if patches_last(array.shape):
                    array = array.transpose(0, 4, 1, 2, 3)
                array = array.reshape(array.shape[0], -1)
            weights[name.replace("patch_embed.proj.", "patch_embed.")] = array
    return weights


def _on_gpu() -> bool:
    mx = mlx_runtime.mlx_core()
    return bool(mx.default_device().type == mx.DeviceType.gpu)


def _widen(weights: dict[str, Any], allowance: Allowance) -> None:
    mx = mlx_runtime.mlx_core()
    narrow = {n: a for n, a in weights.items() if a.dtype in (mx.float16, mx.bfloat16)}
    if narrow:
        allowance.admit(sum(a.nbytes for a in narrow.values()), "weights of 32 bits")
    weights.update({name: array.astype(mx.float32) for name, array in narrow.items()})
