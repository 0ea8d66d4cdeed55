"""What is installed, which profile and models suit this machine, and how people see them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal

from desktop.models.catalogue import why_not
from desktop.models.errors import ModelDamaged, ModelNotInstalled
from desktop.models.memory import GIB
from desktop.sentences import message, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from desktop.models.catalogue import Catalogue, PagesBy, Profile
    from desktop.models.memory import ResidentStatus
    from desktop.models.packs.model_folder import Manifest, ModelFolder
    from desktop.models.roles import InstalledModel, Role
    from desktop.models.speed import Speed

ModelState = Literal["available", "installed", "loading", "loaded", "damaged"]


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """One model of the catalogue or of this machine.

    state: "available" is in the catalogue and not on this machine.
    size_bytes: on disk. memory_bytes: while running, measured once it has been loaded.
    in_use: something runs on it at this moment. progress: of loading, 0 to 1, or None.
    problem: why it cannot be used, "" if it can. fits: into this machine's memory budget.
    recommended: belongs to the largest profile that fits this machine. speed: of a language
    model that has run here.
    """

    id: str
    title: str
    role: Role
    licence: str
    size_bytes: int
    memory_bytes: int
    state: ModelState
    in_use: bool = False
    progress: float | None = None
    problem: str = ""
    recommended: bool = False
    summary: str = ""
    fits: bool = True
    speed: Speed | None = None


@dataclass(frozen=True, slots=True)
class MemoryStatus:
    """Bytes. budget: what models may use together. process: all of this program.

    weights, caches: held by loaded models now; caches are keys, values and features.
    """

    budget_bytes: int
    weights_bytes: int
    cache_bytes: int
    machine_bytes: int
    machine_free_bytes: int
    process_bytes: int

    @property
    def used_bytes(self) -> int:
        """Bytes that count against the budget."""
        return self.weights_bytes + self.cache_bytes


@dataclass(frozen=True, slots=True)
class ProfileStatus:
    """A choice of models that work together.

    reason: why it is recommended, or why not, in one sentence. fits: this machine's memory.
    largest: of those that fit, installed or not. recommended: the one to use as things stand.
    missing: titles of the models that would have to be installed first. speed: of the language
    model it would use, if that has run here.
    """

    id: str
    title: str
    summary: str
    reason: str
    fits: bool
    recommended: bool
    chosen: bool
    missing: tuple[str, ...] = ()
    largest: bool = False
    speed: Speed | None = None


AUTOMATIC: Final = "auto"
LITE = "lite"
ROLES: tuple[Role, ...] = ("language", "vision", "pages", "text", "speech")
# A machine sold as 16 GB may report a little less.
_TOLERANCE = 0.95


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person has chosen: a profile's id or "auto", and models by role that override it.

    pages_by: the runtime of the model that finds pages by their look, "auto" for the
    first one available.
    """

    profile: str = AUTOMATIC
    models: Mapping[Role, str] = field(default_factory=dict)
    pages_by: PagesBy = AUTOMATIC


@dataclass(frozen=True, slots=True)
class Shelf:
    """What there is to choose from.

    installed: the models that can run here. machine_bytes: memory of the machine.
    budget_bytes: what models may use of it together.
    """

    catalogue: Catalogue
    installed: Sequence[InstalledModel]
    machine_bytes: int
    budget_bytes: int

    def expected_bytes(self, model: InstalledModel) -> int:
        """Estimate the memory of a running model, without its key-value cache."""
        entry = self.catalogue.entry(model.id)
        return max(entry.memory_bytes if entry else 0, round(model.weight_bytes * 1.1))

    def fitting(self, role: Role) -> list[InstalledModel]:
        """Models of a role that fit into the budget, the largest first."""
        fitting = [
            each
            for each in self.installed
            if each.role == role and self.expected_bytes(each) <= self.budget_bytes
        ]
        return sorted(fitting, key=lambda each: -each.weight_bytes)


def active_profile(shelf: Shelf, wishes: Wishes) -> Profile:
    """Return the profile in force."""
    wanted = shelf.catalogue.profile(wishes.profile)
    return wanted or recommended_profile(shelf)


def recommended_profile(shelf: Shelf) -> Profile:
    """Return the largest profile that fits the machine and whose language model is installed.

    With some other language model, the largest one that fits; without any, Lite.
    """
    lite, *others = shelf.catalogue.profiles
    usable = {each.id for each in shelf.fitting("language")}
    fitting = [each for each in others if _fits(each, shelf)]
    ready = [each for each in fitting if usable & set(each.language)]
    if ready:
        return ready[-1]
    if usable:
        return (fitting or others)[-1 if fitting else 0]
    return lite


def largest_profile(shelf: Shelf) -> Profile:
    """Return the largest profile that fits the machine, installed or not."""
    fitting = [each for each in shelf.catalogue.profiles if _fits(each, shelf)]
    return fitting[-1] if fitting else shelf.catalogue.profiles[0]


def choose(shelf: Shelf, wishes: Wishes, role: Role) -> InstalledModel | None:
    """Return the model that plays a role, None if there is none or the profile has none.

    A person's own choice goes first, then the profile's in its order, then any other model of
    the role that fits.
    """
    profile = active_profile(shelf, wishes)
    fitting = shelf.fitting(role)
    by_id = {each.id: each for each in fitting}
    own = by_id.get(wishes.models.get(role, ""))
    if own is not None:
        return own
    if role == "speech":  # it serves every profile, Lite as well
        return next(iter(fitting), None)
    if profile.id == LITE or (role == "text" and not profile.text):
        return None
    listed = (by_id[each] for each in profile.of_role(role) if each in by_id)
    return next(listed, fitting[0] if fitting else None)


def profile_statuses(shelf: Shelf, wishes: Wishes) -> list[ProfileStatus]:
    """Say of every profile whether it fits, and which one is recommended and why."""
    recommended = recommended_profile(shelf)
    active = active_profile(shelf, wishes)
    largest = largest_profile(shelf)
    return [
        ProfileStatus(
            id=profile.id,
            title=profile.title,
            summary=profile.summary,
            reason=_reason(profile, recommended, shelf),
            fits=_fits(profile, shelf),
            recommended=profile is recommended,
            chosen=profile is active,
            missing=_missing(profile, shelf),
            largest=profile is largest,
        )
        for profile in shelf.catalogue.profiles
    ]


def _fits(profile: Profile, shelf: Shelf) -> bool:
    return shelf.machine_bytes >= profile.machine_gib * GIB * _TOLERANCE


def _reason(profile: Profile, recommended: Profile, shelf: Shelf) -> str:
    here = said(
        "this computer has {machine_bytes} GB", machine_bytes=round(shelf.machine_bytes / GIB)
    )
    if not _fits(profile, shelf):
        return said(
            "Needs a computer with {machine_gib} GB of memory; {here}.",
            machine_gib=profile.machine_gib,
            here=here,
        )
    if profile is recommended:
        if profile.id == LITE:
            return said("No language model is installed.")
        return said("The language model is installed, and {here}.", here=here)
    if profile.id == LITE:
        return said("Works without any model, using the least memory.")
    missing = _missing(profile, shelf)
    if missing:
        return said("Not installed yet: {missing}.", missing=", ".join(missing))
    return said("Fits; {title} can do more.", title=recommended.title)


def _missing(profile: Profile, shelf: Shelf) -> tuple[str, ...]:
    """Titles of what is to be installed: the preferred model of each role that has none."""
    here = {each.id for each in shelf.installed}
    wanted = [profile.of_role(role) for role in ROLES]
    lacking = [ids[0] for ids in wanted if ids and not here & set(ids)]
    entries = [shelf.catalogue.entry(each) for each in lacking]
    return tuple(each.title for each in entries if each)


@dataclass(frozen=True, slots=True)
class Stock:
    """What is on this machine, by id. problems: sentences; a model that has one is not used."""

    installed: Mapping[str, InstalledModel]
    manifests: Mapping[str, Manifest]
    problems: Mapping[str, str]

    @staticmethod
    def of(folder: ModelFolder, catalogue: Catalogue) -> Stock:
        """Read the folder; hashes and loads nothing."""
        problems = folder.problems()
        installed: dict[str, InstalledModel] = {}
        manifests: dict[str, Manifest] = {}
        for model_id in problems:
            with suppress(ModelDamaged, ModelNotInstalled):
                manifests[model_id] = folder.manifest(model_id)
        for model in folder.installed():
            try:
                manifests[model.id] = folder.manifest(model.id)
            except (ModelDamaged, ModelNotInstalled) as error:  # changed a moment ago
                problems[model.id] = message(error)
                continue
            installed[model.id] = model
            if reason := why_not(model, catalogue):
                problems.setdefault(
                    model.id, said("The model cannot run here: {reason}.", reason=reason)
                )
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
    """Return every known and every installed model, installed ones first; measured: bytes by id."""
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
    entry, manifest = shelf.catalogue.entry(model_id), stock.manifests.get(model_id)
    stated = manifest or entry
    if stated is None:
        return ModelStatus(model_id, model_id, "language", "", 0, 0, "damaged")
    size, memory = (entry.disk_bytes, entry.memory_bytes) if entry is not None else (0, 0)
    if manifest is not None:
        model = stock.installed.get(model_id)
        size = manifest.size_bytes
        memory = shelf.expected_bytes(model) if model else manifest.weight_bytes
    return ModelStatus(
        id=model_id,
        title=(entry or stated).title,
        role=stated.role,
        licence=stated.licence,
        size_bytes=size,
        memory_bytes=memory,
        state="installed" if manifest is not None else "available",
        summary=entry.summary if entry is not None else "",
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
