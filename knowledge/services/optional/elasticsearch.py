"""Documents in Elasticsearch."""

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


class ElasticsearchRetrievalService(VectorClientRetrievalService):
    """An index of an Elasticsearch server, version 8.12 or later.

    Experimental: it never ran against a server.

    client: an `elasticsearch.Elasticsearch`, which the service closes.
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

    def get_all(self, document_ids: Iterable[str]) -> dict[str, Document]:
        """Return those of the documents that there are."""
        wanted = list(dict.fromkeys(document_ids))
        if not wanted:
            return {}
        found = self._client.mget(index=self._index, ids=wanted)["docs"]
        return {
            one["_id"]: document_from(one["_source"]["document"])
            for one in found
            if one.get("found")
        }

    def documents(self) -> Iterable[Document]:
        """Yield every document, by id."""
        hits = self._helpers.scan(self._client, index=self._index, _source=["document"])
        texts = [hit["_source"]["document"] for hit in hits]
        return sorted(map(document_from, texts), key=lambda document: document.document_id)

    def close(self) -> None:
        """Close the client."""
        self._client.close()

    def _upsert(self, documents: Sequence[Document], vectors: NDArray[np.float32]) -> None:
        self._bulk(
            {
                "_op_type": "index",
                "_id": document.document_id,
                "document": document_json(document),
                "marks": list(document_marks(document)),
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
        self,
        asked: NDArray[np.float32],
        namespaces: tuple[str, ...] | None,
        filters: Mapping[str, str],
        tags: tuple[str, ...],
    ) -> Iterable[tuple[Document, float]]:
        marks = [filter_mark(*item) for item in filters.items()] + [*map(tag_mark, tags)]
        only: list[dict[str, Any]] = [{"term": {"marks": mark}} for mark in marks]
        if namespaces is not None:
            only.append({"terms": {"marks": [namespace_mark(name) for name in namespaces]}})
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
