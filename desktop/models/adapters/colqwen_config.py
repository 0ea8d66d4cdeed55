"""What a ColQwen config.json says and what the weights are called, whoever wrote them.

It understands the nested layout of transformers 5 (`text_config`, `rope_parameters`),
the flat one of the first Qwen2-VL models (`rope_scaling`), transformers' own ColQwen
classes (`vlm_config`), and MLX conversions with a `quantization`. Whatever the file
says, a tensor has one of the names that colpali-engine 0.3.18 saves with transformers
5: `visual.*`, `language_model.*` (the decoder without its head) and
`custom_text_proj.*`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from desktop.models.errors import ModelDamaged, ModelNotSupported
from desktop.models.safetensors_file import TensorInfo, read_header, weight_files

if TYPE_CHECKING:
    from collections.abc import Mapping


ColQwenFamily: TypeAlias = Literal["colqwen2", "colqwen2_5", "colqwen3"]

_FAMILIES: dict[str, ColQwenFamily] = {
    "qwen2_vl": "colqwen2",
    "colqwen2": "colqwen2",
    "qwen2_5_vl": "colqwen2_5",
    "colqwen2_5": "colqwen2_5",
    "qwen3_vl": "colqwen3",
    "colqwen3": "colqwen3",
}
_Size = Annotated[int, Field(ge=1, le=1 << 24)]


class _Part(BaseModel):
    # A published configuration has dozens of fields beside those that are read here.
    model_config = ConfigDict(extra="ignore", frozen=True)


class TextShape(_Part):
    """The decoder. mrope_section: how many rotary frequencies go by time, row and column."""

    hidden_size: _Size
    intermediate_size: _Size
    num_hidden_layers: _Size
    num_attention_heads: _Size
    num_key_value_heads: _Size
    head_dim: _Size
    vocab_size: _Size
    rms_norm_eps: float = Field(default=1e-6, gt=0)
    max_position_embeddings: _Size = 32768
    rope_theta: float = Field(default=1_000_000.0, gt=0)
    mrope_section: tuple[int, int, int]


class VisionShape(_Part):
    """The vision tower. hidden_size: inside; out_hidden_size: what the decoder takes."""

    depth: _Size
    hidden_size: _Size
    intermediate_size: _Size
    out_hidden_size: _Size
    num_heads: _Size
    in_channels: _Size = 3
    patch_size: _Size
    temporal_patch_size: _Size = 2
    spatial_merge_size: _Size = 2
    window_size: _Size = 112
    fullatt_block_indexes: tuple[int, ...] = ()
    num_position_embeddings: _Size = 2304
    deepstack_visual_indexes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Quantization:
    """How an MLX conversion packed its matrices.

    bits: of a weight; group_size: how many share a scale. layers: those packed
    differently, by the names that the conversion gave them.
    """

    group_size: int
    bits: int
    mode: str = "affine"
    layers: Mapping[str, Quantization] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ColQwenConfig:
    """A model's configuration. raw: its Qwen-VL part as written, for runtimes that read that."""

    family: ColQwenFamily
    text: TextShape
    vision: VisionShape
    image_token_id: int
    quantization: Quantization | None
    raw: dict[str, Any]


def read_config(folder: Path) -> ColQwenConfig:
    """Read a model folder's config.json. Raises: ModelDamaged; ModelNotSupported."""
    path = folder / "config.json"
    try:
        config = json.loads(path.read_bytes())
        if not isinstance(config, dict):
            raise TypeError("it is no object")
        return _parse(config)
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
        raise ModelDamaged(
            "{name} of {name2} cannot be used: {error}",
            name=path.name,
            name2=folder.name,
            error=error,
        ) from error


def _parse(config: dict[str, Any]) -> ColQwenConfig:
    inner = config.get("vlm_config") or config
    kind = inner.get("model_type", config.get("model_type"))
    family = _FAMILIES.get(str(kind))
    if family is None:
        raise ModelNotSupported("a model of type {kind} is not a ColQwen model", kind=kind)
    written = inner.get("text_config") or inner
    packed = config.get("quantization") or inner.get("quantization")
    return ColQwenConfig(
        family=family,
        text=_text_shape(written, inner),
        vision=_vision_shape(inner["vision_config"], written, family),
        image_token_id=int(inner.get("image_token_id") or 151655),
        quantization=_quantization(packed) if packed else None,
        raw=inner,
    )


def _text_shape(text: dict[str, Any], whole: dict[str, Any]) -> TextShape:
    rope = text.get("rope_parameters") or text.get("rope_scaling") or whole.get("rope_scaling")
    rope = dict(rope or {})
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind not in ("default", "mrope"):
        raise ModelNotSupported("positions of type {kind} are not supported", kind=kind)
    heads = text["num_attention_heads"]
    filled = {
        "num_key_value_heads": heads,
        "head_dim": text["hidden_size"] // heads,
        **{name: value for name, value in text.items() if value is not None},
        "mrope_section": rope["mrope_section"],
    }
    theta = rope.get("rope_theta") or text.get("rope_theta")
    return TextShape.model_validate({**filled, **({"rope_theta": theta} if theta else {})})


def _vision_shape(
    vision: dict[str, Any], text: dict[str, Any], family: ColQwenFamily
) -> VisionShape:
    filled = {name: value for name, value in vision.items() if value is not None}
    if family == "colqwen2":  # whose `hidden_size` is the decoder's
        width = filled["embed_dim"]
        filled["out_hidden_size"] = filled.get("hidden_size", text["hidden_size"])
        filled["hidden_size"] = width
        filled["intermediate_size"] = int(width * filled.get("mlp_ratio", 4))
    filled.setdefault("in_channels", filled.get("in_chans", 3))
    filled.setdefault("patch_size", filled.get("spatial_patch_size", 14))
    return VisionShape.model_validate(filled)


def _quantization(packed: dict[str, Any]) -> Quantization:
    layers = {name: _quantization(own) for name, own in packed.items() if isinstance(own, dict)}
    mode = str(packed.get("mode", "affine"))
    return Quantization(int(packed["group_size"]), int(packed["bits"]), mode, layers)


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
    """Translate a tensor's name; None: no vector needs it. Raises: ValueError: not of ColQwen."""
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
    """List a model's weights, of whole files. Raises: ModelDamaged; ModelNotSupported."""
    files: WeightFiles = {}
    seen: set[str] = set()
    for path in weight_files(folder):
        tensors = {}
        for stored, info in read_header(path).items():
            try:
                name = canonical_name(stored)
            except ValueError as error:
                raise ModelNotSupported("{name}: {error}", name=path.name, error=error) from error
            if name is None:
                continue
            if name in seen:
                raise ModelDamaged("{name} contains {name2} twice", name=path.name, name2=name)
            seen.add(name)
            tensors[name] = (stored, info)
        files[path] = tensors
    if f"{PROJECTION}.weight" not in seen:
        raise ModelNotSupported(
            "{name} has no projection to page vectors ({projection}): it is not a ColQwen "
            "model, or is an adapter that must be merged with its base first",
            name=folder.name,
            projection=PROJECTION,
        )
    return files


def patches_last(shape: tuple[int, ...]) -> bool:
    """Whether a patch convolution is laid out as in MLX, colours last, not as in torch.

    torch: (out, colours, frames, height, width); MLX: (out, frames, height, width,
    colours).
    """
    return shape[-1] != shape[-2]
