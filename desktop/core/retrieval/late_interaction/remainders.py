"""What rounding to eight bits left of a vector, in two bits a coordinate.

Eight bits put a page of 24 best products off by some thousandths, which is as much as every tenth
fifth page is ahead of the sixth. Two bits more are read for the few pages that lead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEVELS = 4
_SHIFTS = np.array([0, 2, 4, 6], np.uint8)
_PER_BYTE = len(_SHIFTS)


def packed_width(dimension: int) -> int:
    """Return the bytes that the remainders of one vector take."""
    return -(-dimension // _PER_BYTE)


def packed_remainders(
    vectors: NDArray[np.float32], whole: NDArray[np.int8], scales: NDArray[np.float32]
) -> NDArray[np.uint8]:
    """Return in which quarter of its step each coordinate lies.

    Args:
        vectors: shape (n, dimension), as they were.
        whole: the same in whole steps.
        scales: the step of each, shape (n,).

    Returns: uint8, shape (n, packed_width(dimension)).
    """
    inside = vectors / scales[:, None] - whole + 0.5  # 0 to 1
    quarters = np.clip(inside * _LEVELS, 0, _LEVELS - 1).astype(np.uint8)
    missing = -quarters.shape[1] % _PER_BYTE
    quarters = np.pad(quarters, ((0, 0), (0, missing))).reshape(len(quarters), -1, _PER_BYTE)
    return np.asarray(np.bitwise_or.reduce(quarters << _SHIFTS, axis=2), np.uint8)


def remainders(packed: NDArray[np.uint8], dimension: int) -> NDArray[np.float32]:
    """Return what to add to whole steps, in steps, float32, shape (n, dimension)."""
    quarters = (packed[:, :, None] >> _SHIFTS) & (_LEVELS - 1)
    flat = quarters.reshape(len(packed), -1)[:, :dimension].astype(np.float32)
    return np.asarray((flat - (_LEVELS - 1) / 2) / _LEVELS, np.float32)
