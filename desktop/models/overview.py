"""What is installed, and the list of all models as a person sees it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop.models import families
from desktop.models.choice import ROLES, Shelf, largest_profile
from desktop.models.errors import ModelDamaged, ModelNotInstalled
from desktop.models.status import ModelStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop.models.catalogue import Catalogue, CatalogueEntry
    from desktop.models.loading import InstalledModel
    from desktop.models.memory.residency import ResidentStatus
    from desktop.models.packs.manifest import Manifest
    from desktop.models.packs.model_folder import ModelFolder


@dataclass(frozen=True, slots=True)
class Stock:
    """What is on this machine, by id. problems: sentences; what has one is not used."""

    installed: Mapping[str, InstalledModel]
    manifests: Mapping[str, Manifest]
    problems: Mapping[str, str]

    @staticmethod
    def of(folder: ModelFolder, catalogue: Catalogue) -> Stock:
        """Read the folder; hashes and loads nothing."""
        problems = {each.id: each.sentence for each in folder.problems()}
        installed: dict[str, InstalledModel] = {}
        manifests: dict[str, Manifest] = {}
        for model_id in problems:
            with suppress(ModelDamaged, ModelNotInstalled):
                manifests[model_id] = folder.manifest(model_id)
        for model in folder.installed():
            try:
                manifests[model.id] = folder.manifest(model.id)
            except (ModelDamaged, ModelNotInstalled) as error:  # changed a moment ago
                problems[model.id] = str(error)
                continue
            installed[model.id] = model
            if reason := families.why_not(model, catalogue):
                problems.setdefault(model.id, f"It cannot run here: {reason}.")
        return Stock(installed, manifests, problems)

    def usable(self) -> list[InstalledModel]:
        """Return what can run here."""
        return [each for each in self.installed.values() if each.id not in self.problems]


def overview(
    shelf: Shelf,
    stock: Stock,
    residents: Iterable[ResidentStatus],
    measured: Mapping[str, int],
) -> list[ModelStatus]:
    """Return every known and every installed model, what is installed first.

    measured: bytes of memory by id, where a model has been loaded in this run.
    """
    loaded = {each.id: each for each in residents}
    profile = largest_profile(shelf)
    recommended = {ids[0] for role in ROLES if (ids := profile.of_role(role))}
    known = [each.id for each in shelf.catalogue.entries]
    others = (stock.installed.keys() | stock.problems.keys()) - set(known)
    statuses = []
    for model_id in [*known, *sorted(others)]:
        status = _described(model_id, shelf, stock)
        if bytes_there := measured.get(model_id):
            status = replace(status, memory_bytes=bytes_there)
        fits = status.memory_bytes <= shelf.budget_bytes
        status = replace(status, fits=fits, recommended=model_id in recommended)
        statuses.append(_with_state(status, stock, loaded.get(model_id)))
    return sorted(statuses, key=lambda each: (each.state == "available", ROLES.index(each.role)))


def _described(model_id: str, shelf: Shelf, stock: Stock) -> ModelStatus:
    entry = shelf.catalogue.entry(model_id)
    manifest = stock.manifests.get(model_id)
    if manifest is not None:
        return _of_manifest(manifest, entry, stock.installed.get(model_id), shelf)
    if entry is not None:
        return ModelStatus(
            id=entry.id,
            title=entry.title,
            role=entry.role,
            licence=entry.licence,
            size_bytes=entry.disk_bytes,
            memory_bytes=entry.memory_bytes,
            state="available",
            summary=entry.summary,
        )
    return ModelStatus(model_id, model_id, "language", "", 0, 0, "damaged")


def _of_manifest(
    manifest: Manifest,
    entry: CatalogueEntry | None,
    model: InstalledModel | None,
    shelf: Shelf,
) -> ModelStatus:
    return ModelStatus(
        id=manifest.id,
        title=entry.title if entry else manifest.title,
        role=manifest.role,
        licence=manifest.licence,
        size_bytes=manifest.size_bytes,
        memory_bytes=shelf.expected_bytes(model) if model else manifest.weight_bytes,
        state="installed",
        summary=entry.summary if entry else "",
    )


def _with_state(status: ModelStatus, stock: Stock, resident: ResidentStatus | None) -> ModelStatus:
    problem = stock.problems.get(status.id, "")
    if problem:
        return replace(status, state="damaged", problem=problem)
    if resident is None:
        return status
    return replace(
        status,
        state="loaded" if resident.progress is None else "loading",
        progress=resident.progress,
        in_use=resident.in_use,
    )
