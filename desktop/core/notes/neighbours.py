"""What belongs to an entity, for a small picture: its relations and its notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.notes.note import Note
    from knowledge.graph import EntityGraphStore, GraphEdge

NOTE = "note"
MOST_NODES = 40
"""More than that is no small picture."""
_MOST_NOTES = 12


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A node of the picture. depth: relations from the middle. kind: "note" for a note."""

    node_id: str
    kind: str
    label: str
    depth: int


@dataclass(frozen=True, slots=True)
class Link:
    """A relation of the picture, in its direction. piece_id: of the note it tells, or ""."""

    source_id: str
    target_id: str
    kind: str
    piece_id: str = ""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The middle is the first node. cut: there is more than the picture has."""

    nodes: tuple[Neighbour, ...]
    links: tuple[Link, ...]
    cut: bool = False


def neighbourhood(
    graph: EntityGraphStore, entity_id: str, notes: Sequence[Note], hops: int = 2
) -> Neighbourhood:
    """Return what is up to `hops` relations away, either way, and the entity's own notes."""
    nodes = {entity_id: _node(graph, entity_id, 0)}
    edges: dict[tuple[str, ...], GraphEdge] = {}
    level, cut = [entity_id], False
    for depth in range(1, hops + 1):
        following: list[str] = []
        for node_id in level:
            for edge in [*graph.edges_from(node_id), *graph.edges_to(node_id)]:
                other = edge.target_id if edge.source_id == node_id else edge.source_id
                if other not in nodes:
                    if len(nodes) >= MOST_NODES:
                        cut = True
                        continue
                    nodes[other] = _node(graph, other, depth)
                    following.append(other)
                edges.setdefault(edge.key, edge)
        level = following
    links = [Link(e.source_id, e.target_id, e.edge_type, e.piece_id) for e in edges.values()]
    told = {link.piece_id for link in links}
    own = [note for note in notes if note.piece_id not in told]
    for note in own[:_MOST_NOTES]:
        nodes[note.piece_id] = Neighbour(note.piece_id, NOTE, note.title, 1)
        links.append(Link(entity_id, note.piece_id, NOTE, note.piece_id))
    return Neighbourhood(tuple(nodes.values()), tuple(links), cut or len(own) > _MOST_NOTES)


def _node(graph: EntityGraphStore, node_id: str, depth: int) -> Neighbour:
    node = graph.get_node(node_id)
    kind, _, name = node_id.partition(":")
    if node is None:
        return Neighbour(node_id, kind if name else "", name or node_id, depth)
    return Neighbour(node_id, node.node_type, node.label or name or node_id, depth)
