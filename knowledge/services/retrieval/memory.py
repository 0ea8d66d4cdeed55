"""Documents in memory, or in a JSON file, compared with a query one by one."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from knowledge.services.retrieval.base import Document, RetrievalServiceBase
from knowledge.services.retrieval.scoring import asked_vector, best_first, score, weighted
from knowledge.services.retrieval.terms import document_terms, query_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.ports import TextVectors
    from knowledge.services.json_file import JsonFile
    from knowledge.services.retrieval.terms import TermGroup


class MemoryRetrievalService(RetrievalServiceBase):
    """Keeps documents as long as the process lives; right for some thousands of them."""

    def __init__(self, vectors: TextVectors | None = None) -> None:
        self._embedder = vectors
        self._documents: dict[str, Document] = {}
        self._terms: dict[str, frozenset[str]] = {}
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._lock = threading.RLock()

    def put_all(self, documents: Sequence[Document]) -> int:
        """Keep documents; all vectors are made before the first one is kept."""
        with self._lock:
            latest = {document.document_id: document for document in documents}
            new = [d for d in latest.values() if self._documents.get(d.document_id) != d]
            self._remember(new)
            return len(new)

    def get_all(self, document_ids: Iterable[str]) -> dict[str, Document]:
        """Return those of the documents that there are."""
        with self._lock:
            return {name: self._documents[name] for name in document_ids if name in self._documents}

    def delete(self, document_id: str) -> bool:
        """Forget a document."""
        with self._lock:
            self._terms.pop(document_id, None)
            self._vectors.pop(document_id, None)
            return self._documents.pop(document_id, None) is not None

    def search(
        self,
        query: str,
        *,
        namespaces: tuple[str, ...] | None = None,
        filters: Mapping[str, str] | None = None,
        tags: tuple[str, ...] = (),
        top_k: int = 10,
    ) -> list[tuple[Document, float]]:
        """Compare every allowed document with the query."""
        if not query.strip() or top_k < 1:
            return []
        asked = asked_vector(self._embedder, query)
        with self._lock:
            allowed = [
                name
                for name, document in self._documents.items()
                if document.allowed(namespaces, filters or {}, tags)
            ]
            words = weighted(query_groups(query), self._frequency, len(self._documents))
            best = best_first(
                (
                    ((name,), score(words.share(self._terms[name]), self._cosine(name, asked)))
                    for name in allowed
                ),
                top_k,
            )
            return [(self._documents[name], value) for (name,), value in best]

    def documents(self) -> Iterable[Document]:
        """Yield every document, by id."""
        with self._lock:
            return [document for _, document in sorted(self._documents.items())]

    def transaction(self) -> AbstractContextManager[None]:
        """Undo what is done inside if it raises; other threads wait."""
        return self._undoing()

    @contextmanager
    def _undoing(self) -> Iterator[None]:
        with self._lock:
            before = (dict(self._documents), dict(self._terms), dict(self._vectors))
            try:
                yield
            except BaseException:
                self._documents, self._terms, self._vectors = before
                raise

    def dump(self) -> Any:
        """Return every document as values of JSON."""
        return [asdict(document) for document in self._documents.values()]

    def load(self, values: Any) -> None:
        """Hold these documents instead; vectors are made again where they are not known."""
        documents = [Document(**{**one, "tags": tuple(one["tags"])}) for one in values or ()]
        known = {
            d.document_id: self._vectors[d.document_id]
            for d in documents
            if d.document_id in self._vectors and self._documents.get(d.document_id) == d
        }
        self._documents, self._terms, self._vectors = {}, {}, {}
        self._remember(documents, known)

    def _remember(
        self, documents: Sequence[Document], known: Mapping[str, NDArray[np.float32]] | None = None
    ) -> None:
        vectors = dict(known or {})
        missing = [d for d in documents if d.document_id not in vectors]
        if self._embedder and missing:
            rows = self._embedder.embed([document.read_text for document in missing])
            vectors |= {d.document_id: row for d, row in zip(missing, rows, strict=True)}
        for document in documents:
            self._documents[document.document_id] = document
            self._terms[document.document_id] = document_terms(document)
        self._vectors |= vectors

    def _frequency(self, group: TermGroup) -> int:
        """Return how many documents have the commonest term of a group."""
        return max(sum(term in terms for terms in self._terms.values()) for term in group)

    def _cosine(self, name: str, asked: NDArray[np.float32] | None) -> float | None:
        vector = self._vectors.get(name)
        return None if asked is None or vector is None else float(vector @ asked)


class FileRetrievalService(MemoryRetrievalService):
    """Holds everything in memory and writes the file after every change; vectors are not kept."""

    def __init__(self, file: JsonFile, vectors: TextVectors | None = None) -> None:
        super().__init__(vectors)
        self._file = file
        file.attach("documents", self)

    def put_all(self, documents: Sequence[Document]) -> int:
        """Keep documents and write the file."""
        with self._file.transaction():
            return super().put_all(documents)

    def delete(self, document_id: str) -> bool:
        """Forget a document and write the file."""
        with self._file.transaction():
            return super().delete(document_id)

    def transaction(self) -> AbstractContextManager[None]:
        """Return the transaction of the file."""
        return self._file.transaction()
