"""Whether the installed wheels run on every machine that the program is for."""

from __future__ import annotations

import importlib.metadata
import re
from typing import TYPE_CHECKING

from scripts.bundle.variant import MINIMUM_SYSTEM

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scripts.bundle.variant import Platform

_MACOS = re.compile(r"macosx_(\d+)_(\d+)_(\w+)")


def unfit_wheels(names: Iterable[str], platform: Platform) -> list[str]:
    """Return the distributions whose wheels do not fit, in sentences."""
    wrong = []
    for name in names:
        tags = platform_tags(importlib.metadata.distribution(name))
        if tags and not any(fits(tag, platform) for tag in tags):
            wrong.append(f"{name} was installed from a wheel for {', '.join(sorted(tags))}")
    return wrong


def platform_tags(distribution: importlib.metadata.Distribution) -> set[str]:
    """Return the platforms that a wheel names, empty if it was not installed from one."""
    text = distribution.read_text("WHEEL") or ""
    tags = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("Tag:")]
    return {part for tag in tags for part in tag.rpartition("-")[2].split(".")}


def fits(tag: str, platform: Platform) -> bool:
    """Tell whether a wheel of this platform runs where the program shall run."""
    if tag == "any":
        return True
    if platform == "linux":
        return tag.startswith(("manylinux", "linux_"))
    found = _MACOS.fullmatch(tag)
    if found is None:
        return False
    oldest = tuple(int(part) for part in MINIMUM_SYSTEM.split("."))
    return found[3] in ("arm64", "universal2") and (int(found[1]), int(found[2])) <= oldest
