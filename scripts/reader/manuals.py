"""Labelled manuals in a Groundwork library: their pages as units and windows, and the questions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from desktop.core.library.units import Passage, units_of_pages
from desktop.core.page_words import PageWords
from desktop.core.reader.observations import read_text
from desktop.core.reader.units import answer_units
from scripts.reader.observed import places, rights

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.reader.quotes import Quote

LABELS = Path(__file__).parents[1] / "labels"


@dataclass(frozen=True, slots=True)
class BestUnit:
    """The unit that meets the words that answer best. text: as the text model reads it."""

    page: int
    unit: Quote
    text: str
    right: float


class LabelledManual:
    """One manual of a library; pages are read when they are asked for."""

    def __init__(
        self, connection: apsw.Connection, document_id: int, facts: dict[str, Any]
    ) -> None:
        self._connection = connection
        self.document_id = document_id
        self.facts = facts
        self.questions = list(_lines(LABELS / "questions" / f"{facts['slug']}.jsonl"))
        self.lessons = list(_lines(LABELS / "lessons" / f"{facts['slug']}.jsonl"))
        rows = connection.execute(
            "SELECT page, id FROM pages WHERE document_id = ?", (document_id,)
        )
        self.pages: dict[int, int] = dict(rows)
        self._read: dict[int, tuple[list[Quote], list[tuple[str, str]]]] = {}

    def best_unit(self, question: dict[str, Any]) -> BestUnit | None:
        """Return the unit that answers a question best, at its first place."""
        for page, words in places(question)[:1]:
            if page in self.pages and self._page(page)[0]:
                units = self._page(page)[0]
                right = rights([unit.indices for unit in units], words)
                best = int(right.argmax())
                return BestUnit(page, units[best], read_text(units[best])[0], float(right[best]))
        return None

    def units(self, page: int) -> list[Quote]:
        """Return everything of a page that can be quoted."""
        return self._page(page)[0]

    def words(self, page: int) -> Sequence[str]:
        """Return the words of a page, in the order of their indices."""
        return self._words(page).texts

    def unit_texts(self, page: int) -> list[str]:
        """Return the units of a page as the text model reads them."""
        return [read_text(unit)[0] for unit in self._page(page)[0]]

    def windows(self, page: int) -> list[str]:
        """Return the windows of a page as they are embedded."""
        return [whole for whole, _ in self._page(page)[1]]

    def window_of(self, answer: BestUnit) -> str | None:
        """Return the window that holds a unit."""
        first = (answer.unit.parts or (answer.unit,))[0].text
        return next((w for w, own in self._page(answer.page)[1] if first in own), None)

    def _page(self, page: int) -> tuple[list[Quote], list[tuple[str, str]]]:
        if page not in self._read:
            page_id = self.pages[page]
            units = units_of_pages(self._connection, [page_id])[page_id]
            passages = [Passage.of(unit) for unit in units if unit.kind != "window"]
            windows = [(f"{u.context}\n{u.text}", u.text) for u in units if u.kind == "window"]
            self._read[page] = answer_units(passages, self._words(page)), windows
        return self._read[page]

    def _words(self, page: int) -> PageWords:
        sql = "SELECT words FROM page_words WHERE page_id = ?"
        data = self._connection.execute(sql, (self.pages[page],)).get
        return PageWords.from_bytes(data) if isinstance(data, bytes) else PageWords.empty()


def labelled_manuals(library: Path, split: str) -> list[LabelledManual]:
    """Return the manuals of a split that the library has.

    library: a folder with `library.db`, in which each manual's file is called after its slug.
    """
    connection = apsw.Connection(str(library / "library.db"), flags=apsw.SQLITE_OPEN_READONLY)
    names: dict[str, int] = dict(connection.execute("SELECT name, id FROM documents"))
    told = json.loads((LABELS / "manuals.json").read_text("utf-8"))
    return [
        LabelledManual(connection, names[f"{facts['slug']}.pdf"], facts)
        for facts in told
        if facts["split"] == split and f"{facts['slug']}.pdf" in names
    ]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            yield json.loads(line)
