"""What the application and the parser process say to each other.

Every request is answered by any number of replies and then `Done` or `Failed`. Paths
travel as the bytes the file system knows, which need not be valid text.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from desktop.core.errors import DocumentError, NotAPdf, PdfNeedsPassword, UnreadablePdf
from desktop.core.parsing.stages import Stage
from desktop.core.parsing.values import (
    BoxTuple,
    DocumentInfo,
    PageImage,
    PageLayout,
    PageLink,
    PageText,
)


class Configure(msgspec.Struct, tag="configure", frozen=True):
    """The first request: ParserSettings as JSON. Answered when MuPDF is loaded."""

    settings: str


class OpenFile(msgspec.Struct, tag="open", frozen=True):
    """Answered by Opened, then by Titled if the metadata have no title."""

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


class ReadLayout(msgspec.Struct, tag="layout", frozen=True):
    """Answered by LayoutRead, then by DrawnSlowly.

    avoid: pages never to be sampled. sample: whether to look at other pages at all.
    """

    path: bytes
    password: str | None
    page: int
    avoid: tuple[int, ...] = ()
    sample: bool = True


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


Request = Configure | OpenFile | ReadText | ReadSize | ReadLayout | ReadLinks | Draw


class Staged(msgspec.Struct, tag="staged", frozen=True):
    """A stage of the request begins, on this page."""

    stage: Stage
    page: int


class Opened(msgspec.Struct, tag="opened", frozen=True):
    """What the file is."""

    info: DocumentInfo


class Titled(msgspec.Struct, tag="titled", frozen=True):
    """The title printed on the first page."""

    title: str


class TextRead(msgspec.Struct, tag="text", frozen=True):
    """One page's words."""

    text: PageText


class SizeRead(msgspec.Struct, tag="size", frozen=True):
    """A page's displayed size in points."""

    width: float
    height: float


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


class Done(msgspec.Struct, tag="done", frozen=True):
    """The request is answered completely."""


FailureKind = Literal["not_a_pdf", "needs_password", "unreadable"]
_FAILURES: dict[FailureKind, type[DocumentError]] = {
    "not_a_pdf": NotAPdf,
    "needs_password": PdfNeedsPassword,
    "unreadable": UnreadablePdf,
}


class Failed(msgspec.Struct, tag="failed", frozen=True):
    """The request cannot be answered; nothing follows."""

    kind: FailureKind
    message: str

    @classmethod
    def of(cls, error: DocumentError) -> Failed:
        """Return the message that stands for an error."""
        for kind, error_type in _FAILURES.items():
            if isinstance(error, error_type):
                return cls(kind, str(error))
        return cls("unreadable", str(error))

    def error(self) -> DocumentError:
        """Return the error this message stands for."""
        return _FAILURES[self.kind](self.message)


Reply = (
    Staged | Opened | Titled | TextRead | SizeRead | LayoutRead | LinksRead | DrawnSlowly | Drawn
    | Done | Failed
)  # fmt: skip
