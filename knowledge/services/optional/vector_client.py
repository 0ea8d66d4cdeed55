"""What the clients of vector databases have in common: candidates there, comparison here."""

from __future__ import annotations

import json
from abc import abstractmethod
from dataclasses import asdict
from typing import TYPE_CHECKING

from knowledge.services.optional.undo import UndoLog
from knowledge.services.retrieval.base import Document, RetrievalServiceBase
from knowledge.services.retrieval.scoring import best_first, score, weighted
from knowledge.services.retrieval.terms import document_terms, query_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.ports import TextVectors
    from knowledge.services.retrieval.terms import TermGroup

CANDIDATES = 200


class VectorClientRetrievalService(RetrievalServiceBase):
    """Documents in a database of vectors; the nearest ones are compared by their words, too."""

    def __init__(self, vectors: TextVectors) -> None:
        self._embedder = vectors
        self._undo = UndoLog()

    def put_all(self, documents: Sequence[Document]) -> int:
        """Keep documents."""
        latest = {document.document_id: document for document in documents}
        old = self.get_all(latest)
        new = [d for name, d in latest.items() if old.get(name) != d]
        if new:
            self._upsert(new, self._embedder.embed([document.read_text for document in new]))
            self._undo.changed(lambda: self._put_back([d.document_id for d in new], old))
        return len(new)

    def delete(self, document_id: str) -> bool:
        """Forget a document."""
        old = self.get_all([document_id])
        if old:
            self._remove([document_id])
            self._undo.changed(lambda: self._put_back([document_id], old))
        return bool(old)

    def search(
        self,
        query: str,
        *,
        namespaces: tuple[str, ...] | None = None,
        filters: Mapping[str, str] | None = None,
        tags: tuple[str, ...] = (),
        top_k: int = 10,
    ) -> list[tuple[Document, float]]:
        """Compare the nearest documents with the query, by meaning and by words."""
        if not query.strip() or top_k < 1:
            return []
        asked = self._embedder.embed_queries([query])[0]
        near = self._nearest(asked, namespaces, filters or {}, tags)
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

    def transaction(self) -> AbstractContextManager[None]:
        """Undo what is done inside if it raises."""
        return self._undo.transaction()

    @abstractmethod
    def _upsert(self, documents: Sequence[Document], vectors: NDArray[np.float32]) -> None:
        """Keep documents with their vectors."""

    @abstractmethod
    def _remove(self, document_ids: Sequence[str]) -> None:
        """Forget documents."""

    @abstractmethod
    def _nearest(
        self,
        asked: NDArray[np.float32],
        namespaces: tuple[str, ...] | None,
        filters: Mapping[str, str],
        tags: tuple[str, ...],
    ) -> Iterable[tuple[Document, float]]:
        """Return the `CANDIDATES` nearest documents that are allowed, with their cosines."""

    def _put_back(self, document_ids: Sequence[str], old: Mapping[str, Document]) -> None:
        self._remove(document_ids)
        self.put_all(list(old.values()))


def document_json(document: Document) -> str:
    """Return a document as JSON."""
    return json.dumps(asdict(document), ensure_ascii=False, sort_keys=True)


def document_from(text: str) -> Document:
    """Return the document that `document_json` wrote."""
    values = json.loads(text)
    return Document(**{**values, "tags": tuple(values["tags"])})
