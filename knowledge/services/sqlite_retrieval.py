"""Documents in SQLite: FTS5 for words, sqlite-vec for meaning.

Sign bits find the nearest vectors and 16-bit floats compare them. The bits are taken
after a fixed random rotation, which halves how many have to be compared.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from knowledge.errors import KnowledgeStoreError
from knowledge.services.base import SQLiteService, json_text
from knowledge.services.retrieval import (
    Document,
    RetrievalServiceBase,
    asked_vector,
    best_first,
    document_marks,
    document_terms,
    namespace_mark,
    query_groups,
    score,
    weighted,
)
from knowledge.services.sqlite import all_rows, first_column

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import apsw
    from numpy.typing import NDArray

    from knowledge.ports import TextVectors
    from knowledge.services.retrieval import Restriction, TermGroup
    from knowledge.services.sqlite import KnowledgeDatabase

    Rows = NDArray[np.int64]

_WORD_CANDIDATES = 128
# In a large table the documents of a common word are not listed as long as a rarer one does it.
_LARGE = 5_000
_COMMON_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class WordCandidates:
    """Rows to compare, and how many of `documents` documents have each group of the query."""

    rows: tuple[int, ...]
    groups: tuple[TermGroup, ...]
    frequencies: tuple[int, ...]
    documents: int

    def frequency(self, group: TermGroup) -> int:
        """Return how many documents have a word of the query."""
        return self.frequencies[self.groups.index(group)]


def word_candidates(
    connection: apsw.Connection, groups: Sequence[TermGroup], match: str
) -> WordCandidates:
    """Return the documents with the most telling words of a query, and how rare its words are.

    match: an FTS5 expression that documents must meet, "" for none.
    """
    documents = connection.execute("SELECT count(*) FROM documents").get
    frequencies = [_frequency(connection, group) for group in groups]
    words = weighted(groups, dict(zip(groups, frequencies, strict=True)).__getitem__, documents)
    rarest_first = sorted(range(len(groups)), key=lambda i: (frequencies[i], groups[i]))
    rows: list[Rows] = []
    shares: list[NDArray[np.float64]] = []
    for i in rarest_first:
        if frequencies[i] == 0:
            continue
        common = documents > _LARGE and frequencies[i] > documents * _COMMON_SHARE
        if common and rows:
            break
        found = _rows(connection, groups[i], match)
        if len(found):
            rows.append(found)
            shares.append(np.full(len(found), words.weights[i]))
    best: tuple[int, ...] = ()
    if rows:  # those with the greatest sum of weights, ties by row
        unique, place = np.unique(np.concatenate(rows), return_inverse=True)
        sums = np.bincount(place, np.concatenate(shares))
        best = tuple(unique[np.lexsort((unique, -sums))[:_WORD_CANDIDATES]].tolist())
    return WordCandidates(best, tuple(groups), tuple(frequencies), documents)


def _frequency(connection: apsw.Connection, group: TermGroup) -> int:
    """Return how many documents have the commonest term of a group."""
    return max(
        connection.execute("SELECT doc FROM document_frequencies WHERE term = ?", (term,)).get or 0
        for term in group
    )


def _rows(connection: apsw.Connection, group: TermGroup, match: str) -> Rows:
    either = "(" + " OR ".join(f'"{term}"' for term in group) + ")"
    rows = first_column(
        connection,
        "SELECT rowid FROM document_terms WHERE document_terms MATCH ?",
        (f"{either} AND {match}" if match else either,),
    )
    return np.array(rows, np.int64)


_SEED = 20260312
# vec0 takes time for each of them in every chunk of 1,024: 100,000 vectors take 22 ms with 100
# candidates and 112 ms with 400, while the share of the exact best ten rises from 0.997 to 1.
_VECTOR_CANDIDATES = 100
_MEETING = "SELECT rowid FROM document_terms WHERE document_terms MATCH ?"
_MOST_PARAMETERS = 900


class VectorTable:
    """The vectors of one text model. Another model's are forgotten: they cannot be compared."""

    def __init__(self, model_id: str, dimension: int) -> None:
        if dimension % 8:
            raise KnowledgeStoreError(
                "vectors of {dimension} numbers cannot be stored as bits.", dimension=dimension
            )
        self._model_id = model_id
        self._dimension = dimension
        self._rotation: NDArray[np.float32] | None = None

    def prepare(self, connection: apsw.Connection) -> None:
        """Make the tables ready for this model, inside a transaction."""
        known = connection.execute("SELECT model_id, dimension, rotation FROM vector_model").get
        if known is None or known[:2] != (self._model_id, self._dimension):
            connection.execute(
                "DELETE FROM vector_model; DELETE FROM document_vectors; "
                "DROP TABLE IF EXISTS document_codes"
            )
            # a random one, kept in the file: a seed guarantees nothing for ever
            square = np.random.default_rng(_SEED).standard_normal((self._dimension,) * 2)
            rotation = np.linalg.qr(square)[0].astype(np.float32)
            connection.execute(
                "INSERT INTO vector_model(model_id, dimension, rotation) VALUES (?, ?, ?)",
                (self._model_id, self._dimension, rotation.astype("<f4").tobytes()),
            )
            connection.execute(
                "CREATE VIRTUAL TABLE document_codes USING vec0("
                f"document INTEGER PRIMARY KEY, code bit[{self._dimension}], scope INTEGER)"
            )
            self._rotation = rotation
        else:
            flat = np.frombuffer(known[2], "<f4").astype(np.float32)
            self._rotation = flat.reshape(self._dimension, self._dimension)

    def put(
        self,
        connection: apsw.Connection,
        rows: Sequence[tuple[int, int]],
        vectors: NDArray[np.float32],
    ) -> None:
        """Keep vectors. rows: document and scope of each; none of them has a vector yet."""
        codes = self._codes(vectors)
        half = vectors.astype("<f2")
        connection.executemany(
            "INSERT INTO document_codes(document, code, scope) VALUES (?, vec_bit(?), ?)",
            [(d, code.tobytes(), scope) for (d, scope), code in zip(rows, codes, strict=True)],
        )
        connection.executemany(
            "INSERT INTO document_vectors(document, vector) VALUES (?, ?)",
            [(document, row.tobytes()) for (document, _), row in zip(rows, half, strict=True)],
        )

    def nearest(
        self,
        connection: apsw.Connection,
        asked: NDArray[np.float32],
        scopes: Sequence[int] | None,
        match: str,
    ) -> list[int]:
        """Return the documents whose sign bits are nearest to the query's.

        scopes: None for all. match: an FTS5 expression they must meet, "" for none.
        """
        where = f" AND document IN ({_MEETING})" if match else ""
        query = "SELECT document FROM document_codes WHERE code MATCH vec_bit(?) AND k = ?" + where
        values: list[Any] = [self._codes(asked[None])[0].tobytes(), _VECTOR_CANDIDATES]
        values += [match] if match else []
        if scopes is None:
            return first_column(connection, query, values)
        # vec0 compares a number with one value three times as fast as with a list of two
        return [
            document
            for scope in scopes
            for document in first_column(connection, f"{query} AND scope = ?", [*values, scope])
        ]

    def cosines(
        self, connection: apsw.Connection, asked: NDArray[np.float32], documents: Iterable[int]
    ) -> dict[int, float]:
        """Return the cosine of each of the documents that has a vector."""
        wanted = sorted(documents)
        found: list[tuple[Any, ...]] = []
        for start in range(0, len(wanted), _MOST_PARAMETERS):
            part = wanted[start : start + _MOST_PARAMETERS]
            found += all_rows(
                connection,
                "SELECT document, vector FROM document_vectors "
                f"WHERE document IN ({','.join('?' * len(part))})",
                part,
            )
        if not found:
            return {}
        blob = b"".join(vector for _, vector in found)
        matrix = np.frombuffer(blob, "<f2").reshape(len(found), -1).astype(np.float32)
        values = matrix @ asked
        return {document: float(value) for (document, _), value in zip(found, values, strict=True)}

    def _codes(self, vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
        assert self._rotation is not None, "prepare() comes first"
        return np.packbits(vectors @ self._rotation > 0, axis=1, bitorder="little")


_BATCH = 200
_EMBEDDED_AT_ONCE = 64
_COLUMNS = (
    "d.id, d.document_id, d.content, s.namespace, d.search_text, d.filters, d.tags, d.metadata"
)
_MISSING = "FROM documents WHERE id NOT IN (SELECT document FROM document_vectors)"
_DOCUMENTS = f"SELECT {_COLUMNS} FROM documents d JOIN scopes s ON s.id = d.scope"


class SQLiteFTS5RetrievalService(SQLiteService, RetrievalServiceBase):
    """Documents in a knowledge database, for hundreds of thousands of them.

    vectors: the text model. Without one, documents are found by their words, and what has a
    vector keeps it; `embed_missing` makes up for what was kept without. embed_later: keeping
    never waits for the text model, its vectors are left to `embed_missing`.
    """

    def __init__(
        self,
        database: KnowledgeDatabase,
        vectors: TextVectors | None = None,
        *,
        embed_later: bool = False,
    ) -> None:
        super().__init__(database)
        self._embedder = vectors
        self._embed_later = embed_later
        self._table = VectorTable(vectors.model_id, vectors.dimension) if vectors else None
        if self._table:
            with database.writing() as connection:
                self._table.prepare(connection)

    def put_all(self, documents: Sequence[Document]) -> int:
        """Keep documents, a batch at a time, all or none."""
        latest = list({document.document_id: document for document in documents}.values())
        with self._database.writing() as connection:
            return sum(
                self._put_batch(connection, latest[start : start + _BATCH])
                for start in range(0, len(latest), _BATCH)
            )

    def get_all(self, document_ids: Iterable[str]) -> dict[str, Document]:
        """Return those of the documents that exist."""
        wanted = list(dict.fromkeys(document_ids))
        found: dict[str, Document] = {}
        with self._database.reading() as connection:
            for start in range(0, len(wanted), _BATCH):
                part = wanted[start : start + _BATCH]
                rows = _kept(connection, "document_id", part).values()
                found |= {document.document_id: document for document in rows}
        return found

    def delete(self, document_id: str) -> bool:
        """Forget a document."""
        with self._database.writing() as connection:
            row = connection.execute(
                "SELECT id FROM documents WHERE document_id = ?", (document_id,)
            ).get
            if row is not None:
                _forget(connection, row)
            return row is not None

    def _search(self, query: str, within: Restriction, top_k: int) -> list[tuple[Document, float]]:
        """Take candidates by words and by meaning, and compare each with the query."""
        asked = asked_vector(self._embedder, query)
        with self._database.reading() as connection:
            return self._compared(connection, query, asked, within, top_k)

    def documents(self) -> Iterator[Document]:
        """Yield every document, by id; what is kept meanwhile may or may not be among them."""
        last = ""
        while True:
            rows = self._rows(
                f"{_DOCUMENTS} WHERE d.document_id > ? ORDER BY d.document_id LIMIT {_BATCH}", last
            )
            yield from map(_document, rows)
            if len(rows) < _BATCH:
                return
            last = rows[-1][1]

    def namespaces(self) -> list[str]:
        """Return the namespaces that have a document, sorted."""
        used = "SELECT namespace FROM scopes WHERE id IN (SELECT scope FROM documents)"
        return [str(namespace) for (namespace,) in self._rows(f"{used} ORDER BY namespace")]

    def of_namespace(self, namespace: str) -> list[Document]:
        """Return the documents of a namespace, by id."""
        query = f"{_DOCUMENTS} WHERE s.namespace = ? ORDER BY d.document_id"
        return [_document(row) for row in self._rows(query, namespace)]

    def embed_missing(self) -> Iterator[int]:
        """Make the missing vectors, a batch per step; yield how many are still missing."""
        if self._embedder is None or self._table is None:
            return
        while True:
            with self._database.reading() as connection:
                unread = _without_vector(connection)
            if not unread:
                return
            made = self._embedder.embed([document.read_text for document in unread.values()])
            with self._database.writing() as connection:
                # what was changed or forgotten since it was read is left for the next step
                now = _without_vector(connection)
                same = [i for i, (row, d) in enumerate(unread.items()) if now.get(row) == d]
                rows = [list(unread)[i] for i in same]
                placed = [(row, _scope(connection, unread[row].namespace)) for row in rows]
                self._table.put(connection, placed, made[same])
                left = connection.execute(f"SELECT count(*) {_MISSING}").get
            yield left

    def _put_batch(self, connection: apsw.Connection, documents: Sequence[Document]) -> int:
        kept = _kept(connection, "document_id", [d.document_id for d in documents])
        rows = {document.document_id: row for row, document in kept.items()}
        new = [d for d in documents if kept.get(rows.get(d.document_id, -1)) != d]
        vectors = None
        if self._embedder and new and not self._embed_later:
            vectors = self._embedder.embed([document.read_text for document in new])
        for document in new:
            if document.document_id in rows:
                _forget(connection, rows[document.document_id])
        placed = [_insert(connection, document) for document in new]
        if self._table and vectors is not None:
            self._table.put(connection, placed, vectors)
        return len(new)

    def _compared(
        self,
        connection: apsw.Connection,
        query: str,
        asked: NDArray[np.float32] | None,
        within: Restriction,
        top_k: int,
    ) -> list[tuple[Document, float]]:
        scopes = None
        either, marks = [], within.marks
        if within.namespaces is not None:
            among = ",".join("?" * len(within.namespaces))
            known = f"SELECT id FROM scopes WHERE namespace IN ({among})"
            scopes = first_column(connection, known, within.namespaces)
            either = [f"({' OR '.join(map(namespace_mark, within.namespaces))})"]
        if scopes == []:
            return []
        by_words = word_candidates(connection, query_groups(query), " AND ".join([*either, *marks]))
        rows, cosines = set(by_words.rows), {}
        if self._table and asked is not None:
            rows |= set(self._table.nearest(connection, asked, scopes, " AND ".join(marks)))
            cosines = self._table.cosines(connection, asked, rows)
        words = weighted(by_words.groups, by_words.frequency, by_words.documents)
        among = ",".join("?" * len(rows))
        candidates = all_rows(
            connection,
            f"SELECT id, document_id, terms FROM documents WHERE id IN ({among})",
            sorted(rows),
        )
        best = best_first(
            [
                ((name, row), score(words.share(frozenset(terms.split())), cosines.get(row)))
                for row, name, terms in candidates
            ],
            top_k,
        )
        documents = _kept(connection, "id", [row for (_, row), _ in best])
        return [(documents[row], value) for (_, row), value in best]


def _without_vector(connection: apsw.Connection) -> dict[int, Document]:
    """Return the first documents that have no vector, by row."""
    query = f"SELECT id {_MISSING} ORDER BY id LIMIT {_EMBEDDED_AT_ONCE}"
    return _kept(connection, "id", first_column(connection, query))


def _kept(
    connection: apsw.Connection, column: str, values: Sequence[str] | Sequence[int]
) -> dict[int, Document]:
    """Return documents by row, in the order of their rows."""
    marks = ",".join("?" * len(values))
    query = f"{_DOCUMENTS} WHERE d.{column} IN ({marks}) ORDER BY d.id"
    return {row[0]: _document(row) for row in all_rows(connection, query, values)}


def _document(row: tuple[Any, ...]) -> Document:
    return Document(
        document_id=row[1],
        content=row[2],
        namespace=row[3],
        search_text=row[4],
        filters=json.loads(row[5]),
        tags=tuple(json.loads(row[6])),
        metadata=json.loads(row[7]),
    )


def _insert(connection: apsw.Connection, document: Document) -> tuple[int, int]:
    """Keep a document that is not there; return its row and its scope."""
    scope = _scope(connection, document.namespace)
    terms = " ".join(document_terms(document))
    connection.execute(
        "INSERT INTO documents"
        "(document_id, scope, content, search_text, terms, filters, tags, metadata) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            document.document_id,
            scope,
            document.content,
            document.search_text,
            terms,
            json_text(document.filters),
            json_text(document.tags),
            json_text(document.metadata),
        ),
    )
    row = connection.last_insert_rowid()
    marked = f"{terms} {' '.join(document_marks(document))}"
    connection.execute("INSERT INTO document_terms(rowid, terms) VALUES (?, ?)", (row, marked))
    return row, scope


def _forget(connection: apsw.Connection, row: int) -> None:
    connection.execute("DELETE FROM document_vectors WHERE document = ?", (row,))
    if connection.changes():  # whichever model made it
        connection.execute("DELETE FROM document_codes WHERE document = ?", (row,))
    connection.execute("DELETE FROM document_terms WHERE rowid = ?", (row,))
    connection.execute("DELETE FROM documents WHERE id = ?", (row,))


def _scope(connection: apsw.Connection, namespace: str) -> int:
    known = connection.execute("SELECT id FROM scopes WHERE namespace = ?", (namespace,)).get
    if known is not None:
        return int(known)
    connection.execute("INSERT INTO scopes(namespace) VALUES (?)", (namespace,))
    return connection.last_insert_rowid()
