"""Messages on a pipe: a length of four bytes, then that many bytes of MessagePack."""

from __future__ import annotations

import os
from typing import Generic, TypeVar

import msgspec

MessageT = TypeVar("MessageT")

_LENGTH_BYTES = 4
# The largest drawn page plus room; anything longer is a broken or hostile worker.
_LONGEST_FRAME = 512 * 1024 * 1024


class BrokenFrame(Exception):  # noqa: N818 - named after the state
    """The bytes on the pipe are not what the other side may send."""


def write_frame(file_descriptor: int, payload: bytes) -> None:
    """Write one frame completely.

    Raises: OSError, if nobody reads any more.
    """
    view = memoryview(len(payload).to_bytes(_LENGTH_BYTES, "big") + payload)
    while view:
        view = view[os.write(file_descriptor, view) :]


class FrameDecoder(Generic[MessageT]):
    """Cuts a stream of bytes into messages."""

    def __init__(self, decoder: msgspec.msgpack.Decoder[MessageT]) -> None:
        self._decoder = decoder
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[MessageT]:
        """Take bytes in and return the messages they complete.

        Raises: BrokenFrame.
        """
        self._buffer += data
        messages: list[MessageT] = []
        start = 0
        while (end := self._frame_end(start)) <= len(self._buffer):
            with memoryview(self._buffer) as view:
                messages.append(self._decoded(view[start + _LENGTH_BYTES : end]))
            start = end
        if start:
            del self._buffer[:start]
        return messages

    def _frame_end(self, start: int) -> int:
        body = start + _LENGTH_BYTES
        if len(self._buffer) < body:
            return body
        length = int.from_bytes(self._buffer[start:body], "big")
        if length > _LONGEST_FRAME:
            raise BrokenFrame(f"a frame of {length} bytes")
        return body + length

    def _decoded(self, payload: memoryview) -> MessageT:
        try:
            with payload:
                return self._decoder.decode(payload)
        except msgspec.MsgspecError as error:
            raise BrokenFrame(str(error)) from error


def claim_standard_streams() -> tuple[int, int]:
    """Keep stdin and stdout for frames; from here on, prints go to stderr.

    Whatever a library prints, from Python or from C, lands in the log then and cannot
    corrupt the pipe; whatever reads standard input finds it empty.

    Returns: the file descriptors to read frames from and to write them to.
    """
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing
