"""A graph in memory."""

from __future__ import annotations

import copy
import threading
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from knowledge.services.graph.base import GraphServiceBase
from knowledge.services.graph.values import GraphEdge, GraphNode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager

EdgeKey = tuple[str, str, str, str]
_Item = TypeVar("_Item", GraphNode, GraphEdge)


class _Graph:
    """Nodes by id, edges by key, and the keys at each node."""

    def __init__(self) -> None:
        self.nodes: dict[str, GraphNode] = {}
        self.edges: dict[EdgeKey, GraphEdge] = {}
        self.out: defaultdict[str, set[EdgeKey]] = defaultdict(set)
        self.into: defaultdict[str, set[EdgeKey]] = defaultdict(set)

    def put(self, edge: GraphEdge) -> None:
        self.edges[edge.key] = edge
        self.out[edge.source_id].add(edge.key)
        self.into[edge.target_id].add(edge.key)

    def drop(self, key: EdgeKey) -> bool:
        edge = self.edges.pop(key, None)
        if edge is None:
            return False
        self.out[edge.source_id].discard(key)
        self.into[edge.target_id].discard(key)
        return True

    def sorted_edges(self, keys: Iterable[EdgeKey]) -> list[GraphEdge]:
        return [_own(self.edges[key]) for key in sorted(keys)]


class MemoryGraphService(GraphServiceBase):
    """Keeps graphs as long as the process lives."""

    def __init__(self) -> None:
        self._graphs: dict[str, _Graph] = {}
        self._lock = threading.RLock()

    def add_node(self, node: GraphNode, namespace: str = "") -> bool:
        """Keep a node."""
        with self._lock:
            nodes = self._graph(namespace).nodes
            changed = nodes.get(node.node_id) != node
            nodes[node.node_id] = _own(node)
            return changed

    def get_node(self, node_id: str, namespace: str = "") -> GraphNode | None:
        """Return a node."""
        with self._lock:
            node = self._graph(namespace).nodes.get(node_id)
            return node and _own(node)

    def remove_node(self, node_id: str, namespace: str = "") -> bool:
        """Forget a node and its edges."""
        with self._lock:
            graph = self._graph(namespace)
            for key in graph.out.pop(node_id, set()) | graph.into.pop(node_id, set()):
                graph.drop(key)
            return graph.nodes.pop(node_id, None) is not None

    def _put_edge(self, edge: GraphEdge, namespace: str) -> bool:
        with self._lock:
            graph = self._graph(namespace)
            changed = graph.edges.get(edge.key) != edge
            graph.put(_own(edge))
            return changed

    def remove_edge(self, edge: GraphEdge, namespace: str = "") -> bool:
        """Forget an edge."""
        with self._lock:
            return self._graph(namespace).drop(edge.key)

    def edges_from(self, node_id: str, namespace: str = "") -> list[GraphEdge]:
        """Return the edges that leave a node."""
        with self._lock:
            graph = self._graph(namespace)
            return graph.sorted_edges(graph.out.get(node_id, ()))

    def edges_to(self, node_id: str, namespace: str = "") -> list[GraphEdge]:
        """Return the edges that reach a node."""
        with self._lock:
            graph = self._graph(namespace)
            return graph.sorted_edges(graph.into.get(node_id, ()))

    def nodes(self, namespace: str = "") -> list[GraphNode]:
        """Return every node."""
        with self._lock:
            return [_own(node) for _, node in sorted(self._graph(namespace).nodes.items())]

    def edges(self, namespace: str = "") -> list[GraphEdge]:
        """Return every edge."""
        with self._lock:
            graph = self._graph(namespace)
            return graph.sorted_edges(graph.edges)

    def transaction(self) -> AbstractContextManager[None]:
        """Undo what is done inside if it raises; other threads wait."""
        return self._undoing()

    @contextmanager
    def _undoing(self) -> Iterator[None]:
        with self._lock:
            before = self.dump()
            try:
                yield
            except BaseException:
                self.load(before)
                raise

    def dump(self) -> Any:
        """Return everything as values of JSON."""
        return {
            namespace: {
                "nodes": [
                    [n.node_id, n.node_type, n.label, n.properties] for n in graph.nodes.values()
                ],
                "edges": [
                    [e.source_id, e.target_id, e.edge_type, e.properties]
                    for e in graph.edges.values()
                ],
            }
            for namespace, graph in self._graphs.items()
        }

    def load(self, values: Any) -> None:
        """Hold these values instead."""
        self._graphs = {}
        for namespace, kept in (values or {}).items():
            graph = self._graph(namespace)
            graph.nodes = {node[0]: GraphNode(*node) for node in kept["nodes"]}
            for edge in kept["edges"]:
                graph.put(GraphEdge(*edge))

    def _graph(self, namespace: str) -> _Graph:
        return self._graphs.setdefault(namespace, _Graph())


def _own(item: _Item) -> _Item:
    """Return a copy that shares nothing that could be changed."""
    return replace(item, properties=copy.deepcopy(dict(item.properties)))
