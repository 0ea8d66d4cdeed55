"""Graph services: nodes and edges in memory, a JSON file or SQLite, and as NetworkX sees them."""

from __future__ import annotations

import copy
import json
from abc import abstractmethod
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from knowledge.errors import KnowledgeRefused
from knowledge.services.base import JsonFile, MemoryService, Service, SQLiteService, json_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import networkx


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


class GraphServiceBase(Service):
    """A directed graph per namespace; edges are the same when their `key` is."""

    @abstractmethod
    def add_node(self, node: GraphNode, namespace: str = "") -> bool:
        """Keep a node in place of the one with its id; return whether it changed anything."""

    @abstractmethod
    def get_node(self, node_id: str, namespace: str = "") -> GraphNode | None:
        """Return a node."""

    @abstractmethod
    def remove_node(self, node_id: str, namespace: str = "") -> bool:
        """Forget a node and its edges; return whether there was one."""

    def add_edge(self, edge: GraphEdge, namespace: str = "") -> bool:
        """Keep an edge in place of the same one; return whether anything changed.

        Raises: KnowledgeRefused, when one of its nodes is not there.
        """
        for node_id in (edge.source_id, edge.target_id):
            if self.get_node(node_id, namespace) is None:
                raise KnowledgeRefused("There is no entry {node_id}.", node_id=repr(node_id))
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


class MemoryGraphService(MemoryService, GraphServiceBase):
    """Keeps graphs as long as the process lives."""

    def __init__(self, file: JsonFile | None = None) -> None:
        self._graphs: dict[str, _Graph] = {}
        super().__init__("graph", file)

    def add_node(self, node: GraphNode, namespace: str = "") -> bool:
        """Keep a node."""
        with self._changing():
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
        with self._changing():
            graph = self._graph(namespace)
            for key in graph.out.pop(node_id, set()) | graph.into.pop(node_id, set()):
                graph.drop(key)
            return graph.nodes.pop(node_id, None) is not None

    def _put_edge(self, edge: GraphEdge, namespace: str) -> bool:
        with self._changing():
            graph = self._graph(namespace)
            changed = graph.edges.get(edge.key) != edge
            graph.put(_own(edge))
            return changed

    def remove_edge(self, edge: GraphEdge, namespace: str = "") -> bool:
        """Forget an edge."""
        with self._changing():
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


class FileGraphService(MemoryGraphService):
    """Holds everything in memory and writes the file after every change."""

    def __init__(self, file: JsonFile) -> None:
        super().__init__(file)


_NODE = "SELECT node_id, node_type, label, properties FROM nodes WHERE namespace = ?"
_EDGE = "SELECT source_id, target_id, edge_type, properties FROM edges WHERE namespace = ?"
_BY_KEY = " ORDER BY source_id, edge_type, target_id, piece_id"


class SQLiteGraphService(SQLiteService, GraphServiceBase):
    """Nodes and edges in tables of a knowledge database."""

    def add_node(self, node: GraphNode, namespace: str = "") -> bool:
        """Keep a node."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO nodes(namespace, node_id, node_type, label, properties) "
                "VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE "
                "SET node_type = ?3, label = ?4, properties = ?5 "
                "WHERE node_type <> ?3 OR label <> ?4 OR properties <> ?5",
                (namespace, node.node_id, node.node_type, node.label, json_text(node.properties)),
            )
            return connection.changes() > 0

    def get_node(self, node_id: str, namespace: str = "") -> GraphNode | None:
        """Return a node."""
        found = self._rows(f"{_NODE} AND node_id = ?", namespace, node_id)
        return _node(found[0]) if found else None

    def remove_node(self, node_id: str, namespace: str = "") -> bool:
        """Forget a node and its edges."""
        with self._database.writing() as connection:
            for end in ("source_id", "target_id"):
                connection.execute(
                    f"DELETE FROM edges WHERE namespace = ? AND {end} = ?", (namespace, node_id)
                )
            connection.execute(
                "DELETE FROM nodes WHERE namespace = ? AND node_id = ?", (namespace, node_id)
            )
            return connection.changes() > 0

    def _put_edge(self, edge: GraphEdge, namespace: str) -> bool:
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO edges"
                "(namespace, source_id, edge_type, target_id, piece_id, properties) "
                "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE "
                "SET properties = ?6 WHERE properties <> ?6",
                (namespace, *edge.key, json_text(edge.properties)),
            )
            return connection.changes() > 0

    def remove_edge(self, edge: GraphEdge, namespace: str = "") -> bool:
        """Forget an edge."""
        with self._database.writing() as connection:
            connection.execute(
                "DELETE FROM edges WHERE namespace = ? AND source_id = ? AND edge_type = ? "
                "AND target_id = ? AND piece_id = ?",
                (namespace, *edge.key),
            )
            return connection.changes() > 0

    def edges_from(self, node_id: str, namespace: str = "") -> list[GraphEdge]:
        """Return the edges that leave a node."""
        return _edges(self._rows(f"{_EDGE} AND source_id = ?{_BY_KEY}", namespace, node_id))

    def edges_to(self, node_id: str, namespace: str = "") -> list[GraphEdge]:
        """Return the edges that reach a node."""
        return _edges(self._rows(f"{_EDGE} AND target_id = ?{_BY_KEY}", namespace, node_id))

    def nodes(self, namespace: str = "") -> list[GraphNode]:
        """Return every node."""
        return [_node(row) for row in self._rows(f"{_NODE} ORDER BY node_id", namespace)]

    def edges(self, namespace: str = "") -> list[GraphEdge]:
        """Return every edge."""
        return _edges(self._rows(_EDGE + _BY_KEY, namespace))


def _node(row: tuple[Any, ...]) -> GraphNode:
    return GraphNode(row[0], row[1], row[2], json.loads(row[3]))


def _edges(rows: list[tuple[Any, ...]]) -> list[GraphEdge]:
    return [GraphEdge(row[0], row[1], row[2], json.loads(row[3])) for row in rows]


class NetworkxGraphService(SQLiteGraphService):
    """The graph in a knowledge database, which NetworkX may look at."""

    def graph(self, namespace: str = "") -> networkx.MultiDiGraph[str]:
        """Return a copy of what is kept as a graph; nodes and edges carry our values as `value`."""
        import networkx  # a tenth of a second, and only for those who use this backend

        graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
        for node in self.nodes(namespace):
            graph.add_node(node.node_id, value=node)
        for edge in self.edges(namespace):
            graph.add_edge(edge.source_id, edge.target_id, edge.key, value=edge)
        return graph
