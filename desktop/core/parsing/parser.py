"""What the application may ask of whatever reads PDF files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

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


MADE_FROM = "made-from sha256:"
"""Stands before the hash of a document in the keywords of the PDF that was made of it."""
UNKNOWN_SIZE = (595.0, 842.0)
"""What a page counts as whose size cannot be told, because viewers need one: A4, in points."""


class Parser(Protocol):
    """Reads and draws PDF files, which are never trusted.

    Pages count from 0. Boxes are PDF points, top-left origin, of the page as displayed.
    Nothing inside a file (scripts, attachments, actions) is ever executed. Every method
    may be called from any thread and blocks until the answer is there.

    All of them raise, besides what they name: NotAPdf, PdfNeedsPassword, UnreadablePdf;
    ParserLimit, if the file took too long, too much memory, or ended the parser;
    Cancelled, if the parser was closed meanwhile.
    """

    def open(self, path: Path, password: str | None = None) -> DocumentInfo:
        """Check that a file can be read and tell what it is."""

    def read_text(
        self, path: Path, first: int, last: int, password: str | None = None
    ) -> Iterator[PageText]:
        """Yield the words of pages `first` to `last` - 1 in order, as soon as they are read.

        A page that cannot be read comes with its `error` set; the others follow.
        """

    def read_layout(
        self,
        path: Path,
        page: int,
        password: str | None = None,
        before: Callable[[], bytes] = bytes,
    ) -> PageLayout:
        """Structure one page; read it by OCR if it has no text of its own.

        before: returns the `end` of the page before, whose section and table may go on, b"" if it
            is not known. It may block: nobody asks before the page itself has been looked at.
        """

    def draw(
        self,
        path: Path,
        page: int,
        scale: float,
        clip: BoxTuple | None = None,
        password: str | None = None,
    ) -> PageImage:
        """Draw a page, or the part of it inside `clip`, on white.

        scale: pixels per point. An image over the limit of the settings is drawn
            smaller, so take the size from the result.

        Returns: an image of 0 x 0 pixels if `clip` lies outside the page.
        """

    def read_links(
        self, path: Path, page: int, password: str | None = None
    ) -> tuple[PageLink, ...]:
        """Return where the links of a page are and lead; nothing is followed."""

    def write_highlights(
        self,
        path: Path,
        copy: Path,
        highlights: Sequence[PageHighlight],
        password: str | None = None,
    ) -> None:
        """Write a copy of a PDF with highlights that any PDF reader shows; `path` stays as it is.

        An encrypted file's copy has the same password. What was at `copy` is replaced when the
        new file is whole. Raises UnreadablePdf as well if the copy cannot be written.
        """

    def convert(self, source: Path, target: Path, suffix: str, name: str) -> None:
        """Write the PDF of a document that is not one; leave nothing at `target` if that fails.

        suffix: what kind it is, ".docx". name: under which the document is attached to
        the PDF.
        """

    def read_photo(self, data: bytes) -> PhotoText:
        """Read the words of a picture file by OCR, turned upright; nothing of it is kept.

        Raises also: NotAPicture; PhotoTooHeavy, in place of ParserLimit; UnreadablePdf, if there
            is no OCR here.
        """

    def close(self) -> None:
        """Stop; calls that are still waiting raise Cancelled."""
