"""A graph in a JSON file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge.services.graph.memory import MemoryGraphService

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from knowledge.services.graph.values import GraphEdge, GraphNode
    from knowledge.services.json_file import JsonFile


class FileGraphService(MemoryGraphService):
    """Holds everything in memory and writes the file after every change."""

    def __init__(self, file: JsonFile) -> None:
        super().__init__()
        self._file = file
        file.attach("graph", self)

    def add_node(self, node: GraphNode, namespace: str = "") -> bool:
        """Keep a node and write the file."""
        with self._file.transaction():
            return super().add_node(node, namespace)

    def remove_node(self, node_id: str, namespace: str = "") -> bool:
        """Forget a node and write the file."""
        with self._file.transaction():
            return super().remove_node(node_id, namespace)

    def _put_edge(self, edge: GraphEdge, namespace: str) -> bool:
        with self._file.transaction():
            return super()._put_edge(edge, namespace)

    def remove_edge(self, edge: GraphEdge, namespace: str = "") -> bool:
        """Forget an edge and write the file."""
        with self._file.transaction():
            return super().remove_edge(edge, namespace)

    def transaction(self) -> AbstractContextManager[None]:
        """Return the transaction of the file."""
        return self._file.transaction()
