"""Documents and pages as the window, command line and agent see them; what people say of them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from desktop.core.library.places import Place, tidy_name
from desktop.core.settings import BEST_TIER, UNVERIFIED_TIER
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

DocumentState = Literal["queued", "indexing", "ready", "needs_password", "failed", "cancelled"]
PassName = Literal["text", "layout", "vectors", "pictures"]
PASSES: tuple[PassName, ...] = ("text", "layout", "vectors")
"""The passes of every library. "pictures" comes after them where a model for it is installed."""
OFFICE = (".docx", ".pptx", ".xlsx", ".epub")
TEXTS = (".html", ".htm", ".md", ".txt")
PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff")
CONVERTED = frozenset((*OFFICE, *TEXTS, *PICTURES))
"""What becomes a manual after a PDF was made of it."""
PassState = Literal["pending", "done", "failed"]


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """One manual of the library.

    name: the file name it came with. title: from the PDF, else the name's stem.
    reason: why it failed or waits, for people; "" otherwise.
    done: pages done per pass, in the order of PASSES. failed_pages: pages with a failed pass.
    pictures_done: pages whose picture was looked at, also in vain; 0 without a model for it.
    site, asset: where its equipment stands and which of it it describes, "" if nobody said.
    tier: how far it is to be trusted, 1 (maker's manual) to 5 (unverified); source_type: its kind.
    revision: as it is written on it. revision_date: ISO, as exact as it is known, "" if not.
    used_at: when it was last looked at, ISO, "" if never.
    pack: the name of the pack it belongs to, "" for people's own.
    replaces: hash of the file that stood before it at the same place of a watched folder, or "".
    has_words: whether any were read; a scan has none before its layout pass.
    """

    id: int
    sha256: str
    name: str
    title: str
    bytes: int
    page_count: int
    state: DocumentState
    reason: str
    added_at: str
    done: tuple[int, int, int]
    failed_pages: int
    site: str = ""
    asset: str = ""
    pictures_done: int = 0
    tier: int = 1
    source_type: str = "manual"
    tags: tuple[str, ...] = ()
    revision: str = ""
    revision_date: str = ""
    used_at: str = ""
    pack: str = ""
    replaces: str = ""
    has_words: bool = True

    @property
    def searchable(self) -> bool:
        """Whether questions can find pages of it already."""
        return self.done[0] > 0 and self.has_words

    @property
    def being_read(self) -> bool:
        """Whether a pass has still to read it."""
        return self.state in ("queued", "indexing")

    @property
    def made_from(self) -> str:
        """The file that its PDF was made of, "" where it came as a PDF."""
        return self.name if PurePath(self.name).suffix.casefold() in CONVERTED else ""

    @property
    def place(self) -> Place:
        """Its site and asset."""
        return Place(self.site, self.asset)


@dataclass(frozen=True, slots=True)
class PageRecord:
    """One page: displayed size in points, printed label, state of each pass (order of PASSES)."""

    page: int
    label: str
    width: float
    height: float
    passes: tuple[PassState, PassState, PassState]
    reason: str
    ocr: bool
    slow_to_draw: bool


@dataclass(frozen=True, slots=True)
class DocumentChanged:
    """A document was added or its state changed; `document` is its state now."""

    document: DocumentRecord


@dataclass(frozen=True, slots=True)
class DuplicateFound:
    """A dropped file is already in the library, under `document`."""

    path: Path
    document: DocumentRecord


@dataclass(frozen=True, slots=True)
class FileRefused:
    """A dropped file was not taken in, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class PassProgress:
    """How far a pass over a document has got; seconds_left is None until a rate is known."""

    document_id: int
    pass_name: PassName
    done: int
    total: int
    pages_per_second: float
    seconds_left: float | None


@dataclass(frozen=True, slots=True)
class PageFailed:
    """One page failed one pass; the document goes on."""

    document_id: int
    page: int
    pass_name: PassName
    reason: str


@dataclass(frozen=True, slots=True)
class WantedRead:
    """The pages of a manual that a question found are laid out: it can be asked again."""

    document_id: int


IngestionEvent = (
    DocumentChanged | DuplicateFound | FileRefused | PassProgress | PageFailed | WantedRead
)


def manuals_at(place: Place, documents: Iterable[DocumentRecord]) -> list[DocumentRecord]:
    """Return the manuals of a place, those of a site's assets included."""
    return [each for each in documents if place.holds(each.place)]


def manuals_named(documents: Iterable[DocumentRecord], name: str) -> frozenset[int]:
    """Return the ids of the manuals that a name means: a file name, its stem or a title.

    Case does not matter. Exact matches take priority over those that only contain the
    name.
    """
    wanted = name.casefold()
    called = {each.id: _names(each) for each in documents}
    exact = {id_ for id_, names in called.items() if wanted in names}
    partial = {id_ for id_, names in called.items() if any(wanted in known for known in names)}
    return frozenset(exact or partial)


def _names(document: DocumentRecord) -> set[str]:
    names = {document.name, PurePath(document.name).stem, document.title}
    return {name.casefold() for name in names if name}


ISO_DATE = r"(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?"
"""Pattern of a year, month or day."""


class BadSource(ValueError):  # noqa: N818 - named after what was given
    """The source given for a document cannot be stored; the message says why."""


@dataclass(frozen=True, slots=True)
class SourceEdit:
    """What a person says of documents; None leaves the value as it is.

    tier: 1 to 5. source_type: such as "bulletin". tags: replace those it has. revision:
    as it is written on it. revision_date: ISO, a year, month or day; "" unknown.
    """

    tier: int | None = None
    source_type: str | None = None
    tags: tuple[str, ...] | None = None
    revision: str | None = None
    revision_date: str | None = None

    @property
    def changes(self) -> bool:
        """Whether it says anything."""
        return self != SourceEdit()

    def columns(self) -> dict[str, int | str]:
        """Return the columns to set, tidied. Raises: BadSource."""
        if self.tier is not None and not BEST_TIER <= self.tier <= UNVERIFIED_TIER:
            raise BadSource(
                said(
                    "A tier is a number from {best} to {last}.",
                    best=int(BEST_TIER),
                    last=int(UNVERIFIED_TIER),
                )
            )
        if self.revision_date and not re.fullmatch(ISO_DATE, self.revision_date):
            raise BadSource(said("Write a revision's date as 2026, 2026-03 or 2026-03-01."))
        kind = None if self.source_type is None else tidy_name(self.source_type)
        if kind == "":
            raise BadSource(said("A type needs a name, such as 'bulletin'."))
        given = {
            "tier": self.tier,
            "source_type": kind,
            "tags": None if self.tags is None else _stored_tags(self.tags),
            "revision": None if self.revision is None else tidy_name(self.revision),
            "revision_date": self.revision_date,
        }
        return {column: value for column, value in given.items() if value is not None}


def _stored_tags(tags: Iterable[str]) -> str:
    tidy = (tidy_name(tag) for tag in tags)
    once = {tag.casefold(): tag for tag in tidy if tag}
    return json.dumps(list(once.values()), ensure_ascii=False)
