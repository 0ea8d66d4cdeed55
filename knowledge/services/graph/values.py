"""A node and an edge of a graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class GraphNode:
    """An entity. properties: values of JSON."""

    node_id: str
    node_type: str
    label: str = ""
    properties: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A relation from one entity to another. properties: values of JSON.

    properties["piece_id"] links a piece of knowledge, properties["description"] is told.
    """

    source_id: str
    target_id: str
    edge_type: str
    properties: Mapping[str, Any] = field(default_factory=dict)

    @property
    def piece_id(self) -> str:
        """The piece that the edge links, or ""."""
        return str(self.properties.get("piece_id") or "")

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What makes an edge the same one: two notes may link the same two entities."""
        return (self.source_id, self.edge_type, self.target_id, self.piece_id)
