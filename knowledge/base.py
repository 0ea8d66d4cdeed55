"""The knowledge base: three layers, asked as one, in memory, a JSON file or SQLite."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, Self

from knowledge.formatter import KnowledgeFormatter, RetrievalResult
from knowledge.graph import GraphServiceEntityGraphStore, walk
from knowledge.metadata import GLOBAL_ENTITY, KeyValueMetadataStore
from knowledge.pieces import EVERY_PIECE, PieceFilter, RetrievalKnowledgePieceStore
from knowledge.security import check_optional_text, check_text, check_values
from knowledge.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from knowledge.graph import EntityGraphStore, GraphEdge, GraphNode, Step
    from knowledge.metadata import EntityMetadata, MetadataStore
    from knowledge.pieces import KnowledgePiece, KnowledgePieceStore
    from knowledge.ports import ConnectionFactory, TextVectors
    from knowledge.services.graph import GraphServiceBase
    from knowledge.services.key_value import KeyValueServiceBase
    from knowledge.services.retrieval import RetrievalServiceBase

    _Store = MetadataStore | KnowledgePieceStore | EntityGraphStore


@dataclass(eq=False)
class KnowledgeBase:
    """What an organisation knows, in three stores.

    active_entity_id: whom or what questions are about unless they say so. top_k: pieces a
    search returns. least_score: of a piece that a search may return. graph_traversal_depth:
    hops from the entity, 0 for none. graph_backwards: relations that are walked against their
    direction, too. Everything that is added passes the checks of `security`.
    """

    metadata_store: MetadataStore
    piece_store: KnowledgePieceStore
    graph_store: EntityGraphStore
    _: KW_ONLY
    active_entity_id: str | None = None
    top_k: int = 10
    least_score: float = 0.0
    graph_traversal_depth: int = 2
    graph_backwards: Callable[[GraphEdge], bool] = lambda _: False
    formatter: KnowledgeFormatter = field(default_factory=KnowledgeFormatter)

    def retrieve(
        self,
        query: str,
        entity_id: str | None = None,
        top_k: int | None = None,
        *,
        also_of: Sequence[str] = (),
        wanted: PieceFilter = EVERY_PIECE,
    ) -> RetrievalResult:
        """Return what is known for a query.

        entity_id: whose pieces are seen besides those of nobody; None for the active
        entity. also_of: further entities whose pieces are seen. top_k: of the search;
        linked pieces of the graph come on top. wanted: narrows both kinds down.
        """
        entity = self.active_entity_id if entity_id is None else entity_id
        most = self.top_k if top_k is None else top_k
        depth, backwards = self.graph_traversal_depth, self.graph_backwards
        steps = list(walk(self.graph_store, entity, depth, backwards)) if entity else []
        linked = self.piece_store.get_all(s.edge.piece_id for s in steps if s.edge.piece_id)
        names = _names(self.graph_store, steps)
        found = [(linked[s.edge.piece_id], s.score) for s in steps if s.edge.piece_id in linked]
        found = [(piece, score) for piece, score in found if wanted.allows(piece)]
        if query.strip() and most > 0:
            searched = self.piece_store.search(
                query, entity_id=entity, also_of=also_of, wanted=wanted, top_k=most
            )
            found += [pair for pair in searched if pair[1] >= self.least_score]
        scores: dict[str, tuple[KnowledgePiece, float]] = {}
        for piece, score in found:
            if piece.piece_id not in scores or score > scores[piece.piece_id][1]:
                scores[piece.piece_id] = (piece, score)
        return RetrievalResult(
            metadata=self.metadata_store.get(entity) if entity else None,
            global_metadata=self.metadata_store.get(GLOBAL_ENTITY),
            pieces=tuple(sorted(scores.values(), key=lambda item: (-item[1], item[0].piece_id))),
            graph_context=tuple(_relation(step, linked, names) for step in steps),
        )

    def __call__(self, query: str) -> str:
        """Return what is known for a query as one text for a prompt."""
        return self.formatter.format(self.retrieve(query))

    def add_metadata(self, metadata: EntityMetadata) -> bool:
        """Keep an entity's profile; return whether anything changed. Raises: KnowledgeRefused."""
        check_text(metadata.entity_id, said("The entry's id"))
        check_text(metadata.entity_type, said("The entry's type"))
        check_values(dict(metadata.properties), said("The profile"))
        return self.metadata_store.save(metadata)

    def add_piece(self, piece: KnowledgePiece) -> bool:
        """Keep a piece; return whether it changed anything. Raises: KnowledgeRefused."""
        check_piece(piece)
        return self.piece_store.add(piece)

    def add_pieces(self, pieces: Sequence[KnowledgePiece]) -> int:
        """Keep pieces, all or none; return how many changed anything. Raises: KnowledgeRefused."""
        for piece in pieces:
            check_piece(piece)
        return self.piece_store.add_all(pieces)

    def add_node(self, node: GraphNode) -> bool:
        """Keep a node; return whether it changed anything. Raises: KnowledgeRefused."""
        check_text(node.node_id, said("The entry's id"))
        check_text(node.node_type, said("The entry's type"))
        check_optional_text(node.label, said("The entry's label"))
        check_values(dict(node.properties), said("The entry"))
        return self.graph_store.add_node(node)

    def add_edge(self, edge: GraphEdge) -> bool:
        """Keep an edge of known nodes; say whether anything changed. Raises: KnowledgeRefused."""
        check_text(edge.edge_type, said("The relation's type"))
        for end in (edge.source_id, edge.target_id):
            check_text(end, said("The id of an entry"))
        check_values(dict(edge.properties), said("The relation"))
        return self.graph_store.add_edge(edge)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all of what is done inside, or, if it raises, nothing.

        In stores of one database or one file the three layers are kept together.
        """
        with ExitStack() as stack:
            for store in self._stores():
                stack.enter_context(store.transaction())
            yield

    def embed_missing(self) -> Iterator[int]:
        """Make and keep the missing vectors of pieces, a batch per step; yield how many are left.

        Raises: what the text model raises. KnowledgeStoreError.
        """
        return self.piece_store.embed_missing()

    def close(self) -> None:
        """Close the stores, each even if another one fails to."""
        with ExitStack() as stack:
            for store in self._stores():
                stack.callback(store.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _stores(self) -> tuple[_Store, ...]:
        return (self.metadata_store, self.piece_store, self.graph_store)


def check_piece(piece: KnowledgePiece) -> None:
    """Refuse a piece that may not be kept. Raises: KnowledgeRefused."""
    check_text(piece.piece_id, said("The note's id"))
    check_text(piece.content, said("The content"))
    check_text(piece.info_type, said("“Used as” (info_type)"))
    check_optional_text("\n".join(piece.tags), said("A tag"))
    texts = {
        said("The entry's id"): piece.entity_id,
        said("The embedding_text"): piece.embedding_text,
        said("The author"): piece.author,
        said("The date"): piece.created,
    }
    for what, text in texts.items():
        if text:
            check_optional_text(text, what)
    for link in piece.links:
        check_optional_text(link.quote, said("The quoted text of a page"))


def _names(graph: EntityGraphStore, steps: Sequence[Step]) -> dict[str, GraphNode]:
    """Return the targets of edges by id."""
    found = {step.reached.node_id: step.reached for step in steps}
    for step in steps:
        target = step.edge.target_id
        if target not in found and (node := graph.get_node(target)) is not None:
            found[target] = node
    return found


def _relation(
    step: Step, linked: dict[str, KnowledgePiece], names: dict[str, GraphNode]
) -> dict[str, Any]:
    edge = step.edge
    target = names[edge.target_id]
    return {
        "relation_type": edge.edge_type,
        "source_node_id": edge.source_id,
        "source_label": names[edge.source_id].label if edge.source_id in names else "",
        "backwards": step.reached.node_id != edge.target_id,
        "target_node_id": edge.target_id,
        "target_node_type": target.node_type,
        "target_label": target.label,
        "description": str(edge.properties.get("description", "")),
        "depth": step.depth,
        "score": step.score,
        "piece_id": edge.piece_id if edge.piece_id in linked else "",
    }


def knowledge_base_of(
    key_values: KeyValueServiceBase,
    retrieval: RetrievalServiceBase,
    graph: GraphServiceBase,
    **options: Any,
) -> KnowledgeBase:
    """Return a knowledge base over three services. options: those of `KnowledgeBase`."""
    return KnowledgeBase(
        KeyValueMetadataStore(key_values),
        RetrievalKnowledgePieceStore(retrieval),
        GraphServiceEntityGraphStore(graph),
        **options,
    )


def memory_knowledge_base(vectors: TextVectors | None = None, **options: Any) -> KnowledgeBase:
    """Return a knowledge base that lives as long as the process."""
    from knowledge.services.graph import MemoryGraphService
    from knowledge.services.key_value import MemoryKeyValueService
    from knowledge.services.retrieval import MemoryRetrievalService

    return knowledge_base_of(
        MemoryKeyValueService(), MemoryRetrievalService(vectors), MemoryGraphService(), **options
    )


def sqlite_knowledge_base(
    connect: ConnectionFactory,
    vectors: TextVectors | None = None,
    *,
    embed_later: bool = False,
    **options: Any,
) -> KnowledgeBase:
    """Return a knowledge base in one SQLite file, for hundreds of thousands of pieces.

    embed_later: keeping never waits for the text model; `KnowledgeBase.embed_missing` makes up.

    Raises: KnowledgeTooNew, KnowledgeStoreError.
    """
    from knowledge.services.graph import SQLiteGraphService
    from knowledge.services.key_value import SQLiteKeyValueService
    from knowledge.services.sqlite import KnowledgeDatabase
    from knowledge.services.sqlite_retrieval import SQLiteFTS5RetrievalService

    database = KnowledgeDatabase(connect)
    return knowledge_base_of(
        SQLiteKeyValueService(database),
        SQLiteFTS5RetrievalService(database, vectors, embed_later=embed_later),
        SQLiteGraphService(database),
        **options,
    )
