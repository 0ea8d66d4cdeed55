"""Does a safetensors file hold together? Read from its header; no weight is loaded.

The format: 8 bytes little-endian length of a JSON header, the header, then the tensors'
bytes without gaps (https://huggingface.co/docs/safetensors).
"""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from desktop.models.errors import PackRefused
from desktop.models.packs.model_files import shown

if TYPE_CHECKING:
    from typing import BinaryIO

MOST_HEADER_BYTES = 100_000_000
"""The format's own limit."""

_MOST_DIMENSIONS = 32
_BITS = {
    "BOOL": 8, "U8": 8, "I8": 8, "U16": 16, "I16": 16, "U32": 32, "I32": 32, "U64": 64, "I64": 64,
    "F16": 16, "BF16": 16, "F32": 32, "F64": 64, "C64": 64,
    "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8,
    "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6,
}  # fmt: skip


def check_weights(name: str, file: BinaryIO, size: int) -> None:
    """Check the header of a safetensors file against the file's size.

    Args:
        name: for the message.
        file: at its start; read up to the end of the header.
        size: of the whole file in bytes.

    Raises: PackRefused, if it is cut off or no safetensors file.
    """
    length_bytes = file.read(8)
    if len(length_bytes) < 8:
        raise PackRefused(f"{shown(name)} is cut off: it is empty but for {size} bytes.")
    length = int.from_bytes(length_bytes, "little")
    if length > MOST_HEADER_BYTES or length < 2:
        raise PackRefused(f"{shown(name)} is not a safetensors file, or its beginning is damaged.")
    if 8 + length > size:
        raise PackRefused(_cut_off(name, size, 8 + length, at_least=True))
    tensors = _parse(name, file.read(length))
    end = _end_of_tensors(name, tensors)
    if 8 + length + end > size:
        raise PackRefused(_cut_off(name, size, 8 + length + end))
    if 8 + length + end < size:
        raise PackRefused(f"{shown(name)} is damaged: it is longer than its tensors.")


def _parse(name: str, header: bytes) -> dict[str, Any]:
    try:
        tensors = json.loads(header)
    except (ValueError, RecursionError) as error:
        raise PackRefused(f"The header of {shown(name)} is damaged.") from error
    if not isinstance(tensors, dict):
        raise PackRefused(f"The header of {shown(name)} is damaged.")
    tensors.pop("__metadata__", None)
    if not tensors:
        raise PackRefused(f"{shown(name)} has no weights in it.")
    return tensors


def _end_of_tensors(name: str, tensors: dict[str, Any]) -> int:
    """Return where the last tensor ends, relative to the header's end."""
    spans = sorted(_span(name, tensor, entry) for tensor, entry in tensors.items())
    if spans[0][0] != 0 or any(one[1] != two[0] for one, two in pairwise(spans)):
        raise PackRefused(f"{shown(name)} is damaged: its tensors overlap or leave gaps.")
    return spans[-1][1]


def _span(name: str, tensor: str, entry: Any) -> tuple[int, int]:
    match entry:
        case {"dtype": str(dtype), "shape": [*shape], "data_offsets": [int(start), int(end)]}:
            pass
        case _:
            raise PackRefused(f"{shown(name)} is damaged at tensor {shown(tensor)}.")
    if dtype not in _BITS:
        raise PackRefused(
            f"{shown(name)} has numbers of a kind Groundwork does not know: {shown(dtype)}."
        )
    # true and false are integers to Python
    whole = all(type(side) is int and side >= 0 for side in (*shape, start, end))
    plausible = whole and len(shape) <= _MOST_DIMENSIONS and start <= end
    if not plausible or math.prod(shape) * _BITS[dtype] != 8 * (end - start):
        raise PackRefused(f"{shown(name)} is damaged at tensor {shown(tensor)}.")
    return start, end


def _cut_off(name: str, size: int, needed: int, *, at_least: bool = False) -> str:
    wanted = f"at least {needed:,}" if at_least else f"{needed:,}"
    return (
        f"{shown(name)} is cut off: it has {size:,} bytes of {wanted}. Copy or download it again."
    )
