"""The library as everybody reads it: manuals, pages, words, what was found on them."""

from __future__ import annotations

import threading
from bisect import bisect_right
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from desktop.core.library import contents, documents, sources
from desktop.core.library.documents import (
    delete_document,
    fallback_label,
    require_document,
    require_own,
)
from desktop.core.library.editions import newer_revisions
from desktop.core.library.places import Place, put_at
from desktop.core.library.units import Passage, StoredUnit, units_of_pages
from desktop.core.page_words import PageWords
from desktop.core.paths import LibraryFolder
from desktop.core.whole_words import CUT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    import apsw

    from desktop.core.geometry import Box
    from desktop.core.library.values import DocumentRecord, PageRecord, SourceEdit
    from desktop.core.settings.sections import SourceTierSettings
    from desktop.core.store.database import Database
    from desktop.core.structure.values import Block, OutlineEntry


T = TypeVar("T")


def normalized_needle(text: str) -> str:
    """Return `text` as it is compared: without case, one space between words."""
    return " ".join(text.casefold().split())


def find_in_words(words: PageWords, needle: str) -> Iterator[tuple[Box, ...]]:
    """Yield the boxes of every place where `needle` occurs, one box per line it covers.

    needle: as `normalized_needle` returns it. It may begin and end inside a word and
    run over several words and lines; a place that is found is not searched again.
    """
    if not needle:
        return
    # Folding may lengthen a word ("ß" becomes "ss"), so positions are those of folded words.
    folded = [word.casefold() for word in words.texts]
    folded = [word[:-1] if word.endswith(CUT) else f"{word} " for word in folded]
    text = "".join(folded)
    position = text.find(needle)
    if position < 0:
        return
    starts = list(accumulate(map(len, folded), initial=0))
    while position >= 0:
        end = position + len(needle)
        first = bisect_right(starts, position) - 1
        last = bisect_right(starts, end - 1) - 1
        yield words.line_boxes(first, last)
        position = text.find(needle, end)


class Library:
    """Documents, their pages and words; may be used from any thread. folder: its files.

    Pages count from 0. Methods that take a document's id raise DocumentNotFound.
    """

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self.folder = LibraryFolder(folder)
        self._passwords: dict[int, str] = {}
        self._passwords_guard = threading.Lock()

    def documents(self) -> list[DocumentRecord]:
        """Return every document in the order of adding."""
        return self._database.read(documents.all_documents)

    def document(self, document_id: int) -> DocumentRecord:
        """Return one document."""
        return self._database.read(lambda c: documents.one_document(c, document_id))

    def pages(self, document_id: int) -> list[PageRecord]:
        """Return the pages that were read so far, in page order."""
        return self._of(document_id, lambda c: documents.pages_of(c, document_id))

    def page_words(self, document_id: int, page: int) -> PageWords:
        """Return the words of a page; none if the page was not read (yet)."""
        sql = (
            "SELECT words FROM page_words JOIN pages ON pages.id = page_id"
            " WHERE document_id = ? AND page = ?"
        )
        stored: Any = self._of(document_id, lambda c: c.execute(sql, (document_id, page)).get)
        return PageWords.empty() if stored is None else PageWords.from_bytes(stored)

    def blocks(self, document_id: int, page: int) -> list[Block]:
        """Return the blocks of a page in reading order; none before its layout was read."""
        return self._database.read(lambda c: documents.blocks_of(c, document_id, page))

    def passages(self, document_id: int, page: int) -> list[Passage]:
        """Return the units of a page in reading order, not scored; [] for a page not read yet."""

        def read(connection: apsw.Connection) -> list[StoredUnit]:
            sql = "SELECT id FROM pages WHERE document_id = ? AND page = ?"
            page_id = connection.execute(sql, (document_id, page)).get
            return units_of_pages(connection, [page_id])[page_id] if page_id else []

        return [Passage.of(unit) for unit in self._database.read(read)]

    def label(self, document_id: int, page: int) -> str:
        """Return the number printed on a page; counted from 1 where it is unknown."""
        sql = "SELECT label FROM pages WHERE document_id = ? AND page = ?"
        found = self._database.read(lambda c: c.execute(sql, (document_id, page)).get)
        return str(found or fallback_label(page))

    def outline(self, document_id: int) -> list[OutlineEntry]:
        """Return the table of contents that the PDF carries."""
        return self._of(document_id, lambda c: contents.carried_outline(c, document_id))

    def language(self, document_id: int) -> str:
        """Return the code of a manual's language ("en"), "" while it is not known."""
        return self._database.read(lambda c: contents.language_of(c, document_id))

    def main_sections(self, document_id: int) -> list[str]:
        """Return the titles of a manual's main sections, in its order."""
        return self._database.read(lambda c: contents.main_sections(c, document_id))

    def headings(self, text: str, limit: int = 50) -> list[contents.Heading]:
        """Return headings of all manuals with words that begin like those of `text`."""
        return self._database.read(lambda c: contents.find_headings(c, text, limit))

    def words(self, text: str, limit: int = 50) -> list[contents.TextPlace]:
        """Return sentences and rows of all manuals that have all words of `text`."""
        return self._database.read(lambda c: contents.find_words(c, text, limit))

    def pages_labelled(self, label: str, limit: int = 50) -> list[contents.LabelledPage]:
        """Return pages of all manuals whose printed number begins with `label`."""
        return self._database.read(lambda c: contents.find_pages(c, label, limit))

    def mark_used(self, document_id: int) -> None:
        """Record that a person is looking at the document now."""
        now = datetime.now(UTC).isoformat()
        self._database.write(
            lambda c: c.execute("UPDATE documents SET used_at = ? WHERE id = ?", (now, document_id))
        )

    def newer_revisions(self) -> dict[int, str]:
        """Return older document id -> the name of the newest revision of the same manual."""
        documents = {each.id: each for each in self.documents()}
        newer = newer_revisions(documents.values())
        found = ((old, documents[new]) for old, new in newer.items())
        return {
            old: each.revision or each.revision_date or each.added_at[:10] for old, each in found
        }

    def note_replacement(self, newer: str, older: str) -> None:
        """Note that one file took the place of another. newer, older: their hashes."""
        self._database.write(lambda c: documents.note_replacement(c, newer, older))

    def original_path(self, document_id: int) -> Path:
        """Return where the library's copy of the PDF is."""
        return self.folder.original(self.document(document_id).sha256)

    def page_of_label(self, document_id: int, label: str) -> int | None:
        """Return the page with a printed number, or None; case does not matter.

        A number printed on a page takes priority over the same number counted from the
        front.
        """
        wanted = label.strip().casefold()
        sql = "SELECT page, label FROM pages WHERE document_id = ? ORDER BY label_known DESC, page"
        pages: Any = self._of(document_id, lambda c: c.execute(sql, (document_id,)).fetchall())
        return next((page for page, text in pages if text.casefold() == wanted), None)

    def find_text(self, document_id: int, needle: str) -> Iterator[tuple[int, tuple[Box, ...]]]:
        """Yield every place where `needle` occurs: its page and one box per line.

        Goes page by page, so that the first hits come at once. Case does not matter; a
        hit may run over words and lines and may be a part of a word.
        """
        wanted = normalized_needle(needle)
        sql = "SELECT page FROM pages WHERE document_id = ? ORDER BY page"
        pages: Any = self._of(document_id, lambda c: c.execute(sql, (document_id,)).fetchall())
        for (page,) in pages if wanted else ():
            for boxes in find_in_words(self.page_words(document_id, page), wanted):
                yield page, boxes

    def rename(self, document_id: int, title: str) -> None:
        """Show the document under another title; an empty one brings the file's name back."""

        def write(connection: apsw.Connection) -> None:
            record = documents.one_document(connection, document_id)
            shown = " ".join(title.split()) or Path(record.name).stem
            connection.execute("UPDATE documents SET title = ? WHERE id = ?", (shown, document_id))

        self._database.write(write)

    def set_place(self, ids: Collection[int], site: str, asset: str) -> Place:
        """Say where the equipment of some manuals is; without names its place is unknown.

        Documents that are gone are left out. Returns: the place as it is stored: a name
        already known in other capitals keeps them.
        """
        place = Place.named(site, asset)
        return self._database.write(lambda c: put_at(c, ids, place))

    def set_source(self, ids: Collection[int], edit: SourceEdit) -> None:
        """Say how far documents are to be trusted, their type, tags and revision.

        Documents that are gone are left out.

        Raises: BadSource.
        """
        self._database.write(lambda c: sources.set_source(c, ids, edit))

    def read_sources(
        self,
        settings: SourceTierSettings = sources.DEFAULTS,
        again: Collection[int] = (),
    ) -> None:
        """Let the rules look at documents that they have not looked at.

        again: documents about which they decide anew, including what a person said.
        """

        def write(connection: apsw.Connection) -> None:
            sources.forget_source(connection, again)
            for document_id in sources.unread_sources(connection):
                sources.read_source(connection, document_id, settings)

        if again or self._database.read(sources.unread_sources):
            self._database.write(write)

    def delete(self, document_id: int) -> None:
        """Remove a document and the library's copy of it, also while it is being read in.

        Raises: BelongsToPack.
        """

        def delete(connection: apsw.Connection) -> str:
            require_own(connection, document_id)
            return delete_document(connection, document_id)

        sha256 = self._database.write(delete)
        # A transaction of its own, so that the copy is still there if the first one fails;
        # on the writer's thread, so that the same file dropped again is not lost by it.
        self._database.write(lambda c: self.remove_original(c, sha256))
        with self._passwords_guard:
            self._passwords.pop(document_id, None)

    def password(self, document_id: int) -> str | None:
        """Return the password given for a document since the program started, if any."""
        with self._passwords_guard:
            return self._passwords.get(document_id)

    def remember_password(self, document_id: int, password: str) -> None:
        """Keep a document's password until the program ends; it is never written down."""
        with self._passwords_guard:
            self._passwords[document_id] = password

    def remove_original(self, connection: apsw.Connection, sha256: str) -> None:
        """Remove the library's copy of a PDF unless a document needs it; on the writer's thread."""
        if documents.document_with_hash(connection, sha256) is None:
            self.folder.original(sha256).unlink(missing_ok=True)

    def _of(self, document_id: int, read: Callable[[apsw.Connection], T]) -> T:
        """Read something of a document, which must be there."""

        def read_checked(connection: apsw.Connection) -> T:
            require_document(connection, document_id)
            return read(connection)

        return self._database.read(read_checked)
