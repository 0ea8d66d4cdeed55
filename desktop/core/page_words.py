"""The words of one page with their boxes, as stored, searched and selected.

A page's words come from its text layer or from OCR; whoever draws, finds, selects
or highlights reads them from here and never from the PDF again.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from desktop.core.geometry import Box
from desktop.core.whole_words import CUT, text_of, whole_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray


class _Packed(msgspec.Struct, frozen=True, array_like=True):
    """The stored form: texts joined by the unit separator, arrays as raw little-endian bytes."""

    texts: str
    boxes: bytes
    lines: bytes
    from_ocr: bool
    recognized: bytes = b""


_SEPARATOR = "\x1f"


@dataclass(frozen=True, eq=False)
class PageWords:
    """Words of one page in reading order.

    texts: n strings without white space inside; `CUT` at the end of those that are cut.
    boxes: float32, shape (n, 4), rows (x0, y0, x1, y1) in PDF points, top-left
        origin of the page as displayed.
    lines: int32, shape (n,), non-decreasing number of the line each word stands on.
    from_ocr: whether all words were recognised in the page's image.
    recognized: bool, shape (n,): which words were; None if all are alike.
    """

    texts: tuple[str, ...]
    boxes: NDArray[np.float32]
    lines: NDArray[np.int32]
    from_ocr: bool = False
    recognized: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.texts)

    @classmethod
    def empty(cls) -> PageWords:
        """Return the words of a page without any."""
        return cls((), np.zeros((0, 4), np.float32), np.zeros(0, np.int32))

    @classmethod
    def joined(cls, parts: Sequence[PageWords]) -> PageWords:
        """Return words one after the other, the lines of each part after those before it."""
        first, lines = 0, [np.zeros(0, np.int32)]
        for part in parts:
            lines.append(part.lines + np.int32(first))
            first += int(part.lines.max(initial=-1)) + 1
        return cls(
            tuple(text for part in parts for text in part.texts),
            np.concatenate([np.zeros((0, 4), np.float32), *(part.boxes for part in parts)]),
            np.concatenate(lines),
            recognized=np.concatenate(
                [np.zeros(0, np.bool_), *(part.are_recognized for part in parts)]
            ),
        )

    @cached_property
    def text(self) -> str:
        """The page as plain text, one line of the page per line, words whole."""
        if not self.texts:
            return ""
        breaks = np.diff(self.lines) != 0
        parts = [self.texts[0]]
        for word, is_break in zip(self.texts[1:], breaks, strict=True):
            parts.append("\n" if is_break else " ")
            parts.append(word)
        return whole_text("".join(parts))

    @cached_property
    def whole(self) -> tuple[str, ...]:
        """Each word whole: both parts of one that a line cuts in two are the same, n strings."""
        if CUT not in "".join(self.texts):
            return self.texts
        pieces = (self.pieces(index) for index in range(len(self)))
        return tuple(text_of(self.texts[part] for part in parts) for parts in pieces)

    def pieces(self, index: int) -> range:
        """Return the indices of a word and of the parts of it on other lines."""
        first = last = index
        while first and self.texts[first - 1].endswith(CUT):
            first -= 1
        while self.texts[last].endswith(CUT) and last + 1 < len(self):
            last += 1
        return range(first, last + 1)

    @cached_property
    def are_recognized(self) -> NDArray[np.bool_]:
        """Which words were read by OCR, shape (n,)."""
        if self.recognized is not None:
            return self.recognized
        return np.full(len(self.texts), self.from_ocr)

    @cached_property
    def centres(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The x and y of the middle of each word, both of shape (n,)."""
        x0, y0, x1, y1 = self.boxes.T
        return (x0 + x1) / 2, (y0 + y1) / 2

    def inside(self, boxes: Iterable[Box], margin: float = 0.0) -> list[int]:
        """Return the words whose middle lies in a box, or up to `margin` points beside it."""
        x, y = self.centres
        inside = np.zeros(len(self), bool)
        for box in boxes:
            wide = box.inflated(margin)
            inside |= (wide.x0 <= x) & (x <= wide.x1) & (wide.y0 <= y) & (y <= wide.y1)
        found: list[int] = np.flatnonzero(inside).tolist()
        return found

    def box(self, index: int) -> Box:
        """Return the box of one word."""
        x0, y0, x1, y1 = (float(value) for value in self.boxes[index])
        return Box(x0, y0, x1, y1)

    def line_boxes(self, first: int, last: int) -> tuple[Box, ...]:
        """Return one box per line for the words `first` to `last` (both included)."""
        if not 0 <= first <= last < len(self.texts):
            raise IndexError(f"words {first} to {last} of {len(self.texts)}")
        return tuple(self.hull(line) for line in self.visual_lines(range(first, last + 1)))

    def visual_lines(self, indices: Sequence[int]) -> list[list[int]]:
        """Group words by the line a reader sees, in the order given.

        A number set apart from its text ("1.   Open the flap") is a line of its own for
        the PDF, but is at the same height.
        """
        lines: list[list[int]] = []
        for index in indices:
            if lines and self._beside(lines[-1][-1], index):
                lines[-1].append(index)
            else:
                lines.append([index])
        return lines

    def hull(self, indices: Sequence[int]) -> Box:
        """Return the smallest box around some words; there must be one at least."""
        # plain numbers: for the few words of a line numpy takes five times as long
        x0, y0, x1, y1 = zip(*map(self._corners.__getitem__, indices), strict=True)
        return Box(min(x0), min(y0), max(x1), max(y1))

    @cached_property
    def _corners(self) -> list[list[float]]:
        found: list[list[float]] = self.boxes.tolist()
        return found

    @cached_property
    def _line_of(self) -> list[int]:
        found: list[int] = self.lines.tolist()
        return found

    def _beside(self, index: int, other: int) -> bool:
        """Whether two words stand on one line: their heights overlap by half."""
        if self._line_of[index] == self._line_of[other]:
            return True
        top = max(self.boxes[index, 1], self.boxes[other, 1])
        bottom = min(self.boxes[index, 3], self.boxes[other, 3])
        heights = (self.boxes[[index, other], 3] - self.boxes[[index, other], 1]).min()
        return bool(bottom - top > 0.5 * heights)

    def to_bytes(self) -> bytes:
        """Return the compressed form that the library file and the parser pipe carry."""
        packed = _Packed(
            _SEPARATOR.join(self.texts),
            np.ascontiguousarray(self.boxes, "<f4").tobytes(),
            np.ascontiguousarray(self.lines, "<i4").tobytes(),
            self.from_ocr,
            b"" if self.recognized is None else np.packbits(self.recognized).tobytes(),
        )
        return zlib.compress(msgspec.msgpack.encode(packed), 1)

    @classmethod
    @lru_cache(maxsize=64)
    def from_bytes(cls, data: bytes) -> PageWords:
        """Read what `to_bytes` wrote; a question, its parts and its answer read the same pages.

        Raises: ValueError, if the bytes are damaged.
        """
        try:
            packed = msgspec.msgpack.decode(zlib.decompress(data), type=_Packed)
            texts = tuple(packed.texts.split(_SEPARATOR)) if packed.texts else ()
            boxes = np.frombuffer(packed.boxes, "<f4").reshape(-1, 4)
            lines = np.frombuffer(packed.lines, "<i4")
        except (zlib.error, msgspec.DecodeError, ValueError) as error:
            raise ValueError("damaged page words") from error
        if not len(texts) == len(boxes) == len(lines):
            raise ValueError("damaged page words")
        return cls(texts, boxes, lines, packed.from_ocr, _bits(packed.recognized, len(texts)))


def _bits(packed: bytes, count: int) -> NDArray[np.bool_] | None:
    if not packed:
        return None
    if len(packed) != (count + 7) // 8:
        raise ValueError("damaged page words")
    return np.unpackbits(np.frombuffer(packed, np.uint8), count=count).astype(np.bool_)
