"""Check that everything the program is made of may be handed out under the AGPL.

Usage: check_licences.py. Looks at the installed packages that constraints.txt pins, since a build
of the program refuses all others: of the packages that PyPI's torch brings to Linux for a graphics
card, most are proprietary. Ends with 1 and the names of those whose licence is not on the list
below or is not stated.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from desktop.core.diagnostics.licences import needed_packages, our_parts
from scripts.bundle.dependencies import OURS, pins

if TYPE_CHECKING:
    from collections.abc import Iterable

COMPATIBLE = frozenset(
    {
        "0BSD", "AGPL-3.0-only", "AGPL-3.0-or-later", "Apache-2.0",
        "Apache-2.0 WITH LLVM-exception", "Bitstream-Vera", "blessing",
        "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "CNRI-Python", "GPL-3.0-only",
        "GPL-3.0-or-later", "ISC", "LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later",
        "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "OFL-1.1", "PSF-2.0", "Unlicense", "Zlib",
    }
)  # fmt: skip
"""SPDX names of licences whose works may be part of one under the AGPL 3.0 or later."""


def main() -> int:
    """Print what was found; returns the exit code."""
    parts = our_parts(handed_out(needed_packages()))
    refused = [part for part in parts if not is_compatible(part.licence)]
    for part in refused:
        print(f"{part.name} {part.version}: {part.licence or 'states no licence'}")
    if refused:
        print("Replace it, or add what it states to desktop/core/diagnostics/licences.py.")
        return 1
    print(f"{len(parts)} parts, all under licences that go with the AGPL 3.0 or later")
    return 0


def handed_out(names: Iterable[str]) -> list[str]:
    """Return those of the packages that a build of the program may contain: ours and the pinned."""
    pinned = pins()
    return [name for name in names if name == OURS or name in pinned]


def is_compatible(expression: str) -> bool:
    """Tell whether an SPDX expression can be fulfilled: of each choice one, of a sum all."""
    if not expression:
        return False
    terms = re.split(r"\s+AND\s+", expression)
    return all(_one_of(term.strip("() ")) for term in terms)


def _one_of(term: str) -> bool:
    return any(choice.strip("() ") in COMPATIBLE for choice in re.split(r"\s+OR\s+", term))


if __name__ == "__main__":
    sys.exit(main())
