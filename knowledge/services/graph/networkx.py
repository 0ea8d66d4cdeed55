"""A graph in NetworkX, for whoever wants its algorithms over the same data."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from knowledge.services.graph.base import GraphServiceBase

if TYPE_CHECKING:
    from collections.abc import Iterator

    import networkx

    from knowledge.services.graph.values import GraphEdge, GraphNode


class NetworkxGraphService(GraphServiceBase):
    """One `networkx.MultiDiGraph` per namespace; nodes and edges carry our values as `value`."""

    def __init__(self) -> None:
        self._graphs: dict[str, networkx.MultiDiGraph[str]] = {}
        self._lock = threading.RLock()

    def graph(self, namespace: str = "") -> networkx.MultiDiGraph[str]:
        """Return the graph itself, to read."""
        import networkx  # a tenth of a second, and only for those who use this backend

        return self._graphs.setdefault(namespace, networkx.MultiDiGraph())

    def add_node(self, node: GraphNode, namespace: str = "") -> bool:
        """Keep a node."""
        with self._lock:
            changed = self.get_node(node.node_id, namespace) != node
            self.graph(namespace).add_node(node.node_id, value=node)
            return changed

    def get_node(self, node_id: str, namespace: str = "") -> GraphNode | None:
        """Return a node."""
        with self._lock:
            nodes = self.graph(namespace).nodes
            return nodes[node_id]["value"] if node_id in nodes else None

    def remove_node(self, node_id: str, namespace: str = "") -> bool:
        """Forget a node and its edges."""
        with self._lock:
            graph = self.graph(namespace)
            if node_id not in graph:
                return False
            graph.remove_node(node_id)
            return True

    def _put_edge(self, edge: GraphEdge, namespace: str) -> bool:
        with self._lock:
            graph = self.graph(namespace)
            kept = graph.get_edge_data(edge.source_id, edge.target_id, edge.key, {})
            graph.add_edge(edge.source_id, edge.target_id, edge.key, value=edge)
            return bool(kept.get("value") != edge)

    def remove_edge(self, edge: GraphEdge, namespace: str = "") -> bool:
        """Forget an edge."""
        with self._lock:
            graph = self.graph(namespace)
            there = bool(graph.has_edge(edge.source_id, edge.target_id, edge.key))
            if there:
                graph.remove_edge(edge.source_id, edge.target_id, edge.key)
            return there

    def edges_from(self, node_id: str, namespace: str = "") -> list[GraphEdge]:
        """Return the edges that leave a node."""
        with self._lock:
            return _sorted(self.graph(namespace).out_edges([node_id], data="value"))

    def edges_to(self, node_id: str, namespace: str = "") -> list[GraphEdge]:
        """Return the edges that reach a node."""
        with self._lock:
            return _sorted(self.graph(namespace).in_edges([node_id], data="value"))

    def nodes(self, namespace: str = "") -> list[GraphNode]:
        """Return every node."""
        with self._lock:
            nodes = self.graph(namespace).nodes
            return [nodes[node_id]["value"] for node_id in sorted(nodes)]

    def edges(self, namespace: str = "") -> list[GraphEdge]:
        """Return every edge."""
        with self._lock:
            return _sorted(self.graph(namespace).edges(data="value"))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Undo what is done inside if it raises; other threads wait."""
        with self._lock:
            before = {name: graph.copy() for name, graph in self._graphs.items()}
            try:
                yield
            except BaseException:
                self._graphs = before
                raise


def _sorted(edges: Any) -> list[GraphEdge]:
    """Return the values of edges, by key."""
    return sorted((value for *_, value in edges), key=lambda edge: edge.key)
