"""The domains of one open library, kept up to date with its manuals and its files."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge.composition import compose_atlas
from knowledge.coverage import Coverage
from knowledge.domain_files import domain_paths, read_domains
from knowledge.domains import merged_domains

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from knowledge.atlas import Atlas
    from knowledge.domain import Domain, Manual

_Stamp = tuple[tuple[str, int, int], ...]
_Names = tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """What the files said when they were last looked at, and which domains they gave."""

    stamp: _Stamp
    domains: tuple[Domain, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Matched:
    """Which domain describes which manual, for manuals of these names."""

    read: _Read
    names: _Names
    coverage: Coverage


class DomainShelf:
    """Every domain that applies to a library; may be used from any thread, blocking.

    Files are read again when one of them changed; manuals are asked for at every call, and
    matched with the domains again when one was added, renamed or removed.
    """

    def __init__(self, folder: Path | None, documents: Callable[[], Sequence[Manual]]) -> None:
        """Keep the folder of the library's own domains and what names its manuals."""
        self._folder = folder
        self._documents = documents
        self._guard = threading.Lock()
        self._last: _Read | None = None
        self._last_matched: _Matched | None = None

    def domains(self) -> tuple[Domain, ...]:
        """Return every domain, also those whose manuals the library does not have."""
        return self._read().domains

    def active(self) -> tuple[Domain, ...]:
        """Return the domains that describe manuals of the library."""
        return self._matched().coverage.domains()

    def problems(self) -> tuple[str, ...]:
        """Return a sentence for every file of the folder that cannot be used."""
        return self._read().problems

    def atlas(self, *, user_profile: str = "", context: str = "") -> Atlas:
        """Return who the agent is and what it knows of the library, as of now.

        user_profile, context: about the person who asks and the place.
        """
        return compose_atlas(self._matched().coverage, user_profile=user_profile, context=context)

    def preferred(self, question: str) -> tuple[Mapping[int, float], ...]:
        """Return for each domain that has an opinion how much each manual is asked for.

        By document id; see `Domain.preferred`. A manual belongs to one domain at most.
        """
        coverage = self._matched().coverage
        opinions = (
            domain.preferred(question, [each.manual for each in coverage.of_domain(domain)])
            for domain in coverage.domains()
        )
        return tuple(opinion for opinion in opinions if opinion)

    def _matched(self) -> _Matched:
        documents = self._documents()
        names = tuple((each.id, each.name, each.title) for each in documents)
        read = self._read()
        last = self._last_matched
        if last is None or last.read is not read or last.names != names:
            last = _Matched(read, names, Coverage.of(read.domains, documents))
            self._last_matched = last
        return last

    def _read(self) -> _Read:
        with self._guard:
            stamp = _stamp(self._folder)
            if self._last is None or self._last.stamp != stamp:
                files = read_domains(self._folder)
                self._last = _Read(stamp, merged_domains(files.domains), files.problems)
            return self._last


def _stamp(folder: Path | None) -> _Stamp:
    found = []
    for path in domain_paths(folder):
        try:
            facts = path.stat()
        except OSError:  # gone since the folder was listed
            continue
        found.append((path.name, facts.st_mtime_ns, facts.st_size))
    return tuple(found)
