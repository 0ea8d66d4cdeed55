"""Puts `mlx.metallib` beside each `libmlx.dylib`, the only place MLX looks for it in a bundle."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LIBRARY, KERNELS = "libmlx.dylib", "mlx.metallib"


def put_beside(contents: Path, kernels: Path | None = None) -> list[Path]:
    """Copy the kernels to every folder with a `libmlx.dylib`; returns the copies.

    kernels: instead of those of the installed MLX.
    Raises: FileNotFoundError, if there is none to copy.
    """
    source = kernels or _installed()
    copies = []
    for library in _libraries(contents):
        target = library.with_name(KERNELS)
        if not target.exists():
            _put(source, target, contents)
            copies.append(target)
    return copies


def _put(source: Path, target: Path, contents: Path) -> None:
    """Copy a file; into a .app's Resources with a link to it, for Frameworks may hold only code."""
    if contents.name != "Frameworks":
        shutil.copyfile(source, target)
        return
    real = contents.parent / "Resources" / target.relative_to(contents)
    real.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, real)
    target.symlink_to(os.path.relpath(real, target.parent))


def missing(contents: Path) -> list[str]:
    """Return the libraries without their kernels, in sentences."""
    return [
        f"{library.relative_to(contents)} has no {KERNELS} beside it"
        for library in _libraries(contents)
        if not library.with_name(KERNELS).is_file()
    ]


def _libraries(contents: Path) -> Iterable[Path]:
    return sorted(contents.rglob(LIBRARY))


def _installed() -> Path:
    spec = importlib.util.find_spec("mlx")
    for place in (spec.submodule_search_locations if spec else None) or ():
        for found in Path(place).rglob(KERNELS):
            return found
    raise FileNotFoundError(f"{KERNELS} is not part of the installed mlx")
