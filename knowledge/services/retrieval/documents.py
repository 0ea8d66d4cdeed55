"""A document as a retrieval service keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


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
