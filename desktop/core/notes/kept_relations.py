"""The relations that belong to a note that is kept: read as lines, and written from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.core.notes.entities import STANDS_AT
from desktop.core.notes.relations import THING, relation_lines, with_relations
from knowledge.graph import GraphEdge, GraphNode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.notes.note import Note
    from knowledge.base import KnowledgeBase
    from knowledge.graph import EntityGraphStore


def kept_relations(note: Note, graph: EntityGraphStore) -> str:
    """Return what belongs to what by a note's words or about its thing, one relation a line.

    Relations that another note tells are that note's; where a thing stands is its place.
    """
    return relation_lines(_data(graph, _own(note, graph)))


def keep_relations(note: Note, text: str, base: KnowledgeBase, was: Note | None = None) -> bool:
    """Keep these relations in place of the ones a note had; return whether that changed any.

    text: as `kept_relations` gives it of the note as it was, which may have been about another
    thing. A thing that is named for the first time is made, and
    one that nothing belongs to any more is forgotten.

    Raises: KnowledgeRefused, naming the line that cannot be read or kept.
    """
    graph = base.graph_store
    before = _own(was or note, graph)
    wanted = with_relations(_data(graph, before), text, [note]).get("graph") or {}
    after = [
        GraphEdge(
            edge["source_id"], edge["target_id"], edge["edge_type"], edge.get("properties") or {}
        )
        for edge in wanted.get("edges") or ()
    ]
    there = {edge.key for edge in before}
    stays = {edge.key for edge in after}
    gone = [edge for edge in before if edge.key not in stays]
    new = [edge for edge in after if edge.key not in there]
    with base.transaction():
        for node in wanted.get("nodes") or ():
            if graph.get_node(node["node_id"]) is None:
                base.add_node(_node(node))
        for edge in gone:
            graph.remove_edge(edge)
        for edge in new:
            base.add_edge(edge)
        _forget_lonely(gone, graph)
    return bool(gone or new)


def _own(note: Note, graph: EntityGraphStore) -> list[GraphEdge]:
    own = [edge for edge in graph.edges() if note.piece_id and edge.piece_id == note.piece_id]
    if note.entity:
        around = (*graph.edges_from(note.entity), *graph.edges_to(note.entity))
        own += [edge for edge in around if not edge.piece_id]
    once = {edge.key: edge for edge in own}
    return [edge for edge in once.values() if edge.edge_type != STANDS_AT]


def _data(graph: EntityGraphStore, edges: Iterable[GraphEdge]) -> dict[str, Any]:
    """Return all things, which a person may name, and some relations, as structured knowledge."""
    nodes = [
        {
            "node_id": node.node_id,
            "node_type": node.node_type,
            "label": node.label,
            "properties": dict(node.properties),
        }
        for node in graph.nodes()
    ]
    told = [
        {
            "source_id": edge.source_id,
            "target_id": edge.target_id,
            "edge_type": edge.edge_type,
            "properties": dict(edge.properties),
        }
        for edge in edges
    ]
    return {"graph": {"nodes": nodes, "edges": told}}


def _node(values: Any) -> GraphNode:
    return GraphNode(
        values["node_id"],
        values["node_type"],
        values.get("label", ""),
        values.get("properties") or {},
    )


def _forget_lonely(gone: Iterable[GraphEdge], graph: EntityGraphStore) -> None:
    for node_id in dict.fromkeys(end for edge in gone for end in (edge.source_id, edge.target_id)):
        node = graph.get_node(node_id)
        known = node is not None and node.node_type == THING
        if known and not graph.edges_from(node_id) and not graph.edges_to(node_id):
            graph.remove_node(node_id)
