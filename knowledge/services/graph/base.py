"""What every graph backend can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Self

from knowledge.errors import KnowledgeRefused

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from knowledge.services.graph.values import GraphEdge, GraphNode


class GraphServiceBase(ABC):
    """A directed graph per namespace; edges are the same when their `key` is."""

    @abstractmethod
    def add_node(self, node: GraphNode, namespace: str = "") -> bool:
        """Keep a node in place of the one of its id; return whether it changed anything."""

    @abstractmethod
    def get_node(self, node_id: str, namespace: str = "") -> GraphNode | None:
        """Return a node."""

    @abstractmethod
    def remove_node(self, node_id: str, namespace: str = "") -> bool:
        """Forget a node and its edges; return whether there was one."""

    def add_edge(self, edge: GraphEdge, namespace: str = "") -> bool:
        """Keep an edge in place of the same one; return whether it changed anything.

        Raises: KnowledgeRefused, when one of its nodes is not there.
        """
        for node_id in (edge.source_id, edge.target_id):
            if self.get_node(node_id, namespace) is None:
                raise KnowledgeRefused(f"The node {node_id!r} is not in the graph.")
        return self._put_edge(edge, namespace)

    @abstractmethod
    def _put_edge(self, edge: GraphEdge, namespace: str) -> bool:
        """Keep an edge whose nodes are there."""

    @abstractmethod
    def remove_edge(self, edge: GraphEdge, namespace: str = "") -> bool:
        """Forget an edge; return whether there was one."""

    @abstractmethod
    def edges_from(self, node_id: str, namespace: str = "") -> list[GraphEdge]:
        """Return the edges that leave a node, by `key`."""

    @abstractmethod
    def edges_to(self, node_id: str, namespace: str = "") -> list[GraphEdge]:
        """Return the edges that reach a node, by `key`."""

    @abstractmethod
    def nodes(self, namespace: str = "") -> list[GraphNode]:
        """Return every node, by id."""

    @abstractmethod
    def edges(self, namespace: str = "") -> list[GraphEdge]:
        """Return every edge, by `key`."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Keep all of what is done inside, or, if it raises, nothing."""

    def close(self) -> None:  # noqa: B027 - memory has nothing to let go of
        """Let go of files and connections; closing twice is fine."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
