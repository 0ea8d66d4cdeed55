"""Layer 3: how entities are related, and walking the graph from one of them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge.services.base import Service, ServiceAdapter
from knowledge.services.graph import GraphEdge, GraphNode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from knowledge.services.graph import GraphServiceBase

__all__ = [
    "EntityGraphStore",
    "GraphEdge",
    "GraphNode",
    "GraphServiceEntityGraphStore",
    "Step",
    "walk",
]

MOST_EDGES = 200
"""Edges that one question looks at: an entity that everything hangs on must not fill a prompt."""


class EntityGraphStore(Service):
    """Keeps entities as nodes and their relations as directed edges."""

    @abstractmethod
    def add_node(self, node: GraphNode) -> bool:
        """Keep a node in place of the one with its id; return whether it changed anything."""

    @abstractmethod
    def get_node(self, node_id: str) -> GraphNode | None:
        """Return a node."""

    @abstractmethod
    def remove_node(self, node_id: str) -> bool:
        """Forget a node and its edges; return whether there was one."""

    @abstractmethod
    def add_edge(self, edge: GraphEdge) -> bool:
        """Keep an edge in place of the same one; return whether anything changed.

        Raises: KnowledgeRefused, when one of its nodes is not there.
        """

    @abstractmethod
    def remove_edge(self, edge: GraphEdge) -> bool:
        """Forget an edge; return whether there was one."""

    @abstractmethod
    def edges_from(self, node_id: str) -> list[GraphEdge]:
        """Return the edges that leave a node, in the order of `GraphEdge.key`."""

    @abstractmethod
    def edges_to(self, node_id: str) -> list[GraphEdge]:
        """Return the edges that reach a node, in the order of `GraphEdge.key`."""

    @abstractmethod
    def nodes(self) -> list[GraphNode]:
        """Return every node, by id."""

    @abstractmethod
    def edges(self) -> list[GraphEdge]:
        """Return every edge, in the order of `GraphEdge.key`."""


class GraphServiceEntityGraphStore(ServiceAdapter, EntityGraphStore):
    """A graph service as it is, in one of its namespaces (one tenant's graph)."""

    def __init__(self, service: GraphServiceBase, namespace: str = "") -> None:
        super().__init__(service)
        self._service = service
        self._namespace = namespace

    def add_node(self, node: GraphNode) -> bool:
        """Keep a node."""
        return self._service.add_node(node, self._namespace)

    def get_node(self, node_id: str) -> GraphNode | None:
        """Return a node."""
        return self._service.get_node(node_id, self._namespace)

    def remove_node(self, node_id: str) -> bool:
        """Forget a node and its edges."""
        return self._service.remove_node(node_id, self._namespace)

    def add_edge(self, edge: GraphEdge) -> bool:
        """Keep an edge between two nodes that are there."""
        return self._service.add_edge(edge, self._namespace)

    def remove_edge(self, edge: GraphEdge) -> bool:
        """Forget an edge."""
        return self._service.remove_edge(edge, self._namespace)

    def edges_from(self, node_id: str) -> list[GraphEdge]:
        """Return the edges that leave a node."""
        return self._service.edges_from(node_id, self._namespace)

    def edges_to(self, node_id: str) -> list[GraphEdge]:
        """Return the edges that reach a node."""
        return self._service.edges_to(node_id, self._namespace)

    def nodes(self) -> list[GraphNode]:
        """Return every node."""
        return self._service.nodes(self._namespace)

    def edges(self) -> list[GraphEdge]:
        """Return every edge."""
        return self._service.edges(self._namespace)


@dataclass(frozen=True, slots=True)
class Step:
    """An edge that was walked.

    reached: the node at its far end, its source where it was walked backwards. depth: of that
    node from the entity, from 1.
    """

    edge: GraphEdge
    reached: GraphNode
    depth: int

    @property
    def score(self) -> float:
        """How near the node is: 1 / depth."""
        return 1.0 / self.depth


def walk(
    graph: EntityGraphStore,
    entity_id: str,
    most_hops: int,
    backwards: Callable[[GraphEdge], bool] = lambda _: False,
) -> Iterator[Step]:
    """Yield the edges that lead away from an entity, nearest first, each once.

    backwards: which edges are walked against their direction, too. Nodes of one depth are taken
    by id and their edges by `GraphEdge.key`, so the order does not depend on the order things
    were kept in.
    """
    seen, level, walked = {entity_id}, [entity_id], set[tuple[str, ...]]()
    for depth in range(1, most_hops + 1):
        following: set[str] = set()
        for node_id in level:
            edges = [(edge, edge.target_id) for edge in graph.edges_from(node_id)]
            against = filter(backwards, graph.edges_to(node_id))
            edges += [(edge, edge.source_id) for edge in against]
            for edge, far in edges:
                reached = None if edge.key in walked else graph.get_node(far)
                if reached is None:
                    continue
                if len(walked) == MOST_EDGES:
                    return
                walked.add(edge.key)
                yield Step(edge, reached, depth)
                following.add(far)
        level = sorted(following - seen)
        seen |= following
