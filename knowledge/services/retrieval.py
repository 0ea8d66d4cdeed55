"""Retrieval services: documents found by their words and, with a text model, by their meaning.

A term consists of letters and digits; a mark, which a search narrows down by, begins with "_".
Words are stemmed in English and German; a technical code is one term however it is written:
RS-485, RS485 and "RS 485". A score is 0 to 1 and the same in every backend: by words the share of
the query's words that a document has, rare words counting more; with a text model the mean of that
and of the cosine of the vectors.
"""

from __future__ import annotations

import heapq
import math
import re
import unicodedata
from abc import abstractmethod
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

from knowledge.cues import FUNCTION_WORDS, words_of
from knowledge.errors import VectorsUnavailable
from knowledge.services.base import JsonFile, MemoryService, Service

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.ports import TextVectors


@dataclass(frozen=True, slots=True)
class Document:
    """A text that is to be found.

    document_id: unique in the whole service. search_text: words to find it by, besides
    its content; a text model, where there is one, reads them in place of the content.
    filters: what searches narrow down by. metadata: values of JSON, only carried along.
    """

    document_id: str
    content: str
    namespace: str = ""
    search_text: str | None = None
    filters: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def read_text(self) -> str:
        """What a text model makes the vector of."""
        return self.search_text or self.content


@dataclass(frozen=True, slots=True)
class Restriction:
    """What a search may return. namespaces: None for all. filters, tags: it must have them all."""

    namespaces: tuple[str, ...] | None = None
    filters: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()

    def allows(self, document: Document) -> bool:
        """Whether a search may return a document."""
        return (
            (self.namespaces is None or document.namespace in self.namespaces)
            and all(document.filters.get(name) == value for name, value in self.filters.items())
            and set(self.tags) <= set(document.tags)
        )

    @property
    def marks(self) -> list[str]:
        """The marks that a document with these filters and tags has."""
        return _marks(self.filters, self.tags)


EVERY_DOCUMENT = Restriction()


class RetrievalServiceBase(Service):
    """Documents by id, in namespaces, found by a query.

    An id is unique over all namespaces: putting it into another one moves the document.
    """

    @abstractmethod
    def put_all(self, documents: Sequence[Document]) -> int:
        """Keep documents in place of those with the same ids; return how many changed anything."""

    def put(self, document: Document) -> bool:
        """Keep one document; return whether it changed anything."""
        return bool(self.put_all([document]))

    @abstractmethod
    def get_all(self, document_ids: Iterable[str]) -> dict[str, Document]:
        """Return those of the documents that exist, by id."""

    def get(self, document_id: str) -> Document | None:
        """Return a document."""
        return self.get_all([document_id]).get(document_id)

    @abstractmethod
    def delete(self, document_id: str) -> bool:
        """Forget a document; return whether there was one."""

    def search(
        self, query: str, within: Restriction = EVERY_DOCUMENT, top_k: int = 10
    ) -> list[tuple[Document, float]]:
        """Return documents with scores above 0 and at most 1, best first, ties by id."""
        return self._search(query, within, top_k) if query.strip() and top_k > 0 else []

    @abstractmethod
    def _search(self, query: str, within: Restriction, top_k: int) -> list[tuple[Document, float]]:
        """Search for a query that is not empty."""

    @abstractmethod
    def documents(self) -> Iterable[Document]:
        """Yield every document, by id."""

    def namespaces(self) -> list[str]:
        """Return the namespaces that have a document, sorted."""
        return sorted({document.namespace for document in self.documents()})

    def of_namespace(self, namespace: str) -> list[Document]:
        """Return the documents of a namespace, by id."""
        return [each for each in self.documents() if each.namespace == namespace]

    def embed_missing(self) -> Iterator[int]:
        """Make the missing vectors, a batch per step; yield how many are still missing."""
        yield from ()


TermGroup = tuple[str, ...]
"""Terms that mean the same word."""

_LONGEST_NAME = 4


def document_terms(document: Document) -> frozenset[str]:
    """Return all the terms that a document is to be found by."""
    texts = (document.content, document.search_text or "", " ".join(document.tags))
    return frozenset(term for text in texts for group in _groups(text) for term in group)


def query_groups(query: str) -> list[TermGroup]:
    """Return one group per telling word of a query, in order; function words stay if alone."""
    groups = dict.fromkeys(_groups(query))
    telling = [group for group in groups if not FUNCTION_WORDS.intersection(group)]
    return telling or list(groups)


def _mark(kind: str, value: str) -> str:
    """Return the term that stands for a restriction in an index."""
    return f"_{kind}{blake2b(value.encode(), digest_size=8).hexdigest()}"


def namespace_mark(namespace: str) -> str:
    """Return the mark of a namespace."""
    return _mark("n", namespace)


def _marks(filters: Mapping[str, str], tags: Iterable[str]) -> list[str]:
    of_filters = [_mark("f", f"{name}\0{value}") for name, value in filters.items()]
    return of_filters + [_mark("t", tag) for tag in tags]


def document_marks(document: Document) -> list[str]:
    """Return the marks of a document's namespace, filters and tags."""
    return [namespace_mark(document.namespace), *_marks(document.filters, document.tags)]


def _groups(text: str) -> Iterator[TermGroup]:
    before = ""
    for token in re.findall(
        r"[^\W_]+(?:[-./+][^\W_]+)*", unicodedata.normalize("NFKC", text).casefold()
    ):
        if any(sign.isdecimal() for sign in token):
            code = "".join(filter(str.isalnum, token))
            yield (code,)
            if before and token[0].isdigit():
                yield (before + code,)  # "RS 485", "menu 41"
        else:
            yield from _word_groups(token)
        before = token if token.isalpha() and len(token) <= _LONGEST_NAME else ""


@lru_cache(maxsize=50_000)
def _word_groups(token: str) -> tuple[TermGroup, ...]:
    """Return the stems of a word without digits, of each part if it has several."""
    return tuple(tuple(sorted(stems)) for stems in words_of(token))


_Named = TypeVar("_Named", bound=tuple[Any, ...])

LEAST_COSINE = 0.3
"""Below it two texts have nothing to do with each other (MiniLM; unrelated notes reach 0.2)."""


@dataclass(frozen=True, slots=True)
class QueryWords:
    """The words of a query. weights: one for each group."""

    groups: tuple[TermGroup, ...]
    weights: tuple[float, ...]

    def share(self, terms: frozenset[str]) -> float:
        """Return the weighted share of the words that `terms` has, 0 to 1."""
        total = sum(self.weights)
        found = sum(
            w for g, w in zip(self.groups, self.weights, strict=True) if terms.intersection(g)
        )
        return found / total if total else 0.0


def weighted(
    groups: Sequence[TermGroup], frequency: Callable[[TermGroup], int], documents: int
) -> QueryWords:
    """Return the words of a query, weighted by how few of the documents have them."""
    weights = [math.log(1 + documents / (1 + frequency(group))) for group in groups]
    return QueryWords(tuple(groups), tuple(weights))


def asked_vector(embedder: TextVectors | None, query: str) -> NDArray[np.float32] | None:
    """Return the vector of a query, None where there is no text model that can be asked."""
    if embedder is None:
        return None
    try:
        rows = embedder.embed_queries([query])
    except VectorsUnavailable:
        return None
    row: NDArray[np.float32] = rows[0]
    return row


def score(share: float, cosine: float | None) -> float:
    """Return the score of a document. cosine: None without a text model."""
    if cosine is None:
        return share
    near = min(cosine, 1.0) if cosine >= LEAST_COSINE else 0.0
    return (share + near) / 2


def best_first(scored: Iterable[tuple[_Named, float]], top_k: int) -> list[tuple[_Named, float]]:
    """Return the best of those that score at all, ties in order of the pair's first item.

    scored: something that can be compared, (id, ...), with its score.
    """
    found = [(named, value) for named, value in scored if value > 0]
    return heapq.nsmallest(top_k, found, key=lambda item: (-item[1], item[0]))


class MemoryRetrievalService(MemoryService, RetrievalServiceBase):
    """Keeps documents as long as the process lives; right for some thousands of them."""

    def __init__(self, vectors: TextVectors | None = None, file: JsonFile | None = None) -> None:
        self._embedder = vectors
        self._documents: dict[str, Document] = {}
        self._terms: dict[str, frozenset[str]] = {}
        self._vectors: dict[str, NDArray[np.float32]] = {}
        super().__init__("documents", file)

    def put_all(self, documents: Sequence[Document]) -> int:
        """Keep documents; all vectors are made before the first one is kept."""
        with self._changing():
            latest = {document.document_id: document for document in documents}
            new = [d for d in latest.values() if self._documents.get(d.document_id) != d]
            self._remember(new)
            return len(new)

    def get_all(self, document_ids: Iterable[str]) -> dict[str, Document]:
        """Return those of the documents that exist."""
        with self._lock:
            return {name: self._documents[name] for name in document_ids if name in self._documents}

    def delete(self, document_id: str) -> bool:
        """Forget a document."""
        with self._changing():
            self._terms.pop(document_id, None)
            self._vectors.pop(document_id, None)
            return self._documents.pop(document_id, None) is not None

    def _search(self, query: str, within: Restriction, top_k: int) -> list[tuple[Document, float]]:
        """Compare every allowed document with the query."""
        asked = asked_vector(self._embedder, query)
        with self._lock:
            allowed = [name for name, each in self._documents.items() if within.allows(each)]
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

    def _state(self) -> Any:
        return dict(self._documents), dict(self._terms), dict(self._vectors)

    def _put_back(self, state: Any) -> None:
        self._documents, self._terms, self._vectors = state

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
        super().__init__(vectors, file)
