"""Layer 2: pieces of knowledge, each found by its words and its meaning."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from knowledge.services.base import Service, ServiceAdapter
from knowledge.services.retrieval import Document, Restriction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from knowledge.services.retrieval import RetrievalServiceBase


class KnowledgeType(StrEnum):
    """The kind of knowledge."""

    FACT = "fact"
    INSTRUCTION = "instruction"
    PREFERENCE = "preference"
    PROCEDURE = "procedure"
    NOTE = "note"
    EPISODIC = "episodic"

    @classmethod
    def _missing_(cls, value: object) -> KnowledgeType | None:
        """Accept the names as people and models write them: Fact, FACT."""
        return next((kind for kind in cls if kind.value == str(value).strip().casefold()), None)


USER_PROFILE, INSTRUCTIONS, CONTEXT, SKILLS = "user_profile", "instructions", "context", "skills"
"""The info types with a section of their own in every prompt; any other string is one too."""


@dataclass(frozen=True, slots=True)
class PageLink:
    """The page of a manual that a piece is about.

    document: SHA-256 of its PDF. page: from 0. quote: the words that were selected.
    boxes: PDF points, top-left origin, page as displayed.
    """

    document: str
    page: int
    quote: str = ""
    boxes: tuple[tuple[float, float, float, float], ...] = ()


SITE_NOTE, UNVERIFIED = 4, 5
"""Tiers of a piece: 1 is a maker's manual, which no piece can be."""


@dataclass(frozen=True, slots=True)
class KnowledgePiece:
    """One thing that somebody knows.

    info_type: the section of the prompt it belongs in, any string. entity_id: whom or
    what it is about, None for everybody. embedding_text: words to find it by, besides
    its content. author: the role of who wrote it. created: ISO 8601 date or time, "" if
    unknown. tier: how far it is to be trusted, 2 (company procedure) to 5 (unverified).
    """

    piece_id: str
    content: str
    knowledge_type: KnowledgeType = KnowledgeType.NOTE
    info_type: str = CONTEXT
    tags: tuple[str, ...] = ()
    entity_id: str | None = None
    embedding_text: str | None = None
    author: str = ""
    created: str = ""
    links: tuple[PageLink, ...] = ()
    tier: int = SITE_NOTE


@dataclass(frozen=True, slots=True)
class PieceFilter:
    """Which pieces are wanted. tags: a piece must have them all. None: no restriction."""

    knowledge_type: KnowledgeType | None = None
    info_type: str | None = None
    tags: tuple[str, ...] = ()

    def allows(self, piece: KnowledgePiece) -> bool:
        """Whether a piece is wanted."""
        return (
            self.knowledge_type in (None, piece.knowledge_type)
            and self.info_type in (None, piece.info_type)
            and set(self.tags) <= set(piece.tags)
        )


EVERY_PIECE = PieceFilter()
SHARED = ""
"""The namespace of pieces without an entity."""


class KnowledgePieceStore(Service):
    """Keeps pieces and finds them. A piece_id names one piece in the whole store."""

    @abstractmethod
    def add_all(self, pieces: Sequence[KnowledgePiece]) -> int:
        """Keep pieces in place of those with the same ids; return how many changed anything."""

    def add(self, piece: KnowledgePiece) -> bool:
        """Keep one piece; return whether it changed anything."""
        return bool(self.add_all([piece]))

    @abstractmethod
    def get_all(self, piece_ids: Iterable[str]) -> dict[str, KnowledgePiece]:
        """Return those of the pieces that exist, by id."""

    def get(self, piece_id: str) -> KnowledgePiece | None:
        """Return a piece."""
        return self.get_all([piece_id]).get(piece_id)

    @abstractmethod
    def delete(self, piece_id: str) -> bool:
        """Forget a piece; return whether there was one."""

    @abstractmethod
    def search(
        self,
        query: str,
        *,
        entity_id: str | None = None,
        also_of: Sequence[str] = (),
        wanted: PieceFilter = EVERY_PIECE,
        top_k: int = 10,
    ) -> list[tuple[KnowledgePiece, float]]:
        """Return the pieces of an entity, and those of nobody, that a query is about.

        also_of: further entities whose pieces are seen (the site that an asset stands at).
        Scores are above 0 and at most 1, best first, then by id.
        """

    @abstractmethod
    def all(self) -> Iterable[KnowledgePiece]:
        """Yield every piece, by id."""

    @abstractmethod
    def entities(self) -> list[str]:
        """Return the entities that have pieces, sorted, leaving out pieces about everybody."""

    @abstractmethod
    def of(self, entity_id: str) -> list[KnowledgePiece]:
        """Return every piece of an entity, by id."""

    def embed_missing(self) -> Iterator[int]:
        """Make the missing vectors, a batch per step; yield how many are still missing."""
        yield from ()


class RetrievalKnowledgePieceStore(ServiceAdapter, KnowledgePieceStore):
    """Pieces as documents of a retrieval service; the entity of a piece is its namespace."""

    def __init__(self, service: RetrievalServiceBase) -> None:
        super().__init__(service)
        self._service = service

    def add_all(self, pieces: Sequence[KnowledgePiece]) -> int:
        """Keep pieces; their vectors are made in batches."""
        return self._service.put_all([document_of(piece) for piece in pieces])

    def get_all(self, piece_ids: Iterable[str]) -> dict[str, KnowledgePiece]:
        """Return those of the pieces that exist."""
        found = self._service.get_all(piece_ids)
        return {name: piece_of(document) for name, document in found.items()}

    def delete(self, piece_id: str) -> bool:
        """Forget a piece."""
        return self._service.delete(piece_id)

    def search(
        self,
        query: str,
        *,
        entity_id: str | None = None,
        also_of: Sequence[str] = (),
        wanted: PieceFilter = EVERY_PIECE,
        top_k: int = 10,
    ) -> list[tuple[KnowledgePiece, float]]:
        """Search the namespace of the entity and the shared one."""
        namespaces = tuple(dict.fromkeys((SHARED, entity_id or SHARED, *also_of)))
        kinds = {"knowledge_type": wanted.knowledge_type, "info_type": wanted.info_type}
        filters = {name: str(value) for name, value in kinds.items() if value is not None}
        within = Restriction(namespaces, filters, wanted.tags)
        found = self._service.search(query, within, top_k)
        return [(piece_of(document), score) for document, score in found]

    def all(self) -> Iterable[KnowledgePiece]:
        """Yield every piece, by id."""
        return (piece_of(document) for document in self._service.documents())

    def entities(self) -> list[str]:
        """Return the namespaces that are in use."""
        return [name for name in self._service.namespaces() if name != SHARED]

    def of(self, entity_id: str) -> list[KnowledgePiece]:
        """Return the pieces of one namespace."""
        return [piece_of(document) for document in self._service.of_namespace(entity_id)]

    def embed_missing(self) -> Iterator[int]:
        """Have the service make the vectors that are missing."""
        return self._service.embed_missing()


def document_of(piece: KnowledgePiece) -> Document:
    """Return a piece as a document of a retrieval service."""
    more = {
        "author": piece.author,
        "created": piece.created,
        "links": [
            {
                "document": link.document,
                "page": link.page,
                "quote": link.quote,
                "boxes": [list(box) for box in link.boxes],
            }
            for link in piece.links
        ],
        "tier": 0 if piece.tier == SITE_NOTE else piece.tier,
    }
    return Document(
        document_id=piece.piece_id,
        content=piece.content,
        namespace=SHARED if piece.entity_id is None else piece.entity_id,
        search_text=piece.embedding_text,
        filters={"knowledge_type": piece.knowledge_type.value, "info_type": piece.info_type},
        tags=piece.tags,
        metadata={key: value for key, value in more.items() if value},
    )


def piece_of(document: Document) -> KnowledgePiece:
    """Return a document of a retrieval service as the piece it was made from."""
    metadata: Mapping[str, Any] = document.metadata
    return KnowledgePiece(
        piece_id=document.document_id,
        content=document.content,
        knowledge_type=KnowledgeType(document.filters["knowledge_type"]),
        info_type=document.filters["info_type"],
        tags=document.tags,
        entity_id=None if document.namespace == SHARED else document.namespace,
        embedding_text=document.search_text,
        author=metadata.get("author", ""),
        created=metadata.get("created", ""),
        links=tuple(
            PageLink(x["document"], x["page"], x["quote"], tuple(tuple(b) for b in x["boxes"]))
            for x in metadata.get("links", ())
        ),
        tier=metadata.get("tier", SITE_NOTE),
    )
