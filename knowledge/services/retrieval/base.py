"""A document as a retrieval service keeps it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager


@dataclass(frozen=True, slots=True)
class Document:
    """A text that is to be found.

    document_id: unique in the whole service. search_text: words to find it by, beside its
    content; where there is a text model, they are what it reads, in place of the content.
    filters: what searches narrow down by. metadata: values of JSON that only come along.
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

    def allowed(
        self, namespaces: tuple[str, ...] | None, filters: Mapping[str, str], tags: tuple[str, ...]
    ) -> bool:
        """Whether a search with these restrictions may return the document."""
        return (
            (namespaces is None or self.namespace in namespaces)
            and all(self.filters.get(name) == value for name, value in filters.items())
            and set(tags) <= set(self.tags)
        )


class RetrievalServiceBase(ABC):
    """Documents by id, in namespaces, found by a query.

    An id is unique over all namespaces: putting it into another one moves the document.
    """

    @abstractmethod
    def put_all(self, documents: Sequence[Document]) -> int:
        """Keep documents in place of those of the same ids; return how many changed anything."""

    def put(self, document: Document) -> bool:
        """Keep one document; return whether it changed anything."""
        return bool(self.put_all([document]))

    @abstractmethod
    def get_all(self, document_ids: Iterable[str]) -> dict[str, Document]:
        """Return those of the documents that there are, by id."""

    def get(self, document_id: str) -> Document | None:
        """Return a document."""
        return self.get_all([document_id]).get(document_id)

    @abstractmethod
    def delete(self, document_id: str) -> bool:
        """Forget a document; return whether there was one."""

    @abstractmethod
    def search(
        self,
        query: str,
        *,
        namespaces: tuple[str, ...] | None = None,
        filters: Mapping[str, str] | None = None,
        tags: tuple[str, ...] = (),
        top_k: int = 10,
    ) -> list[tuple[Document, float]]:
        """Return documents with scores above 0 and at most 1, best first, ties by id.

        namespaces: None for all. filters, tags: a document must have all of them.
        """

    @abstractmethod
    def documents(self) -> Iterable[Document]:
        """Yield every document, by id."""

    def namespaces(self) -> list[str]:
        """Return the namespaces that have a document, sorted."""
        return sorted({document.namespace for document in self.documents()})

    def of_namespace(self, namespace: str) -> list[Document]:
        """Return the documents of a namespace, by id."""
        return [each for each in self.documents() if each.namespace == namespace]

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Keep all of what is done inside, or, if it raises, nothing."""

    def embed_missing(self) -> Iterator[int]:
        """Make the vectors that are missing, a batch a step; yield how many are still missing."""
        yield from ()

    def close(self) -> None:  # noqa: B027 - memory has nothing to let go of
        """Let go of files and connections; closing twice is fine."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
