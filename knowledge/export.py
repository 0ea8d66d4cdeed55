"""The whole knowledge base as the JSON that `KnowledgeDataLoader` reads."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from knowledge.pieces import EVERY_PIECE, SITE_NOTE

if TYPE_CHECKING:
    from knowledge.base import KnowledgeBase
    from knowledge.pieces import KnowledgePiece, PieceFilter


def exported(base: KnowledgeBase, wanted: PieceFilter = EVERY_PIECE) -> dict[str, Any]:
    """Return all profiles, the wanted pieces and the graph, in an order that never changes."""
    return {
        "metadata": {
            one.entity_id: {"entity_type": one.entity_type, "properties": dict(one.properties)}
            for one in sorted(base.metadata_store.all(), key=lambda one: one.entity_id)
        },
        "pieces": [piece_values(piece) for piece in base.piece_store.all() if wanted.allows(piece)],
        "graph": {
            "nodes": [asdict(node) for node in base.graph_store.nodes()],
            "edges": [asdict(edge) for edge in base.graph_store.edges()],
        },
    }


def piece_values(piece: KnowledgePiece) -> dict[str, Any]:
    """Return a piece as JSON has it, without what it does not have."""
    values = {**asdict(piece), "knowledge_type": piece.knowledge_type.value}
    if piece.tier == SITE_NOTE:
        del values["tier"]
    return {name: value for name, value in values.items() if value not in (None, "", ())}
