"""Reading a model from a zip file that may come from anybody."""

from __future__ import annotations

import stat
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, cast

from desktop.models.errors import PackRefused
from desktop.models.packs.model_files import fault_of_name, is_junk, shown
from desktop.models.packs.pack_source import FolderSource, is_model_root, several_models, sorted_out

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO, BinaryIO

    from desktop.models.packs.pack_source import PackSource

# Text shrinks to a tenth, weights hardly at all; zeros to a thousandth.
_HIGHEST_RATIO = 100
_SLACK_BYTES = 2**20
_MOST_ENTRIES = 20_000


def open_source(path: Path) -> PackSource:
    """Open a folder or zip file for import.

    Raises: PackRefused, if it is neither, or one that must not be read; OSError.
    """
    if path.is_dir():
        return FolderSource(path)
    if not path.exists():
        raise PackRefused(f"There is no file or folder {path}.")
    if path.is_file() and zipfile.is_zipfile(path):
        return ZipSource(path)
    raise PackRefused(
        f"{shown(path.name)} is neither a folder nor a zip file. Import the folder that holds "
        "config.json and the safetensors files, or a pack made with 'groundwork models pack'."
    )


class ZipSource:
    """Satisfies `PackSource` for a zip file; a single folder around the model is taken off."""

    def __init__(self, path: Path) -> None:
        """Look through the zip's directory.

        Raises: PackRefused, if it is encrypted, has links in it, or is a bomb; OSError.
        """
        self.name = path.stem
        self._file = path.open("rb")
        try:
            with _readable(path.name):
                self._zip = zipfile.ZipFile(self._file)
            # is_dir() fails on a name that begins with a NUL character
            entries = [e for e in self._zip.infolist() if not e.orig_filename.endswith("/")]
            if len(entries) > _MOST_ENTRIES:
                raise PackRefused(f"It has more than {_MOST_ENTRIES:,} files: this is no model.")
            for entry in entries:
                _check_entry(entry)
            _check_sizes(entries, path.stat().st_size)
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
        """Return nothing: files of a zip lie nowhere."""
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
    """A file of a zip whose faults are refusals."""

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
            f"{shown(name)} is damaged and cannot be unpacked. Copy or download it again."
        ) from error
    except (NotImplementedError, RuntimeError) as error:
        raise PackRefused(f"{shown(name)} is packed in a way Groundwork does not read.") from error


def _check_entry(entry: zipfile.ZipInfo) -> None:
    name = entry.orig_filename  # filename is cut at a NUL character
    if fault := fault_of_name(name):
        raise PackRefused(f"A file in it, {shown(name)!r}, {fault}.")
    if entry.flag_bits & 0x1:
        raise PackRefused("It is protected with a password. Unpack it first, import the folder.")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise PackRefused(f"{shown(name)} is packed in a way Groundwork does not read.")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise PackRefused(f"{shown(name)} is a symbolic link, which can point anywhere.")
    if kind not in (0, stat.S_IFREG):
        raise PackRefused(f"{shown(name)} is a device or a pipe, not a file.")
    if entry.file_size > _HIGHEST_RATIO * entry.compress_size + _SLACK_BYTES:
        raise PackRefused(
            f"{shown(name)} would grow to {entry.file_size / 2**20:,.0f} MB from almost nothing: "
            "this is no model, it is made to fill the disk."
        )


def _check_sizes(entries: list[zipfile.ZipInfo], zip_bytes: int) -> None:
    if sum(entry.compress_size for entry in entries) > zip_bytes:
        raise PackRefused("Its files overlap or are cut off. Copy or download it again.")


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
