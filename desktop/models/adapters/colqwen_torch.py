"""ColQwen2, 2.5 and 3 through colpali-engine on torch, on a Mac's GPU (MPS), else the CPU.

Only one thread at a time may use it: everything here is called on the inference
thread.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop.models.adapters import torch_runtime
from desktop.models.adapters.colqwen_config import (
    PATCH_WEIGHT,
    PROJECTION,
    patches_last,
    read_config,
)
from desktop.models.adapters.colqwen_embedder import ColQwenEmbedder, activation_bytes, loaded
from desktop.models.errors import ModelDamaged, ModelNotSupported

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from numpy.typing import NDArray

    from desktop.models.adapters.colqwen_config import ColQwenConfig, WeightFiles
    from desktop.models.adapters.colqwen_embedder import Batch
    from desktop.models.roles import Allowance, InstalledModel


_READ = 0.9
_BYTES_PER_STEP = 256 << 20
_ENGINE = "colpali_engine.models"
_ENGINE_CLASSES = {"colqwen2": "ColQwen2", "colqwen2_5": "ColQwen2_5", "colqwen3": "ColQwen3"}


def load(model: InstalledModel, allowance: Allowance) -> Generator[float, None, ColQwenEmbedder]:
    """Load a model in steps: a `roles.Loader`.

    The weights are read here and not by `from_pretrained`, which would fill in random numbers
    for those it does not find. On the CPU they are widened to 32 bits.

    Raises: ModelDamaged, ModelNotSupported, ModelOutOfBudget.
    """
    if read_config(model.folder).quantization is not None:
        raise ModelNotSupported("{id} is quantised for MLX; torch cannot run it", id=model.id)
    return (yield from loaded(model, allowance, _import_engine, TorchRuntime))


def _import_engine() -> None:
    torch_runtime.prepare()
    importlib.import_module(_ENGINE)


class TorchRuntime:
    """Satisfies `ColQwenRuntime`."""

    dimension = 0

    def __init__(self, config: ColQwenConfig) -> None:
        import torch

        self._config = config
        self._device = "mps" if torch.backends.mps.is_available() else "cpu"
        self._model: Any = None

    def load(self, files: WeightFiles, allowance: Allowance) -> Iterator[float]:
        """Read the weights in groups, build the model. Raises: ModelDamaged, ModelOutOfBudget."""
        if self._device == "cpu":
            tensors = [info for file in files.values() for _, info in file.values()]
            narrow = sum(info.nbytes for info in tensors if info.dtype in ("BF16", "F16"))
            if narrow:
                allowance.admit(narrow, "weights of 32 bits")
        weights: dict[str, Any] = {}
        for done in _read(files, weights, widen=self._device == "cpu"):
            yield done * _READ
        self.dimension = int(weights[f"{PROJECTION}.weight"].shape[0])
        self._model = _build(self._config, self.dimension, weights).to(self._device).eval()

    def run(self, batch: Batch) -> NDArray[np.float32]:
        """Return the vectors of a batch, float32, shape (rows, longest, dimension)."""
        import torch

        if self._model is None:
            raise RuntimeError("the model is closed")
        inputs = {
            "input_ids": self._tensor(batch.token_ids),
            "attention_mask": self._tensor(batch.mask),
            "position_ids": self._tensor(batch.positions),
        }
        if batch.patches is not None and batch.grids is not None:
            # the engine takes a row of patches per page and removes their padding; here is none
            ends = np.cumsum(batch.grids.prod(axis=1))[:-1]
            inputs["pixel_values"] = [self._tensor(p) for p in np.split(batch.patches, ends)]
            inputs["image_grid_thw"] = self._tensor(batch.grids)
        try:
            with torch.inference_mode():
                vectors = self._model(**inputs)
                return np.asarray(vectors.float().cpu().numpy(), np.float32)
        except RuntimeError as error:
            if "out of memory" in str(error) or "can't allocate" in str(error):
                raise MemoryError(str(error)) from error
            raise

    def weight_bytes(self) -> int:
        """Bytes of all parameters, 0 once it is closed."""
        return torch_runtime.weight_bytes(self._model)

    def page_bytes(self, patches: int, tokens: int) -> int:
        """Estimate a page's memory: every layer's states; MPS writes attention scores out, too."""
        on_gpu = self._device == "mps"
        return activation_bytes(
            self._config,
            patches,
            tokens,
            item_bytes=2 if on_gpu else 4,
            kept_layers=self._config.text.num_hidden_layers,
            score_heads=self._config.vision.num_heads if on_gpu else 0,
        )

    def release(self) -> None:
        """Give the memory of earlier runs back."""
        torch_runtime.give_memory_back()

    def close(self) -> None:
        """Free the model."""
        self._model = None
        self.release()

    def _tensor(self, array: NDArray[Any]) -> Any:
        import torch

        return torch.from_numpy(np.ascontiguousarray(array)).to(self._device)


def _read(files: WeightFiles, weights: dict[str, Any], *, widen: bool) -> Iterator[float]:
    """Read tensors into `weights` by their canonical names, yielding the fraction done."""
    import torch
    from safetensors import safe_open

    total = sum(info.nbytes for file in files.values() for _, info in file.values()) or 1
    done = step = 0
    for path, tensors in files.items():
        with safe_open(path, framework="pt") as stored:
            for name, (stored_name, info) in tensors.items():
                tensor = stored.get_tensor(stored_name)
                if name == PATCH_WEIGHT and patches_last(tuple(tensor.shape)):
                    tensor = tensor.permute(0, 4, 1, 2, 3).contiguous()
                if widen and tensor.dtype in (torch.float16, torch.bfloat16):
                    tensor = tensor.float()
                weights[name] = tensor
                done += info.nbytes
                if done - step >= _BYTES_PER_STEP:
                    step = done
                    yield done / total


def _build(config: ColQwenConfig, dimension: int, weights: dict[str, Any]) -> Any:
    """Build the engine's model from the weights, all of which it must know and be given."""
    import torch

    engine_class: Any = getattr(importlib.import_module(_ENGINE), _ENGINE_CLASSES[config.family])

    def build(self: Any, settings: Any, **rest: Any) -> None:
        engine_class.__init__(self, settings, **rest)
        self.dim = dimension  # where the engine has a number, whatever the weights say
        self.custom_text_proj = torch.nn.Linear(config.text.hidden_size, dimension)

    with_dimension: Any = type(engine_class.__name__, (engine_class,), {"__init__": build})
    settings = engine_class.config_class.from_dict(config.raw)
    kind = next(iter(weights.values())).dtype
    try:
        with torch_runtime.quiet():
            model, report = with_dimension.from_pretrained(
                None, config=settings, state_dict=weights, dtype=kind, output_loading_info=True
            )
    except (RuntimeError, ValueError, TypeError, KeyError) as error:
        raise ModelDamaged(
            "the weights do not match their config.json: {error}", error=error
        ) from error
    wrong = [f"{what}: {sorted(map(str, names))[:3]}" for what, names in report.items() if names]
    if wrong:
        raise ModelDamaged(
            "the weights do not match their config.json: {wrong}", wrong="; ".join(wrong)
        )
    return model
