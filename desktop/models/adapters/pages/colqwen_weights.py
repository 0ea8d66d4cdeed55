"""How the weights of a ColQwen model are called, over the years and programs that save them.

Whatever the file says, a tensor has one of these names here, those that colpali-engine 0.3.18
saves with transformers 5: `visual.*`, `language_model.*` (the decoder without its head) and
`custom_text_proj.*`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from desktop.models.errors import ModelDamaged, ModelNotSupported
from desktop.models.safetensors_file import TensorInfo, read_header, weight_files

WeightFiles: TypeAlias = dict[Path, dict[str, tuple[str, TensorInfo]]]
"""File to canonical name to (name in the file, where it lies)."""

PROJECTION = "custom_text_proj"
PATCH_WEIGHT = "visual.patch_embed.proj.weight"

_WRAPPERS = ("base_model.model.", "vlm.", "model.")  # PEFT, transformers, its inner model
_PROJECTIONS = (PROJECTION, "embedding_proj_layer")
_TOWERS = ("visual", "vision_tower")
_DECODER_PARTS = ("layers", "embed_tokens", "norm")
_LEFT_OUT = ("lm_head",)


def canonical_name(name: str) -> str | None:
    """Translate a tensor's name; None for one that no vector depends on.

    Raises: ValueError, if it is of no ColQwen model.
    """
    if name.endswith("rotary_emb.inv_freq"):  # computed, never learned
        return None
    rest = name
    while True:
        head, _, tail = rest.partition(".")
        if head in _PROJECTIONS:
            return f"{PROJECTION}.{tail}"
        if head in _TOWERS:
            return f"visual.{tail}"
        if head in _DECODER_PARTS:
            return f"language_model.{rest}"
        if head == "language_model":
            rest = tail
            continue
        if head in _LEFT_OUT:
            return None
        wrapper = next((w for w in _WRAPPERS if rest.startswith(w)), None)
        if wrapper is None:
            raise ValueError(f"{name} is no weight of a ColQwen model")
        rest = rest.removeprefix(wrapper)


def list_weights(folder: Path) -> WeightFiles:
    """List a model's weights, after checking that their files are whole.

    Raises: ModelDamaged; ModelNotSupported, if they are of another kind of model.
    """
    files: WeightFiles = {}
    seen: set[str] = set()
    for path in weight_files(folder):
        tensors = {}
        for stored, info in read_header(path).items():
            try:
                name = canonical_name(stored)
            except ValueError as error:
                raise ModelNotSupported(f"{path.name}: {error}") from error
            if name is None:
                continue
            if name in seen:
                raise ModelDamaged(f"{path.name} holds {name} a second time")
            seen.add(name)
            tensors[name] = (stored, info)
        files[path] = tensors
    if f"{PROJECTION}.weight" not in seen:
        raise ModelNotSupported(
            f"{folder.name} has no projection to page vectors ({PROJECTION}): "
            "it is not a ColQwen model, or an adapter that must be merged with its base first"
        )
    return files


def patches_last(shape: tuple[int, ...]) -> bool:
    """Whether a patch convolution lies as MLX has it, colours last, not as torch has it.

    torch: (out, colours, frames, height, width); MLX: (out, frames, height, width, colours).
    """
    return shape[-1] != shape[-2]
