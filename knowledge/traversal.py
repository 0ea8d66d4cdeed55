"""Walking the graph from an entity, breadth first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from knowledge.graph import EntityGraphStore, GraphEdge, GraphNode

MOST_EDGES = 200
"""Edges that one question looks at: an entity that everything hangs on must not fill a prompt."""


@dataclass(frozen=True, slots=True)
class Step:
    """An edge that was walked. depth: of its target from the entity, from 1."""

    edge: GraphEdge
    target: GraphNode
    depth: int

    @property
    def score(self) -> float:
        """How near the target is: 1 / depth."""
        return 1.0 / self.depth


def walk(graph: EntityGraphStore, entity_id: str, most_hops: int) -> Iterator[Step]:
    """Yield the edges that lead away from an entity, nearest first, each once.

    Nodes of one depth are taken by id and their edges by `GraphEdge.key`, so the order does not
    depend on the order things were kept in.
    """
    seen, level, walked = {entity_id}, [entity_id], 0
    for depth in range(1, most_hops + 1):
        following: set[str] = set()
        for node_id in level:
            for edge in graph.edges_from(node_id):
                target = graph.get_node(edge.target_id)
                if target is None:
                    continue
                if walked == MOST_EDGES:
                    return
                walked += 1
                yield Step(edge, target, depth)
                following.add(edge.target_id)
        level = sorted(following - seen)
        seen |= following
