"""The knowledge of one info_type: what goes into one section of a prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from knowledge.formatter import KnowledgeFormatter
    from knowledge.metadata import EntityMetadata
    from knowledge.pieces import KnowledgePiece


@dataclass(frozen=True, slots=True)
class KnowledgeGroup:
    """Profiles, pieces and relations of one info_type.

    pieces: with scores, best first. relations: as in `RetrievalResult.graph_context`.
    formatter: how it is written where no template says otherwise.
    """

    info_type: str
    formatter: KnowledgeFormatter
    metadata: EntityMetadata | None = None
    global_metadata: EntityMetadata | None = None
    pieces: tuple[tuple[KnowledgePiece, float], ...] = ()
    relations: tuple[dict[str, Any], ...] = ()

    @property
    def text(self) -> str:
        """The group as usual: profile lines, pieces, relations, without headings."""
        write = self.formatter
        parts = (
            write.metadata(self.metadata),
            write.metadata(self.global_metadata),
            write.pieces(self.pieces),
            write.relations(self.relations),
        )
        return "\n".join(part for part in parts if part)

    def values(self) -> dict[str, Any]:
        """Return what a template sees, as plain values."""
        return {
            "info_type": self.info_type,
            "text": self.text,
            "count": len(self.pieces),
            "metadata": dict(self.metadata.properties) if self.metadata else {},
            "global_metadata": dict(self.global_metadata.properties)
            if self.global_metadata
            else {},
            "pieces": [
                {
                    "piece_id": piece.piece_id,
                    "content": piece.content,
                    "knowledge_type": piece.knowledge_type.value,
                    "tags": list(piece.tags),
                    "entity_id": piece.entity_id or "",
                    "author": piece.author,
                    "created": piece.created,
                    "score": score,
                }
                for piece, score in self.pieces
            ],
            "relations": [dict(relation) for relation in self.relations],
        }
