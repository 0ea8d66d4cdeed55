"""What model lies in a folder, and do its files hold together?

Checked before and after the copy, without loading it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.models.errors import PackRefused, shown
from desktop.models.packs.model_folder import (
    INDEX_SUFFIX,
    MANIFEST_NAME,
    FileUse,
    checked_id,
    is_id,
    other_format,
    use_of,
)
from desktop.models.packs.pack_source import MOST_TEXT_BYTES
from desktop.models.safetensors_file import check_weights
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop.models.catalogue import Catalogue, CatalogueEntry, Family
    from desktop.models.packs.model_folder import Manifest
    from desktop.models.packs.pack_source import PackSource
    from desktop.models.roles import Role

CONFIG_NAME = "config.json"
ADAPTER_NAME = "adapter_config.json"


def read_text(source: PackSource, name: str) -> bytes:
    """Read a settings file or another small one. Raises: PackRefused, if it is larger."""
    with source.open(name) as file:
        data = file.read(MOST_TEXT_BYTES + 1)
    if len(data) > MOST_TEXT_BYTES:
        raise PackRefused(
            "{name} is larger than {most_text_bytes} MB.",
            name=shown(name),
            most_text_bytes=MOST_TEXT_BYTES >> 20,
        )
    return data


def read_json(source: PackSource, name: str) -> Any:
    """Read a JSON file. Raises: PackRefused, if it is not one."""
    try:
        return json.loads(read_text(source, name))
    except (ValueError, RecursionError) as error:
        raise PackRefused("{name} is damaged: it is not JSON.", name=shown(name)) from error


def read_config(source: PackSource) -> dict[str, Any]:
    """Read config.json. Raises: PackRefused, if it does not say what kind of model this is."""
    if CONFIG_NAME not in source.files:
        raise PackRefused(
            "There is no {config_name}: this is not a model folder.", config_name=CONFIG_NAME
        )
    config = read_json(source, CONFIG_NAME)
    stated = config.get("architectures") if isinstance(config, dict) else None
    if (
        not isinstance(config, dict)
        or not isinstance(config.get("model_type"), str)
        or not isinstance(stated, list | None)
        or not all(isinstance(each, str) for each in stated or ())
    ):
        raise PackRefused(
            "{config_name} does not say what kind of model this is.", config_name=CONFIG_NAME
        )
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
        hint = said("Groundwork reads safetensors only: get the model in that or in MLX format.")
        raise PackRefused(
            said("{reason}. {hint}", reason=reason, hint=hint)
            if reason
            else said("No weights found. {hint}", hint=hint)
        )
    named = _indexed(source)
    if not named:
        plain = [name for name in weights if not name.startswith("consolidated")]
        named = set(plain or weights)
    in_parts = {name for name in weights if "/" in name}
    _check_complete(named, source.files)
    texts = (name for name in source.files if use_of(name) is FileUse.TEXT)
    return sorted({*texts, *named, *in_parts} - {MANIFEST_NAME})


def check_contents(source: PackSource, names: Iterable[str]) -> None:
    """Check weights by their header and JSON by parsing it. Raises: PackRefused."""
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
                raise PackRefused("{index} does not name the weight files.", index=shown(index))
            named |= set(shards.values())
    return named


def _check_complete(named: set[str], there: Iterable[str]) -> None:
    """Refuse a model with a missing shard, going by the index or by the shards' numbers."""
    wanted = set(named)
    for name in named:
        if part := re.fullmatch(r"(.+)-(\d{5})-of-(\d{5})\.safetensors", name):
            stem, _, count = part.groups()
            total = min(int(count), 10_000)
            wanted |= {f"{stem}-{i:05d}-of-{count}.safetensors" for i in range(1, total + 1)}
    missing = sorted(wanted - set(there))
    if missing:
        more = said(" and {missing} more", missing=len(missing) - 1) if len(missing) > 1 else ""
        raise PackRefused(
            "The weights are not complete: {missing}{more} {value} missing. Copy or "
            "download the model again.",
            missing=shown(missing[0]),
            more=more,
            value="are" if more else "is",
        )


def _weights_first(name: str) -> tuple[bool, str]:
    return (not name.rpartition("/")[2].startswith(("pytorch_model", "model")), name)


UNKNOWN_LICENCE = "unknown"
_LONGEST_ID = 64
_LICENCES = {
    "Apache License": "Apache-2.0",
    "MIT License": "MIT",
    "BSD 3-Clause": "BSD-3-Clause",
    "Gemma Terms of Use": "Gemma",
    "LLAMA": "Llama",
    "Qwen RESEARCH LICENSE": "Qwen Research",
}
_PRECISIONS = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}
_READ_AS_TEXT = 2**20


@dataclass(frozen=True, slots=True)
class Identity:
    """Everything in a manifest but the files. revision: empty if nobody stated one."""

    id: str
    role: Role
    family: str
    title: str
    licence: str
    repository: str
    revision: str
    quantisation: str


def family_of(source: PackSource, catalogue: Catalogue) -> Family:
    """Return the family that config.json states. Raises: PackRefused, if it cannot run here."""
    config = read_config(source)
    family = catalogue.family_of(config, source.files)
    if family is not None:
        return family
    kind = shown(config["model_type"])
    stated = ", ".join(shown(name) for name in config.get("architectures") or ())
    code = (
        said(" The model needs code of its own, which Groundwork never runs.")
        if "auto_map" in config
        else ""
    )
    known = sorted({each for family in catalogue.families for each in family.model_types})
    raise PackRefused(
        "Groundwork cannot run this kind of model, {kind}{value}.{code} It can run: {known}.",
        kind=kind,
        value=f" ({stated})" if stated else "",
        code=code,
        known=", ".join(known),
    )


def identify(
    source: PackSource, catalogue: Catalogue, *, model_id: str | None, entry: CatalogueEntry | None
) -> Identity:
    """Say what a folder without a manifest holds.

    model_id: wanted by the user; else the catalogue's, else made from the folder's name. entry:
    what was downloaded, if it was.

    Raises: PackRefused, if the model's kind is unknown, or it cannot have that id.
    """
    family = family_of(source, catalogue)
    known = entry or _entry_named(source.name, catalogue, family, model_id)
    chosen = checked_id(model_id or (known.id if known else _id_from(source.name)))
    taken = catalogue.entry(chosen)
    if taken is not None and (taken.role, taken.family) != (family.role, family.name):
        raise PackRefused(
            "{chosen} is the id of another kind of model, {title}. Give this one a "
            "different id with --id.",
            chosen=chosen,
            title=taken.title,
        )
    return Identity(
        id=chosen,
        role=family.role,
        family=family.name,
        title=known.title if known else shown(source.name.rpartition("/")[2]),
        licence=_licence(source, entry, known),
        repository=known.repository if known else "",
        revision="",
        quantisation=_quantisation(read_config(source)) or (known.quantisation if known else ""),
    )


def identify_pack(
    source: PackSource, catalogue: Catalogue, manifest: Manifest, *, model_id: str | None
) -> Identity:
    """Take the manifest's word. Raises: PackRefused, if config.json says something else."""
    family = family_of(source, catalogue)
    if (family.name, family.role) != (manifest.family, manifest.role):
        raise PackRefused(
            "groundwork-model.json describes a {role} model of the {family} family, config.json"
            " a {role2} model of the {name} family.",
            role=manifest.role,
            family=manifest.family,
            role2=family.role,
            name=family.name,
        )
    known = manifest.model_dump(exclude={"format", "id", "files"})
    return Identity(id=checked_id(model_id or manifest.id), **known)


def stated_licence(source: PackSource) -> str:
    """Return the licence that the README's first lines or the licence file state, or ""."""
    front = re.match(
        r"\A---\s*\n(.*?)\n---\s*$", _beginning(source, "README.md"), re.DOTALL | re.MULTILINE
    )
    if front is not None:
        fields = dict(re.findall(r"^(license(?:_name)?):[ \t]*(.+?)[ \t]*$", front[1], re.M))
        name = fields.get("license", "").strip("\"'")
        if name == "other":
            name = fields.get("license_name", "").strip("\"'") or name
        if name:
            return shown(name)
    for file in sorted(source.files):
        if file.lower().startswith(("license", "licence", "copying")):
            text = _beginning(source, file)
            for phrase, licence in _LICENCES.items():
                if phrase.casefold() in text[:2000].casefold():
                    return licence
            return said("see {file}", file=shown(file))
    return ""


def _licence(
    source: PackSource, downloaded: CatalogueEntry | None, known: CatalogueEntry | None
) -> str:
    """Prefer what lies in the folder, unless it is certain to be the catalogue's model."""
    if downloaded is not None:
        return downloaded.licence
    return stated_licence(source) or (known.licence if known else UNKNOWN_LICENCE)


def _beginning(source: PackSource, name: str) -> str:
    there = next((file for file in source.files if file.lower() == name.lower()), None)
    if there is None:
        return ""
    text = read_text(source, there)[:_READ_AS_TEXT].decode("utf-8", "replace")
    return text.lstrip("\ufeff").replace("\r\n", "\n")


def _entry_named(
    name: str, catalogue: Catalogue, family: Family, model_id: str | None
) -> CatalogueEntry | None:
    """Return the catalogue's model that a folder or an id is named after."""
    wanted = (model_id or name).rpartition("/")[2].casefold()
    for entry in catalogue.entries:
        names = {entry.id, entry.repository.rpartition("/")[2].casefold()}
        if wanted in names and entry.family == family.name:
            return entry
    return None


def _id_from(name: str) -> str:
    slug = re.sub(r"[^a-z0-9._-]+", "-", name.rpartition("/")[2].lower()).strip("-._")
    slug = slug[:_LONGEST_ID]
    if not is_id(slug):
        raise PackRefused(
            "No id can be made from {name}. Give one with --id.", name=repr(shown(name))
        )
    return slug


def _quantisation(config: Mapping[str, Any]) -> str:
    for key in ("quantization", "quantization_config"):
        stated = config.get(key)
        if isinstance(stated, dict):
            if isinstance(stated.get("bits"), int):
                mode = stated.get("mode")
                return "MXFP4" if mode == "mxfp4" else f"{stated['bits']}-bit"
            if isinstance(stated.get("quant_method"), str):
                return shown(stated["quant_method"].upper())
    precision = config.get("dtype") or config.get("torch_dtype")
    return _PRECISIONS.get(precision, "") if isinstance(precision, str) else ""
