"""The models, families and profiles that Groundwork knows by name, and what runs them."""

from __future__ import annotations

import importlib
import importlib.util
import tomllib
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from desktop.models.errors import ModelNotSupported
from desktop.models.roles import Role
from desktop.resources import resource
from desktop.sentences import joined, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Self

    from desktop.models.roles import InstalledModel, Loader

Runtime = Literal["mlx", "torch"]
GB = 10**9
MODEL_ID = r"[a-z0-9][a-z0-9._-]{0,63}"


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Family(_Entry):
    """Models that one adapter runs.

    model_types: of config.json. architectures: of config.json, empty for any.
    marker_files: one of them must lie beside config.json, unless empty.
    runtimes: the preferred one first.
    """

    name: str
    role: Role
    model_types: tuple[str, ...] = Field(min_length=1)
    architectures: tuple[str, ...] = ()
    marker_files: tuple[str, ...] = ()
    runtimes: tuple[Runtime, ...] = Field(min_length=1)

    def fits(self, config: Mapping[str, Any], file_names: frozenset[str]) -> bool:
        """Whether a model with this config.json and these files beside it is of this family."""
        if config.get("model_type") not in self.model_types:
            return False
        stated = config.get("architectures") or ()
        if self.architectures and not set(self.architectures) & set(stated):
            # a model_type that names the family itself needs no architecture
            return bool(config["model_type"] == self.name)
        return not self.marker_files or bool(file_names & set(self.marker_files))


class CatalogueEntry(_Entry):
    """One published model.

    disk_gb, memory_gb: 10^9 bytes; memory while running, without the key-value cache.
    smallest_mac_gib: unified memory of the smallest Mac it is for.
    """

    id: str = Field(pattern=f"^{MODEL_ID}$")
    title: str
    role: Role
    family: str
    repository: str = Field(pattern=r"^[\w.-]+/[\w.-]+$")
    revision: str
    runtime: Runtime
    quantisation: str
    disk_gb: float = Field(gt=0)
    memory_gb: float = Field(gt=0)
    smallest_mac_gib: int = Field(gt=0)
    licence: str
    summary: str

    @property
    def disk_bytes(self) -> int:
        """Bytes on disk."""
        return round(self.disk_gb * GB)

    @property
    def memory_bytes(self) -> int:
        """Bytes in memory while running, key-value cache not counted."""
        return round(self.memory_gb * GB)


class Profile(_Entry):
    """A choice of models that work together; per role the ids, the preferred first."""

    id: str
    title: str
    summary: str
    machine_gib: int = Field(gt=0)
    cache_gb: float = Field(ge=0)
    language: tuple[str, ...] = ()
    vision: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    text: tuple[str, ...] = ()

    def of_role(self, role: Role) -> tuple[str, ...]:
        """The ids that will do for a role, the preferred one first."""
        return () if role == "speech" else getattr(self, role)


class Catalogue(_Entry):
    """Everything of `resources/models.toml`; profiles from the smallest to the largest."""

    format: Literal[1]
    families: tuple[Family, ...] = Field(alias="family")
    entries: tuple[CatalogueEntry, ...] = Field(alias="model")
    profiles: tuple[Profile, ...] = Field(alias="profile")

    @staticmethod
    @cache
    def load() -> Catalogue:
        """Read the catalogue that came with the program."""
        text = resource("models.toml").read_text(encoding="utf-8")
        return Catalogue.model_validate(tomllib.loads(text))

    def entry(self, model_id: str) -> CatalogueEntry | None:
        """Return the model with an id, or None."""
        return next((each for each in self.entries if each.id == model_id), None)

    def profile(self, profile_id: str) -> Profile | None:
        """Return the profile with an id, or None."""
        return next((each for each in self.profiles if each.id == profile_id), None)

    def family(self, name: str) -> Family | None:
        """Return the family with a name, or None."""
        return next((each for each in self.families if each.name == name), None)

    def family_of(self, config: Mapping[str, Any], file_names: Iterable[str] = ()) -> Family | None:
        """Return the family of a model from its config.json and the files beside it."""
        names = frozenset(file_names)
        return next((each for each in self.families if each.fits(config, names)), None)

    @model_validator(mode="after")
    def _names_exist(self) -> Self:
        roles = {each.id: each.role for each in self.entries}
        if len(roles) != len(self.entries):
            raise ValueError("two models have the same id")
        for each in self.entries:
            family = self.family(each.family)
            if family is None or family.role != each.role or each.runtime not in family.runtimes:
                raise ValueError(f"{each.id} does not go with the family {each.family!r}")
        for profile in self.profiles:
            for role in ("language", "vision", "pages", "text"):
                for model_id in profile.of_role(role):
                    if roles.get(model_id) != role:
                        raise ValueError(f"{profile.id}: {model_id} is no {role} model")
        return self


PagesBy = Literal["auto", "mlx", "torch"]
"""What runs the model that finds pages by their look."""

_ADAPTERS: dict[tuple[Role, Runtime], tuple[str, str]] = {
    ("language", "mlx"): ("mlx_language", "mlx_lm"),
    ("vision", "mlx"): ("mlx_vision", "mlx_vlm"),
    ("pages", "mlx"): ("colqwen_mlx", "mlx_vlm"),
    ("pages", "torch"): ("colqwen_torch", "colpali_engine"),
    ("text", "mlx"): ("mlx_text_embedder", "mlx_vlm"),
    ("speech", "torch"): ("whisper_torch", "transformers"),
}
"""What runs the models of a role, and the package that it needs."""
_HOW = {
    "mlx": said(
        "MLX, which comes with Groundwork on Apple silicon and with the 'mlx' extra on Linux"
    ),
    "torch": said(
        "torch, which comes with Groundwork on a Mac and with the extras "
        "'colqwen' and 'voice' on Linux"
    ),
}


def runtime_here(family: Family, pages_by: PagesBy = "auto") -> Runtime | None:
    """Return the preferred runtime of a family that this machine has; imports nothing.

    pages_by: goes first for a model of pages, if it is on this machine and can run it.
    """
    for runtime in sorted(
        family.runtimes, key=lambda each: family.role != "pages" or each != pages_by
    ):
        if importlib.util.find_spec(_ADAPTERS[family.role, runtime][1]) is not None:
            return runtime
    return None


def why_not(model: InstalledModel, catalogue: Catalogue) -> str:
    """Say why a model cannot run on this machine, "" if it can."""
    family = catalogue.family(model.family)
    if family is None:
        return said("Groundwork does not know models of the kind '{family}'", family=model.family)
    if runtime_here(family) is None:
        return said(
            "the model needs {value}",
            value=joined([_HOW[runtime] for runtime in family.runtimes], last=said(" or ")),
        )
    return ""


def loader_of(model: InstalledModel, catalogue: Catalogue, pages_by: PagesBy = "auto") -> Loader:
    """Return what loads a model; imports the adapter, not yet its runtime.

    pages_by: see `runtime_here`. Raises: ModelNotSupported.
    """
    reason = why_not(model, catalogue)
    family = catalogue.family(model.family)
    runtime = runtime_here(family, pages_by) if family else None
    if family is None or runtime is None:
        raise ModelNotSupported("{id} cannot run here: {reason}", id=model.id, reason=reason)
    name, _ = _ADAPTERS[family.role, runtime]
    module = importlib.import_module(f"desktop.models.adapters.{name}")
    return cast("Loader", module.load)
