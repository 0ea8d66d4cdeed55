"""Documents in Chroma."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knowledge.services.optional.vector_client import (
    CANDIDATES,
    VectorClientRetrievalService,
    document_from,
    document_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.ports import TextVectors
    from knowledge.services.retrieval.base import Document


class ChromaRetrievalService(VectorClientRetrievalService):
    """A collection of a Chroma database, embedded or on a server.

    client: a `chromadb` client. Restrictions are metadata of their own: "n", "f:name", "t:tag".
    """

    def __init__(self, client: Any, vectors: TextVectors, collection: str = "knowledge") -> None:
        super().__init__(vectors)
        self._collection = client.get_or_create_collection(
            collection, metadata={"hnsw:space": "cosine"}, embedding_function=None
        )

    def get_all(self, document_ids: Iterable[str]) -> dict[str, Document]:
        """Return those of the documents that there are."""
        wanted = list(dict.fromkeys(document_ids))
        found = self._collection.get(ids=wanted, include=["documents"]) if wanted else None
        texts = found["documents"] if found else []
        return {document.document_id: document for document in map(document_from, texts)}

    def documents(self) -> Iterable[Document]:
        """Yield every document, by id."""
        texts = self._collection.get(include=["documents"])["documents"]
        return sorted(map(document_from, texts), key=lambda document: document.document_id)

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
        self,
        asked: NDArray[np.float32],
        namespaces: tuple[str, ...] | None,
        filters: Mapping[str, str],
        tags: tuple[str, ...],
    ) -> Iterable[tuple[Document, float]]:
        parts: list[dict[str, Any]] = [{f"f:{name}": value} for name, value in filters.items()]
        parts += [{f"t:{tag}": True} for tag in tags]
        if namespaces is not None:
            parts.append({"n": {"$in": list(namespaces)}})
        where = {"$and": parts} if len(parts) > 1 else (parts[0] if parts else None)
        found = self._collection.query(
            query_embeddings=asked[None],
            n_results=CANDIDATES,
            where=where,
            include=["documents", "distances"],
        )
        for text, distance in zip(found["documents"][0], found["distances"][0], strict=True):
            yield document_from(text), 1 - float(distance)
