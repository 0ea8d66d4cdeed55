"""A LoRA adapter merged into its base model, and imported as any other model."""

from __future__ import annotations

import json
import math
import re
import secrets
import shutil
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from desktop.models.adapters.colqwen_config import PROJECTION, canonical_name
from desktop.models.adapters.colqwen_config import read_config as read_colqwen_config
from desktop.models.errors import ModelDamaged, ModelNotSupported, PackRefused
from desktop.models.packs.installing import Wish, check_room, install
from desktop.models.packs.model_contents import (
    ADAPTER_NAME,
    CONFIG_NAME,
    UNKNOWN_LICENCE,
    check_contents,
    chosen_files,
    read_config,
    stated_licence,
)
from desktop.models.packs.model_folder import IMPORTING
from desktop.models.packs.pack_events import ImportEvent, PackDone, PackProgress
from desktop.models.packs.pack_source import FolderSource
from desktop.models.safetensors_file import (
    INDEX_NAME,
    SafetensorsWriter,
    TensorInfo,
    from_float32,
    read_header,
    read_tensor,
    to_float32,
    weight_files,
)
from desktop.sentences import message

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping
    from pathlib import Path

    from desktop.models.adapters.colqwen_config import ColQwenFamily
    from desktop.models.catalogue import Catalogue
    from desktop.models.generation import Cancelled
    from desktop.models.packs.model_folder import ModelFolder
    from desktop.models.packs.pack_source import PackSource

Floats = NDArray[np.float32]

ADAPTER_CONFIG = "adapter_config.json"
ADAPTER_WEIGHTS = "adapter_model.safetensors"
MERGED_WEIGHTS = "model.safetensors"
_ARCHITECTURES: Mapping[ColQwenFamily, str] = {
    "colqwen2": "ColQwen2",
    "colqwen2_5": "ColQwen2_5",
    "colqwen3": "ColQwen3",
}
_COPIED_SUFFIXES = (".json", ".jinja", ".txt")
_FLOATING = ("F64", "F32", "F16", "BF16")


class AdapterConfig(BaseModel):
    """What decides how an adapter is merged. PEFT writes dozens more fields."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    peft_type: Literal["LORA"]
    base_model_name_or_path: str = ""
    lora_alpha: float = Field(gt=0)
    alpha_pattern: dict[str, float] = Field(default_factory=dict)
    use_rslora: bool = False
    fan_in_fan_out: bool = False
    # Kinds of LoRA that change a model in other ways than W + scale * B A.
    use_dora: Literal[False, None] = False
    lora_bias: Literal[False, None] = False
    use_qalora: Literal[False, None] = False
    layer_replication: None = None
    target_parameters: None = None
    trainable_token_indices: None = None


@dataclass(frozen=True, slots=True)
class _Stored:
    path: Path
    info: TensorInfo

    def read(self) -> Floats:
        return to_float32(read_tensor(self.path, self.info), self.info.dtype)


@dataclass(frozen=True, slots=True)
class _Change:
    """What happens to one tensor: factors are added to it, or another takes its place."""

    factors: tuple[_Stored, _Stored] | None = None
    scale: float = 1.0
    replacement: _Stored | None = None


def read_adapter_config(folder: Path) -> AdapterConfig:
    """Read an adapter's configuration. Raises: PackRefused, if it is not a plain LoRA adapter."""
    try:
        return AdapterConfig.model_validate_json((folder / ADAPTER_CONFIG).read_bytes())
    except OSError as error:
        raise PackRefused(
            "{name} has no readable {adapter_config}",
            name=folder.name,
            adapter_config=ADAPTER_CONFIG,
        ) from error
    except ValidationError as error:
        fields = sorted({str(item["loc"][0]) for item in error.errors() if item["loc"]})
        reason = ", ".join(fields) or "no JSON"
        raise PackRefused(
            "{adapter_config} cannot be merged: {reason}",
            adapter_config=ADAPTER_CONFIG,
            reason=reason,
        ) from error


def merge_adapter(adapter: Path, base: Path, target: Path) -> Generator[PackProgress, None, None]:
    """Write the merged model into the folder `target`, which must not exist yet.

    The tokenizer's and the processor's files are the adapter's where it has them, as it was
    trained with those. Peak memory is a few times the largest changed matrix. If the
    iterator is closed or fails before its end, `target` is removed again.

    Yields: after each tensor.
    Raises: PackRefused, if the two do not fit together; OSError.
    """
    try:
        family = read_colqwen_config(base).family
        stored = _stored(weight_files(base))
        changes = _changes(adapter, read_adapter_config(adapter), stored)
    except (ModelDamaged, ModelNotSupported) as error:
        raise PackRefused(message(error)) from error
    target.mkdir(parents=True)
    try:
        _copy_settings(base, adapter, target, family)
        fan_in = read_adapter_config(adapter).fan_in_fan_out
        yield from _write(target / MERGED_WEIGHTS, stored, changes, fan_in)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise


def _stored(files: list[Path]) -> dict[str, _Stored]:
    found: dict[str, _Stored] = {}
    for path in files:
        for stored_name, info in read_header(path).items():
            name = _canonical(stored_name, path)
            if name is None:
                continue
            if info.dtype not in _FLOATING:
                raise PackRefused(
                    "{name} is quantised: merge with the original base model", name=path.name
                )
            found[name] = _Stored(path, info)
    return found


def _canonical(stored_name: str, path: Path) -> str | None:
    try:
        return canonical_name(stored_name)
    except ValueError as error:
        raise PackRefused("{name}: {error}", name=path.name, error=error) from error


def _changes(
    adapter: Path, config: AdapterConfig, base: Mapping[str, _Stored]
) -> dict[str, _Change]:
    path = adapter / ADAPTER_WEIGHTS
    factors: dict[str, dict[str, _Stored]] = {}
    changes: dict[str, _Change] = {}
    for stored_name, info in read_header(path).items():
        tensor = _Stored(path, info)
        match = re.fullmatch(
            r"(?P<module>.+)\.lora_(?P<side>[AB])(\.default)?\.weight", stored_name
        )
        if match:
            factors.setdefault(match["module"], {})[match["side"]] = tensor
        elif ".lora_" in stored_name:
            raise PackRefused(
                "{name}: {stored_name} is of a kind that cannot be merged",
                name=path.name,
                stored_name=stored_name,
            )
        elif (name := _canonical(stored_name.replace(".modules_to_save", ""), path)) is not None:
            changes[name] = _Change(replacement=tensor)
    for module, sides in factors.items():
        own = _canonical(f"{module}.weight", path)
        if own is not None:
            changes[own] = _factor_change(module, sides, config, base.get(own), path)
    if not changes:
        raise PackRefused("{name} changes nothing", name=path.name)
    if f"{PROJECTION}.weight" not in {*base, *changes}:
        raise PackRefused(
            "neither the adapter nor its base has {projection}: not a ColQwen model",
            projection=PROJECTION,
        )
    return changes


def _factor_change(
    module: str,
    sides: Mapping[str, _Stored],
    config: AdapterConfig,
    base: _Stored | None,
    path: Path,
) -> _Change:
    if base is None or set(sides) != {"A", "B"}:
        raise PackRefused(
            "{name} was made for another base model: it changes {module}",
            name=path.name,
            module=module,
        )
    down, up = sides["A"].info.shape, sides["B"].info.shape
    shape = base.info.shape
    whole = (up[0], down[1]) if len(down) == len(up) == 2 and down[0] == up[1] else ()
    if sorted(whole) != sorted(shape) or (not config.fan_in_fan_out and whole != shape):
        raise PackRefused(
            "{name} was made for another base model: {module} is {shape}",
            name=path.name,
            module=module,
            shape=shape,
        )
    rank = math.sqrt(down[0]) if config.use_rslora else down[0]
    return _Change(factors=(sides["A"], sides["B"]), scale=_alpha(module, config) / rank)


def _alpha(module: str, config: AdapterConfig) -> float:
    """Return a module's own alpha if a pattern names it: PEFT matches whole ends of a path."""
    for pattern, alpha in config.alpha_pattern.items():
        if re.fullmatch(rf"(.*\.)?({pattern})", module):
            return alpha
    return config.lora_alpha


def _write(
    path: Path, base: Mapping[str, _Stored], changes: Mapping[str, _Change], fan_in: bool
) -> Iterator[PackProgress]:
    added = {n: c.replacement for n, c in changes.items() if n not in base and c.replacement}
    tensors = {**base, **added}
    shapes = {name: _shape(name, tensor, changes) for name, tensor in tensors.items()}
    total = sum(tensor.info.nbytes for tensor in tensors.values())
    done = 0
    with SafetensorsWriter(path, shapes) as writer:
        for name, tensor in tensors.items():
            writer.write(_merged(tensor, changes.get(name), fan_in))
            done += tensor.info.nbytes
            yield PackProgress("merging", done, total, name)


def _shape(
    name: str, tensor: _Stored, changes: Mapping[str, _Change]
) -> tuple[str, tuple[int, ...]]:
    change = changes.get(name)
    new = change.replacement if change else None
    if new is not None and new.info.shape != tensor.info.shape:
        raise PackRefused(
            "{name} was made for another base model: {name2} differs",
            name=new.path.name,
            name2=name,
        )
    return tensor.info.dtype, tensor.info.shape


def _merged(tensor: _Stored, change: _Change | None, fan_in: bool) -> NDArray[Any]:
    if change is None:
        return read_tensor(tensor.path, tensor.info)
    if change.replacement is not None:
        return from_float32(change.replacement.read(), tensor.info.dtype)
    assert change.factors is not None  # one of the two is given
    down, up = (factor.read() for factor in change.factors)
    delta = up @ down
    delta *= np.float32(change.scale)
    return from_float32(tensor.read() + (delta.T if fan_in else delta), tensor.info.dtype)


def _copy_settings(base: Path, adapter: Path, target: Path, family: ColQwenFamily) -> None:
    left_out = {INDEX_NAME, ADAPTER_CONFIG, "config.json"}
    for folder in (base, adapter):
        for file in sorted(folder.iterdir()):
            wanted = file.suffix in _COPIED_SUFFIXES or file.name.startswith("LICENSE")
            if wanted and file.name not in left_out and file.is_file():
                shutil.copyfile(file, target / file.name)
    config = json.loads((base / "config.json").read_bytes())
    config["architectures"] = [_ARCHITECTURES[family]]
    (target / "config.json").write_text(json.dumps(config, indent=1), encoding="utf-8")


def is_bare_adapter(source: PackSource) -> bool:
    """Whether a source is an adapter without the model it changes."""
    return ADAPTER_NAME in source.files and CONFIG_NAME not in source.files


def install_merged(
    adapter: PackSource,
    base: Path,
    folder: ModelFolder,
    catalogue: Catalogue,
    wish: Wish,
    cancelled: Cancelled,
) -> Iterator[ImportEvent]:
    """Merge an adapter into a copy of its base and install that; see `install`."""
    yield PackProgress("checking", 0, 0)
    if not isinstance(adapter, FolderSource) or not base.is_dir():
        raise PackRefused("An adapter and its base are imported from folders: unpack them first.")
    if ADAPTER_NAME not in adapter.files:
        raise PackRefused(
            "There is no {adapter_name}: this is not a LoRA adapter.",
            adapter_name=ADAPTER_NAME,
        )
    with closing(FolderSource(base)) as opened:
        check_contents(adapter, adapter.files)
        names = chosen_files(opened)
        check_contents(opened, names)
        read_config(opened)
        check_room(folder.root, sum(opened.files[name] for name in names), "the merged model")
        merged = folder.root / f"{IMPORTING}{secrets.token_hex(8)}"
        wish = replace(wish, licence=_licence(adapter, opened), link=True)
        try:
            for step in merge_adapter(adapter.root, opened.root, merged):
                yield step
                if cancelled():
                    return
            source = FolderSource(merged, name=adapter.name)
            for event in install(source, folder, catalogue, wish, cancelled):
                if isinstance(event, PackDone):
                    event = replace(event, left_out=adapter.left_out)
                yield event
        finally:
            shutil.rmtree(merged, ignore_errors=True)


def _licence(adapter: PackSource, base: PackSource) -> str:
    """Both licences apply: it is a work of both models."""
    own, under = (stated_licence(each) or UNKNOWN_LICENCE for each in (adapter, base))
    return own if own == under else f"{own} (base: {under})"
