"""Which profile suits a machine, and which installed model plays which role in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from desktop.models.memory.machine_memory import GIB
from desktop.models.status import ProfileStatus

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.models.catalogue import Catalogue, Profile
    from desktop.models.families import PagesBy
    from desktop.models.loading import InstalledModel
    from desktop.models.roles import Role

AUTOMATIC: Final = "auto"
LITE = "lite"
ROLES: tuple[Role, ...] = ("language", "vision", "pages", "text")
# A machine sold as 16 GB may report a little less.
_TOLERANCE = 0.95


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person has chosen: a profile's id or "auto", and models by role instead of its.

    pages_by: the runtime of the model that finds pages by their look, "auto" for the first that
    is here.
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
    here = f"this computer has {round(shelf.machine_bytes / GIB)} GB"
    if not _fits(profile, shelf):
        return f"Needs a computer with {profile.machine_gib} GB of memory; {here}."
    if profile is recommended:
        if profile.id == LITE:
            return "No language model is installed."
        return f"Its language model is installed, and {here}."
    if profile.id == LITE:
        return "Works without any model, in the least memory."
    missing = _missing(profile, shelf)
    if missing:
        return f"Not installed yet: {', '.join(missing)}."
    return f"Fits; {recommended.title} can do more."


def _missing(profile: Profile, shelf: Shelf) -> tuple[str, ...]:
    """Titles of what is to be installed: the preferred model of each role that has none."""
    here = {each.id for each in shelf.installed}
    wanted = [profile.of_role(role) for role in ROLES]
    lacking = [ids[0] for ids in wanted if ids and not here & set(ids)]
    entries = [shelf.catalogue.entry(each) for each in lacking]
    return tuple(each.title for each in entries if each)
