"""The knowledge provider: what is known for a question, by section of the prompt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from knowledge.formatter import KnowledgeFormatter
from knowledge.pieces import CONTEXT, USER_PROFILE
from knowledge.templates import rendered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from knowledge.base import KnowledgeBase, RetrievalResult
    from knowledge.metadata import EntityMetadata
    from knowledge.pieces import KnowledgePiece
    from knowledge.templates import GroupFormatter


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


class KnowledgeProvider:
    """Routes what a knowledge base knows into groups by info_type, and writes each of them.

    | source | goes to |
    |---|---|
    | profile of the entity, and the global one | `metadata_info_type` |
    | piece, found or linked by a relation | its own info_type |
    | relation of the active entity, without a linked piece | user_profile |
    | other relation, without a linked piece | context |

    formatters: how a group of an info_type is written; others as `formatter` writes them.
    """

    def __init__(
        self,
        knowledge_base: KnowledgeBase,
        *,
        metadata_info_type: str = USER_PROFILE,
        formatters: Mapping[str, GroupFormatter] | None = None,
        formatter: KnowledgeFormatter | None = None,
    ) -> None:
        self.knowledge_base = knowledge_base
        self._metadata_info_type = metadata_info_type
        self._formatters = dict(formatters or {})
        self._formatter = formatter or KnowledgeFormatter(include_tags=False)

    def __call__(
        self, query: str, entity_id: str | None = None, also_of: Sequence[str] = ()
    ) -> dict[str, str]:
        """Return a text for each info_type that something is known of, by info_type.

        Raises: TemplateFault.
        """
        return self.texts(self.groups(query, entity_id, also_of))

    def groups(
        self, query: str, entity_id: str | None = None, also_of: Sequence[str] = ()
    ) -> dict[str, KnowledgeGroup]:
        """Return what is known for a query by info_type, for whoever cites it.

        also_of: further entities whose pieces are seen.
        """
        active = self.knowledge_base.active_entity_id if entity_id is None else entity_id
        found = self.knowledge_base.retrieve(query, active, also_of=also_of)
        return self.route(found, active)

    def texts(self, groups: Mapping[str, KnowledgeGroup]) -> dict[str, str]:
        """Return groups as text; one that comes out empty is left out.

        Raises: TemplateFault.
        """
        texts = {
            name: rendered(self._formatters[name], group)
            if name in self._formatters
            else group.text
            for name, group in groups.items()
        }
        return {name: text for name, text in texts.items() if text.strip()}

    def route(
        self, result: RetrievalResult, active_entity: str | None
    ) -> dict[str, KnowledgeGroup]:
        """Return a result by info_type."""
        groups: dict[str, KnowledgeGroup] = {}

        def group(info_type: str) -> KnowledgeGroup:
            return groups.setdefault(info_type, KnowledgeGroup(info_type, self._formatter))

        if result.metadata or result.global_metadata:
            groups[self._metadata_info_type] = replace(
                group(self._metadata_info_type),
                metadata=result.metadata,
                global_metadata=result.global_metadata,
            )
        for piece, score in result.pieces:
            old = group(piece.info_type)
            groups[piece.info_type] = replace(old, pieces=(*old.pieces, (piece, score)))
        for relation in result.graph_context:
            if relation["piece_id"]:
                continue  # its piece is among the pieces
            own = relation["source_node_id"] == active_entity
            old = group(USER_PROFILE if own else CONTEXT)
            groups[old.info_type] = replace(old, relations=(*old.relations, relation))
        return dict(sorted(groups.items()))
