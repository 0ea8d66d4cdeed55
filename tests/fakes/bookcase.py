"""A library of real PDFs, drawn by the test and read by the real parser in this process.

with bookcase_at(tmp_path) as bookcase:
    bookcase.add("pump.pdf", [Sheet().heading("Fuses").text("Fuse F2 is 5 A.")])
    bookcase.ask("Which fuse is F2?")
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pymupdf

from desktop.core.answering.extractive import ExtractiveAnswerer
from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.parsing.service import InProcessParser
from desktop.core.question.query import Query
from desktop.core.retrieval.search import Searcher
from desktop.core.settings.sections import (
    AgentSettings,
    IngestionSettings,
    ParserSettings,
    RetrievalSettings,
)
from desktop.core.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from desktop.core.answering.answer import Answer
    from desktop.core.geometry import Box
    from desktop.core.reader.evidence import Evidence
    from desktop.models.roles import TextEmbedder

_WIDTH, _HEIGHT, _MARGIN, _BODY = 595.0, 842.0, 72.0, 10.0
_COLUMNS = (72.0, 230.0, 400.0)


class Sheet:
    """A page written from top to bottom."""

    def __init__(self) -> None:
        self._lines: list[tuple[float, float, str, float, str]] = []
        self._y = 110.0

    def heading(self, text: str) -> Sheet:
        self._y += 12
        return self._put(text, 16, "hebo", 14)

    def text(self, *lines: str) -> Sheet:
        """One paragraph."""
        for line in lines:
            self._put(line, _BODY, "helv", 0)
        self._y += 14
        return self

    def rows(self, *rows: Sequence[str]) -> Sheet:
        """A table without lines, its headings bold."""
        for number, cells in enumerate(rows):
            for cell, x in zip(cells, _COLUMNS, strict=False):
                self._lines.append((x, self._y, cell, _BODY, "helv" if number else "hebo"))
            self._y += 14
        self._y += 14
        return self

    def draw(self, page: pymupdf.Page) -> None:
        for x, y, text, size, font in self._lines:
            page.insert_text((x, y), text, fontsize=size, fontname=font)

    def _put(self, text: str, size: float, font: str, space: float) -> Sheet:
        self._lines.append((_MARGIN, self._y, text, size, font))
        self._y += size * 1.3 + space
        return self


class Bookcase:
    """A library with what searches it and answers from it."""

    def __init__(self, folder: Path, database: Database, embedder: TextEmbedder | None) -> None:
        self._drawings = folder.parent / "drawings"
        self._drawings.mkdir(parents=True, exist_ok=True)
        self._parser = InProcessParser(ParserSettings(ocr=False, layout_model=False))
        self.database = database
        self.library = Library(database, folder)
        self.ingestion = Ingestion(
            database, self.library, self._parser, embedder, IngestionSettings(free_space_mib=0)
        )
        self.searcher = Searcher(database, embedder, RetrievalSettings())
        self._embedder = embedder

    def add(self, name: str, sheets: Iterable[Sheet], *, title: str = "") -> int:
        """Take in a manual; return its id."""
        document = pymupdf.open()
        for sheet in sheets:
            sheet.draw(document.new_page(width=_WIDTH, height=_HEIGHT))
        document.set_metadata({"title": title or name.removesuffix(".pdf")})
        path = self._drawings / name
        document.save(path)
        document.close()
        self.ingestion.enqueue([path])
        list(self.ingestion.run(CancelToken()))
        return self.id_of(name)

    def id_of(self, name: str) -> int:
        return next(each.id for each in self.library.documents() if each.name == name)

    def search(self, question: str, *only: int) -> list[Evidence]:
        return self.searcher.search(Query(question, frozenset(only)))

    def ask(self, question: str, *only: int, least_confidence: float = 0.0) -> Answer:
        """Answer whatever was found, however unsure, unless a least confidence is given."""
        return self.answer(question, self.search(question, *only), least_confidence)

    def answer(
        self, question: str, evidence: Sequence[Evidence], least_confidence: float = 0.0
    ) -> Answer:
        """Answer from pages found earlier."""
        settings = AgentSettings(least_confidence=least_confidence)
        return ExtractiveAnswerer(self.library, self._embedder, settings).answer(question, evidence)

    def words_in(self, document_id: int, page: int, boxes: Sequence[Box]) -> str:
        """The words a person sees inside some boxes of a page."""
        words = self.library.page_words(document_id, page)
        seen = []
        for index, text in enumerate(words.texts):
            word = words.box(index)
            x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
            if any(b.x0 <= x <= b.x1 and b.y0 <= y <= b.y1 for b in boxes):
                seen.append(text)
        return " ".join(seen)

    def close(self) -> None:
        self._parser.close()


@contextmanager
def bookcase_at(folder: Path, embedder: TextEmbedder | None = None) -> Iterator[Bookcase]:
    """Open an empty library below `folder`."""
    with Database.open(folder / "library") as database:
        bookcase = Bookcase(folder / "library", database, embedder)
        try:
            yield bookcase
        finally:
            bookcase.close()
