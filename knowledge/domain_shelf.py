"""The domains of a library: TOML files that people write, and those that apply to its manuals."""

from __future__ import annotations

import json
import os
import threading
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from knowledge.atlas import Coverage, compose_atlas
from knowledge.domain import Domain
from knowledge.domains import merged_domains
from knowledge.errors import DomainFileError, fault_told
from knowledge.sentences import message, said

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from knowledge.atlas import Atlas
    from knowledge.domain import Manual

SUFFIX = ".toml"
_MOST_BYTES = 200_000
_MOST_FILES = 500


@dataclass(frozen=True, slots=True)
class DomainFiles:
    """What a folder of domains holds. problems: a sentence for every file not used."""

    domains: tuple[Domain, ...] = ()
    problems: tuple[str, ...] = ()


def read_domains(folder: Path | None) -> DomainFiles:
    """Read a folder's domains by file name; broken ones become problems. None has no domains."""
    domains: dict[str, Domain] = {}
    problems: list[str] = []
    for path in domain_paths(folder):
        try:
            domain = read_domain(path)
        except DomainFileError as error:
            problems.append(message(error))
            continue
        if domain.name in domains:
            problems.append(
                said(
                    "{file} is not used: another file already describes {name}.",
                    file=path.name,
                    name=domain.name,
                )
            )
        else:
            domains[domain.name] = domain
    return DomainFiles(tuple(domains.values()), tuple(problems))


def domain_paths(folder: Path | None) -> list[Path]:
    """Return the files of a folder that should be domains, sorted by name."""
    if folder is None:
        return []
    try:
        found = [p for p in folder.iterdir() if p.suffix.casefold() == SUFFIX and p.is_file()]
    except OSError:
        return []
    return sorted(path for path in found if not path.name.startswith("."))[:_MOST_FILES]


def read_domain(path: Path) -> Domain:
    """Read a domain, by default named after its file. Raises: DomainFileError: what to repair."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise DomainFileError(path, said("it is larger than a description can be."))
        values = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise DomainFileError(
            path, said("it cannot be read ({strerror}).", strerror=error.strerror)
        ) from error
    except UnicodeDecodeError as error:
        raise DomainFileError(path, said("it is not UTF-8 text.")) from error
    except tomllib.TOMLDecodeError as error:
        raise DomainFileError(path, said("it is not valid TOML: {error}.", error=error)) from error
    try:
        return Domain.model_validate({"name": path.stem.casefold(), **values})
    except ValidationError as error:
        raise DomainFileError(path, _first_fault(error)) from error


def write_domain_file(path: Path, text: str) -> Path:
    """Write a file so that no reader sees a part of it. Raises: OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    partial.write_text(text, "utf-8")
    os.replace(partial, path)
    return path


def domain_toml(domain: Domain) -> str:
    """Return a domain as TOML for people to edit; fields left at their defaults are omitted."""
    values = domain.model_dump(exclude_defaults=True, mode="json")
    manuals = values.pop("manuals")
    glossary = values.pop("glossary", {})
    lines = list(_assignments(values))
    if glossary:
        lines += ["", "[glossary]", *_assignments(glossary)]
    for manual in manuals:
        lines += ["", "[[manuals]]", *_assignments(manual)]
    return "\n".join(lines) + "\n"


def _assignments(values: Mapping[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        name = key if key.isascii() and key.replace("_", "").isalnum() else _string(key)
        if isinstance(value, list):
            yield f"{name} = {_array(value)}"
        elif isinstance(value, bool):
            yield f"{name} = {str(value).lower()}"
        else:
            yield f"{name} = {_string(value)}"


def _array(values: list[str]) -> str:
    items = [_string(value) for value in values]
    line = f"[{', '.join(items)}]"
    return line if len(line) <= 80 else "[\n" + "".join(f"    {item},\n" for item in items) + "]"


def _string(value: str) -> str:
    """Return a TOML string: JSON's escapes are TOML's, but for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _first_fault(error: ValidationError) -> str:
    """Return the first thing to repair, with its place counted from 1."""
    fault = error.errors()[0]
    place = " ".join(str(p + 1) if isinstance(p, int) else str(p) for p in fault["loc"])
    return fault_told(fault["type"], place or said("the file"), fault["msg"])


class DomainShelf:
    """Every domain that applies to a library; may be used from any thread, blocking.

    Files are read again when one of them changed; manuals are asked for at every call, and
    matched with the domains again when one was added, renamed or removed.
    """

    def __init__(self, folder: Path | None, documents: Callable[[], Sequence[Manual]]) -> None:
        self._folder = folder
        self._documents = documents
        self._guard = threading.Lock()
        self._stamp: list[tuple[str, int, int]] | None = None
        self._read = DomainFiles()
        self._matched: tuple[DomainFiles, list[tuple[int, str, str]], Coverage] | None = None

    def domains(self) -> tuple[Domain, ...]:
        """Return every domain, also those whose manuals the library does not have."""
        return self._files().domains

    def active(self) -> tuple[Domain, ...]:
        """Return the domains that describe manuals of the library."""
        return self._coverage().domains()

    def problems(self) -> tuple[str, ...]:
        """Return a sentence for every file of the folder that cannot be used."""
        return self._files().problems

    def atlas(
        self, *, user_profile: str = "", context: str = "", about: Collection[int] = ()
    ) -> Atlas:
        """Return who the agent is and what it knows of the library, as of now.

        user_profile, context: about the person who asks and the place. about: ids of the manuals
        that it is asked about, () for all.
        """
        coverage = self._coverage().around(about)
        return compose_atlas(coverage, user_profile=user_profile, context=context)

    def preferred(self, question: str) -> tuple[Mapping[int, float], ...]:
        """Return by domain with an opinion how much each manual, by id, is called for."""
        coverage = self._coverage()
        opinions = (
            domain.preferred(question, [each.manual for each in coverage.of_domain(domain)])
            for domain in coverage.domains()
        )
        return tuple(opinion for opinion in opinions if opinion)

    def _coverage(self) -> Coverage:
        documents = self._documents()
        names = [(each.id, each.name, each.title) for each in documents]
        files, last = self._files(), self._matched
        if last is None or last[0] is not files or last[1] != names:
            last = self._matched = (files, names, Coverage.of(files.domains, documents))
        return last[2]

    def _files(self) -> DomainFiles:
        """Return what the files say, and the domains that come with the program."""
        with self._guard:
            stamp = []
            for path in domain_paths(self._folder):
                with suppress(OSError):  # gone since the folder was listed
                    facts = path.stat()
                    stamp.append((path.name, facts.st_mtime_ns, facts.st_size))
            if self._stamp != stamp:
                files = read_domains(self._folder)
                self._read = DomainFiles(merged_domains(files.domains), files.problems)
                self._stamp = stamp
            return self._read
