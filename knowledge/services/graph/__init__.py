"""Nodes and directed edges, in namespaces (one tenant each)."""

from knowledge.services.graph.base import GraphServiceBase
from knowledge.services.graph.file import FileGraphService
from knowledge.services.graph.memory import MemoryGraphService
from knowledge.services.graph.networkx import NetworkxGraphService
from knowledge.services.graph.sqlite import SQLiteGraphService
from knowledge.services.graph.values import GraphEdge, GraphNode

__all__ = [
    "FileGraphService",
    "GraphEdge",
    "GraphNode",
    "GraphServiceBase",
    "MemoryGraphService",
    "NetworkxGraphService",
    "SQLiteGraphService",
]
