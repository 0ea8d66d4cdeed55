"""Documents in LanceDB."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from knowledge.services.optional.vector_client import (
    CANDIDATES,
    VectorClientRetrievalService,
    document_from,
    document_json,
)
from knowledge.services.retrieval.terms import (
    document_marks,
    filter_mark,
    namespace_mark,
    tag_mark,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.ports import TextVectors
    from knowledge.services.retrieval.base import Document


class LanceDBRetrievalService(VectorClientRetrievalService):
    """A table of a LanceDB database. connection: what `lancedb.connect` returned.

    Restrictions are marks, so no text of a person stands in a condition.
    """

    def __init__(self, connection: Any, vectors: TextVectors, table: str = "knowledge") -> None:
        super().__init__(vectors)
        pyarrow = import_module("pyarrow")  # comes with lancedb
        columns = [
            pyarrow.field("key", pyarrow.string()),
            pyarrow.field("document", pyarrow.string()),
            pyarrow.field("marks", pyarrow.list_(pyarrow.string())),
            pyarrow.field("vector", pyarrow.list_(pyarrow.float32(), vectors.dimension)),
        ]
        self._table = connection.create_table(table, schema=pyarrow.schema(columns), exist_ok=True)

    def get_all(self, document_ids: Iterable[str]) -> dict[str, Document]:
        """Return those of the documents that there are."""
        wanted = dict.fromkeys(document_ids)
        if not wanted:
            return {}
        rows = self._table.search().where(_any_of(wanted)).limit(len(wanted)).to_list()
        return {d.document_id: d for d in (document_from(row["document"]) for row in rows)}

    def documents(self) -> Iterable[Document]:
        """Yield every document, by id."""
        texts = self._table.to_arrow()["document"].to_pylist()
        return sorted(map(document_from, texts), key=lambda document: document.document_id)

    def _upsert(self, documents: Sequence[Document], vectors: NDArray[np.float32]) -> None:
        rows = [
            {
                "key": _key(document.document_id),
                "document": document_json(document),
                "marks": list(document_marks(document)),
                "vector": vector,
            }
            for document, vector in zip(documents, vectors, strict=True)
        ]
        merge = self._table.merge_insert("key")
        merge.when_matched_update_all().when_not_matched_insert_all().execute(rows)

    def _remove(self, document_ids: Sequence[str]) -> None:
        self._table.delete(_any_of(document_ids))

    def _nearest(
        self,
        asked: NDArray[np.float32],
        namespaces: tuple[str, ...] | None,
        filters: Mapping[str, str],
        tags: tuple[str, ...],
    ) -> Iterable[tuple[Document, float]]:
        marks = [filter_mark(*item) for item in filters.items()] + [*map(tag_mark, tags)]
        parts = [f"array_has(marks, '{mark}')" for mark in marks]
        if namespaces is not None:
            either = " OR ".join(f"array_has(marks, '{namespace_mark(n)}')" for n in namespaces)
            parts.append(f"({either or 'false'})")
        query = self._table.search(asked).distance_type("cosine").limit(CANDIDATES)
        if parts:
            query = query.where(" AND ".join(parts), prefilter=True)
        for row in query.to_list():
            yield document_from(row["document"]), 1 - float(row["_distance"])


def _key(document_id: str) -> str:
    """Return an id as it can stand in a condition."""
    return document_id.encode().hex()


def _any_of(document_ids: Iterable[str]) -> str:
    return f"key IN ({', '.join(repr(_key(name)) for name in document_ids)})"
