"""Reading a model from a folder: which files it has, nothing else, and no links followed."""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, Protocol

from desktop.models.errors import PackRefused
from desktop.models.packs.model_files import (
    MANIFEST_NAME,
    FileUse,
    fault_of_name,
    is_junk,
    is_part_folder,
    same_on_a_mac,
    shown,
    use_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

MOST_TEXT_BYTES = 64 * 2**20
"""Settings and tokenizers are small; a larger one is a mistake or a trap."""

MOST_FILES = 10_000
_ROOT_MARKS = (MANIFEST_NAME, "config.json", "adapter_config.json")


class PackSource(Protocol):
    """A model's files as they come, from a folder or a zip; checked names only.

    name: of the folder or zip, for the model's id. files: bytes by name, those that can
    belong to a model. left_out: code, pickles and foreign formats that lie beside them.
    """

    name: str
    files: dict[str, int]
    left_out: tuple[str, ...]

    def open(self, name: str) -> BinaryIO:
        """Open one of `files` for reading.

        Raises: PackRefused, if it is no plain file any more.
        """

    def place(self, name: str) -> Path | None:
        """Return where the file lies on a disk, None if inside a zip."""

    def close(self) -> None:
        """Close what is open."""


def sorted_out(found: Iterable[tuple[str, int]]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Sort the plain files of a source into those of a model and those to mention.

    Args:
        found: name and bytes.

    Raises: PackRefused, if a name is not safe, comes twice, or a text is too large.
    """
    files: dict[str, int] = {}
    unsafe: list[str] = []
    seen: set[str] = set()
    for name, size in found:
        if fault := fault_of_name(name):
            raise PackRefused(f"A file in it, {shown(name)!r}, {fault}.")
        if same_on_a_mac(name) in seen:
            raise PackRefused(
                f"Two files in it have the name {shown(name)}: on a Mac, A and a are the same."
            )
        seen.add(same_on_a_mac(name))
        if len(seen) > MOST_FILES:
            raise PackRefused(f"It has more than {MOST_FILES:,} files: this is no model.")
        use = use_of(name)
        if use is FileUse.UNSAFE:
            unsafe.append(name)
        elif use is not FileUse.LEFT_OUT:
            if use is FileUse.TEXT and size > MOST_TEXT_BYTES:
                raise PackRefused(
                    f"{shown(name)} has {size / 2**20:,.0f} MB; such a file of a model has at most "
                    f"{MOST_TEXT_BYTES >> 20} MB."
                )
            files[name] = size
    return files, tuple(unsafe)


class FolderSource:
    """Satisfies `PackSource` for a folder. root: where the files are."""

    def __init__(self, folder: Path, name: str = "") -> None:
        """Look through the folder.

        Args:
            folder: the model's, or one with the model's in it.
            name: of the model; by default the folder's.

        Raises: PackRefused, if it has links, devices or several models in it; OSError.
        """
        self.root = _model_root(folder.resolve())
        self.name = name or _name_of(self.root)
        self.files, self.left_out = sorted_out(_plain_files(self.root))

    def open(self, name: str) -> BinaryIO:
        """Open a file; a link put in its place meanwhile is not followed."""
        try:
            descriptor = os.open(self.root / name, os.O_RDONLY | os.O_NOFOLLOW)
        except FileNotFoundError as error:
            raise PackRefused(f"{shown(name)} has disappeared from {self.root}.") from error
        file = os.fdopen(descriptor, "rb")
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            file.close()
            raise PackRefused(f"{shown(name)} is not a plain file.")
        return file

    def place(self, name: str) -> Path | None:
        """Return where the file lies."""
        return self.root / name

    def close(self) -> None:
        """Nothing stays open."""


def is_model_root(names: Iterable[str]) -> bool:
    """Whether a folder with these names directly in it looks like a model."""
    return any(name in _ROOT_MARKS for name in names)


def several_models(names: Iterable[str]) -> PackRefused:
    """Return the refusal of a source that holds more than one model."""
    listed = ", ".join(shown(name) for name in sorted(names))
    return PackRefused(f"There are several models in it ({listed}): name one of them.")


def _model_root(folder: Path) -> Path:
    """Return the folder itself, or the only model right below it."""
    if is_model_root(os.listdir(folder)):
        return folder
    below = [
        each
        for each in sorted(folder.iterdir())
        if not is_junk(each.name) and each.is_dir() and not each.is_symlink()
    ]
    models = [each for each in below if is_model_root(os.listdir(each))]
    if len(models) > 1:
        raise several_models(model.name for model in models)
    return models[0] if models else folder


def _name_of(folder: Path) -> str:
    """Return the folder's name; of a snapshot in Hugging Face's cache, the repository's."""
    if folder.parent.name == "snapshots" and re.fullmatch(r"[0-9a-f]{40}", folder.name):
        return folder.parent.parent.name.removeprefix("models--").replace("--", "/", 1)
    return folder.name


def _plain_files(root: Path, prefix: str = "") -> Iterator[tuple[str, int]]:
    with os.scandir(root) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            name = prefix + entry.name
            if is_junk(entry.name):
                continue
            if entry.is_symlink():
                raise PackRefused(
                    f"{shown(name)} is a symbolic link, which can point anywhere. Copy the folder "
                    "so that it has plain files (cp -RL FOLDER COPY) and import the copy."
                )
            if entry.is_dir():
                if not prefix and is_part_folder(entry.name):
                    yield from _plain_files(root / entry.name, f"{name}/")
            elif entry.is_file():
                yield name, entry.stat(follow_symlinks=False).st_size
            else:
                raise PackRefused(f"{shown(name)} is a device or a pipe, not a file.")
