"""What the viewer needs of the library and of the parser, and nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from desktop.core.geometry import Box
    from desktop.core.library.annotations import Annotation, Bookmark
    from desktop.core.library.contents import Outline
    from desktop.core.library.values import DocumentRecord, PageRecord
    from desktop.core.page_words import PageWords
    from desktop.core.structure.values import BoxTuple, PageHighlight, PageImage, PageLink


class OutlineSource(Protocol):
    """Source of a manual's outline; called on worker threads only."""

    def of(self, document_id: int, /) -> Outline: ...


class BookmarkShelf(Protocol):
    """The pages that people marked; called on worker threads only."""

    def of(self, document_id: int, /) -> list[Bookmark]: ...

    def put(self, document_id: int, page: int, name: str, /) -> None: ...

    def remove(self, document_id: int, page: int, /) -> None: ...


class AnnotationShelf(Protocol):
    """What people highlighted; called on worker threads only."""

    def of(self, sha256: str, /) -> list[Annotation]: ...

    def keep(self, annotations: Sequence[Annotation], /) -> list[Annotation]: ...

    def remove(self, ids: Collection[int], /) -> None: ...


class ManualSource(Protocol):
    """The part of `Library` that the viewer reads; called on worker threads only."""

    def document(self, document_id: int, /) -> DocumentRecord: ...

    def pages(self, document_id: int, /) -> list[PageRecord]: ...

    def page_words(self, document_id: int, page: int, /) -> PageWords: ...

    def original_path(self, document_id: int, /) -> Path: ...

    def find_text(
        self, document_id: int, needle: str, /
    ) -> Iterator[tuple[int, tuple[Box, ...]]]: ...

    def password(self, document_id: int, /) -> str | None: ...


class PageDrawer(Protocol):
    """The part of `Parser` that draws, finds links and writes highlighted copies.

    Called on worker threads only.
    """

    def read_links(
        self, path: Path, page: int, password: str | None = None, /
    ) -> tuple[PageLink, ...]: ...

    def draw(
        self,
        path: Path,
        page: int,
        scale: float,
        clip: BoxTuple | None,
        password: str | None,
        /,
    ) -> PageImage:
        """Draw the page or the clip of it (points) at `scale` pixels per point."""
        ...

    def write_highlights(
        self,
        path: Path,
        copy: Path,
        highlights: Sequence[PageHighlight],
        password: str | None,
        /,
    ) -> None: ...
