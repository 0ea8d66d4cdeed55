"""Documents in SQLite: FTS5 for words, sqlite-vec for meaning."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from knowledge.services.retrieval.base import Document, RetrievalServiceBase
from knowledge.services.retrieval.scoring import asked_vector, best_first, score, weighted
from knowledge.services.retrieval.terms import (
    document_marks,
    document_terms,
    filter_mark,
    namespace_mark,
    query_groups,
    tag_mark,
)
from knowledge.services.retrieval.vector_table import VectorTable, forget_vector
from knowledge.services.retrieval.word_candidates import word_candidates
from knowledge.services.sqlite import all_rows, first_column

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from knowledge.ports import TextVectors
    from knowledge.services.sqlite import KnowledgeDatabase

_BATCH = 200
_EMBEDDED_AT_ONCE = 64
_COLUMNS = (
    "d.id, d.document_id, d.content, s.namespace, d.search_text, d.filters, d.tags, d.metadata"
)
_MISSING = "FROM documents WHERE id NOT IN (SELECT document FROM document_vectors)"
_DOCUMENTS = f"SELECT {_COLUMNS} FROM documents d JOIN scopes s ON s.id = d.scope"


class SQLiteFTS5RetrievalService(RetrievalServiceBase):
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
        self._database = database
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
        """Return those of the documents that there are."""
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

    def search(
        self,
        query: str,
        *,
        namespaces: tuple[str, ...] | None = None,
        filters: Mapping[str, str] | None = None,
        tags: tuple[str, ...] = (),
        top_k: int = 10,
    ) -> list[tuple[Document, float]]:
        """Take candidates by words and by meaning, and compare each with the query."""
        if not query.strip() or top_k < 1:
            return []
        asked = asked_vector(self._embedder, query)
        marks = [filter_mark(*item) for item in (filters or {}).items()] + [*map(tag_mark, tags)]
        with self._database.reading() as connection:
            return self._search(connection, query, asked, namespaces, marks, top_k)

    def documents(self) -> Iterator[Document]:
        """Yield every document, by id; what is kept meanwhile may or may not be among them."""
        last = ""
        while True:
            with self._database.reading() as connection:
                rows = all_rows(
                    connection,
                    f"{_DOCUMENTS} WHERE d.document_id > ? ORDER BY d.document_id LIMIT {_BATCH}",
                    (last,),
                )
            for row in rows:
                yield _document(row)
            if len(rows) < _BATCH:
                return
            last = rows[-1][1]

    def namespaces(self) -> list[str]:
        """Return the namespaces that have a document, sorted."""
        query = (
            "SELECT namespace FROM scopes "
            "WHERE id IN (SELECT scope FROM documents) ORDER BY namespace"
        )
        with self._database.reading() as connection:
            return [str(row[0]) for row in all_rows(connection, query)]

    def of_namespace(self, namespace: str) -> list[Document]:
        """Return the documents of a namespace, by id."""
        query = f"{_DOCUMENTS} WHERE s.namespace = ? ORDER BY d.document_id"
        with self._database.reading() as connection:
            return [_document(row) for row in all_rows(connection, query, (namespace,))]

    def embed_missing(self) -> Iterator[int]:
        """Make the vectors that are missing, a batch a step; yield how many are still missing."""
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

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all of what is done inside, or nothing; shared with the database's services."""
        with self._database.writing():
            yield

    def close(self) -> None:
        """Close the database."""
        self._database.close()

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

    def _search(
        self,
        connection: apsw.Connection,
        query: str,
        asked: NDArray[np.float32] | None,
        namespaces: tuple[str, ...] | None,
        marks: Sequence[str],
        top_k: int,
    ) -> list[tuple[Document, float]]:
        scopes = None if namespaces is None else _scopes(connection, namespaces)
        if scopes == []:
            return []
        match = " AND ".join(marks)
        if namespaces is not None:
            either = " OR ".join(map(namespace_mark, namespaces))
            match = f"({either})" + (f" AND {match}" if match else "")
        by_words = word_candidates(connection, query_groups(query), match)
        rows, cosines = set(by_words.rows), {}
        if self._table and asked is not None:
            rows |= set(self._table.nearest(connection, asked, scopes, " AND ".join(marks)))
            cosines = self._table.cosines(connection, asked, rows)
        words = weighted(by_words.groups, by_words.frequency, by_words.documents)
        best = best_first(
            [
                ((name, row), score(words.share(frozenset(terms.split())), cosines.get(row)))
                for row, name, terms in _terms(connection, sorted(rows))
            ],
            top_k,
        )
        documents = _kept(connection, "id", [row for (_, row), _ in best])
        return [(documents[row], value) for (_, row), value in best]


def _terms(connection: apsw.Connection, rows: Sequence[int]) -> list[tuple[Any, ...]]:
    """Return row, id and terms of documents."""
    marks = ",".join("?" * len(rows))
    query = f"SELECT id, document_id, terms FROM documents WHERE id IN ({marks})"
    return all_rows(connection, query, rows)


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
            _json(dict(document.filters)),
            _json(document.tags),
            _json(dict(document.metadata)),
        ),
    )
    row = connection.last_insert_rowid()
    marked = f"{terms} {' '.join(document_marks(document))}"
    connection.execute("INSERT INTO document_terms(rowid, terms) VALUES (?, ?)", (row, marked))
    return row, scope


def _forget(connection: apsw.Connection, row: int) -> None:
    forget_vector(connection, row)
    connection.execute("DELETE FROM document_terms WHERE rowid = ?", (row,))
    connection.execute("DELETE FROM documents WHERE id = ?", (row,))


def _scope(connection: apsw.Connection, namespace: str) -> int:
    known = connection.execute("SELECT id FROM scopes WHERE namespace = ?", (namespace,)).get
    if known is not None:
        return int(known)
    connection.execute("INSERT INTO scopes(namespace) VALUES (?)", (namespace,))
    return connection.last_insert_rowid()


def _scopes(connection: apsw.Connection, namespaces: Sequence[str]) -> list[int]:
    marks = ",".join("?" * len(namespaces))
    return first_column(
        connection, f"SELECT id FROM scopes WHERE namespace IN ({marks})", namespaces
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
