"""Where a pack comes from: a folder, or an archive that is not trusted."""

from __future__ import annotations

import os
import re
import stat
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Protocol, cast

from desktop.models.errors import PackRefused, shown
from desktop.models.packs.model_folder import (
    MANIFEST_NAME,
    FileUse,
    fault_of_name,
    is_junk,
    is_part_folder,
    same_on_a_mac,
    use_of,
)
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO, BinaryIO

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
        """Open one of `files` for reading. Raises: PackRefused, if it is no longer a plain file."""

    def place(self, name: str) -> Path | None:
        """Return where the file lies on a disk, None if inside a zip."""

    def close(self) -> None:
        """Close what is open."""


def sorted_out(found: Iterable[tuple[str, int]]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Sort files, name and bytes, into a model's and those to mention. Raises: PackRefused."""
    files: dict[str, int] = {}
    unsafe: list[str] = []
    seen: set[str] = set()
    for name, size in found:
        if fault := fault_of_name(name):
            raise PackRefused("A file in it, {name}, {fault}.", name=repr(shown(name)), fault=fault)
        if same_on_a_mac(name) in seen:
            raise PackRefused(
                "Two files in it are named {name}: a Mac treats A and a as the same.",
                name=shown(name),
            )
        seen.add(same_on_a_mac(name))
        if len(seen) > MOST_FILES:
            raise PackRefused(
                "More than {most_files} files: this is not a model.",
                most_files=f"{MOST_FILES:,}",
            )
        use = use_of(name)
        if use is FileUse.UNSAFE:
            unsafe.append(name)
        elif use is not FileUse.LEFT_OUT:
            if use is FileUse.TEXT and size > MOST_TEXT_BYTES:
                raise PackRefused(
                    "{name} is {size} MB; a model file of this kind is at most "
                    "{most_text_bytes} MB.",
                    name=shown(name),
                    size=f"{size / 2**20:,.0f}",
                    most_text_bytes=MOST_TEXT_BYTES >> 20,
                )
            files[name] = size
    return files, tuple(unsafe)


class FolderSource:
    """Satisfies `PackSource` for a folder. root: where the files are."""

    def __init__(self, folder: Path, name: str = "") -> None:
        """Look through a model's folder, or one with the model's in it. Raises: PackRefused."""
        self.root = _model_root(folder.resolve())
        self.name = name or _name_of(self.root)
        self.files, self.left_out = sorted_out(_plain_files(self.root))

    def open(self, name: str) -> BinaryIO:
        """Open a file; a link put in its place meanwhile is not followed."""
        try:
            descriptor = os.open(self.root / name, os.O_RDONLY | os.O_NOFOLLOW)
        except FileNotFoundError as error:
            raise PackRefused(
                "{name} has disappeared from {root}.", name=shown(name), root=self.root
            ) from error
        file = os.fdopen(descriptor, "rb")
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            file.close()
            raise PackRefused("{name} is not a plain file.", name=shown(name))
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
    return PackRefused(said("Several models found ({listed}): name one of them.", listed=listed))


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
                    "{name} is a symbolic link, which can point anywhere. Copy the folder so "
                    "that it has plain files (cp -RL FOLDER COPY) and import the copy.",
                    name=shown(name),
                )
            if entry.is_dir():
                if not prefix and is_part_folder(entry.name):
                    yield from _plain_files(root / entry.name, f"{name}/")
            elif entry.is_file():
                yield name, entry.stat(follow_symlinks=False).st_size
            else:
                raise PackRefused("{name} is a device or a pipe, not a file.", name=shown(name))


# Text shrinks to a tenth, weights hardly at all; zeros to a thousandth.
_HIGHEST_RATIO = 100
_SLACK_BYTES = 2**20
_MOST_ENTRIES = 20_000


def open_source(path: Path) -> PackSource:
    """Open a folder or zip for import. Raises: PackRefused, if it must not be read; OSError."""
    if path.is_dir():
        return FolderSource(path)
    if not path.exists():
        raise PackRefused("There is no file or folder {path}.", path=path)
    if path.is_file() and zipfile.is_zipfile(path):
        return ZipSource(path)
    raise PackRefused(
        "{name} is neither a folder nor a zip file. Import the folder that holds "
        "config.json and the safetensors files, or a pack made with 'groundwork "
        "models pack'.",
        name=shown(path.name),
    )


class ZipSource:
    """Satisfies `PackSource` for a zip file; a single folder around the model is taken off."""

    def __init__(self, path: Path) -> None:
        """Read the directory. Raises: PackRefused: encrypted, with links, a zip bomb; OSError."""
        self.name = path.stem
        self._file = path.open("rb")
        try:
            with _readable(path.name):
                self._zip = zipfile.ZipFile(self._file)
            # is_dir() fails on a name that begins with a NUL character
            entries = [e for e in self._zip.infolist() if not e.orig_filename.endswith("/")]
            if len(entries) > _MOST_ENTRIES:
                raise PackRefused(
                    "More than {most_entries} files: this is not a model.",
                    most_entries=f"{_MOST_ENTRIES:,}",
                )
            for entry in entries:
                _check_entry(entry)
            if sum(entry.compress_size for entry in entries) > path.stat().st_size:
                raise PackRefused(
                    "The zip file is damaged or incomplete. Copy or download it again."
                )
            self._prefix = _model_prefix([each.filename for each in entries])
            if self._prefix:
                self.name = self._prefix.rstrip("/").rpartition("/")[2]
            self.files, self.left_out = sorted_out(self._names_and_sizes(entries))
        except BaseException:
            self._file.close()
            raise

    def open(self, name: str) -> BinaryIO:
        """Open a file inside the zip."""
        with _readable(name):
            opened = self._zip.open(self._prefix + name)
        return cast("BinaryIO", _Unpacking(opened, name))

    def place(self, name: str) -> Path | None:
        """Return None: files inside a zip have no path."""
        return None

    def close(self) -> None:
        """Close the zip file."""
        self._zip.close()
        self._file.close()

    def _names_and_sizes(self, entries: list[zipfile.ZipInfo]) -> Iterator[tuple[str, int]]:
        for entry in entries:
            name = entry.filename
            if name.startswith(self._prefix) and not is_junk(name):
                yield name.removeprefix(self._prefix), entry.file_size


class _Unpacking:
    """A file in a zip; its faults become refusals."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file = file
        self._name = name

    def read(self, size: int = -1) -> bytes:
        with _readable(self._name):
            return self._file.read(size)

    def __enter__(self) -> _Unpacking:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def close(self) -> None:
        self._file.close()


@contextmanager
def _readable(name: str) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError) as error:
        raise PackRefused(
            "{name} is damaged and cannot be unpacked. Copy or download it again.",
            name=shown(name),
        ) from error
    except (NotImplementedError, RuntimeError) as error:
        raise PackRefused(
            "{name} is packed in a way Groundwork cannot read.", name=shown(name)
        ) from error


def _check_entry(entry: zipfile.ZipInfo) -> None:
    name = entry.orig_filename  # filename is cut at a NUL character
    if fault := fault_of_name(name):
        raise PackRefused("A file in it, {name}, {fault}.", name=repr(shown(name)), fault=fault)
    if entry.flag_bits & 0x1:
        raise PackRefused(
            "The zip file is protected with a password. Unpack it first, then import the folder."
        )
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise PackRefused("{name} is packed in a way Groundwork cannot read.", name=shown(name))
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise PackRefused("{name} is a symbolic link, which can point anywhere.", name=shown(name))
    if kind not in (0, stat.S_IFREG):
        raise PackRefused("{name} is a device or a pipe, not a file.", name=shown(name))
    if entry.file_size > _HIGHEST_RATIO * entry.compress_size + _SLACK_BYTES:
        raise PackRefused(
            "{name} would grow to {file_size} MB from almost nothing: this is not a model; "
            "it is made to fill the disk.",
            name=shown(name),
            file_size=f"{entry.file_size / 2**20:,.0f}",
        )


def _model_prefix(names: list[str]) -> str:
    """Return the folder of the zip that holds the model, with a slash; empty for the top."""
    folders: dict[str, list[str]] = {}
    for name in names:
        if not is_junk(name):
            path = PurePosixPath(name)
            folders.setdefault("" if str(path.parent) == "." else f"{path.parent}/", []).append(
                path.name
            )
    models = [folder for folder, inside in folders.items() if is_model_root(inside)]
    if not models:
        return ""
    depth = min(folder.count("/") for folder in models)
    shallow = [folder for folder in models if folder.count("/") == depth]
    if len(shallow) > 1:
        raise several_models(folder.rstrip("/") for folder in shallow)
    return shallow[0]
