"""What a PDF says of itself: its pages, printed labels, title and outline."""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from desktop.core.errors import NotAPdf, PdfNeedsPassword, UnreadablePdf
from desktop.core.parsing.completing import RecognizedSoFar
from desktop.core.parsing.mupdf import MuDocument, MuPage, load_mupdf, plain, reason
from desktop.core.structure.headings import LONGEST_HEADING
from desktop.core.structure.page import RunningLines, document_title
from desktop.core.structure.signs import with_plain_signs
from desktop.core.structure.values import DocumentInfo, OutlineEntry
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from desktop.core.structure.raw import DocumentStyle, RawPage

# A string of a PDF in hexadecimal digits: PyMuPDF hands it over as it stands in the file.
_HEXADECIMAL = re.compile(r"<((?:[0-9A-Fa-f]{2})*)>")
# Above this a damaged rule would spell labels of thousands of letters.
_LARGEST_SPELLED = 3999


def page_labels(rules: Sequence[Mapping[str, object]], page_count: int) -> tuple[str, ...]:
    """Return one label per page, "" before the first rule.

    rules: dictionaries as PyMuPDF's `get_page_labels` returns them, with the keys
        startpage (zero-based), prefix, style ("D", "R", "r", "A", "a" or "") and
        firstpagenum.
    """
    labels = [""] * page_count
    ordered = sorted(rules, key=lambda rule: _integer(rule.get("startpage"), 0))
    starts = [*(_integer(rule.get("startpage"), 0) for rule in ordered), page_count]
    for rule, (start, end) in zip(ordered, pairwise(starts), strict=True):
        prefix = _readable(str(rule.get("prefix") or ""))
        style = str(rule.get("style") or "")
        number = _integer(rule.get("firstpagenum"), 1)
        for page in range(max(0, start), min(end, page_count)):
            labels[page] = prefix + _spelled(number + page - start, style)
    return tuple(labels)


def _readable(prefix: str) -> str:
    match = _HEXADECIMAL.fullmatch(prefix)
    if match is None:
        return prefix
    data = bytes.fromhex(match.group(1))
    wide = data.startswith(b"\xfe\xff")
    return data[2:].decode("utf-16-be", "ignore") if wide else data.decode("latin-1")


def _integer(value: object, default: int) -> int:
    return value if isinstance(value, int) else default


def _spelled(number: int, style: str) -> str:
    if style in ("A", "a") and 1 <= number <= _LARGEST_SPELLED:
        repeats, letter = divmod(number - 1, 26)  # A to Z, then AA, BB and so on
        return chr(ord(style) + letter) * (repeats + 1)
    if style in ("R", "r") and 1 <= number <= _LARGEST_SPELLED:
        return str(load_mupdf().utils.construct_label(style, "", number))
    return str(number) if style else ""


_log = logging.getLogger(__name__)

_KEPT_OPEN = 3
_HEAD_BYTES = 65_536
_LARGEST_OUTLINE = 20_000
LONGEST_TITLE = 500

_Key = tuple[str, int, int, str | None]


@dataclass(frozen=True, slots=True)
class LookedAt:
    """A page before it is structured.

    has_other_words: than its text layer. missing: why some are, "" if none is. nearby: what stands
    in the margins of the pages around it, None if not known.
    """

    raw: RawPage
    has_other_words: bool
    missing: str
    nearby: frozenset[str] | None


@dataclass(slots=True)
class OpenDocument:
    """An authenticated PDF and what was learnt about it so far.

    looked_at: pages that are structured next. margins: what stands in those of pages. recognized:
    what OCR found out. running: the margin lines of pages that OCR read.
    """

    document: MuDocument
    style: DocumentStyle | None = None
    looked_at: dict[int, LookedAt] = field(default_factory=dict)
    margins: dict[int, frozenset[str]] = field(default_factory=dict)
    recognized: RecognizedSoFar = field(default_factory=RecognizedSoFar)
    running: RunningLines = field(default_factory=RunningLines)

    def page(self, number: int) -> MuPage:
        """Load one page.

        Raises: IndexError, if there is no such page; RuntimeError, if it is damaged.
        """
        if not 0 <= number < self.document.page_count:
            raise IndexError(f"page {number} of {self.document.page_count}")
        return self.document.load_page(number)


class OpenDocuments:
    """The documents a parser has open, at most a few, closed in order of last use."""

    def __init__(self) -> None:
        self._open: OrderedDict[_Key, OpenDocument] = OrderedDict()

    def get(self, path: Path, password: str | None) -> OpenDocument:
        """Return the file opened, as it is on the disk now.

        Raises: NotAPdf, PdfNeedsPassword, UnreadablePdf.
        """
        key = _key(path, password)
        if key not in self._open:
            self._open[key] = _open(path, password)
            while len(self._open) > _KEPT_OPEN:
                self._forget(next(iter(self._open)))
        self._open.move_to_end(key)
        return self._open[key]

    def close(self) -> None:
        """Close every document."""
        for key in tuple(self._open):
            self._forget(key)

    def _forget(self, key: _Key) -> None:
        self._open.pop(key).document.close()
        load_mupdf().TOOLS.store_shrink(100)


def describe(opened: OpenDocument) -> DocumentInfo:
    """Return what the library stores about a document."""
    document = opened.document
    metadata = {key: plain(value) for key, value in (document.metadata or {}).items() if value}
    return DocumentInfo(
        page_count=document.page_count,
        title=document_title(metadata.get("title", ""), None)[:LONGEST_TITLE],
        outline=read_outline(document),
        labels=_labels(document),
        metadata=metadata,
    )


def read_outline(document: MuDocument) -> tuple[OutlineEntry, ...]:
    """Return the table of contents, empty if it is damaged."""
    try:
        entries = document.get_toc(simple=True)
    except Exception as error:  # MuPDF raises many kinds; an outline is worth none of them
        _log.warning("outline not read: %s", reason(error))
        return ()
    count = document.page_count
    found = tuple(
        OutlineEntry(
            level=max(1, level),
            title=with_plain_signs(plain(title)).strip()[:LONGEST_TITLE],
            page=page - 1 if 1 <= page <= count else -1,
        )
        for level, title, page, *_ in entries[:_LARGEST_OUTLINE]
        if len(title.split()) <= LONGEST_HEADING
    )
    return () if all(map(_names_its_page, found)) else found


def _names_its_page(entry: OutlineEntry) -> bool:
    """Whether an entry says but which page it leads to: "Page 3", as some programs write."""
    words = entry.title.split()
    numbers = [int(word) for word in words if word.isdecimal()]
    return len(words) <= 2 and numbers == [entry.page + 1]


def _key(path: Path, password: str | None) -> _Key:
    try:
        status = path.stat()
    except OSError as error:
        raise UnreadablePdf(
            said("the file cannot be read: {strerror}", strerror=error.strerror)
        ) from error
    return (str(path), status.st_size, status.st_mtime_ns, password)


def _open(path: Path, password: str | None) -> OpenDocument:
    if not _looks_like_pdf(path):
        raise NotAPdf(said("this is not a PDF"))
    try:
        document = _mupdf_document(path)
    except Exception as error:  # MuPDF raises many kinds, all of which mean the same here
        raise UnreadablePdf(_damage(path, reason(error))) from error
    try:
        _authenticate(document, password)
        if _page_count(document) == 0:
            raise UnreadablePdf(said("the PDF has no pages"))
    except BaseException:
        document.close()
        raise
    return OpenDocument(document)


def _damage(path: Path, why: str) -> str:
    """Say why a file does not open, leaving out its name, which in a library is a hash."""
    told = "" if path.name in why else f": {why}"
    return f"damaged beyond repair{told}"


def _mupdf_document(path: Path) -> MuDocument:
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:  # MuPDF takes no other names
        return load_mupdf().open(stream=path.read_bytes(), filetype="pdf")
    return load_mupdf().open(str(path), filetype="pdf")


def _looks_like_pdf(path: Path) -> bool:
    """Spare MuPDF from searching gigabytes of something else for PDF objects."""
    if not path.is_file():  # a device or a pipe would block
        raise UnreadablePdf(said("not an ordinary file"))
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as error:
        raise UnreadablePdf(
            said("the file cannot be read: {strerror}", strerror=error.strerror)
        ) from error
    return b"%PDF-" in head or b" obj" in head


def _authenticate(document: MuDocument, password: str | None) -> None:
    """Unlock the file; this must come before anything else is read from it.

    In some encrypted files, looking at the page count any earlier leaves it at 0.
    """
    if not document.needs_pass:
        return
    if password is None:
        raise PdfNeedsPassword(said("the PDF is encrypted"))
    if not document.authenticate(password):
        raise PdfNeedsPassword(said("the password is wrong"))


def _page_count(document: MuDocument) -> int:
    try:
        return int(document.page_count)
    except Exception as error:  # as above
        raise UnreadablePdf(
            said("its pages cannot be counted: {error}", error=reason(error))
        ) from error


def _labels(document: MuDocument) -> tuple[str, ...]:
    try:
        rules = document.get_page_labels()
    except Exception as error:  # a damaged label tree costs the labels, not the document
        _log.warning("page labels not read: %s", reason(error))
        rules = []
    return tuple(plain(label) for label in page_labels(rules, document.page_count))
