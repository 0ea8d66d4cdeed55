"""What Groundwork is made of and under which licences: for the About page and its bill.

Read from the metadata of the installed packages, so that it cannot go out of date; a frozen
program carries that metadata along.
"""

from __future__ import annotations

import importlib.metadata
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.resources import resource

if TYPE_CHECKING:
    from collections.abc import Iterable

OURS = "groundwork"
UNKNOWN = ""

_LONGEST_NAME = 60  # longer ones are whole licences
_TEXTS = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT")
_IDENTIFIERS = {
    "apache": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache 2.0 license": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "3-clause bsd license": "BSD-3-Clause",
    "bsd": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mit, bsd": "MIT AND BSD-3-Clause",
    "mit license, apache license, version 2.0": "MIT OR Apache-2.0",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "nvidia proprietary software": "LicenseRef-NVIDIA-Proprietary",
    "psfl": "PSF-2.0",
    "python software foundation license": "PSF-2.0",
}
"""What packages write, in small letters, as SPDX names it."""
_BY_HAND = {
    "apsw": "Zlib",  # its authors grant any licence that the OSI has approved
    "cuda-toolkit": "LicenseRef-NVIDIA-Proprietary",  # an empty package: it names the others
    "python-dateutil": "Apache-2.0 AND BSD-3-Clause",
    "pymupdf": "AGPL-3.0-only OR LicenseRef-Artifex-Commercial",
    "pymupdf-layout": "AGPL-3.0-only OR LicenseRef-Artifex-Commercial",  # an empty package
    "pymupdf4llm": "AGPL-3.0-only OR LicenseRef-Artifex-Commercial",
}
"""Of packages whose metadata say it in words of their own."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that the program contains.

    licence: an SPDX expression, "" if nobody knows. purpose: what it is for, "" for packages.
    """

    name: str
    version: str
    licence: str
    purpose: str = ""
    is_package: bool = True


def our_parts(names: Iterable[str] | None = None) -> list[Part]:
    """Return everything the program contains, Groundwork first, the rest by name.

    names: of the packages, instead of Groundwork's and those it needs that are installed.
    """
    packages = [_package(name) for name in (needed_packages() if names is None else names)]
    parts = [*packages, *(part for part, _ in _notices())]
    return sorted(parts, key=lambda part: (part.name != OURS, part.name.casefold()))


def licence_text(part: Part) -> str:
    """Return the licence's wording as the part brings it, "" if it brings none."""
    if not part.is_package:
        named = next((text for each, text in _notices() if each.name == part.name), "")
        return resource(named).read_text("utf-8", "replace") if named else ""
    try:
        files = importlib.metadata.files(part.name) or []
    except importlib.metadata.PackageNotFoundError:
        return ""
    texts = []
    for file in files:
        if ".dist-info" in file.parts[0] and file.name.upper().startswith(_TEXTS):
            path = Path(str(file.locate()))
            if path.is_file():
                texts.append(f"{file.name}\n\n{path.read_text('utf-8', 'replace').strip()}")
    return "\n\n\n".join(texts)


def needed_packages() -> list[str]:
    """Return the installed packages that Groundwork needs, itself included, by name.

    Needs of needs count, optional ones only of Groundwork itself. Empty, if Groundwork was
    not installed as a package. A frozen program has the metadata of what it contains, no more.
    """
    if getattr(sys, "frozen", False):
        installed = importlib.metadata.distributions()
        return sorted({each.name.lower().replace("_", "-") for each in installed})
    found: dict[str, None] = {}
    waiting = [OURS]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            requirements = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        found[name] = None
        for requirement in requirements:
            wanted = re.match(r"[A-Za-z0-9._-]+", requirement)
            if wanted and (name == OURS or "extra ==" not in requirement):
                waiting.append(wanted[0].lower().replace("_", "-").replace(".", "-"))
    return sorted(found)


def licence_of(metadata: importlib.metadata.PackageMetadata) -> str:
    """Return a package's licence as an SPDX expression, "" if its metadata name none."""
    values = dict(metadata.json)
    by_hand = _BY_HAND.get(str(values.get("name", "")).lower().replace("_", "-"))
    if by_hand:
        return by_hand
    if expression := str(values.get("license_expression", "")).strip():
        return expression
    stated = str(values.get("license", "")).strip()
    if stated and len(stated) < _LONGEST_NAME and "\n" not in stated:
        return _IDENTIFIERS.get(stated.lower(), stated)
    if "MIT License" in stated:
        return "MIT"
    listed = values.get("classifier", [])
    classifiers = [listed] if isinstance(listed, str) else listed
    named = [each.rpartition("::")[2].strip() for each in classifiers if each.startswith("License")]
    known = [_IDENTIFIERS[each.lower()] for each in named if each.lower() in _IDENTIFIERS]
    return " AND ".join(dict.fromkeys(known)) or UNKNOWN


def _package(name: str) -> Part:
    metadata = importlib.metadata.metadata(name)
    return Part(name, importlib.metadata.version(name), licence_of(metadata))


def _notices() -> list[tuple[Part, str]]:
    """What is not a package, each with the file of its licence below resources/ or ""."""
    listed = tomllib.loads(resource("notices.toml").read_text("utf-8"))["part"]
    return [
        (
            Part(each["name"], "", each["licence"], each["purpose"], is_package=False),
            each.get("text", ""),
        )
        for each in listed
    ]
