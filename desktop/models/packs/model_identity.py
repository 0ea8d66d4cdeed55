"""What is this model? Its role, family, id, title and licence, from what lies in its folder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.models.errors import PackRefused, shown
from desktop.models.packs.model_contents import read_config, read_text
from desktop.models.packs.model_folder import checked_id, is_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.models.catalogue import Catalogue, CatalogueEntry, Family
    from desktop.models.packs.manifest import Manifest
    from desktop.models.packs.pack_source import PackSource
    from desktop.models.roles import Role

UNKNOWN_LICENCE = "unknown"
_LONGEST_ID = 64
_FRONT_MATTER = re.compile(r"\A---\s*\n(.*?)\n---\s*$", re.DOTALL | re.MULTILINE)
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
    """Everything of a manifest but the files. revision: empty if nobody stated one."""

    id: str
    role: Role
    family: str
    title: str
    licence: str
    repository: str
    revision: str
    quantisation: str


def family_of(source: PackSource, catalogue: Catalogue) -> Family:
    """Return the family that config.json states.

    Raises: PackRefused, if Groundwork cannot run such a model.
    """
    config = read_config(source)
    family = catalogue.family_of(config, source.files)
    if family is not None:
        return family
    kind = shown(config["model_type"])
    stated = ", ".join(shown(name) for name in config.get("architectures") or ())
    code = (
        " It would need code of its own, which Groundwork never runs."
        if "auto_map" in config
        else ""
    )
    known = sorted({each for family in catalogue.families for each in family.model_types})
    raise PackRefused(
        f"Groundwork cannot run this kind of model, {kind}{f' ({stated})' if stated else ''}."
        f"{code} It can run: {', '.join(known)}."
    )


def identify(
    source: PackSource, catalogue: Catalogue, *, model_id: str | None, entry: CatalogueEntry | None
) -> Identity:
    """Say what a folder without a manifest holds.

    Args:
        source: the folder.
        catalogue: gives title and licence if the model is in it.
        model_id: wanted by the user; else the catalogue's, else made of the folder's name.
        entry: what was downloaded, if it was.

    Raises: PackRefused, if the model's kind is unknown, or it cannot have that id.
    """
    family = family_of(source, catalogue)
    known = entry or _entry_named(source.name, catalogue, family, model_id)
    chosen = checked_id(model_id or (known.id if known else _id_from(source.name)))
    taken = catalogue.entry(chosen)
    if taken is not None and (taken.role, taken.family) != (family.role, family.name):
        raise PackRefused(
            f"{chosen} is the id of another kind of model, {taken.title}. "
            "Give this one a different id with --id."
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
    """Take the manifest's word, unless config.json says something else.

    Raises: PackRefused, if they disagree, or the model's kind is unknown.
    """
    family = family_of(source, catalogue)
    if (family.name, family.role) != (manifest.family, manifest.role):
        raise PackRefused(
            f"The manifest calls it a {manifest.role} model of the family {manifest.family}, but "
            f"its config.json is that of a {family.role} model of the family {family.name}."
        )
    return Identity(
        id=checked_id(model_id or manifest.id),
        role=manifest.role,
        family=manifest.family,
        title=manifest.title,
        licence=manifest.licence,
        repository=manifest.repository,
        revision=manifest.revision,
        quantisation=manifest.quantisation,
    )


def stated_licence(source: PackSource) -> str:
    """Return the licence that the README's first lines or the licence file state, or ""."""
    front = _FRONT_MATTER.match(_beginning(source, "README.md"))
    if front is not None:
        fields = dict(re.findall(r"^(license(?:_name)?):[ \t]*(.+?)[ \t]*$", front[1], re.M))
        name = fields.get("license", "").strip("\"'")
        if name == "other":
            name = fields.get("license_name", "").strip("\"'") or name
        if name:
            return shown(name)
    for file in sorted(source.files):
        if re.match(r"licen[sc]e|copying", file, re.IGNORECASE):
            text = _beginning(source, file)
            for phrase, licence in _LICENCES.items():
                if phrase.casefold() in text[:2000].casefold():
                    return licence
            return f"see {shown(file)}"
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
        raise PackRefused(f"The name {shown(name)!r} makes no id. Give one with --id.")
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
