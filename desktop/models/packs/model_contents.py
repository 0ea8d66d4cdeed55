"""Do a model's files hold together? Checked before and after the copy, without loading it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from desktop.models.errors import PackRefused, shown
from desktop.models.packs.model_files import (
    INDEX_SUFFIX,
    MANIFEST_NAME,
    FileUse,
    other_format,
    use_of,
)
from desktop.models.packs.pack_source import MOST_TEXT_BYTES
from desktop.models.safetensors_file import check_weights

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.models.packs.pack_source import PackSource

CONFIG_NAME = "config.json"
ADAPTER_NAME = "adapter_config.json"
_SHARD = re.compile(r"(.+)-(\d{5})-of-(\d{5})\.safetensors")


def read_text(source: PackSource, name: str) -> bytes:
    """Read a settings file or another small one.

    Raises: PackRefused, if it is larger than such a file is.
    """
    with source.open(name) as file:
        data = file.read(MOST_TEXT_BYTES + 1)
    if len(data) > MOST_TEXT_BYTES:
        raise PackRefused(f"{shown(name)} is larger than {MOST_TEXT_BYTES >> 20} MB.")
    return data


def read_json(source: PackSource, name: str) -> Any:
    """Read a JSON file.

    Raises: PackRefused, if it is none.
    """
    try:
        return json.loads(read_text(source, name))
    except (ValueError, RecursionError) as error:
        raise PackRefused(f"{shown(name)} is damaged: it is no JSON.") from error


def read_config(source: PackSource) -> dict[str, Any]:
    """Read config.json.

    Raises: PackRefused, if it is missing or does not say what kind of model this is.
    """
    if CONFIG_NAME not in source.files:
        raise PackRefused(f"There is no {CONFIG_NAME} in it: this is no model folder.")
    config = read_json(source, CONFIG_NAME)
    stated = config.get("architectures") if isinstance(config, dict) else None
    if (
        not isinstance(config, dict)
        or not isinstance(config.get("model_type"), str)
        or not isinstance(stated, list | None)
        or not all(isinstance(each, str) for each in stated or ())
    ):
        raise PackRefused(f"{CONFIG_NAME} does not say what kind of model this is.")
    return config


def chosen_files(source: PackSource) -> list[str]:
    """Choose the files to import from a folder without a manifest.

    Of the weights those that the index names; without an index all but copies in the
    publisher's own layout (`consolidated`).

    Raises: PackRefused, if there are no weights, or not all of them.
    """
    weights = [name for name in source.files if use_of(name) is FileUse.WEIGHTS]
    if not weights:
        reason = other_format(sorted(source.left_out, key=_weights_first))
        hint = "Groundwork reads safetensors only: get the model in that or in MLX format."
        raise PackRefused(f"{reason}. {hint}" if reason else f"It has no weights in it. {hint}")
    named = _indexed(source)
    if not named:
        plain = [name for name in weights if not name.startswith("consolidated")]
        named = set(plain or weights)
    in_parts = {name for name in weights if "/" in name}
    _check_complete(named, source.files)
    texts = (name for name in source.files if use_of(name) is FileUse.TEXT)
    return sorted({*texts, *named, *in_parts} - {MANIFEST_NAME})


def check_contents(source: PackSource, names: Iterable[str]) -> None:
    """Check each of the files: weights by their header, JSON by parsing it.

    Raises: PackRefused, with the first file that is damaged.
    """
    names = sorted(names)
    for name in names:
        if use_of(name) is FileUse.WEIGHTS:
            with source.open(name) as file:
                check_weights(name, file, source.files[name])
        elif name.endswith(".json"):
            read_json(source, name)
    _check_complete(_indexed(source, names) | {n for n in names if "/" not in n}, names)


def _indexed(source: PackSource, names: Iterable[str] | None = None) -> set[str]:
    """Return the shards that the index files name, as far as they are plain names."""
    named: set[str] = set()
    for index in source.files if names is None else names:
        if index.endswith(INDEX_SUFFIX) and "/" not in index:
            content = read_json(source, index)
            shards = content.get("weight_map") if isinstance(content, dict) else None
            if not isinstance(shards, dict) or not all(isinstance(s, str) for s in shards.values()):
                raise PackRefused(f"{shown(index)} does not name the weights' files.")
            named |= set(shards.values())
    return named


def _check_complete(named: set[str], there: Iterable[str]) -> None:
    """Refuse a model of which a shard is missing, by the index or by the shards' numbers."""
    wanted = set(named)
    for name in named:
        if part := _SHARD.fullmatch(name):
            stem, _, count = part.groups()
            total = min(int(count), 10_000)
            wanted |= {f"{stem}-{i:05d}-of-{count}.safetensors" for i in range(1, total + 1)}
    missing = sorted(wanted - set(there))
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise PackRefused(
            f"The weights are not complete: {shown(missing[0])}{more} "
            f"{'are' if more else 'is'} missing. Copy or download the model again."
        )


def _weights_first(name: str) -> tuple[bool, str]:
    return (not name.rpartition("/")[2].startswith(("pytorch_model", "model")), name)
