"""What goes over the parser's pipe: typed messages, their frames, and the stages a page reports."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

import msgspec

from desktop.core.errors import (
    DocumentError,
    NotAPdf,
    NotAPicture,
    PdfNeedsPassword,
    UnreadablePdf,
)
from desktop.core.structure.values import (
    BoxTuple,
    DocumentInfo,
    PageHighlight,
    PageImage,
    PageLayout,
    PageLink,
    PageText,
    PhotoText,
)
from desktop.sentences import from_text, message, to_text

if TYPE_CHECKING:
    from desktop.core.settings.sections import ParserSettings

Stage = Literal["opened", "sampling", "structure", "starting_ocr", "ocr"]
StageReport = Callable[[Stage, int], None]
"""Told which stage begins, and on which page."""


def no_report(_stage: Stage, _page: int) -> None:
    """Report to nobody."""


class Limits(msgspec.Struct, frozen=True):
    """What a worker is to know of ParserSettings: reading those takes half of its start.

    memory_gib: of the process. max_megapixels: of a drawn page. ocr: of scanned pages.
    layout_model: looks at every page.
    """

    memory_gib: float
    max_megapixels: float
    ocr: bool
    layout_model: bool

    @classmethod
    def of(cls, settings: ParserSettings) -> Limits:
        """Return those that a person set."""
        return cls(
            settings.memory_gib, settings.max_megapixels, settings.ocr, settings.layout_model
        )


class Configure(msgspec.Struct, tag="configure", frozen=True):
    """The first request. Answered when MuPDF is loaded."""

    limits: Limits


class OpenFile(msgspec.Struct, tag="open", frozen=True):
    """Answered by Opened, then by Titled."""

    path: bytes
    password: str | None


class ReadText(msgspec.Struct, tag="text", frozen=True):
    """Answered by one TextRead a page, `first` to `last` - 1."""

    path: bytes
    password: str | None
    first: int
    last: int


class ReadSize(msgspec.Struct, tag="size", frozen=True):
    """Answered by SizeRead."""

    path: bytes
    password: str | None
    page: int


class LookAt(msgspec.Struct, tag="look", frozen=True):
    """Answered by Looked, then by DrawnSlowly.

    avoid: pages never to be sampled; None to sample none at all.
    """

    path: bytes
    password: str | None
    page: int
    avoid: tuple[int, ...] | None


class ReadLayout(msgspec.Struct, tag="layout", frozen=True):
    """Answered by LayoutRead. before: the `end` of the page before. avoid: as in LookAt."""

    path: bytes
    password: str | None
    page: int
    avoid: tuple[int, ...] | None
    before: bytes


class ReadLinks(msgspec.Struct, tag="links", frozen=True):
    """Answered by LinksRead."""

    path: bytes
    password: str | None
    page: int


class Draw(msgspec.Struct, tag="draw", frozen=True):
    """Answered by Drawn."""

    path: bytes
    password: str | None
    page: int
    scale: float
    clip: BoxTuple | None


class WriteHighlights(msgspec.Struct, tag="highlights", frozen=True):
    """Answered by Done alone, when the copy is written."""

    path: bytes
    password: str | None
    copy: bytes
    highlights: tuple[PageHighlight, ...]


class Convert(msgspec.Struct, tag="convert", frozen=True):
    """Answered by Done alone, when the PDF is written."""

    path: bytes
    target: bytes
    suffix: str
    name: str


class ReadPhoto(msgspec.Struct, tag="photo", frozen=True):
    """Answered by PhotoRead. data: the bytes of a picture file."""

    data: bytes


Request = (
    Configure
    | OpenFile
    | ReadText
    | ReadSize
    | LookAt
    | ReadLayout
    | ReadLinks
    | Draw
    | WriteHighlights
    | Convert
    | ReadPhoto
)


class Staged(msgspec.Struct, tag="staged", frozen=True):
    """A stage of the request begins, on this page."""

    stage: Stage
    page: int


class Opened(msgspec.Struct, tag="opened", frozen=True):
    """What the file is."""

    info: DocumentInfo


class Titled(msgspec.Struct, tag="titled", frozen=True):
    """The title, by the metadata and the first page."""

    title: str


class TextRead(msgspec.Struct, tag="text", frozen=True):
    """One page's words."""

    text: PageText


class SizeRead(msgspec.Struct, tag="size", frozen=True):
    """A page's displayed size in points."""

    width: float
    height: float


class Looked(msgspec.Struct, tag="looked", frozen=True):
    """What is on a page is known: structuring it takes little time now."""


class LayoutRead(msgspec.Struct, tag="layout", frozen=True):
    """One structured page."""

    layout: PageLayout


class LinksRead(msgspec.Struct, tag="links", frozen=True):
    """A page's links."""

    links: tuple[PageLink, ...]


class DrawnSlowly(msgspec.Struct, tag="slow", frozen=True):
    """Whether drawing the page took long."""

    slow: bool


class Drawn(msgspec.Struct, tag="drawn", frozen=True):
    """Pixels."""

    image: PageImage


class PhotoRead(msgspec.Struct, tag="photo", frozen=True):
    """The words of a picture."""

    photo: PhotoText


class Done(msgspec.Struct, tag="done", frozen=True):
    """The request is answered completely."""


FailureKind = Literal["not_a_pdf", "not_a_picture", "needs_password", "unreadable"]
_FAILURES: dict[FailureKind, type[DocumentError]] = {
    "not_a_pdf": NotAPdf,
    "not_a_picture": NotAPicture,
    "needs_password": PdfNeedsPassword,
    "unreadable": UnreadablePdf,
}


class Failed(msgspec.Struct, tag="failed", frozen=True):
    """The request cannot be answered; nothing follows."""

    kind: FailureKind
    message: str
    """As `to_text` writes it."""

    @classmethod
    def of(cls, error: DocumentError) -> Failed:
        """Return the message that stands for an error."""
        for kind, error_type in _FAILURES.items():
            if isinstance(error, error_type):
                return cls(kind, to_text(message(error)))
        return cls("unreadable", to_text(message(error)))

    def error(self) -> DocumentError:
        """Return the error this message stands for."""
        return _FAILURES[self.kind](from_text(self.message))


Reply = (
    Staged | Opened | Titled | TextRead | SizeRead | Looked | LayoutRead | LinksRead | DrawnSlowly
    | Drawn | PhotoRead | Done | Failed
)  # fmt: skip


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

    Whatever a library prints, from Python or from C, then ends up in the log and cannot
    corrupt the pipe; whatever reads standard input finds it empty.

    Returns: the file descriptors to read frames from and to write them to.
    """
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing
