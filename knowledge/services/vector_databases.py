"""Documents in Chroma, LanceDB and Elasticsearch: candidates there, comparison here."""

from __future__ import annotations

import json
from abc import abstractmethod
from dataclasses import asdict
from importlib import import_module
from typing import TYPE_CHECKING, Any

from knowledge.services.base import ClientService, json_text
from knowledge.services.retrieval import (
    Document,
    RetrievalServiceBase,
    best_first,
    document_marks,
    document_terms,
    namespace_mark,
    query_groups,
    score,
    weighted,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.ports import TextVectors
    from knowledge.services.retrieval import Restriction, TermGroup

CANDIDATES = 200


class VectorClientRetrievalService(ClientService, RetrievalServiceBase):
    """Documents in a database of vectors; the nearest ones are compared by their words, too."""

    def __init__(self, vectors: TextVectors) -> None:
        self._embedder = vectors
        super().__init__()

    def get_all(self, document_ids: Iterable[str]) -> dict[str, Document]:
        """Return those of the documents that exist."""
        wanted = list(dict.fromkeys(document_ids))
        found = map(document_from, self._texts(wanted)) if wanted else ()
        return {document.document_id: document for document in found}

    def documents(self) -> Iterable[Document]:
        """Yield every document, by id."""
        found = map(document_from, self._texts(None))
        return sorted(found, key=lambda document: document.document_id)

    def put_all(self, documents: Sequence[Document]) -> int:
        """Keep documents."""
        latest = {document.document_id: document for document in documents}
        old = self.get_all(latest)
        new = [d for name, d in latest.items() if old.get(name) != d]
        if new:
            self._upsert(new, self._embedder.embed([document.read_text for document in new]))
            self._changed(lambda: self._put_back([d.document_id for d in new], old))
        return len(new)

    def delete(self, document_id: str) -> bool:
        """Forget a document."""
        old = self.get_all([document_id])
        if old:
            self._remove([document_id])
            self._changed(lambda: self._put_back([document_id], old))
        return bool(old)

    def _search(self, query: str, within: Restriction, top_k: int) -> list[tuple[Document, float]]:
        """Compare the nearest documents with the query, by meaning and by words."""
        near = self._nearest(self._embedder.embed_queries([query])[0], within)
        found = {d.document_id: (d, document_terms(d), cosine) for d, cosine in near}

        def frequency(group: TermGroup) -> int:
            return sum(bool(terms.intersection(group)) for _, terms, _ in found.values())

        words = weighted(query_groups(query), frequency, len(found))
        best = best_first(
            (
                ((name,), score(words.share(terms), cosine))
                for name, (_, terms, cosine) in found.items()
            ),
            top_k,
        )
        return [(found[name][0], value) for (name,), value in best]

    @abstractmethod
    def _texts(self, document_ids: list[str] | None) -> Iterable[str]:
        """Return those of the documents that exist, None for all, as `document_json` wrote them."""

    @abstractmethod
    def _upsert(self, documents: Sequence[Document], vectors: NDArray[np.float32]) -> None:
        """Keep documents with their vectors."""

    @abstractmethod
    def _remove(self, document_ids: Sequence[str]) -> None:
        """Forget documents."""

    @abstractmethod
    def _nearest(
        self, asked: NDArray[np.float32], within: Restriction
    ) -> Iterable[tuple[Document, float]]:
        """Return the `CANDIDATES` nearest documents that are allowed, with their cosines."""

    def _put_back(self, document_ids: Sequence[str], old: Mapping[str, Document]) -> None:
        self._remove(document_ids)
        self.put_all(list(old.values()))


def document_json(document: Document) -> str:
    """Return a document as JSON."""
    return json_text(asdict(document))


def document_from(text: str) -> Document:
    """Return the document that `document_json` wrote."""
    values = json.loads(text)
    return Document(**{**values, "tags": tuple(values["tags"])})


class ChromaRetrievalService(VectorClientRetrievalService):
    """A collection of a Chroma database, embedded or on a server.

    client: a `chromadb` client. Restrictions are metadata of their own: "n", "f:name", "t:tag".
    """

    def __init__(self, client: Any, vectors: TextVectors, collection: str = "knowledge") -> None:
        super().__init__(vectors)
        self._collection = client.get_or_create_collection(
            collection, metadata={"hnsw:space": "cosine"}, embedding_function=None
        )

    def _texts(self, document_ids: list[str] | None) -> Iterable[str]:
        texts: list[str] = self._collection.get(ids=document_ids, include=["documents"])[
            "documents"
        ]
        return texts

    def _upsert(self, documents: Sequence[Document], vectors: NDArray[np.float32]) -> None:
        names = [document.document_id for document in documents]
        self._collection.delete(ids=names)  # an upsert would leave old metadata beside the new
        self._collection.add(
            ids=names,
            embeddings=vectors,
            documents=[document_json(document) for document in documents],
            metadatas=[
                {
                    "n": document.namespace,
                    **{f"f:{name}": value for name, value in document.filters.items()},
                    **{f"t:{tag}": True for tag in document.tags},
                }
                for document in documents
            ],
        )

    def _remove(self, document_ids: Sequence[str]) -> None:
        self._collection.delete(ids=list(document_ids))

    def _nearest(
        self, asked: NDArray[np.float32], within: Restriction
    ) -> Iterable[tuple[Document, float]]:
        parts: list[dict[str, Any]] = [{f"f:{k}": value} for k, value in within.filters.items()]
        parts += [{f"t:{tag}": True} for tag in within.tags]
        if within.namespaces is not None:
            parts.append({"n": {"$in": list(within.namespaces)}})
        where = {"$and": parts} if len(parts) > 1 else (parts[0] if parts else None)
        found = self._collection.query(
            query_embeddings=asked[None],
            n_results=CANDIDATES,
            where=where,
            include=["documents", "distances"],
        )
        for text, distance in zip(found["documents"][0], found["distances"][0], strict=True):
            yield document_from(text), 1 - float(distance)


class ElasticsearchRetrievalService(VectorClientRetrievalService):
    """An index of an Elasticsearch server, version 8.12 or later.

    Experimental: it never ran against a server. client: which the service closes.
    """

    def __init__(self, client: Any, vectors: TextVectors, index: str = "knowledge") -> None:
        super().__init__(vectors)
        self._client = client
        self._index = index
        self._helpers = import_module("elasticsearch.helpers")
        if not client.indices.exists(index=index):
            unindexed = {"type": "keyword", "index": False, "doc_values": False}
            vector = {"type": "dense_vector", "dims": vectors.dimension, "similarity": "cosine"}
            fields = {"document": unindexed, "marks": {"type": "keyword"}, "vector": vector}
            client.indices.create(index=index, mappings={"dynamic": False, "properties": fields})

    def close(self) -> None:
        """Close the client."""
        self._client.close()

    def _texts(self, document_ids: list[str] | None) -> Iterable[str]:
        if document_ids is None:
            hits = self._helpers.scan(self._client, index=self._index, _source=["document"])
        else:
            found = self._client.mget(index=self._index, ids=document_ids)["docs"]
            hits = (hit for hit in found if hit.get("found"))
        return (hit["_source"]["document"] for hit in hits)

    def _upsert(self, documents: Sequence[Document], vectors: NDArray[np.float32]) -> None:
        self._bulk(
            {
                "_op_type": "index",
                "_id": document.document_id,
                "document": document_json(document),
                "marks": document_marks(document),
                "vector": vector.tolist(),
            }
            for document, vector in zip(documents, vectors, strict=True)
        )

    def _remove(self, document_ids: Sequence[str]) -> None:
        there = self.get_all(document_ids)
        self._bulk({"_op_type": "delete", "_id": name} for name in there)

    def _bulk(self, actions: Iterable[dict[str, Any]]) -> None:
        self._helpers.bulk(self._client, actions, index=self._index, refresh=True)

    def _nearest(
        self, asked: NDArray[np.float32], within: Restriction
    ) -> Iterable[tuple[Document, float]]:
        only: list[dict[str, Any]] = [{"term": {"marks": mark}} for mark in within.marks]
        if within.namespaces is not None:
            only.append({"terms": {"marks": list(map(namespace_mark, within.namespaces))}})
        found = self._client.search(
            index=self._index,
            size=CANDIDATES,
            source=["document"],
            knn={
                "field": "vector",
                "query_vector": asked.tolist(),
                "k": CANDIDATES,
                "num_candidates": 2 * CANDIDATES,
                "filter": only,
            },
        )
        for hit in found["hits"]["hits"]:
            # the score of a cosine is (1 + cosine) / 2
            yield document_from(hit["_source"]["document"]), 2 * float(hit["_score"]) - 1


class LanceDBRetrievalService(VectorClientRetrievalService):
    """A table of a LanceDB database. connection: what `lancedb.connect` returned.

    Restrictions are marks, so no text from a person appears in a condition.
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

    def _texts(self, document_ids: list[str] | None) -> Iterable[str]:
        if document_ids is None:
            texts: list[str] = self._table.to_arrow()["document"].to_pylist()
            return texts
        found = self._table.search().where(_any_of(document_ids)).limit(len(document_ids))
        return (row["document"] for row in found.to_list())

    def _upsert(self, documents: Sequence[Document], vectors: NDArray[np.float32]) -> None:
        rows = [
            {
                "key": _key(document.document_id),
                "document": document_json(document),
                "marks": document_marks(document),
                "vector": vector,
            }
            for document, vector in zip(documents, vectors, strict=True)
        ]
        merge = self._table.merge_insert("key")
        merge.when_matched_update_all().when_not_matched_insert_all().execute(rows)

    def _remove(self, document_ids: Sequence[str]) -> None:
        self._table.delete(_any_of(document_ids))

    def _nearest(
        self, asked: NDArray[np.float32], within: Restriction
    ) -> Iterable[tuple[Document, float]]:
        parts = [f"array_has(marks, '{mark}')" for mark in within.marks]
        if within.namespaces is not None:
            marks = map(namespace_mark, within.namespaces)
            either = " OR ".join(f"array_has(marks, '{mark}')" for mark in marks)
            parts.append(f"({either or 'false'})")
        query = self._table.search(asked).distance_type("cosine").limit(CANDIDATES)
        if parts:
            query = query.where(" AND ".join(parts), prefilter=True)
        for row in query.to_list():
            yield document_from(row["document"]), 1 - float(row["_distance"])


def _key(document_id: str) -> str:
    """Return an id in a form fit for a condition."""
    return document_id.encode().hex()


def _any_of(document_ids: Iterable[str]) -> str:
    return f"key IN ({', '.join(repr(_key(name)) for name in document_ids)})"
