"""A safetensors file checked, read and written tensor by tensor, without a model runtime.

The format: eight bytes that give the length of a JSON header (little endian), the header,
then the tensors' bytes without gaps (https://huggingface.co/docs/safetensors). The header is
checked against the file's size before anything is read, so that a file that was cut off is found
at once and not in the middle of loading. numpy has no bfloat16: its tensors are handled as
`uint16` words that hold the upper half of a float32.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from desktop.models.errors import ModelDamaged, PackRefused, shown
from desktop.sentences import message, said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

Array = NDArray[Any]

INDEX_NAME = "model.safetensors.index.json"
_NUMPY_TYPES: dict[str, np.dtype[Any]] = {
    "F64": np.dtype("<f8"),
    "F32": np.dtype("<f4"),
    "F16": np.dtype("<f2"),
    "BF16": np.dtype("<u2"),
    "I64": np.dtype("<i8"),
    "I32": np.dtype("<i4"),
    "I16": np.dtype("<i2"),
    "I8": np.dtype("i1"),
    "U64": np.dtype("<u8"),
    "U32": np.dtype("<u4"),
    "U16": np.dtype("<u2"),
    "U8": np.dtype("u1"),
    "BOOL": np.dtype("?"),
    "F8_E4M3": np.dtype("u1"),
    "F8_E5M2": np.dtype("u1"),
}


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """Where a tensor lies. dtype: as in the header, such as "BF16". start: in the file, bytes."""

    dtype: str
    shape: tuple[int, ...]
    start: int
    nbytes: int


def read_header(path: Path) -> dict[str, TensorInfo]:
    """List the tensors of a file that holds all of them. Raises: ModelDamaged."""
    try:
        with path.open("rb") as file:
            return check_weights(path.name, file, path.stat().st_size)
    except (OSError, PackRefused) as error:
        raise ModelDamaged(message(error)) from error


def read_json(folder: Path, name: str) -> Any:
    """Return what a JSON file beside the weights holds, None if it is not there.

    Raises: ModelDamaged, if it cannot be read.
    """
    try:
        return json.loads((folder / name).read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise ModelDamaged(
            "{name} of {name2} cannot be read: {error}",
            name=name,
            name2=folder.name,
            error=error,
        ) from error


def read_settings(folder: Path, name: str) -> dict[str, Any]:
    """Return the settings in a JSON file beside the weights, {} if it is not there.

    Raises: ModelDamaged, if it cannot be read or holds something else.
    """
    settings = read_json(folder, name)
    if not isinstance(settings, dict | None):
        raise ModelDamaged(
            "{name} of {name2} is not a list of settings", name=name, name2=folder.name
        )
    return settings or {}


def weight_files(folder: Path) -> list[Path]:
    """List a model's weight files: those of its index, else all. Raises: ModelDamaged."""
    if index := read_settings(folder, INDEX_NAME):
        try:
            names = sorted(set(index["weight_map"].values()))
            files = [folder / name for name in names if "/" not in name and "\\" not in name]
        except (KeyError, TypeError, AttributeError) as error:
            raise ModelDamaged("{name} cannot be read", name=INDEX_NAME) from error
    else:
        files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ModelDamaged("{name} has no weights (*.safetensors)", name=folder.name)
    for file in files:
        if not file.is_file():
            raise ModelDamaged("{name} is missing", name=file.name)
    return files


def read_tensor(path: Path, info: TensorInfo) -> Array:
    """Map one tensor's bytes, read-only; bfloat16 as uint16 words."""
    dtype = _NUMPY_TYPES[info.dtype]
    if info.nbytes == 0:
        return np.zeros(info.shape, dtype)
    return np.memmap(path, dtype, mode="r", offset=info.start, shape=info.shape or (1,)).reshape(
        info.shape
    )


def to_float32(array: Array, dtype: str) -> NDArray[np.float32]:
    """Widen a tensor of `read_tensor`. Raises: ValueError, if it has no such floats."""
    if dtype == "BF16":
        return (array.astype(np.uint32) << 16).view(np.float32)
    if dtype in ("F64", "F32", "F16"):
        return array.astype(np.float32)
    raise ValueError(said("{dtype} is not a float type that can be widened", dtype=dtype))


def from_float32(array: NDArray[np.float32], dtype: str) -> Array:
    """Narrow to what `write_tensors` expects for `dtype`; bfloat16 rounds half to even."""
    if dtype != "BF16":
        return array.astype(_NUMPY_TYPES[dtype])
    bits = np.ascontiguousarray(array).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> 16) & 1)) >> 16
    quiet = np.where(np.isnan(array), (bits >> 16) | 0x40, rounded)  # rounding could make it inf
    return quiet.astype(np.uint16)


class SafetensorsWriter:
    """Writes a file whose tensors are announced first and then given one by one, in order."""

    def __init__(self, path: Path, tensors: Mapping[str, tuple[str, Sequence[int]]]) -> None:
        """Write the header. tensors: name to (dtype, shape), in the order of writing."""
        self._sizes: list[int] = []
        header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
        place = 0
        for name, (dtype, shape) in tensors.items():
            size = math.prod(shape) * _NUMPY_TYPES[dtype].itemsize
            offsets = [place, place + size]
            header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": offsets}
            place += size
            self._sizes.append(size)
        text = json.dumps(header, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        self._written = 0
        self._file = path.open("wb")
        self._file.write(len(text).to_bytes(8, "little") + text)

    def __enter__(self) -> SafetensorsWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, array: Array) -> None:
        """Write the next tensor. Raises: ValueError, if it is not as announced; OSError."""
        data = np.ascontiguousarray(array)
        if data.nbytes != self._sizes[self._written]:
            raise ValueError(said("data of another size was announced"))
        self._file.write(data.data if data.size else b"")
        self._written += 1


MOST_HEADER_BYTES = 100_000_000
"""The format's own limit."""

_MOST_DIMENSIONS = 32
_BITS = {
    "BOOL": 8, "U8": 8, "I8": 8, "U16": 16, "I16": 16, "U32": 32, "I32": 32, "U64": 64, "I64": 64,
    "F16": 16, "BF16": 16, "F32": 32, "F64": 64, "C64": 64,
    "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8,
    "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6,
}  # fmt: skip


def check_weights(name: str, file: BinaryIO, size: int) -> dict[str, TensorInfo]:
    """Check the header of a safetensors file against the file's size; return its tensors.

    name: for the message. file: at its start; read up to the end of the header. size: bytes.

    Raises: PackRefused, if it is cut off or not a safetensors file.
    """
    length_bytes = file.read(8)
    if len(length_bytes) < 8:
        raise PackRefused(
            "{name} is cut off: it has only {size} bytes.", name=shown(name), size=size
        )
    length = int.from_bytes(length_bytes, "little")
    if length > MOST_HEADER_BYTES or length < 2:
        raise PackRefused(
            "{name} is not a safetensors file, or its beginning is damaged.", name=shown(name)
        )
    if 8 + length > size:
        raise PackRefused(_cut_off(name, size, 8 + length, at_least=True))
    header = _parse(name, file.read(length))
    tensors = {each: _tensor(name, each, entry, 8 + length) for each, entry in header.items()}
    end = 8 + length
    for tensor in sorted(tensors.values(), key=lambda each: (each.start, each.nbytes)):
        if tensor.start != end:
            raise PackRefused(
                "{name} is damaged: its parts overlap or leave gaps.", name=shown(name)
            )
        end += tensor.nbytes
    if end > size:
        raise PackRefused(_cut_off(name, size, end))
    if end < size:
        raise PackRefused("{name} is damaged: it is longer than its parts.", name=shown(name))
    return tensors


def _parse(name: str, header: bytes) -> dict[str, Any]:
    try:
        tensors = json.loads(header)
    except (ValueError, RecursionError) as error:
        raise PackRefused("The header of {name} is damaged.", name=shown(name)) from error
    if not isinstance(tensors, dict):
        raise PackRefused("The header of {name} is damaged.", name=shown(name))
    tensors.pop("__metadata__", None)
    if not tensors:
        raise PackRefused("{name} has no weights in it.", name=shown(name))
    return tensors


def _tensor(name: str, tensor: str, entry: Any, data: int) -> TensorInfo:
    """Read a tensor's entry in the header. data: where the tensors begin in the file, bytes."""
    damaged = PackRefused(
        said("{name} is damaged at {tensor}.", name=shown(name), tensor=shown(tensor))
    )
    match entry:
        case {"dtype": str(dtype), "shape": [*shape], "data_offsets": [int(start), int(end)]}:
            pass
        case _:
            raise damaged
    if dtype not in _BITS:
        raise PackRefused(
            "{name} uses a number type Groundwork does not know: {dtype}.",
            name=shown(name),
            dtype=shown(dtype),
        )
    # true and false are integers to Python
    whole = all(type(side) is int and side >= 0 for side in (*shape, start, end))
    plausible = whole and len(shape) <= _MOST_DIMENSIONS and start <= end
    if not plausible or math.prod(shape) * _BITS[dtype] != 8 * (end - start):
        raise damaged
    return TensorInfo(dtype, tuple(shape), data + start, end - start)


def _cut_off(name: str, size: int, needed: int, *, at_least: bool = False) -> str:
    wanted = said("at least {needed}", needed=f"{needed:,}") if at_least else f"{needed:,}"
    return said(
        "{name} is cut off: it has {size} of {wanted} bytes. Copy or download it again.",
        name=shown(name),
        size=f"{size:,}",
        wanted=wanted,
    )
