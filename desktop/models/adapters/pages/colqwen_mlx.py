"""ColQwen2, 2.5 and 3 through MLX: the page embedder on Apple Silicon.

MLX arrays belong to the thread that made them: everything here is called on the inference
thread.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop.models.adapters import mlx_runtime, mlx_weights, torch_runtime
from desktop.models.adapters.pages.colqwen_batch import activation_bytes
from desktop.models.adapters.pages.colqwen_config import read_config
from desktop.models.adapters.pages.colqwen_embedder import ColQwenEmbedder
from desktop.models.adapters.pages.colqwen_mlx_model import ColQwenMlxModel
from desktop.models.adapters.pages.colqwen_processing import ColQwenProcessor
from desktop.models.adapters.pages.colqwen_weights import (
    PATCH_WEIGHT,
    PROJECTION,
    list_weights,
    patches_last,
)
from desktop.models.errors import ModelDamaged

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from numpy.typing import NDArray

    from desktop.models.adapters.pages.colqwen_batch import Batch
    from desktop.models.adapters.pages.colqwen_config import ColQwenConfig
    from desktop.models.adapters.pages.colqwen_weights import WeightFiles
    from desktop.models.loading import Allowance, InstalledModel

_IMPORTED = 0.05  # of the way
_BYTES_PER_STEP = 256 << 20
_FUSED_HEADS = (64, 72, 80, 128)


def load(model: InstalledModel, allowance: Allowance) -> Generator[float, None, ColQwenEmbedder]:
    """Load a model in steps: a `loading.Loader`.

    Weights keep the type they are stored in; without a GPU those of 16 bits are widened, since
    the processor multiplies only 32 bits quickly.

    Raises: ModelDamaged, ModelNotSupported, ModelOutOfBudget.
    """
    config = read_config(model.folder)
    files = list_weights(model.folder)
    processor = ColQwenProcessor(model.folder, config)
    yield 0.0
    torch_runtime.prepare()
    mlx_runtime.mlx_core()
    importlib.import_module("mlx_vlm")  # seconds, hence a step of its own

    yield _IMPORTED
    runtime = MlxRuntime(config)
    try:
        for done in runtime.load(files, allowance):
            yield _IMPORTED + done * (1 - _IMPORTED)
    except BaseException:  # closed half way or damaged: nothing stays
        runtime.close()
        raise
    yield 1.0
    return ColQwenEmbedder(model.model_id, runtime.dimension, config, processor, runtime, allowance)


class MlxRuntime:
    """Satisfies `ColQwenRuntime`."""

    dimension = 0

    def __init__(self, config: ColQwenConfig) -> None:
        """Remember the configuration; `load` makes the model."""
        self._config = config
        self._model: ColQwenMlxModel | None = None
        self._item_bytes = 4

    def load(self, files: WeightFiles, allowance: Allowance) -> Iterator[float]:
        """Build the model and read its weights, a group of them at a time.

        Raises: ModelDamaged, ModelOutOfBudget.
        """
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
            raise ModelDamaged(f"{names} does not match its config.json: {error}") from error
        del weights
        yield from _evaluated(self._model.parts)

    def run(self, batch: Batch) -> NDArray[np.float32]:
        """Return the vectors of a batch, float32, shape (rows, longest, dimension)."""
        if self._model is None:
            raise RuntimeError("the model is closed")
        try:
            return np.array(self._model(batch))
        except RuntimeError as error:
            if "alloc" in str(error):  # [metal::malloc], [malloc_or_wait]: MLX has no own class
                raise MemoryError(str(error)) from error
            raise

    def weight_bytes(self) -> int:
        """Bytes of all parameters, 0 once it is closed."""
        return mlx_weights.weight_bytes(self._model.parts) if self._model is not None else 0

    def page_bytes(self, patches: int, tokens: int) -> int:
        """Estimate a page's memory.

        On the GPU attention keeps no scores, if heads have a width that its kernel knows (72 is
        filled up to 80); elsewhere those of all heads are there before and after the softmax.
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


def _evaluated(parts: Any) -> Iterator[float]:
    """Read what is not read yet, yielding the fraction done."""
    mx = mlx_runtime.mlx_core()
    tree: Any = importlib.import_module("mlx.utils")
    arrays = [array for _, array in tree.tree_flatten(parts.parameters())]
    total = sum(array.nbytes for array in arrays) or 1
    done, group, group_bytes = 0, [], 0
    for array in arrays:
        group.append(array)
        group_bytes += array.nbytes
        if group_bytes >= _BYTES_PER_STEP:
            mx.eval(group)
            done, group, group_bytes = done + group_bytes, [], 0
            yield done / total
    mx.eval(group)
