"""Which domain describes which manual of a library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge.domain import NamedManual

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from knowledge.domain import Domain, Manual, ManualProfile


@dataclass(frozen=True, slots=True)
class Covered:
    """A manual, and the first domain that describes it, if one does."""

    manual: NamedManual
    domain: Domain | None = None
    profile: ManualProfile | None = None


@dataclass(frozen=True, slots=True)
class Coverage:
    """Every manual of a library with its description."""

    all: tuple[Covered, ...] = ()

    @classmethod
    def of(cls, domains: Sequence[Domain], manuals: Iterable[Manual]) -> Coverage:
        """Find for each manual the first of the domains that describes it."""
        return cls(tuple(_covered(domains, manual) for manual in manuals))

    def domains(self) -> tuple[Domain, ...]:
        """Return the domains that describe a manual here, by their first manuals' order."""
        found = {each.domain.name: each.domain for each in self.all if each.domain is not None}
        return tuple(found.values())

    def of_domain(self, domain: Domain) -> list[Covered]:
        """Return the manuals that this domain describes."""
        return [each for each in self.all if each.domain is domain]


def _covered(domains: Sequence[Domain], manual: Manual) -> Covered:
    named = NamedManual(manual.id, manual.name, manual.title)
    for domain in domains:
        profile = domain.covers(manual.name, manual.title)
        if profile is not None:
            return Covered(named, domain, profile)
    return Covered(named)
