"""A graph in SQLite."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from knowledge.services.graph.base import GraphServiceBase
from knowledge.services.graph.values import GraphEdge, GraphNode
from knowledge.services.sqlite.rows import all_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from knowledge.services.sqlite import KnowledgeDatabase

_NODE = "SELECT node_id, node_type, label, properties FROM nodes WHERE namespace = ?"
_EDGE = "SELECT source_id, target_id, edge_type, properties FROM edges WHERE namespace = ?"
_BY_KEY = " ORDER BY source_id, edge_type, target_id, piece_id"


class SQLiteGraphService(GraphServiceBase):
    """Nodes and edges in tables of a knowledge database."""

    def __init__(self, database: KnowledgeDatabase) -> None:
        self._database = database

    def add_node(self, node: GraphNode, namespace: str = "") -> bool:
        """Keep a node."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO nodes(namespace, node_id, node_type, label, properties) "
                "VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE "
                "SET node_type = ?3, label = ?4, properties = ?5 "
                "WHERE node_type <> ?3 OR label <> ?4 OR properties <> ?5",
                (namespace, node.node_id, node.node_type, node.label, _text(node.properties)),
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
                (namespace, *edge.key, _text(edge.properties)),
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

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all of what is done inside, or nothing; shared with the database's services."""
        with self._database.writing():
            yield

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _rows(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        with self._database.reading() as connection:
            return all_rows(connection, query, values)


def _text(properties: Any) -> str:
    return json.dumps(dict(properties), ensure_ascii=False, sort_keys=True)


def _node(row: tuple[Any, ...]) -> GraphNode:
    return GraphNode(row[0], row[1], row[2], json.loads(row[3]))


def _edges(rows: list[tuple[Any, ...]]) -> list[GraphEdge]:
    return [GraphEdge(row[0], row[1], row[2], json.loads(row[3])) for row in rows]
