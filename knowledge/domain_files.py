"""Domains that people write: TOML files in the `domains` folder of a library."""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from knowledge.domain import Domain
from knowledge.errors import DomainFileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

SUFFIX = ".toml"
_MOST_BYTES = 200_000
_MOST_FILES = 500


@dataclass(frozen=True, slots=True)
class DomainFiles:
    """What a folder of domains holds. problems: a sentence for every file not used."""

    domains: tuple[Domain, ...] = ()
    problems: tuple[str, ...] = ()


def read_domains(folder: Path | None) -> DomainFiles:
    """Read every domain of a folder, by file name; a broken one becomes a problem.

    A folder that does not exist, or None, has none.
    """
    domains: dict[str, Domain] = {}
    problems: list[str] = []
    for path in domain_paths(folder):
        try:
            domain = read_domain(path)
        except DomainFileError as error:
            problems.append(str(error))
            continue
        if domain.name in domains:
            problems.append(
                f"{path.name} is not used: another file already describes {domain.name}."
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
    """Read one domain. Without a name of its own it is called like its file.

    Raises: DomainFileError, with a sentence that says what to repair.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise DomainFileError(path, "it is larger than a description can be.")
        values = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise DomainFileError(path, f"it cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise DomainFileError(path, "it is not text in UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise DomainFileError(path, f"it is not valid TOML: {error}.") from error
    try:
        return Domain.model_validate({"name": path.stem.casefold(), **values})
    except ValidationError as error:
        raise DomainFileError(path, _first_fault(error)) from error


def save_domain(folder: Path, domain: Domain) -> Path:
    """Write a domain as a person left it, in place of the file it had; return the file.

    Raises: OSError.
    """
    return write_domain_file(folder / f"{domain.name}{SUFFIX}", domain_toml(domain))


def write_domain_file(path: Path, text: str) -> Path:
    """Write a file so that a reader sees the old one or the new one, never a part.

    Raises: OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    partial.write_text(text, "utf-8")
    os.replace(partial, path)
    return path


def domain_toml(domain: Domain) -> str:
    """Return a domain as TOML for people to edit; fields left as usual are not written."""
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
    what = {"missing": "is missing", "extra_forbidden": "is not known here"}.get(
        fault["type"], f"is wrong: {fault['msg'][:1].lower()}{fault['msg'][1:]}"
    )
    return f"{place or 'the file'} {what}."
