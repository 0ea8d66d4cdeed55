"""The domains of a library for a person to look at, correct, accept, add and take away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from desktop.core.library.domain_proposal import is_untouched
from desktop.core.library.product_names import slug
from knowledge.atlas import Coverage
from knowledge.domain_shelf import (
    SUFFIX,
    domain_paths,
    domain_toml,
    read_domain,
    write_domain_file,
)
from knowledge.domains import built_in_domains, merged_domains
from knowledge.errors import DomainFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from knowledge.atlas import Covered
    from knowledge.domain import Domain, Manual, NamedManual

Origin = Literal["proposed", "own", "built_in"]


@dataclass(frozen=True, slots=True)
class KnownDomain:
    """A domain with where it comes from.

    origin: proposed by Groundwork and not looked at, a person's, or a part of Groundwork.
    path: its file, None for a built-in one. covered: the manuals of the library that it is
    the one to describe. replaces_built_in: without this file a built-in one would be in force.
    """

    domain: Domain
    origin: Origin
    path: Path | None
    covered: tuple[Covered, ...] = ()
    replaces_built_in: bool = False


@dataclass(frozen=True, slots=True)
class BrokenDomain:
    """A file that cannot be used. reason: a sentence about what to repair."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class KnownDomains:
    """Everything that is known: those that cover manuals first, then by title.

    manuals: all of the library. undescribed: those that no domain covers.
    """

    domains: tuple[KnownDomain, ...] = ()
    broken: tuple[BrokenDomain, ...] = ()
    manuals: tuple[NamedManual, ...] = ()
    undescribed: tuple[NamedManual, ...] = ()

    @property
    def to_check(self) -> tuple[KnownDomain, ...]:
        """The proposals about manuals of the library."""
        return tuple(each for each in self.domains if each.origin == "proposed" and each.covered)


class DomainDesk:
    """Reads and writes the files of a library's domains; blocking, on any thread."""

    def __init__(self, folder: Path, documents: Callable[[], Sequence[Manual]]) -> None:
        """folder: where the library keeps its domains. documents: names its manuals."""
        self._folder = folder
        self._documents = documents

    def look(self) -> KnownDomains:
        """Read every file again."""
        own: dict[str, tuple[Domain, Path]] = {}
        broken = []
        for path in domain_paths(self._folder):
            try:
                domain = read_domain(path)
            except DomainFileError as error:
                broken.append(BrokenDomain(path, error.reason))
                continue
            if domain.name in own:
                reason = f"another file already describes {domain.name}."
                broken.append(BrokenDomain(path, reason))
            else:
                own[domain.name] = (domain, path)
        coverage = Coverage.of(
            merged_domains([domain for domain, _ in own.values()]), self._documents()
        )
        return KnownDomains(
            _sorted(_known(own, coverage)),
            tuple(broken),
            tuple(each.manual for each in coverage.all),
            tuple(each.manual for each in coverage.all if each.domain is None),
        )

    def save(self, domain: Domain, path: Path | None) -> Path:
        """Write a domain as a person left it; it is theirs from now on. Return its file.

        path: the file it was read from, None for a new one or one of Groundwork.

        Raises: OSError.
        """
        file = path or self._folder / f"{domain.name}{SUFFIX}"
        return write_domain_file(file, domain_toml(domain.model_copy(update={"proposed": False})))

    def delete(self, path: Path) -> str:
        """Remove a domain's file and return what it said, for `restore`.

        Raises: OSError.
        """
        text = path.read_text("utf-8")
        path.unlink()
        return text

    def restore(self, path: Path, text: str) -> None:
        """Bring back a file as it was, unless another one took its place.

        Raises: OSError.
        """
        if not path.exists():
            write_domain_file(path, text)

    def free_name(self, title: str) -> str:
        """Return a name for a new domain that no other one has."""
        taken = {domain.name for domain in built_in_domains()}
        taken |= {path.stem.casefold() for path in domain_paths(self._folder)}
        base = slug(title) or "product"
        name, number = base, 2
        while name in taken:
            name, number = f"{base}-{number}", number + 1
        return name


def _known(own: dict[str, tuple[Domain, Path]], coverage: Coverage) -> Iterator[KnownDomain]:
    built_in = {domain.name: domain for domain in built_in_domains()}
    for domain, path in own.values():
        origin: Origin = "proposed" if domain.proposed and is_untouched(path) else "own"
        covered = tuple(coverage.of_domain(domain))
        yield KnownDomain(domain, origin, path, covered, domain.name in built_in)
    for name, domain in built_in.items():
        if name not in own:
            yield KnownDomain(domain, "built_in", None, tuple(coverage.of_domain(domain)))


def _sorted(domains: Iterator[KnownDomain]) -> tuple[KnownDomain, ...]:
    def order(known: KnownDomain) -> tuple[bool, bool, str]:
        return not known.covered, known.origin != "proposed", known.domain.title.casefold()

    return tuple(sorted(domains, key=order))
