"""The installed distributions that Groundwork asks for, and whether they are the pinned ones."""

from __future__ import annotations

import importlib.metadata
from typing import TYPE_CHECKING

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.bundle import contents
from scripts.bundle.variant import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scripts.bundle.variant import Variant

OURS = "groundwork"
_EXTRAS = {
    ("slim", "linux"): ("mlx",),
    ("full", "linux"): ("mlx", "colqwen"),
    ("slim", "darwin"): (),
    ("full", "darwin"): (),
}


def bundled_distributions(variant: Variant) -> list[str]:
    """Return the names of Groundwork's and its dependencies' distributions, all installed.

    Those whose modules stay out of the program are not among them.
    """
    modules = (name for name in contents.left_out(variant) if "." not in name)
    out = {canonicalize_name(name) for name in (*modules, *contents.DISTRIBUTIONS_LEFT_OUT)}
    return sorted(_closure(_EXTRAS[variant.kind, variant.platform]) - out)


def distributions_inside(collected: Iterable[str]) -> list[str]:
    """Return Groundwork and every distribution of which something was collected.

    collected: names of modules ("numpy.linalg") and places of libraries ("numpy/_core/x.so").
    """
    tops = {name.replace("/", ".").partition(".")[0] for name in collected}
    owners = importlib.metadata.packages_distributions()
    inside = {canonicalize_name(name) for top in tops for name in owners.get(top, ())}
    return sorted({OURS, *inside} - set(contents.DISTRIBUTIONS_LEFT_OUT))


def unpinned(variant: Variant) -> list[str]:
    """Return what is installed in another version than constraints.txt says, in sentences."""
    pinned_versions = pins()
    complaints = []
    for name in bundled_distributions(variant):
        installed = importlib.metadata.version(name)
        pinned = pinned_versions.get(name)
        if name == OURS or (pinned and _same(installed, pinned)):
            continue
        complaints.append(f"{name} {installed} is installed, constraints.txt says {pinned}")
    return complaints


def pins() -> dict[str, str]:
    """Return the version of each distribution that constraints.txt names for this computer."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    wanted = [Requirement(line) for line in lines if line.strip() and not line.startswith("#")]
    return {
        canonicalize_name(pin.name): next(iter(pin.specifier)).version
        for pin in wanted
        if pin.marker is None or pin.marker.evaluate()
    }


def _same(installed: str, pinned: str) -> bool:
    return installed.partition("+")[0] == pinned  # a local label names the build, as +cpu


def _closure(extras: tuple[str, ...]) -> set[str]:
    found: set[str] = set()
    waiting: list[tuple[str, frozenset[str]]] = [(OURS, frozenset(extras))]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        name, wanted = waiting.pop()
        if (name, wanted) in seen:
            continue
        seen.add((name, wanted))
        try:
            requirements = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        found.add(name)
        for text in requirements:
            requirement = Requirement(text)
            if _applies(requirement, wanted):
                further = frozenset(requirement.extras)
                waiting.append((canonicalize_name(requirement.name), further))
    return found


def _applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    if requirement.marker is None:
        return True
    return any(requirement.marker.evaluate({"extra": extra}) for extra in (extras or {""}))
