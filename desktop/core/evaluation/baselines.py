"""Forty lines that every answer has to beat: BM25 over pages, and a plain sum of three searches.

They read the same library as the search that is measured, and know no language: words are
runs of letters and digits in small letters, no stems, no stop words.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw
    from numpy.typing import NDArray

    from desktop.core.store.database import Database
    from desktop.models.roles import TextEmbedder

PageKey = tuple[int, int]
"""A document's id and a zero-based page index."""

_WORD = re.compile(r"\w+")
_K1, _B = 1.2, 0.75
_NORMALISED_OVER = 50
"""Pages: the best one gets 1, the last of so many 0 (as in the spike that this was taken from)."""


class Baseline(Protocol):
    """Ranks pages of a library for a question."""

    name: str

    def rank(self, question: str, documents: frozenset[int]) -> list[PageKey]:
        """Return the pages found, best first; empty `documents` means all."""


class Bm25:
    """BM25 over texts (Robertson, Zaragoza 2009), k1 1.2 and b 0.75."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(_words(text)) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts], float)
        self._norms = _K1 * (1 - _B + _B * lengths / max(lengths.mean() if counts else 0, 1))
        postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for index, count in enumerate(counts):
            for word, times in count.items():
                postings[word].append((index, times))
        self._postings = {word: np.array(found) for word, found in postings.items()}

    def scores(self, question: str) -> NDArray[np.float64]:
        """Return a score of each text, shape (n,); 0 where it shares no word."""
        scores = np.zeros(len(self._norms))
        for word in sorted(set(_words(question)) & self._postings.keys()):
            rows, times = self._postings[word].T
            rarity = np.log(1 + (len(scores) - len(rows) + 0.5) / (len(rows) + 0.5))
            scores[rows] += rarity * times * (_K1 + 1) / (times + self._norms[rows])
        return scores


@dataclass(frozen=True, slots=True, eq=False)
class LibraryText:
    """What the baselines read: units in order of their ids, and the vectors of windows.

    unit_pages, window_pages: the page of each. texts: without headings; contexts: those.
    vectors: float32, shape (windows, dimension); model_id: whose they are, "" without any.
    without_vector: how many windows have none yet, and so are not searched.
    """

    unit_pages: tuple[PageKey, ...]
    texts: tuple[str, ...]
    contexts: tuple[str, ...]
    window_pages: tuple[PageKey, ...]
    vectors: NDArray[np.float32]
    model_id: str
    without_vector: int

    @classmethod
    def read(cls, database: Database) -> LibraryText:
        """Read a library. Blocks."""
        return database.read(_library_text)


class PageBm25:
    """BM25 over the words of whole pages."""

    name = "BM25 pages"

    def __init__(self, library: LibraryText) -> None:
        pages: dict[PageKey, list[str]] = defaultdict(list)
        for page, text in zip(library.unit_pages, library.texts, strict=True):
            pages[page].append(text)
        self._pages = tuple(pages)
        self._index = Bm25([" ".join(texts) for texts in pages.values()])

    def rank(self, question: str, documents: frozenset[int]) -> list[PageKey]:
        """See `Baseline`."""
        return _ranked(self.scores(question, documents))

    def scores(self, question: str, documents: frozenset[int]) -> dict[PageKey, float]:
        """Return the score of each page that shares a word with the question."""
        return _best_of_pages(self._pages, self._index.scores(question), documents, above=0.0)


class PlainSum:
    """The sum of page BM25, unit BM25 and dense windows, each normalised from 0 to 1."""

    name = "plain sum"

    def __init__(self, library: LibraryText, embedder: TextEmbedder) -> None:
        self._library = library
        self._embedder = embedder
        self._page_search = PageBm25(library)
        both = zip(library.contexts, library.texts, strict=True)
        self._units = Bm25([f"{context} {text}" for context, text in both])

    def rank(self, question: str, documents: frozenset[int]) -> list[PageKey]:
        """See `Baseline`."""
        library = self._library
        (vector,) = self._embedder.embed_queries([question])
        near = library.vectors @ vector
        total: dict[PageKey, float] = defaultdict(float)
        for scores in (
            self._page_search.scores(question, documents),
            _best_of_pages(library.unit_pages, self._units.scores(question), documents, above=0.0),
            _best_of_pages(library.window_pages, near, documents, above=-np.inf),
        ):
            for page, score in _normalised(scores).items():
                total[page] += score
        return _ranked(total)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _best_of_pages(
    pages: Sequence[PageKey],
    scores: NDArray[np.floating],
    documents: frozenset[int],
    *,
    above: float,
) -> dict[PageKey, float]:
    best: dict[PageKey, float] = {}
    for index in np.flatnonzero(scores > above).tolist():
        page, score = pages[index], float(scores[index])
        if (not documents or page[0] in documents) and score > best.get(page, -np.inf):
            best[page] = score
    return best


def _normalised(scores: dict[PageKey, float]) -> dict[PageKey, float]:
    first = sorted(scores.values(), reverse=True)[:_NORMALISED_OVER]
    if not first:
        return {}
    span = first[0] - first[-1] + 1e-9
    return {page: (score - first[-1]) / span for page, score in scores.items()}


def _ranked(scores: dict[PageKey, float]) -> list[PageKey]:
    return sorted(scores, key=lambda page: (-scores[page], page))


def _library_text(connection: apsw.Connection) -> LibraryText:
    units: list[Any] = connection.execute(
        "SELECT document_id, page, text, context FROM units WHERE NOT embed ORDER BY id"
    ).fetchall()
    models = connection.execute("SELECT model_id, dimension FROM vector_models").fetchall()
    windows: list[Any] = (
        connection.execute(
            "SELECT u.document_id, u.page, v.vector FROM unit_vectors AS v"
            " JOIN units AS u ON u.id = v.unit_id ORDER BY u.id"
        ).fetchall()
        if models
        else []
    )
    windows_read: list[Any] = connection.execute(
        "SELECT count(*) FROM units WHERE embed"
    ).fetchall()
    vectors = [np.frombuffer(vector, "<f4") for _, _, vector in windows]
    return LibraryText(
        tuple((document, page) for document, page, _, _ in units),
        tuple(text for _, _, text, _ in units),
        tuple(context for _, _, _, context in units),
        tuple((document, page) for document, page, _ in windows),
        np.stack(vectors) if vectors else np.zeros((0, 0), np.float32),
        str(models[0][0]) if vectors else "",
        windows_read[0][0] - len(vectors),
    )
