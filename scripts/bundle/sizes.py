"""How large the program is, and what of it: a line for each package."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MB = 10**6


def size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder, links not counted."""
    return sum(path.stat().st_size for path in _files(folder))


def by_package(folders: Iterable[Path]) -> Counter[str]:
    """Return the bytes below each name in the program's folders; libraries with their package."""
    sizes: Counter[str] = Counter()
    for folder in folders:
        for path in _files(folder):
            sizes[_package(path.relative_to(folder).parts)] += path.stat().st_size
    return sizes


def report(
    application: Path, folders: Iterable[Path], executable: Path, least_mb: float = 1.0
) -> str:
    """Return the sizes as lines, largest first."""
    sizes = by_package(folders)
    small = sum(size for size in sizes.values() if size < least_mb * MB)
    lines = [f"{size_of(application) / MB:8.1f} MB  in all"]
    lines.append(f"{executable.stat().st_size / MB:8.1f} MB  the executable, with Python modules")
    lines += [
        f"{size / MB:8.1f} MB  {name}"
        for name, size in sizes.most_common()
        if size >= least_mb * MB
    ]
    lines.append(f"{small / MB:8.1f} MB  everything smaller")
    return "\n".join(lines)


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]


def _package(parts: tuple[str, ...]) -> str:
    if len(parts) == 1:
        return "libraries of the system and of Python"
    first = parts[0].removesuffix(".libs")
    return "metadata and licences" if first.endswith(".dist-info") else first
