"""A graph as NetworkX sees it, for whoever wants its algorithms over what is kept elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge.services.graph.base import GraphServiceBase
from knowledge.services.graph.memory import MemoryGraphService

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    import networkx

    from knowledge.services.graph.values import GraphEdge, GraphNode


class NetworkxGraphService(GraphServiceBase):
    """A view of another graph service, which keeps everything: the SQLite one, for instance.

    kept_in: that service, which is closed with this one; None for one in memory.
    """

    def __init__(self, kept_in: GraphServiceBase | None = None) -> None:
        self._kept_in = kept_in or MemoryGraphService()

    def graph(self, namespace: str = "") -> networkx.MultiDiGraph[str]:
        """Return what is kept now as a graph; nodes and edges carry our values as `value`.

        It is a copy: what is changed in it is not kept.
        """
        import networkx  # a tenth of a second, and only for those who use this backend

        graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
        for node in self.nodes(namespace):
            graph.add_node(node.node_id, value=node)
        for edge in self.edges(namespace):
            graph.add_edge(edge.source_id, edge.target_id, edge.key, value=edge)
        return graph

    def add_node(self, node: GraphNode, namespace: str = "") -> bool:
        """Keep a node."""
        return self._kept_in.add_node(node, namespace)

    def get_node(self, node_id: str, namespace: str = "") -> GraphNode | None:
        """Return a node."""
        return self._kept_in.get_node(node_id, namespace)

    def remove_node(self, node_id: str, namespace: str = "") -> bool:
        """Forget a node and its edges."""
        return self._kept_in.remove_node(node_id, namespace)

    def _put_edge(self, edge: GraphEdge, namespace: str) -> bool:
        return self._kept_in.add_edge(edge, namespace)

    def remove_edge(self, edge: GraphEdge, namespace: str = "") -> bool:
        """Forget an edge."""
        return self._kept_in.remove_edge(edge, namespace)

    def edges_from(self, node_id: str, namespace: str = "") -> list[GraphEdge]:
        """Return the edges that leave a node."""
        return self._kept_in.edges_from(node_id, namespace)

    def edges_to(self, node_id: str, namespace: str = "") -> list[GraphEdge]:
        """Return the edges that reach a node."""
        return self._kept_in.edges_to(node_id, namespace)

    def nodes(self, namespace: str = "") -> list[GraphNode]:
        """Return every node."""
        return self._kept_in.nodes(namespace)

    def edges(self, namespace: str = "") -> list[GraphEdge]:
        """Return every edge."""
        return self._kept_in.edges(namespace)

    def transaction(self) -> AbstractContextManager[None]:
        """Return the transaction of the service that keeps it."""
        return self._kept_in.transaction()

    def close(self) -> None:
        """Close the service that keeps it."""
        self._kept_in.close()
